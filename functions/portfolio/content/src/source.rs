//! Where the owner's files come from: the copies built into the binary, or a directory that is read
//! once at start. The only part of the content that touches the file system.

use std::borrow::Cow;
use std::path::Path;

use super::json::hint::CONVERT_YAML;
use super::language::tag;

/// File name of the résumé.
pub(crate) const RESUME_FILE: &str = "resume.json";

/// File name of the profile.
pub(crate) const PROFILE_FILE: &str = "profile.toml";

/// The directory of texts for `/.well-known/`.
const WELL_KNOWN: &str = "well-known";

/// The bytes of a file, or why it cannot be read.
pub(crate) type Bytes = Result<Cow<'static, [u8]>, std::io::Error>;

/// One of the owner's files.
#[derive(Debug)]
pub struct Source {
    /// The name in findings.
    pub name: String,
    /// The content.
    pub bytes: Bytes,
}

/// The owner's files.
#[derive(Debug)]
pub struct Sources {
    /// `resume.json`.
    pub resume: Source,
    /// `resume.fr.json` and the like, by language tag.
    pub translations: Vec<(String, Source)>,
    /// `profile.toml`.
    pub profile: Source,
    /// The files in `well-known/`, by name.
    pub well_known: Vec<(String, Source)>,
    /// Files that look as if they were meant, with a message each.
    pub ignored: Vec<(String, String)>,
}

impl Sources {
    /// Returns the copies that are built into the program, as `resume.json` and `profile.toml`.
    #[must_use]
    pub fn built_in(resume: &'static str, profile: &'static str) -> Self {
        let built_in = |name: &str, text: &'static str| Source {
            name: format!("content/{name} (built in)"),
            bytes: Ok(Cow::Borrowed(text.as_bytes())),
        };
        Self {
            resume: built_in(RESUME_FILE, resume),
            translations: Vec::new(),
            profile: built_in(PROFILE_FILE, profile),
            well_known: Vec::new(),
            ignored: Vec::new(),
        }
    }

    /// Reads the files in a directory.
    #[must_use]
    pub fn in_directory(directory: &Path) -> Self {
        let read = |name: &str| {
            let path = directory.join(name);
            Source {
                name: path.display().to_string(),
                bytes: std::fs::read(&path).map(Cow::Owned),
            }
        };
        let mut translations = Vec::new();
        let mut ignored = Vec::new();
        for name in names(directory) {
            match FileName::of(&name) {
                FileName::Translation(language) => translations.push((language, read(&name))),
                FileName::Similar(message) => {
                    ignored.push((directory.join(&name).display().to_string(), message));
                }
                FileName::Other => {}
            }
        }
        let well_known = names(&directory.join(WELL_KNOWN)).into_iter().map(|name| {
            let source = read(&format!("{WELL_KNOWN}/{name}"));
            (name, source)
        });
        Self {
            well_known: well_known.collect(),
            resume: read(RESUME_FILE),
            translations,
            profile: read(PROFILE_FILE),
            ignored,
        }
    }

    /// Returns files with these texts.
    #[cfg(any(test, feature = "testing"))]
    #[must_use]
    pub fn of_text(resume: &str, profile: &str) -> Self {
        let source = |name: &str, text: &str| Source {
            name: name.to_owned(),
            bytes: Ok(Cow::Owned(text.as_bytes().to_vec())),
        };
        Self {
            resume: source(RESUME_FILE, resume),
            translations: Vec::new(),
            profile: source(PROFILE_FILE, profile),
            well_known: Vec::new(),
            ignored: Vec::new(),
        }
    }

    /// Adds a translation.
    #[cfg(any(test, feature = "testing"))]
    #[must_use]
    pub fn translation(mut self, language: &str, resume: &str) -> Self {
        let source = Source {
            name: format!("resume.{language}.json"),
            bytes: Ok(Cow::Owned(resume.as_bytes().to_vec())),
        };
        self.translations.push((language.to_owned(), source));
        self
    }
}

/// The names of the files in a directory, in order. Empty if it cannot be read: then `resume.json`
/// cannot be read either, and that has a finding.
fn names(directory: &Path) -> Vec<String> {
    let entries = std::fs::read_dir(directory).into_iter().flatten().flatten();
    let mut names: Vec<String> = entries
        .filter_map(|entry| entry.file_name().into_string().ok())
        .collect();
    names.sort_unstable();
    names
}

/// What a file is by its name.
#[derive(Debug, PartialEq, Eq)]
enum FileName {
    /// A résumé in another language, with its tag.
    Translation(String),
    /// Not read, with a message for the owner.
    Similar(String),
    /// Anything else, and the two files that are always read.
    Other,
}

impl FileName {
    fn of(name: &str) -> Self {
        let stem_of = |ending: &str| name.strip_suffix(ending);
        if let Some(language) = stem_of(".json").and_then(|stem| stem.strip_prefix("resume.")) {
            return tag(language).map_or(Self::Other, Self::Translation);
        }
        let similar = stem_of(".json").and_then(|stem| stem.strip_prefix("resume"));
        let language = similar.and_then(|rest| rest.strip_prefix(['-', '_']));
        if let Some(language) = language.and_then(tag) {
            let message = format!("is not read; name it resume.{language}.json");
            return Self::Similar(message);
        }
        if stem_of(".yaml").or(stem_of(".yml")) == Some("resume") {
            return Self::Similar(format!("is not read, because it is YAML; {CONVERT_YAML}"));
        }
        Self::Other
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_file_is_recognized_by_its_name() {
        let translation = |tag: &str| FileName::Translation(tag.to_owned());
        assert_eq!(FileName::of("resume.fr.json"), translation("fr"));
        assert_eq!(FileName::of("resume.pt-br.json"), translation("pt-BR"));
        for (name, words) in [
            ("resume_fr.json", "name it resume.fr.json"),
            ("resume-de.json", "name it resume.de.json"),
            ("resume.yaml", "yq -o=json"),
            ("resume.yml", "yq -o=json"),
        ] {
            assert!(
                matches!(FileName::of(name), FileName::Similar(message) if message.contains(words)),
                "{name}"
            );
        }
        for name in [
            "resume.json",
            "profile.toml",
            "resume.min.json",
            "resume-old.json",
            "x",
        ] {
            assert_eq!(FileName::of(name), FileName::Other, "{name}");
        }
    }
}
