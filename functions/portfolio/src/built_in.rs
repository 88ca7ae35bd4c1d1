//! The files in `content/`, which are part of the program.

use crate::content::{Localized, Sources, prepared};

/// What is served of them, as the build has checked it (`build.rs`). Empty if there were findings.
const PREPARED: &str = include_str!(concat!(env!("OUT_DIR"), "/content"));

/// Returns the files.
pub(crate) fn sources() -> Sources {
    Sources::built_in(
        include_str!("../../../content/resume.json"),
        include_str!("../../../content/profile.toml"),
    )
}

/// Returns what is served of some files, if they are those that the build has checked.
pub(crate) fn checked(sources: &Sources) -> Option<Localized> {
    prepared::read(PREPARED, sources)
}
