//! What the documents show is what there is.

use std::path::Path;

fn read(path: &str) -> String {
    std::fs::read_to_string(Path::new(env!("CARGO_MANIFEST_DIR")).join(path)).unwrap()
}

#[test]
fn the_readme_s_server_is_the_minimal_example() {
    let readme = read("README.md");
    let (_, after) = readme
        .split_once("<!-- examples/minimal.rs -->\n```rust,no_run\n")
        .unwrap();
    let (shown, _) = after.split_once("```").unwrap();
    assert_eq!(shown, read("examples/minimal.rs"));
}

#[test]
fn a_complete_server_takes_less_than_thirty_lines() {
    assert!(read("examples/minimal.rs").lines().count() < 30);
}

#[test]
fn links_of_the_documents_lead_somewhere() {
    let root = Path::new(env!("CARGO_MANIFEST_DIR"));
    let documents = [
        "README.md",
        "CONTRIBUTING.md",
        "docs/architecture.md",
        "infra/runbook.md",
    ];
    let mut seen = 0;
    for document in documents {
        let folder = root.join(document).parent().unwrap().to_owned();
        for link in read(document).split("](").skip(1) {
            let target = link.split([')', '#']).next().unwrap();
            if target.is_empty() || target.contains("://") {
                continue;
            }
            assert!(folder.join(target).exists(), "{document} links to {target}");
            seen += 1;
        }
    }
    assert!(seen > 5, "{seen} links");
}
