//! What the project has: its files, the words of its sources, and the targets of its Makefiles.

use std::collections::{BTreeMap, BTreeSet};
use std::path::Path;
use std::sync::OnceLock;

use super::markdown::Document;

/// Folders that hold nothing of the project's own.
const NOT_OURS: [&str; 10] = [
    "target",
    ".git",
    ".tools",
    ".aws-sam",
    "node_modules",
    "__pycache__",
    "mutants.out",
    ".pytest_cache",
    // Written by `make deploy`.
    "samconfig.toml",
    // Written by `make release`.
    "dist",
];

/// Endings by which a name is taken for that of a file.
const ENDINGS: [&str; 14] = [
    ".rs", ".md", ".toml", ".yaml", ".yml", ".json", ".jsonl", ".py", ".mjs", ".mk", ".sh", ".txt",
    ".lock", ".snap",
];

/// The project, read once.
pub(super) struct Project {
    /// Every file and folder, relative to the root.
    paths: BTreeSet<String>,
    /// The text of every file that is neither a document nor binary.
    sources: BTreeMap<String, String>,
    documents: BTreeMap<String, String>,
    words: BTreeSet<String>,
    targets: BTreeSet<String>,
    modules: BTreeSet<String>,
}

impl Project {
    /// Reads the project, once for all tests.
    pub(super) fn get() -> &'static Self {
        static PROJECT: OnceLock<Project> = OnceLock::new();
        PROJECT.get_or_init(Self::read)
    }

    fn read() -> Self {
        let mut project = Self {
            paths: BTreeSet::new(),
            sources: BTreeMap::new(),
            documents: BTreeMap::new(),
            words: BTreeSet::new(),
            targets: BTreeSet::new(),
            modules: BTreeSet::new(),
        };
        let root = harness::workspace().canonicalize().unwrap();
        project.folder(&root, &root);
        for (path, text) in &project.sources {
            // What these tests name as an example is in no source for that.
            if path.starts_with("tests/it/docs") {
                continue;
            }
            let words = text.split(|c: char| !c.is_alphanumeric() && c != '_');
            project.words.extend(words.map(str::to_owned));
            if path == "Makefile" || path.ends_with(".mk") {
                project.targets.extend(targets(text));
            }
        }
        let top = project.paths.iter().filter_map(|path| {
            let name = path.strip_prefix("src/")?;
            (!name.contains('/')).then(|| name.trim_end_matches(".rs").to_owned())
        });
        project.modules = top.chain(["lambda_mcp".to_owned()]).collect();
        project
    }

    fn folder(&mut self, root: &Path, folder: &Path) {
        for entry in std::fs::read_dir(folder).unwrap() {
            let path = entry.unwrap().path();
            if NOT_OURS.contains(&path.file_name().unwrap().to_str().unwrap()) {
                continue;
            }
            let relative = path.strip_prefix(root).unwrap().to_str().unwrap();
            self.paths.insert(relative.to_owned());
            if path.is_dir() {
                self.folder(root, &path);
            } else if let Ok(text) = std::fs::read_to_string(&path) {
                let is_document = relative.ends_with(".md");
                let texts = if is_document {
                    &mut self.documents
                } else {
                    &mut self.sources
                };
                texts.insert(relative.to_owned(), text);
            }
        }
    }

    /// Every Markdown document, taken apart.
    pub(super) fn documents(&self) -> Vec<Document> {
        let documents = self.documents.iter();
        documents
            .map(|(path, text)| Document::read(path, text))
            .collect()
    }

    /// Every other text, with its path.
    pub(super) fn sources(&self) -> impl Iterator<Item = (&str, &str)> {
        self.sources
            .iter()
            .map(|(path, text)| (path.as_str(), text.as_str()))
    }

    /// The text of a source.
    pub(super) fn source(&self, path: &str) -> &str {
        &self.sources[path]
    }

    /// The headings of a document, as links name them.
    pub(super) fn headings(&self, path: &str) -> BTreeSet<String> {
        let text = self.documents.get(path);
        text.map_or_else(BTreeSet::new, |text| Document::read(path, text).headings)
    }

    /// Whether there is such a file or folder; what follows the first `*` or `{` is any.
    pub(super) fn exists(&self, path: &str) -> bool {
        let fixed = path.split(['*', '{']).next().unwrap();
        if fixed.len() < path.len() {
            return self.paths.iter().any(|path| path.starts_with(fixed));
        }
        self.paths.contains(path.trim_end_matches('/'))
    }

    /// Whether a word is a path whose first part is a folder of the root.
    pub(super) fn is_below_root(&self, word: &str) -> bool {
        word.split_once('/').is_some_and(|(first, rest)| {
            let is_path = rest.chars().all(|c| c.is_ascii_graphic());
            is_path && !rest.is_empty() && self.paths.contains(first) && !word.contains("::")
        })
    }

    /// Whether `name` looks like a path of the project, and there is nothing at it.
    ///
    /// A path is relative to the root, to the document's folder, or the end of a longer one.
    pub(super) fn lacks_path(&self, document: &Document, name: &str) -> bool {
        let is_path = |c: char| c.is_ascii_alphanumeric() || "/._-*{},".contains(c);
        if name.starts_with('/') || name.contains("//") || !name.chars().all(is_path) {
            return false;
        }
        let name = name.trim_start_matches("./");
        if NOT_OURS.iter().any(|folder| name.starts_with(folder)) {
            return false;
        }
        let is_file = ENDINGS.iter().any(|ending| {
            let stem = name.strip_suffix(ending);
            stem.is_some_and(|stem| !stem.is_empty())
        });
        let is_folder = name.len() > 1 && name.ends_with('/');
        if self.is_below_root(name) {
            return !self.exists(name);
        }
        if !is_file && !is_folder {
            return false;
        }
        let is_end = |path: &String| {
            path.strip_suffix(name.trim_end_matches('/'))
                .is_some_and(|before| before.is_empty() || before.ends_with('/'))
        };
        !self.exists(&document.beside(name)) && !self.paths.iter().any(is_end)
    }

    /// Whether any source has this word.
    pub(super) fn has_word(&self, word: &str) -> bool {
        self.words.contains(word)
    }

    /// Of `module::item`, where the module is one of ours, the first part that no source has.
    pub(super) fn lacks_item<'c>(&self, code: &'c str) -> Option<&'c str> {
        let end = code.find(|c: char| !c.is_alphanumeric() && c != '_' && c != ':');
        let path = &code[..end.unwrap_or(code.len())];
        let (first, rest) = path.split_once("::")?;
        if !self.modules.contains(first) {
            return None;
        }
        rest.split("::").find(|part| !self.has_word(part))
    }

    /// Whether the Makefiles have this target.
    pub(super) fn has_target(&self, name: &str) -> bool {
        self.targets.contains(name)
    }
}

