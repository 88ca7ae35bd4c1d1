//! Imports go one way: the table of `docs/architecture.md`, checked against the sources.

use std::path::{Path, PathBuf};

/// The modules from the bottom up. Those on one line do not know each other.
const LAYERS: [&[&str]; 11] = [
    &["wire", "future", "https_url"],
    &["error"],
    &["reply"],
    &["gate", "era", "auth", "limit"],
    &["schema"],
    &["handler"],
    &["server"],
    &["methods"],
    &["documents", "log"],
    &["pipeline"],
    &["lambda"],
];

fn layer(module: &str) -> usize {
    let found = LAYERS.iter().position(|modules| modules.contains(&module));
    found.unwrap_or_else(|| panic!("module `{module}` stands in no layer"))
}

fn sources(folder: &Path) -> Vec<PathBuf> {
    let mut found = Vec::new();
    for entry in std::fs::read_dir(folder).unwrap() {
        let path = entry.unwrap().path();
        if path.is_dir() {
            found.extend(sources(&path));
        } else if path.extension().is_some_and(|ending| ending == "rs") {
            found.push(path);
        }
    }
    found
}

/// The modules of this crate that a source names, line by line.
fn named(source: &str) -> Vec<(usize, String)> {
    let mut found = Vec::new();
    for (number, line) in source.lines().enumerate() {
        if line.trim_start().starts_with("//") {
            continue;
        }
        for part in line.split("crate::").skip(1) {
            let is_word = |c: char| c.is_ascii_alphanumeric() || c == '_';
            let name: String = part.chars().take_while(|c| is_word(*c)).collect();
            if part[name.len()..].starts_with("::") || part[name.len()..].starts_with(';') {
                found.push((number + 1, name));
            }
        }
    }
    found
}

#[test]
fn no_module_imports_from_above_or_beside() {
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("src");
    let mut arrows = 0;
    for path in sources(&root) {
        let inner = path.strip_prefix(&root).unwrap();
        let first = inner.iter().next().unwrap().to_string_lossy();
        let module = first.trim_end_matches(".rs");
        if module == "lib" {
            continue;
        }
        for (line, imported) in named(&std::fs::read_to_string(&path).unwrap()) {
            arrows += 1;
            let below = layer(&imported) < layer(module);
            assert!(
                below || imported == module,
                "{}:{line}: `{module}` imports `{imported}`",
                inner.display()
            );
        }
    }
    assert!(arrows > 100, "only {arrows} imports were seen");
}

#[test]
fn grouped_imports_do_not_escape_the_check() {
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("src");
    for path in sources(&root) {
        let source = std::fs::read_to_string(&path).unwrap();
        assert!(!source.contains("use crate::{"), "{}", path.display());
    }
}
