//! The owner's content: from the files to what the tools serve, or to a report of what is wrong.
//!
//! ```text
//! resume.json ─────┐             ┌─ modernize ─ withhold ─ normalize ─┐
//! resume.fr.json ──┼─ editions ──┤            (for each language)     ├─ redact ─▶ Localized
//! profile.toml ────┘             └─────────────────────── normalize ──┘
//! ```
//!
//! The findings of all files are reported together. [`Content`] has no private value: what is not
//! published is gone before it exists. Only `source` does I/O.

mod accent;
mod advice;
pub mod blank;
mod by_language;
mod contact_forms;
mod cross_checks;
mod data_urls;
mod dates;
mod document;
mod edition;
mod finding;
mod icon;
mod json;
mod language;
mod legacy_fields;
mod links;
mod loader;
mod localize;
mod localized;
mod normalize;
mod place;
pub mod prepare;
pub mod prepared;
mod privacy;
mod profile;
mod profile_file;
mod profile_shape;
mod projects;
pub mod resume;
mod resume_language;
mod resume_shape;
mod section;
mod shape;
mod source;
mod suggestion;
pub mod tokens;
mod well_known;

pub use accent::Accent;
pub use by_language::{ByLanguage, kept};
pub use finding::{Report, Severity};
pub use icon::Icon;
pub use links::is_web_uri;
pub use loader::Loaded;
pub use localized::{Content, Localized};
pub use privacy::Switch;
pub use profile::Status;
pub use projects::ListedProject;
pub use section::Section;
pub use source::Sources;

/// Reads the owner's files for serving.
///
/// Returns the content in every language that the files have, or `None` if the report has errors.
/// The report has the warnings that are logged at start.
#[must_use]
pub fn load(sources: &Sources) -> (Option<Localized>, Report) {
    let loaded = loader::load(sources, false);
    (loaded.content, loaded.report)
}

/// Checks the owner's files: as [`load`] does, with suggestions and with what is withheld.
#[must_use]
pub fn check(sources: &Sources) -> Loaded {
    loader::load(sources, true)
}

/// The names of the sections of a JSON Resume, in the schema's order.
#[cfg(any(test, feature = "testing"))]
pub fn sections() -> impl Iterator<Item = &'static str> {
    resume_shape::RESUME.names()
}

/// Content for tests, in all languages: the files as texts.
///
/// # Panics
///
/// Panics with the report if the files cannot be served.
#[cfg(any(test, feature = "testing"))]
#[expect(clippy::panic, reason = "for tests only")]
#[must_use]
pub fn localized_of(resume: &serde_json::Value, profile: &str) -> std::sync::Arc<Localized> {
    let sources = Sources::of_text(&resume.to_string(), profile);
    let (content, report) = load(&sources);
    content
        .unwrap_or_else(|| panic!("{:?}", report.sorted()))
        .into()
}

/// The same in the default language.
#[cfg(any(test, feature = "testing"))]
#[must_use]
pub fn content_of(resume: &serde_json::Value, profile: &str) -> Content {
    localized_of(resume, profile).default_content().clone()
}

#[cfg(test)]
mod tests;

#[cfg(test)]
mod language_tests;
