//! The sources import in one direction: modules follow the table of `docs/architecture.md`, and no
//! two files depend on each other.
//!
//! Submodules: `source` reads a crate's modules, `uses` resolves who uses whom, `circles` finds the
//! circles.

mod circles;
mod source;
mod uses;

use std::path::{Path, PathBuf};

use self::circles::{circles, way_round};
use self::source::Crate;
use self::uses::{names, uses};

/// The modules of the library from the bottom up. Modules on one line do not import each other.
const LAYERS: [&[&str]; 14] = [
    &["json"],
    &[
        "wire",
        "future",
        "https_url",
        "platform",
        "request_headers",
        "seal",
    ],
    &["error", "https"],
    &["reply", "aws"],
    &["gate", "era", "auth", "limit"],
    &["peer", "schema", "trace_context"],
    &["handler"],
    &["tasks", "layer"],
    &["server"],
    &["methods"],
    &["documents", "log"],
    &["pipeline"],
    &["lambda", "testing"],
    &["lambda_http", "local", "stdio"],
];

/// The same for the function.
const LAYERS_OF_THE_PORTFOLIO: [&[&str]; 7] = [
    &["aws", "built_in"],
    &["about", "arguments", "markdown", "secrets", "style"],
    &["contact", "resources", "view"],
    &["config", "offers", "prompts"],
    &["page", "tools"],
    &["serve"],
    &["commands"],
];

/// Circles that are still to be broken: the crate, and the files that depend on each other.
///
/// The list only gets shorter. A file that is no longer part of a circle fails the test until it is
/// removed from the list.
const KNOWN_CIRCLES: &[(&str, &[&str])] = &[];

const LIBRARY: &str = "src";
const PORTFOLIO: &str = "functions/portfolio/src";
const CONTENT: &str = "functions/portfolio/content/src";

fn layer(layers: &[&[&str]], module: &str) -> usize {
    let found = layers.iter().position(|modules| modules.contains(&module));
    found.unwrap_or_else(|| panic!("module `{module}` is in no layer"))
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
fn modules_import_only_from_lower_layers() {
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
            let below = layer(&LAYERS, &imported) < layer(&LAYERS, module);
            assert!(
                below || imported == module,
                "{}:{line}: `{module}` imports `{imported}`",
                inner.display()
            );
        }
    }
    assert!(arrows > 100, "only {arrows} imports were found");
}

/// The check above reads lines: a grouped import would escape it.
#[test]
fn imports_are_written_one_by_one() {
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("src");
    for path in sources(&root) {
        let source = std::fs::read_to_string(&path).unwrap();
        assert!(!source.contains("use crate::{"), "{}", path.display());
    }
}

/// Unlike the check of the library, this one passes over tests: those of the page ask the whole server for it.
#[test]
fn modules_of_the_portfolio_name_only_lower_layers() {
    let sources = Crate::read(&harness::workspace().join(PORTFOLIO).join("lib.rs"));
    let module = |file: usize| {
        let first = sources.files[file].iter().next().unwrap();
        first.to_str().unwrap().trim_end_matches(".rs")
    };
    let mut against = Vec::new();
    for (from, to) in names(&sources) {
        let (user, used) = (module(from), module(to));
        if user == used || user == "lib" {
            continue;
        }
        let layer = |module| layer(&LAYERS_OF_THE_PORTFOLIO, module);
        if layer(used) >= layer(user) {
            let (from, to) = (sources.files[from].display(), sources.files[to].display());
            against.push(format!("{from} -> {to}"));
        }
    }
    assert!(against.is_empty(), "{}", against.join("\n"));
}

#[test]
fn no_file_of_the_library_depends_on_itself_through_others() {
    check_circles(LIBRARY, "lib.rs");
}

#[test]
fn no_file_of_the_portfolio_depends_on_itself_through_others() {
    check_circles(PORTFOLIO, "lib.rs");
}

#[test]
fn no_file_of_the_content_depends_on_itself_through_others() {
    check_circles(CONTENT, "lib.rs");
}

/// Compares the circles of a crate with those that are known.
fn check_circles(folder: &str, root: &str) {
    let sources = Crate::read(&harness::workspace().join(folder).join(root));
    let uses = uses(&sources);
    let name = |file: usize| sources.files[file].to_str().unwrap();
    let (files, arrows) = (sources.files.len(), uses.len());
    assert!(files > 50 && arrows > 150, "{files} files, {arrows} uses");

    let mut in_circles = Vec::new();
    for circle in circles(&uses) {
        let files: Vec<&str> = circle.iter().map(|&file| name(file)).collect();
        let is_known = KNOWN_CIRCLES
            .iter()
            .any(|(of, known)| *of == folder && files.iter().all(|file| known.contains(file)));
        let ways = circle.iter().map(|&file| {
            let way = way_round(&uses, &circle, file);
            way.into_iter().map(name).collect::<Vec<_>>().join(" -> ")
        });
        assert!(
            is_known,
            "{folder}: files depend on each other; move what they share to a file below both\n  {}",
            ways.collect::<Vec<_>>().join("\n  ")
        );
        in_circles.extend(files);
    }
    let known = KNOWN_CIRCLES.iter().filter(|(of, _)| *of == folder);
    let gone: Vec<&&str> = known
        .flat_map(|(_, files)| *files)
        .filter(|file| !in_circles.contains(*file))
        .collect();
    assert!(
        gone.is_empty(),
        "{folder}: these files are in no circle any more; remove them from KNOWN_CIRCLES: {gone:?}"
    );
}

#[test]
fn every_form_of_use_is_seen() {
    let folder = std::env::temp_dir().join(format!("layers-{}", std::process::id()));
    std::fs::create_dir_all(folder.join("b")).unwrap();
    let files = [
        (
            "lib.rs",
            "mod a; mod b; mod c; mod d; pub use a::A; use crate::c::C as Renamed; fn f(_: Renamed) {}",
        ),
        // Through the re-export of the root; a private module; a name that only a test uses.
        (
            "a.rs",
            "pub struct A; mod inner { use super::super::b::*; fn f(_: B) {} } \
             #[cfg(test)] mod tests { use crate::d::D; }",
        ),
        (
            "b/mod.rs",
            "mod e; pub use self::e::E; pub struct B; fn f() { println!(\"{}\", crate::c::value()); }",
        ),
        (
            "b/e.rs",
            "pub struct E; fn f() { use crate::d; d::value(); }",
        ),
        (
            "c.rs",
            "pub struct C; pub fn value() -> u8 { let _: crate::A; 0 }",
        ),
        (
            "d.rs",
            "pub struct D; pub fn value() -> crate::b::E { todo!() }",
        ),
    ];
    for (file, source) in files {
        std::fs::write(folder.join(file), source).unwrap();
    }
    let sources = Crate::read(&folder.join("lib.rs"));
    std::fs::remove_dir_all(&folder).unwrap();
    let name = |file: usize| sources.files[file].to_str().unwrap().to_owned();
    let mut found: Vec<String> = uses(&sources)
        .into_iter()
        .map(|(from, to)| format!("{} -> {}", name(from), name(to)))
        .collect();
    found.sort();
    let expected = [
        "a.rs -> b/mod.rs",
        "b/e.rs -> d.rs",
        "b/mod.rs -> c.rs",
        "c.rs -> a.rs",
        "d.rs -> b/e.rs",
        "lib.rs -> c.rs",
    ];
    assert_eq!(found, expected);
}
