//! Tests of the whole way from two files to what is served: examples, and properties over
//! generated documents.

use proptest::prelude::*;
use serde_json::{Map, Value, json};

use super::*;
use crate::finding::FileReport;
use crate::legacy_fields::modernize;
use crate::normalize::{Context, Policy};
use crate::place::Place;
use crate::prepare::prepare;
use crate::resume_shape::RESUME;
use crate::source::Source;

fn lines(report: &Report) -> Vec<String> {
    report
        .sorted()
        .iter()
        .map(|finding| finding.to_string())
        .collect()
}

fn served(resume: &Value, profile: &str) -> Value {
    serde_json::to_value(content_of(resume, profile).resume).unwrap()
}

/// The findings of a check.
fn checked(resume: &str, profile: &str) -> Vec<String> {
    lines(&check(&Sources::of_text(resume, profile)).report)
}

#[test]
fn the_shipped_content_has_no_findings_and_withholds_contact_data() {
    let loaded = check(&Sources::built_in(
        include_str!("../../../../content/resume.json"),
        include_str!("../../../../content/profile.toml"),
    ));
    assert_eq!(lines(&loaded.report), Vec::<String>::new());
    let content = loaded.content.unwrap();
    let content = content.default_content();
    assert_eq!(
        content.withheld,
        [Switch::Address, Switch::Email, Switch::Phone]
    );
    let text = serde_json::to_string(&content.resume).unwrap();
    for private in ["555-0142", "ottoline@", "Lighthouse Steps", "EX4"] {
        assert!(!text.contains(private), "{private}");
    }
    for section in sections() {
        assert!(
            text.contains(&format!("\"{section}\":")),
            "the example has no {section}"
        );
    }
}

#[test]
fn legacy_names_and_forms_give_the_same_answers() {
    let current = json!({
        "basics": {
            "name": "A B", "image": "https://a.example/i", "url": "https://a.example",
            "location": {"region": "R"},
            "profiles": [{"network": "n", "username": "u"}]
        },
        "work": [{"name": "C", "description": "d", "url": "https://c.example", "startDate": "2020-03", "highlights": ["h"]}],
        "volunteer": [{"organization": "O", "url": "https://o.example"}],
        "education": [{"institution": "I", "score": "1"}],
        "awards": [{"title": "T", "date": "2020"}],
        "certificates": [{"name": "N"}],
        "publications": [{"name": "P", "url": "https://p.example"}],
        "skills": [{"name": "S", "keywords": ["k"]}],
        "languages": [{"language": "L", "fluency": "f"}],
        "interests": [{"name": "H"}],
        "projects": [{"name": "Q", "description": "d", "keywords": ["t"], "url": "https://q.example"}],
        "meta": {"canonical": "https://a.example/r"}
    });
    let older = json!({
        "bio": {
            "firstName": "A", "lastName": "B", "picture": "https://a.example/i",
            "website": "https://a.example", "location": {"state": "R"},
            "profiles": {"n": "u"}
        },
        "work": [{"company": "C", "companyDescription": "d", "website": "https://c.example", "startDate": "2020-3", "endDate": "Present", "highlights": ["h", ""]}, {"company": ""}],
        "volunteer": [{"organization": "O", "website": "https://o.example", "endDate": ""}],
        "education": [{"institution": "I", "gpa": "1", "area": ""}],
        "awards": [{"title": "T", "awardDate": "2020"}],
        "certifications": [{"title": "N"}],
        "publications": [{"name": "P", "website": "https://p.example"}],
        "skills": {"S": ["k"]},
        "languages": [{"name": "L", "fluency": "f"}],
        "hobbies": ["H"],
        "references": null,
        "projects": [{"name": "Q", "summary": "d", "tech": ["t"], "website": "https://q.example"}],
        "metadata": {"url": "https://a.example/r"}
    });
    assert_eq!(served(&older, ""), served(&current, ""));
}

