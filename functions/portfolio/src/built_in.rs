//! The files in `content/`, which are part of the program.

use std::path::Path;

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

/// Returns the files in a directory, or those that are part of the program.
pub(crate) fn sources_in(directory: Option<&Path>) -> Sources {
    directory.map_or_else(sources, Sources::in_directory)
}

/// Returns what is served of some files, if they are those that the build has checked.
pub(crate) fn checked(sources: &Sources) -> Option<Localized> {
    prepared::read(PREPARED, sources)
}
