//! Where the owner's files come from: the copies built into the binary, or a directory that is read
//! once at start. The only part of the content that touches the file system.

use std::borrow::Cow;
use std::path::{Path, PathBuf};

/// The résumé's file name.
pub(crate) const RESUME_FILE: &str = "resume.json";

/// The profile's file name.
pub(crate) const PROFILE_FILE: &str = "profile.toml";

/// A file's bytes, or why they could not be had.
pub(crate) type Bytes = Result<Cow<'static, [u8]>, std::io::Error>;

/// One of the owner's files.
#[derive(Debug)]
pub(crate) struct Source {
    /// How findings call it.
    pub(crate) name: String,
    /// What it holds.
    pub(crate) bytes: Bytes,
}

/// The owner's files.
#[derive(Debug)]
pub(crate) struct Sources {
    /// `resume.json`.
    pub(crate) resume: Source,
    /// `profile.toml`.
    pub(crate) profile: Source,
}

impl Sources {
    /// The copies built into the binary.
    pub(crate) fn built_in() -> Self {
        let built_in = |name: &str, text: &'static str| Source {
            name: format!("content/{name} (built in)"),
            bytes: Ok(Cow::Borrowed(text.as_bytes())),
        };
        Self {
            resume: built_in(RESUME_FILE, include_str!("../../../../content/resume.json")),
            profile: built_in(
                PROFILE_FILE,
                include_str!("../../../../content/profile.toml"),
            ),
        }
    }

    /// Files that hold these texts.
    #[cfg(test)]
    pub(crate) fn of_text(resume: &str, profile: &str) -> Self {
        let source = |name: &str, text: &str| Source {
            name: name.to_owned(),
            bytes: Ok(Cow::Owned(text.as_bytes().to_vec())),
        };
        Self {
            resume: source(RESUME_FILE, resume),
            profile: source(PROFILE_FILE, profile),
        }
    }

    /// The files in a directory.
    pub(crate) fn in_directory(directory: &Path) -> Self {
        let read = |name: &str| {
            let path: PathBuf = directory.join(name);
            let bytes = std::fs::read(&path).map(Cow::Owned);
            Source {
                name: path.display().to_string(),
                bytes,
            }
        };
        Self {
            resume: read(RESUME_FILE),
            profile: read(PROFILE_FILE),
        }
    }
}
