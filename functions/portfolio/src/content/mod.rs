//! The owner's content: from two files to what the tools serve, or to a report of what is wrong.
//!
//! ```text
//! resume.json  ─ document ─┐                      ┌─ prune ─▶ Resume ─┐
//!                          ├─ across ─▶ private ──┤                   ├─▶ Content
//! profile.toml ─ profile ──┘                      └─────────▶ Profile ┘
//! ```
//!
//! All faults of both files are reported together. [`Content`] holds no private value: what is not
//! published is gone before it exists. Nothing here does I/O but [`source`].

mod close;
mod cross_checks;
mod dates;
mod document;
mod finding;
mod json;
mod legacy_fields;
mod localized;
mod normalize;
mod private;
mod profile;
mod projects;
pub(crate) mod resume;
mod section;
mod shape;
mod source;
mod values;

use serde::de::DeserializeOwned;
use serde_json::{Map, Value};

pub(crate) use finding::{Report, Severity};
pub(crate) use localized::{Content, Localized};
pub(crate) use profile::Status;
pub(crate) use projects::ListedProject;
pub(crate) use section::Section;
pub(crate) use source::Sources;

use finding::{FileReport, Place, Pointer};
use private::{Redactor, Withheld};
use profile::Profile;
use resume::Resume;
use source::{PROFILE_FILE, Source};

/// Reads the owner's files for serving.
///
/// Returns the content in every language that the files have, or `None` if the report has errors.
/// The report also has the warnings that are logged at start.
pub(crate) fn load(sources: &Sources) -> (Option<Localized>, Report) {
    let (content, report) = check(sources);
    (content.map(Localized::from), report)
}

/// Checks the owner's files. The content is there exactly when the report has no errors.
pub(crate) fn check(sources: &Sources) -> (Option<Content>, Report) {
    let mut report = Report::default();
    let resume = read_resume(&sources.resume, &mut report);
    let profile = read_profile(&sources.profile, &mut report);
    let content = resume.zip(profile).and_then(|(resume, profile)| {
        let mut profile_report = FileReport::toml(&sources.profile.name, &mut report);
        cross_checks::check_featured(&resume, &profile, &mut profile_report);
        publish(sources, resume, profile, &mut report)
    });
    let content = content.filter(|_| !report.has_errors());
    (content, report)
}

fn read_resume(source: &Source, report: &mut Report) -> Option<Map<String, Value>> {
    let mut report = FileReport::json(&source.name, report);
    let bytes = match &source.bytes {
        Ok(bytes) => bytes,
        Err(error) => {
            report.error(&Pointer::root(), format!("cannot be read: {error}"));
            return None;
        }
    };
    let resume = document::read(bytes, &mut report)?;
    cross_checks::check_projects(&resume, &mut report);
    cross_checks::check_personal(&resume, &mut report);
    Some(resume)
}

fn read_profile(source: &Source, report: &mut Report) -> Option<Map<String, Value>> {
    let mut report = FileReport::toml(&source.name, report);
    match &source.bytes {
        Ok(bytes) => profile::read(bytes, &mut report),
        Err(error) if error.kind() == std::io::ErrorKind::NotFound => {
            let rule = "is not there; nothing private is published, availability is unknown";
            report.warning(&Pointer::root(), rule);
            Some(Map::new())
        }
        Err(error) => {
            report.error(&Pointer::root(), format!("cannot be read: {error}"));
            None
        }
    }
}

/// From the settled documents to what is served.
fn publish(
    sources: &Sources,
    mut resume: Map<String, Value>,
    mut profile: Map<String, Value>,
    report: &mut Report,
) -> Option<Content> {
    let keeper = Redactor::new(profile::publish(&profile), &resume);
    let from_resume = keeper.withhold_from_resume(&mut resume);
    let from_profile = keeper.withhold_from_profile(&mut profile);
    normalize::prune(&mut resume, &shape::RESUME);
    note_withheld(&sources.resume.name, &from_resume, false, report);
    note_withheld(&sources.profile.name, &from_profile, true, report);
    let resume: Resume = typed(resume, &sources.resume.name, report)?;
    let profile: Profile = typed(profile, &sources.profile.name, report)?;
    cross_checks::check_size(&resume, &mut FileReport::json(&sources.resume.name, report));
    let mut withheld: Vec<_> = from_resume
        .iter()
        .chain(&from_profile)
        .map(|withheld| withheld.switch)
        .collect();
    withheld.sort_unstable();
    withheld.dedup();
    Some(Content {
        language: None,
        resume,
        profile,
        withheld,
    })
}

fn note_withheld(file: &str, withheld: &[Withheld], is_toml: bool, report: &mut Report) {
    for Withheld { at, switch } in withheld {
        let place = if is_toml {
            Place::Key(at.dotted())
        } else {
            Place::Pointer(at.clone())
        };
        let rule =
            format!("kept back; `{switch} = true` under [publish] in {PROFILE_FILE} publishes it");
        report.add(Severity::Note, file, place, rule);
    }
}

/// A settled document fits its types; should it not, that is a fault of this program, and said.
fn typed<T: DeserializeOwned>(
    document: Map<String, Value>,
    file: &str,
    report: &mut Report,
) -> Option<T> {
    match serde_json::from_value(Value::Object(document)) {
        Ok(typed) => Some(typed),
        Err(error) => {
            report.add(
                Severity::Error,
                file,
                Place::File,
                format!("cannot be served: {error}"),
            );
            None
        }
    }
}

/// The names of the sections of a JSON Resume, in the schema's order.
#[cfg(test)]
pub(crate) fn sections() -> impl Iterator<Item = &'static str> {
    shape::RESUME.names()
}

/// Content for tests: the files as texts. Panics with the report if they cannot be served.
#[cfg(test)]
pub(crate) fn content_of(resume: &Value, profile: &str) -> Content {
    let sources = Sources::of_text(&resume.to_string(), profile);
    let (content, report) = check(&sources);
    content.unwrap_or_else(|| panic!("{:?}", report.sorted()))
}

#[cfg(test)]
mod tests;