/// Whether a piece of code is the name of a setting (`LOG_LEVEL`) or of a type (`ToolError`).
pub(super) fn is_name(code: &str) -> bool {
    let is_setting = code.contains('_')
        && code.starts_with(|c: char| c.is_ascii_uppercase())
        && code.ends_with(|c: char| c.is_ascii_uppercase() || c.is_ascii_digit())
        && code
            .chars()
            .all(|c| c.is_ascii_uppercase() || c.is_ascii_digit() || c == '_');
    let is_type = code.starts_with(|c: char| c.is_ascii_uppercase())
        && code.chars().all(|c| c.is_ascii_alphanumeric())
        && code.chars().filter(char::is_ascii_uppercase).count() > 1
        && code.contains(|c: char| c.is_ascii_lowercase());
    is_setting || is_type
}

/// The targets of a Makefile.
fn targets(text: &str) -> impl Iterator<Item = String> {
    let rules = text.lines().filter_map(|line| {
        let (names, _) = line.split_once(':')?;
        let is_name = |c: char| c.is_ascii_lowercase() || "- ".contains(c);
        (!names.is_empty() && names.chars().all(is_name)).then_some(names)
    });
    rules.flat_map(|names| names.split(' ').map(str::to_owned))
}

#[test]
fn names_are_told_from_other_code() {
    for name in ["LOG_LEVEL", "ToolError", "CloudFront"] {
        assert!(is_name(name), "{name}");
    }
    for other in ["JWT_", "STACK", "Context", "portfolio", "Retry-After", ""] {
        assert!(!is_name(other), "{other}");
    }
}

#[test]
fn paths_are_told_from_other_code() {
    let project = Project::get();
    let document = Document::read("docs/cost.md", "");
    for absent in [
        "src/none.rs",
        "src/none/",
        "none.rs",
        "docs/none",
        "wire/none.rs",
    ] {
        assert!(project.lacks_path(&document, absent), "{absent}");
    }
    for fine in [
        "src/lib.rs",
        "src/wire/",
        "version.rs",
        "wire/version.rs",
        "tools/list",
        "/mcp",
        "application/json",
        "tests/data/events/infra-*.json",
        "architecture.md",
    ] {
        assert!(!project.lacks_path(&document, fine), "{fine}");
    }
}