#[test]
fn all_findings_of_both_files_are_reported_together() {
    let profile = r#"
        [availability]
        status = "maybe"
        hours_per_week = 0
        [projects]
        featured = ["On"]
        [publish]
        phones = true
        email = "yes"
        also = ["basics.dsek", "basics.phone", "hobbies"]
        [contact]
        url = "example.com"
    "#;
    let resume = r#"{"basics": {"desk": "B-1742", "phone": "1"}, "work": 3, "hobbies": ["x"],
        "projects": [{"name": "One"}]}"#;
    assert_eq!(
        checked(resume, profile),
        [
            "error: profile.toml: publish.phones: is not a key of [publish]; did you mean `phone`?",
            "error: resume.json: /basics/name: is missing; the person's name is required",
            "error: profile.toml: availability.hours_per_week: must be a whole number above zero, not a number",
            "error: profile.toml: availability.status: must be one of `open`, `limited`, `booked`, `closed`, not \"maybe\"",
            "error: profile.toml: publish.email: must be `true` or `false`, not a text",
            "error: profile.toml: projects.featured[0]: resume.json has no project \"On\"; did you mean \"One\"?",
            "warning: resume.json: /work: must be a list, each item a job, not a number; left out",
            "warning: resume.json: /interests: should be a list of objects, each an interest; 1 of its items are texts, and each is used as the `name` of one",
            "warning: profile.toml: contact.url: is not an absolute URL; it must start with `https://`; served as written: \"example.com\"",
            "warning: profile.toml: publish.also[0]: `basics.dsek` publishes nothing: it is absent, or served anyway; did you mean `basics.desk`?",
            "warning: profile.toml: publish.also[1]: `basics.phone` is a contact field; publish it with `phone = true`",
            "warning: profile.toml: publish.also[2]: `hobbies` publishes nothing: it is absent, or served anyway",
        ]
    );
}

#[test]
fn a_profile_is_read_into_its_types() {
    let resume = json!({"basics": {"name": "A"}, "projects": [{"name": "One"}, {"name": "Two"}]});
    let profile = r#"
        [availability]
        status = "Open"
        from = 2026-03-01
        kinds = ["contract"]
        hours_per_week = 20
        travel = "a week a quarter"
        [projects]
        featured = ["One", "Two"]
        [contact]
        url = "https://example.com/contact"
    "#;
    let profile = content_of(&resume, profile).profile;
    assert_eq!(profile.availability.status, Some(Status::Open));
    assert_eq!(profile.availability.from.as_deref(), Some("2026-03-01"));
    assert_eq!(profile.availability.hours_per_week, Some(20));
    assert_eq!(profile.availability.extra["travel"], "a week a quarter");
    assert_eq!(profile.projects.featured, ["One", "Two"]);
    let url = profile.contact.url.as_deref();
    assert_eq!(url, Some("https://example.com/contact"));
    for word in profile_shape::STATUSES {
        let profile = format!("[availability]\nstatus = \"{word}\"");
        let profile = content_of(&resume, &profile).profile;
        assert!(profile.availability.status.is_some(), "{word}");
    }
}

#[test]
fn a_missing_resume_is_an_error_and_a_missing_profile_is_not() {
    let missing = |name: &str| Source {
        name: name.to_owned(),
        bytes: Err(std::io::ErrorKind::NotFound.into()),
    };
    let mut files = Sources::of_text(r#"{"basics": {"name": "A"}}"#, "");
    files.profile = missing("profile.toml");
    let (content, report) = load(&files);
    assert!(content.is_some());
    assert_eq!(
        lines(&report),
        [
            "warning: profile.toml: does not exist; contact data is withheld, availability is unknown"
        ]
    );
    files.resume = missing("resume.json");
    let (content, report) = load(&files);
    assert_eq!(content, None);
    assert_eq!(
        lines(&report)[0],
        "error: resume.json: cannot be read: entity not found"
    );
}

#[test]
fn a_withheld_value_is_removed_from_both_files_and_all_languages() {
    let sources = Sources::of_text(
        r#"{"basics": {"name": "A", "phone": "+1 202-555-0142"}, "work": [{"name": "W", "summary": "x"}]}"#,
        "language = \"en\"\n[contact]\nnote = \"Call 202 555 0142 please\"",
    );
    let sources = sources.translation(
        "fr",
        r#"{"basics": {"name": "A"}, "work": [{"name": "W", "summary": "Appelez le 202 555 0142"}]}"#,
    );
    let loaded = check(&sources);
    let content = loaded.content.unwrap();
    let note = content.default_content().profile.contact.note.as_deref();
    assert_eq!(note, Some("Call [withheld] please"));
    let french = serde_json::to_value(&content.content(Some("fr")).resume).unwrap();
    assert_eq!(french["work"][0]["summary"], "Appelez le [withheld]");
    assert_eq!(
        loaded.removed,
        [
            "profile.toml: contact.note",
            "resume.fr.json: /work/0/summary"
        ]
    );
}

#[test]
fn a_finding_does_not_quote_a_value_that_is_removed() {
    let resume = r#"{"basics": {"name": "A", "email": "ada@b.example",
        "profiles": [{"network": "Mail", "url": "ada@b.example"}, {"network": "Web", "url": "b.example"}]}}"#;
    let loaded = check(&Sources::of_text(resume, ""));
    assert_eq!(
        lines(&loaded.report),
        [
            "warning: resume.json: /basics/profiles/1/url: is not an absolute URL; it must start with `https://`; served as written: \"b.example\"",
        ]
    );
    assert_eq!(loaded.removed, ["resume.json: /basics/profiles/0/url"]);
}

