//! The content as it was checked when the program was compiled.
//!
//! Reading and checking the files is most of what a start does. The build does it for the files in
//! `content/` (`build.rs`), and writes what is served of them. A start whose files have the
//! same digest reads that: [`read`]. All other files are checked at the start, as are files with
//! warnings, because each start logs them.

use std::hash::{DefaultHasher, Hasher};

use super::finding::Report;
use super::localized::{Content, Localized};
use super::source::{PROFILE_FILE, RESUME_FILE, Source, Sources};
use super::well_known;

/// Returns the content that was prepared, if it is that of these files.
#[must_use]
pub fn read(prepared: &str, sources: &Sources) -> Option<Localized> {
    let (of, contents) = prepared.split_once('\n')?;
    if digest(sources)? != of {
        return None;
    }
    let contents: Vec<Content> = serde_json::from_str(contents).ok()?;
    Localized::new(
        contents,
        well_known::read_all(sources, &mut Report::default()),
    )
}

/// The digest of the files: of each one's name and bytes. `None` if one cannot be read, or if another one
/// has a finding by its name.
///
/// The build script and the program are compiled by the same compiler, so their hash function is the same.
/// It is not a cryptographic one: whoever could make files with the digest of others could deploy them.
#[must_use]
pub fn digest(sources: &Sources) -> Option<String> {
    let Sources {
        resume,
        translations,
        profile,
        well_known,
        ignored,
    } = sources;
    if !ignored.is_empty() {
        return None;
    }
    let mut hasher = DefaultHasher::new();
    let mut add = |kind: &str, name: &str, source: &Source| {
        for part in [
            kind.as_bytes(),
            name.as_bytes(),
            source.bytes.as_ref().ok()?,
        ] {
            hasher.write(&(part.len() as u64).to_le_bytes());
            hasher.write(part);
        }
        Some(())
    };
    add("file", RESUME_FILE, resume)?;
    add("file", PROFILE_FILE, profile)?;
    for (kind, files) in [("translation", translations), ("well-known", well_known)] {
        for (name, source) in files {
            add(kind, name, source)?;
        }
    }
    Some(format!("{:016x}", hasher.finish()))
}
