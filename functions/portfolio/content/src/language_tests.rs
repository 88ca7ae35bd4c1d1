//! Tests of content in several languages: by file, and by text.

use serde_json::{Value, json};

use super::*;

const ENGLISH: &str = r#"{
    "basics": {"name": "A", "label": "Developer", "email": "a@b.example"},
    "work": [{"name": "W"}],
    "projects": [{"name": "Tides"}, {"name": "Rust"}]
}"#;

const FRENCH: &str = r#"{
    "basics": {"label": "Développeuse"},
    "projects": [{"name": "Marées"}, {"name": "Rust"}]
}"#;

fn loaded(sources: &Sources) -> (Localized, Vec<String>) {
    let (content, report) = load(sources);
    let lines: Vec<String> = report.sorted().iter().map(|f| f.to_string()).collect();
    (content.unwrap_or_else(|| panic!("{lines:?}")), lines)
}

fn resume(content: &Content) -> Value {
    serde_json::to_value(&content.resume).unwrap()
}

#[test]
fn a_translation_is_served_and_takes_what_it_lacks_from_the_default() {
    let profile = "language = \"en\"\n[projects]\nfeatured = [\"Tides\"]\n\
        [capabilities]\nsummary = { en = \"Builds\", fr = \"Construit\" }\n";
    let sources = Sources::of_text(ENGLISH, profile).translation("fr", FRENCH);
    let (content, lines) = loaded(&sources);
    assert_eq!(lines, Vec::<String>::new());
    assert_eq!(content.languages().collect::<Vec<_>>(), ["en", "fr"]);
    let french = content.content(Some("fr-CH"));
    assert_eq!(
        resume(french),
        json!({
            "basics": {"label": "Développeuse", "name": "A"},
            "projects": [{"name": "Marées"}, {"name": "Rust"}],
            "work": [{"name": "W"}],
            "meta": {"language": "fr"}
        })
    );
    assert_eq!(french.profile.projects.featured, ["Marées"]);
    let summary = |content: &Content| content.profile.capabilities.summary.clone().unwrap();
    assert_eq!(summary(french), "Construit");
    assert_eq!(summary(content.content(Some("de"))), "Builds");
    assert_eq!(
        resume(content.content(None))["basics"]["label"],
        "Developer"
    );
}

#[test]
fn texts_by_language_make_one_content_each() {
    let resume_file = json!({
        "basics": {"name": "A", "label": {"en": "Developer", "de": "Entwicklerin"}},
        "work": [{"name": "W", "summary": "Plain", "de_summary": "Einfach"}]
    });
    let (content, lines) = loaded(&Sources::of_text(&resume_file.to_string(), ""));
    assert_eq!(lines, Vec::<String>::new());
    assert_eq!(content.languages().collect::<Vec<_>>(), ["en", "de"]);
    let work = |language| resume(content.content(Some(language)))["work"][0].clone();
    assert_eq!(work("en"), json!({"name": "W", "summary": "Plain"}));
    assert_eq!(work("de"), json!({"name": "W", "summary": "Einfach"}));
}

#[test]
fn one_language_by_text_is_served_without_its_tags() {
    let file = r#"{"basics": {"name": "A", "label": {"en": "Developer"}}}"#;
    let (content, _) = loaded(&Sources::of_text(file, ""));
    assert_eq!(content.languages().collect::<Vec<_>>(), ["en"]);
    assert_eq!(
        resume(content.default_content())["basics"]["label"],
        "Developer"
    );
}

#[test]
fn a_default_language_that_is_not_named_is_undetermined_and_warned_about() {
    let sources = Sources::of_text(ENGLISH, "").translation("fr", FRENCH);
    let (content, lines) = loaded(&sources);
    assert_eq!(content.languages().collect::<Vec<_>>(), ["und", "fr"]);
    assert_eq!(lines.len(), 1, "{lines:?}");
    assert!(lines[0].contains("add `language = \"en\"`"), "{lines:?}");
}

#[test]
fn translations_alone_are_enough_and_the_declared_one_is_the_default() {
    let missing = |profile: &str| {
        let mut sources = Sources::of_text("", profile)
            .translation("en", ENGLISH)
            .translation("fr", ENGLISH);
        sources.resume.bytes = Err(std::io::ErrorKind::NotFound.into());
        let (content, _) = loaded(&sources);
        content.languages().map(str::to_owned).collect::<Vec<_>>()
    };
    assert_eq!(missing(""), ["en", "fr"]);
    assert_eq!(missing("language = \"fr\""), ["fr", "en"]);
}

#[test]
fn a_contact_field_by_language_is_withheld_in_every_language() {
    let file = json!({
        "basics": {"name": "A", "location": {"address": {"en": "17 Quay Road", "fr": "17 Rue du Quai"}}},
        "work": [{"name": "W", "summary": {"en": "At 17 Rue du Quai", "fr": "Au 17 Quay Road"}}]
    });
    let (content, _) = loaded(&Sources::of_text(&file.to_string(), ""));
    for content in content.contents() {
        let text = resume(content).to_string();
        assert!(!text.contains("Quay") && !text.contains("Quai"), "{text}");
    }
}
