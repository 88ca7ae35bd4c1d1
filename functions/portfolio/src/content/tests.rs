//! Tests of the whole way from two files to what is served: examples, and properties over
//! generated documents.

use proptest::prelude::*;
use serde_json::json;

use super::*;

fn lines(report: &Report) -> Vec<String> {
    report
        .sorted()
        .iter()
        .map(|finding| finding.to_string())
        .collect()
}

fn served(resume: &Value, profile: &str) -> Value {
    let (content, report) = check(&Sources::of_text(&resume.to_string(), profile));
    let content = content.unwrap_or_else(|| panic!("{:?}", lines(&report)));
    serde_json::to_value(&content.resume).unwrap()
}

#[test]
fn the_shipped_content_is_without_fault_and_keeps_contact_data_back() {
    let (content, report) = check(&Sources::built_in());
    assert_eq!(
        report.count(Severity::Error) + report.count(Severity::Warning),
        0
    );
    let content = content.unwrap();
    assert_eq!(content.withheld, ["address", "email", "phone"]);
    let text = serde_json::to_string(&content.resume).unwrap();
    for private in ["555-0142", "ottoline@", "Lighthouse Steps", "EX4"] {
        assert!(!text.contains(private), "{private}");
    }
    for section in shape::RESUME.names() {
        assert!(
            text.contains(&format!("\"{section}\":")),
            "the example has no {section}"
        );
    }
}

#[test]
fn older_field_names_give_the_same_answers() {
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
fn all_faults_of_both_files_are_reported_together() {
    let (content, report) = check(&Sources::of_text(
        r#"{"basics": {}, "work": {}, "projects": [{"name": "One"}]}"#,
        "[projects]\nfeatured = [\"On\"]\n[publish]\nphones = true\n",
    ));
    assert_eq!(content, None);
    assert_eq!(
        lines(&report),
        [
            "error: resume.json: /basics/name: is missing; the person's name is required",
            "error: resume.json: /work: must be a list, each item a job; found an object",
            "error: profile.toml: publish.phones: is not a key of [publish]; did you mean `phone`?",
            "error: profile.toml: projects.featured.0: resume.json has no project \"On\"; did you mean \"One\"?",
        ]
    );
}

#[test]
fn a_missing_resume_stops_and_a_missing_profile_does_not() {
    let missing = |name: &str| Source {
        name: name.to_owned(),
        bytes: Err(std::io::ErrorKind::NotFound.into()),
    };
    let mut files = Sources::of_text(r#"{"basics": {"name": "A"}}"#, "");
    files.profile = missing("profile.toml");
    let (content, report) = check(&files);
    assert!(content.is_some());
    assert_eq!(
        lines(&report),
        [
            "warning: profile.toml: is not there; nothing private is published, availability is unknown"
        ]
    );
    files.resume = missing("resume.json");
    let (content, report) = check(&files);
    assert_eq!(content, None);
    assert_eq!(
        lines(&report)[0],
        "error: resume.json: cannot be read: entity not found"
    );
}

#[test]
fn what_is_kept_back_is_noted_with_its_switch() {
    let (content, report) = check(&Sources::of_text(
        r#"{"basics": {"name": "A", "phone": "1"}, "references": [{"email": "b@example.com"}]}"#,
        "[contact]\nnote = \"Write to a@example.com please\"",
    ));
    assert_eq!(
        lines(&report),
        [
            "note: resume.json: /basics/phone: kept back; `phone = true` under [publish] in profile.toml publishes it",
            "note: resume.json: /references/0/email: kept back; `reference_contacts = true` under [publish] in profile.toml publishes it",
            "note: profile.toml: contact.note: kept back; `email = true` under [publish] in profile.toml publishes it",
        ]
    );
    let content = content.unwrap();
    assert_eq!(
        content.profile.contact.note.as_deref(),
        Some("Write to [withheld] please")
    );
    assert_eq!(content.withheld, ["email", "phone", "reference_contacts"]);
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

fn settled(resume: &Map<String, Value>) -> Map<String, Value> {
    let mut report = Report::default();
    let mut file = FileReport::json("r", &mut report);
    let root = Pointer::root();
    let mut resume = resume.clone();
    normalize::rename(&mut resume, &shape::RESUME, &root, &mut file);
    legacy_fields::rewrite(&mut resume);
    normalize::object(resume, &shape::RESUME, &root, &mut file)
}

proptest! {
    #![proptest_config(ProptestConfig { failure_persistence: None, ..ProptestConfig::default() })]

    #[test]
    fn settling_twice_is_settling_once(document in any_json()) {
        if let Value::Object(document) = document {
            let once = settled(&document);
            prop_assert_eq!(settled(&once), once);
        }
    }

    #[test]
    fn any_document_is_served_or_refused_with_a_reason(document in any_json()) {
        let (content, report) = check(&Sources::of_text(&document.to_string(), ""));
        prop_assert_eq!(content.is_none(), report.has_errors());
    }

    #[test]
    fn any_text_is_refused_with_a_reason(text in "[ \\PC\n\"{}:,]{0,40}") {
        let (content, report) = check(&Sources::of_text(&text, &text));
        prop_assert!(content.is_none() && report.has_errors());
    }
}
