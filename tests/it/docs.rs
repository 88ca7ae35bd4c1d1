//! The documents describe what exists: every path, link, command, setting and type that a Markdown
//! file names is there.
//!
//! Submodules: `markdown` reads a document, `project` knows the files, the words and the targets of
//! the project, `commands` reads shell blocks.

use std::collections::BTreeSet;

mod commands;
mod markdown;
mod project;

use self::commands::{Faults, check_command, check_shell};
use self::markdown::Document;
use self::project::Project;

fn read(path: &str) -> String {
    let path = harness::workspace().join(path);
    std::fs::read_to_string(&path).unwrap_or_else(|error| panic!("{}: {error}", path.display()))
}

/// Names in documents that stand for something of another project or of AWS.
const FOREIGN: [&str; 7] = [
    ".mcp.json",
    ".vscode/mcp.json",
    "AccessDenied",
    "CallToolResultMetaObject",
    "ServerHandler",
    "claude_desktop_config.json",
    "target/outbox.jsonl",
];

/// Runs `check` on every document and fails with all that it found.
#[track_caller]
fn each_document(check: impl Fn(&Project, &Document, &mut Faults)) {
    let project = Project::get();
    let documents = project.documents();
    assert!(documents.len() > 10, "{} documents", documents.len());
    let mut faults = Faults::default();
    for document in &documents {
        check(project, document, &mut faults);
    }
    faults.assert_none();
}

#[test]
fn foreign_names_are_still_in_use() {
    let documents = Project::get().documents();
    for name in FOREIGN {
        let mut code = documents.iter().flat_map(|document| &document.code);
        assert!(
            code.any(|code| code.starts_with(name)),
            "no document names {name}"
        );
    }
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

/// The first column of a table of the crate's documentation, below a heading.
fn first_column(heading: &str) -> BTreeSet<String> {
    let source = read("src/lib.rs");
    let (_, after) = source.split_once(&format!("//! # {heading}\n")).unwrap();
    let (section, _) = after.split_once("//! # ").unwrap();
    let rows = section
        .lines()
        .filter_map(|line| line.strip_prefix("//! | "));
    let names = rows.filter_map(|row| row.split(" |").next()?.split('`').nth(1));
    names.map(str::to_owned).collect()
}

/// A feature or module that is missing here is one that nobody finds.
#[test]
fn the_tables_of_the_crate_name_every_feature_and_every_public_module() {
    let manifest = read("Cargo.toml");
    let (_, after) = manifest.split_once("[features]\n").unwrap();
    let (section, _) = after.split_once("\n[").unwrap();
    let features = section.lines().filter_map(|line| line.split_once(" = ["));
    let features = features.map(|(name, _)| name.to_owned());
    let features = features.filter(|name| name != "default").collect();
    assert_eq!(first_column("Features"), features);
    let source = read("src/lib.rs");
    let modules = source.lines().filter_map(|line| {
        let name = line.strip_prefix("pub mod ")?;
        Some(name.trim_end_matches([';', '{', ' ']).to_owned())
    });
    assert_eq!(first_column("Modules"), modules.collect::<BTreeSet<_>>());
}

#[test]
fn links_lead_to_a_file_and_to_a_heading_of_it() {
    each_document(|project, document, faults| {
        for link in &document.links {
            if link.contains("://") || link.starts_with("mailto:") {
                continue;
            }
            let (path, heading) = link.split_once('#').unwrap_or((link, ""));
            let target = document.beside(path);
            if !project.exists(&target) {
                faults.add(document, format!("links to `{link}`, which does not exist"));
            } else if !heading.is_empty() && !project.headings(&target).contains(heading) {
                faults.add(document, format!("links to `{link}`: no such heading"));
            }
        }
    });
}

#[test]
fn paths_and_files_exist() {
    each_document(|project, document, faults| {
        let blocks = document.blocks.iter();
        let in_blocks = blocks.flat_map(|block| block.text.split_whitespace());
        let names = document.code.iter().map(String::as_str).chain(in_blocks);
        for name in names {
            let name = name.trim_matches(['"', '\'', ',', ';', '(', ')']);
            if !FOREIGN.contains(&name) && project.lacks_path(document, name) {
                faults.add(document, format!("names `{name}`, which does not exist"));
            }
        }
    });
}

#[test]
fn settings_and_types_exist() {
    each_document(|project, document, faults| {
        for code in &document.code {
            let name = code.split(['=', ':', '(', '<']).next().unwrap();
            if !FOREIGN.contains(&name) && project::is_name(name) && !project.has_word(name) {
                faults.add(document, format!("names `{name}`, which no source has"));
            }
            if let Some(item) = project.lacks_item(code) {
                faults.add(document, format!("names `{code}`: no source has `{item}`"));
            }
        }
    });
}

#[test]
fn commands_are_known() {
    each_document(|project, document, faults| {
        for block in &document.blocks {
            match block.language.as_str() {
                "sh" => check_shell(project, document, &block.text, faults),
                "text" => {
                    let is_command =
                        |line: &&str| line.starts_with("make") || line.starts_with("$ ");
                    for line in block.text.lines().filter(is_command) {
                        let line = line.trim_start_matches("$ ");
                        // In a list of commands, two spaces end the command.
                        let command = line.split("  ").next().unwrap();
                        check_command(project, document, command, faults);
                    }
                }
                _ => {}
            }
        }
        for code in &document.code {
            let first = code.split_whitespace().next().unwrap_or_default();
            if ["make", "cargo", "portfolio"].contains(&first) {
                check_shell(project, document, code, faults);
            }
        }
    });
}

/// Comments name files as well.
#[test]
fn paths_in_comments_exist() {
    let project = Project::get();
    let mut faults = Faults::default();
    let mut seen = 0;
    for (path, text) in project.sources() {
        let lines = text.lines().map(str::trim_start);
        for line in lines.filter(|line| line.starts_with("//") || line.starts_with("# ")) {
            let words = line.split(|c: char| c.is_whitespace() || "`'\"(),;:<>".contains(c));
            for word in words.map(|word| word.trim_end_matches('.')) {
                if project.is_below_root(word) {
                    seen += 1;
                    if !FOREIGN.contains(&word) && !project.exists(word) {
                        faults.add_at(path, format!("names `{word}`, which does not exist"));
                    }
                }
            }
        }
    }
    assert!(seen > 10, "{seen} paths");
    faults.assert_none();
}

#[test]
fn the_map_of_a_test_binary_names_every_topic() {
    for binary in ["tests/it/main.rs", "functions/portfolio/tests/it/main.rs"] {
        let source = read(binary);
        let map: String = source
            .lines()
            .filter(|line| line.starts_with("//!"))
            .collect();
        for line in source.lines() {
            let topic = line
                .strip_prefix("mod ")
                .and_then(|rest| rest.strip_suffix(';'));
            if let Some(topic) = topic {
                let is_named = map.contains(&format!("`{topic}`"));
                assert!(is_named, "the map in {binary} lacks `{topic}`");
            }
        }
    }
}