#[test]
fn a_misspelt_name_in_basics_or_of_a_section_gets_a_suggestion() {
    let resume = r#"{"basics": {"name": "A", "sumary": "x", "pronouns": "y"}, "educaton": [], "wrok": [1], "-languages": [1], "volunteer": [{"organization": "O", "positions": [{"title": "T"}]}]}"#;
    assert_eq!(
        checked(resume, ""),
        [
            "warning: resume.json: /basics/sumary: is not a field of JSON Resume; did you mean `summary`?",
            "warning: resume.json: /wrok: is not a field of JSON Resume; did you mean `work`?",
        ]
    );
}

/// Any JSON, with the names of the schema among the names.
fn any_json() -> impl Strategy<Value = Value> {
    let leaf = prop_oneof![
        Just(Value::Null),
        any::<bool>().prop_map(Value::from),
        any::<i32>().prop_map(Value::from),
        "[ a-zA-Z0-9@.+-]{0,12}".prop_map(Value::from),
        prop::sample::select(vec!["Present", "2020-3", "2020", "", "https://a.example"])
            .prop_map(Value::from),
    ];
    leaf.prop_recursive(4, 48, 5, |inner| {
        let names = prop_oneof![
            prop::sample::select(vec![
                "basics",
                "bio",
                "name",
                "company",
                "work",
                "skills",
                "hobbies",
                "interests",
                "profiles",
                "email",
                "phone",
                "location",
                "startDate",
                "endDate",
                "highlights",
                "keywords",
                "summary",
                "description",
                "projects",
                "website",
                "url",
                "meta",
            ])
            .prop_map(str::to_owned),
            "[a-z]{1,4}",
        ];
        prop_oneof![
            prop::collection::vec(inner.clone(), 0..4).prop_map(Value::from),
            prop::collection::vec((names, inner), 0..5)
                .prop_map(|members| Value::Object(members.into_iter().collect())),
        ]
    })
}

fn normalized(resume: &Map<String, Value>) -> Map<String, Value> {
    let mut report = Report::default();
    let mut file = FileReport::json("r", &mut report);
    let mut resume = resume.clone();
    modernize(&mut resume, &mut file);
    let allows = |_: &str| true;
    let mut context = Context::new(&mut file, Policy::Lenient, &allows, true);
    normalize::object(resume, &RESUME, Place::Root, &mut context)
}

proptest! {
    #![proptest_config(ProptestConfig { failure_persistence: None, ..ProptestConfig::default() })]

    #[test]
    fn normalizing_twice_is_normalizing_once(document in any_json()) {
        if let Value::Object(document) = document {
            let once = normalized(&document);
            prop_assert_eq!(normalized(&once), once);
        }
    }

    #[test]
    fn any_document_is_served_or_refused_with_a_reason(document in any_json()) {
        let sources = Sources::of_text(&document.to_string(), "");
        let loaded = check(&sources);
        prop_assert_eq!(loaded.content.is_none(), loaded.report.has_errors());
        let (content, report) = load(&sources);
        prop_assert_eq!(prepare(&sources).is_some(), content.is_some() && report.sorted().is_empty());
        prop_assert_eq!(content, loaded.content);
    }

    #[test]
    fn any_text_is_refused_with_a_reason(text in "[ \\PC\n\"{}:,]{0,40}") {
        let (content, report) = load(&Sources::of_text(&text, &text));
        prop_assert!(content.is_none() && report.has_errors());
    }
}
