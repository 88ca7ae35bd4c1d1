//! The owner's content: from the files to what the tools serve, or to a report of what is wrong.
//!
//! ```text
//! resume.json ─────┐             ┌─ modernize ─ withhold ─ normalize ─┐
//! resume.fr.json ──┼─ editions ──┤            (for each language)     ├─ redact ─▶ Localized
//! profile.toml ────┘             └─────────────────────── normalize ──┘
//! ```
//!
//! The findings of all files are reported together. [`Content`] has no private value: what is not
//! published is gone before it exists. Only [`source`] does I/O.

mod accent;
mod advice;
pub(crate) mod blank;
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
#[cfg(test)]
mod prepare;
pub(crate) mod prepared;
mod privacy;
mod profile;
mod profile_file;
mod profile_shape;
mod projects;
pub(crate) mod resume;
mod resume_language;
mod resume_shape;
mod section;
mod shape;
mod source;
mod suggestion;
pub(crate) mod tokens;
mod well_known;

pub(crate) use accent::Accent;
pub(crate) use by_language::{ByLanguage, kept};
pub(crate) use finding::{Report, Severity};
pub(crate) use icon::Icon;
pub(crate) use links::is_web_uri;
pub(crate) use loader::Loaded;
pub(crate) use localized::{Content, Localized};
pub(crate) use privacy::Switch;
pub(crate) use profile::Status;
pub(crate) use projects::ListedProject;
pub(crate) use section::Section;
pub(crate) use source::Sources;

/// Reads the owner's files for serving.
///
/// Returns the content in every language that the files have, or `None` if the report has errors.
/// The report has the warnings that are logged at start.
pub(crate) fn load(sources: &Sources) -> (Option<Localized>, Report) {
    let loaded = loader::load(sources, false);
    (loaded.content, loaded.report)
}

/// Checks the owner's files: as [`load`] does, with suggestions and with what is withheld.
pub(crate) fn check(sources: &Sources) -> Loaded {
    loader::load(sources, true)
}

/// The names of the sections of a JSON Resume, in the schema's order.
#[cfg(test)]
pub(crate) fn sections() -> impl Iterator<Item = &'static str> {
    resume_shape::RESUME.names()
}

/// Content for tests, in all languages: the files as texts. Panics with the report if they cannot
/// be served.
#[cfg(test)]
pub(crate) fn localized_of(resume: &serde_json::Value, profile: &str) -> std::sync::Arc<Localized> {
    let sources = Sources::of_text(&resume.to_string(), profile);
    let (content, report) = load(&sources);
    content
        .unwrap_or_else(|| panic!("{:?}", report.sorted()))
        .into()
}

/// The same in the default language.
#[cfg(test)]
pub(crate) fn content_of(resume: &serde_json::Value, profile: &str) -> Content {
    localized_of(resume, profile).default_content().clone()
}

#[cfg(test)]
mod tests;

#[cfg(test)]
mod language_tests;
