//! [`Edition`]: the owner's documents in one language, before they are checked.

use serde_json::{Map, Value};

use super::cross_checks::translate_featured;
use super::finding::FileReport;
use super::language::{UNDETERMINED, tag};
use super::legacy_fields::modernize;
use super::localize::{Languages, in_language};
use super::place::Place;
use super::profile_shape::PROFILE;
use super::resume_shape::RESUME;

/// A résumé with its file and, if it has a file of its own, its language.
#[derive(Debug)]
pub(crate) struct Resume {
    pub file: String,
    pub language: Option<String>,
    pub document: Map<String, Value>,
}

/// The documents in one language.
#[derive(Debug)]
pub(crate) struct Edition {
    /// The language as a tag. `None` if there is one language and no file names it.
    pub language: Option<String>,
    /// The file of the résumé, for findings.
    pub file: String,
    pub resume: Map<String, Value>,
    pub profile: Map<String, Value>,
}

/// Returns the edition in each language, the default first.
///
/// `resumes` starts with the default file. `declared` is the default language, as the profile has
/// it. Without it, the résumé's `meta.language` counts, then the first text by language.
pub(crate) fn editions(
    mut resumes: Vec<Resume>,
    profile: Map<String, Value>,
    declared: Option<String>,
) -> Vec<Edition> {
    let translations = resumes.split_off(resumes.len().min(1));
    let Some(main) = resumes.pop() else {
        return Vec::new();
    };
    let in_resume = Languages::of(&main.document, &RESUME);
    let in_profile = Languages::of(&profile, &PROFILE);
    let default = main
        .language
        .clone()
        .or(declared)
        .or_else(|| meta_language(&main.document))
        .or(in_resume.default)
        .or(in_profile.default);
    let files = translations.iter().flat_map(|file| file.language.clone());
    let found = in_resume.tags.into_iter().chain(in_profile.tags);
    let mut others: Vec<String> = Vec::new();
    for tag in files.chain(found) {
        if Some(&tag) != default.as_ref() && !others.contains(&tag) {
            others.push(tag);
        }
    }
    if others.is_empty() {
        return vec![Edition {
            resume: localized(main.document, default.as_deref()),
            file: main.file,
            profile: localized_profile(profile, default.as_deref()),
            language: default,
        }];
    }
    let default = default.unwrap_or_else(|| UNDETERMINED.to_owned());
    let languages = std::iter::once(default.clone()).chain(others);
    let edition = |language: String| {
        let file = translations
            .iter()
            .find(|file| file.language.as_deref() == Some(language.as_str()));
        let own = file.unwrap_or(&main);
        let select = |document: &Map<String, Value>, shape| {
            in_language(document.clone(), shape, &language, &default)
        };
        Edition {
            file: own.file.clone(),
            resume: select(&own.document, &RESUME),
            profile: select(&profile, &PROFILE),
            language: Some(language),
        }
    };
    languages.map(edition).collect()
}

fn localized(resume: Map<String, Value>, language: Option<&str>) -> Map<String, Value> {
    match language {
        Some(language) => in_language(resume, &RESUME, language, language),
        None => resume,
    }
}

fn localized_profile(profile: Map<String, Value>, language: Option<&str>) -> Map<String, Value> {
    match language {
        Some(language) => in_language(profile, &PROFILE, language, language),
        None => profile,
    }
}

/// The language that some files name in `meta`, although JSON Resume does not define it.
fn meta_language(resume: &Map<String, Value>) -> Option<String> {
    let meta = resume.get("meta")?;
    let mut names = ["language", "lang", "locale"].iter();
    names.find_map(|name| tag(meta.get(*name)?.as_str()?))
}

/// Brings the résumés to the current names. Then fills each translation with what its file lacks:
/// whole sections, and the person's name.
pub(crate) fn modernize_all<'f>(
    editions: &mut [Edition],
    mut report: impl FnMut(&str, &mut dyn FnMut(&mut FileReport<'_>)) + 'f,
) {
    for edition in editions.iter_mut() {
        let Edition { file, resume, .. } = edition;
        report(file, &mut |report| modernize(resume, report));
    }
    let Some((main, translations)) = editions.split_first_mut() else {
        return;
    };
    for translation in translations {
        translate_featured(&mut translation.profile, &main.resume, &translation.resume);
        for (section, value) in &main.resume {
            let own = translation.resume.entry(section.clone());
            let own = own.or_insert_with(|| value.clone());
            if let (Value::Object(own), Value::Object(value)) = (own, value)
                && section == "basics"
                && let Some(name) = value.get("name")
            {
                own.entry("name").or_insert_with(|| name.clone());
            }
        }
    }
}

/// Warns about a default language that no file names, although there are others.
pub(crate) fn check_default_language(editions: &[Edition], report: &mut FileReport<'_>) {
    let default = editions
        .first()
        .and_then(|edition| edition.language.as_deref());
    if default == Some(UNDETERMINED) {
        let message = "names no language for resume.json, which has translations; add \
            `language = \"en\"`, with your language, at the top";
        report.warning(Place::Root, message);
    }
}
