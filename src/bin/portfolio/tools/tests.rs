//! Tests over all tools: what they answer fits the schema they promise, and keeps private data back.

use proptest::prelude::*;
use serde_json::{Value, json};

use super::*;
use crate::content::resume::Resume;
use crate::content::{self, Sources};

/// Every answer with its tool's name.
fn answers(portfolio: &Portfolio) -> Vec<(&'static str, Value)> {
    fn json(answer: &impl serde::Serialize) -> Value {
        serde_json::to_value(answer).unwrap()
    }
    let mut all = vec![
        ("get_projects", json(&portfolio.all_projects)),
        ("get_projects", json(&portfolio.featured_projects)),
        ("get_capabilities", json(&portfolio.capabilities)),
        ("check_availability", json(&portfolio.availability)),
        ("get_manifest", json(&portfolio.manifest)),
    ];
    all.extend(
        portfolio
            .resume
            .all()
            .map(|resume| ("get_resume", json(resume))),
    );
    all
}

/// The schema promised for the answers of a tool.
fn schema_of(tool: &str) -> Value {
    fn schema<T: schemars::JsonSchema>() -> Value {
        let settings = schemars::generate::SchemaSettings::draft2020_12().for_serialize();
        settings
            .into_generator()
            .into_root_schema_for::<Prepared<T>>()
            .to_value()
    }
    match tool {
        "get_projects" => schema::<Projects>(),
        "get_capabilities" => schema::<Capabilities>(),
        "check_availability" => schema::<Availability>(),
        "get_manifest" => schema::<Manifest>(),
        "get_resume" => schema::<Resume>(),
        other => panic!("{other} has no schema here"),
    }
}

fn contents() -> Vec<Content> {
    let odd = json!({
        "$schema": "https://example.com/s", "custom": [1, {"x": null}],
        "basics": {"name": "A", "extra": {"deep": [true]}, "profiles": [{}, {"network": "n", "x": 1.5}]},
        "work": [{"name": "W", "team": 3, "startDate": "long ago"}],
        "projects": [{"name": "P", "featured": 7, "isActive": true}],
        "skills": [{"name": "S", "value": 100}], "meta": {"theme": "t"}
    });
    vec![
        content::check(&Sources::built_in()).0.unwrap(),
        content_of(&json!({"basics": {"name": "A"}}), ""),
        content_of(
            &odd,
            "[availability]\nx = 1.5\ny = [1, 2]\n[contact]\nz = { a = 1 }",
        ),
    ]
}

#[test]
fn every_answer_fits_the_schema_that_its_tool_promises() {
    for content in contents() {
        let portfolio = Portfolio::new(&content, Some("https://mcp.example.com")).unwrap();
        for (name, answer) in answers(&portfolio) {
            let schema = schema_of(name);
            assert_eq!(schema["type"], "object", "{name}");
            let validator = jsonschema::validator_for(&schema).unwrap();
            let faults: Vec<_> = validator
                .iter_errors(&answer)
                .map(|e| e.to_string())
                .collect();
            assert!(faults.is_empty(), "{name}: {faults:?} in {answer}");
        }
    }
}

#[test]
fn an_answer_with_a_wrong_type_would_not_fit() {
    let portfolio = Portfolio::new(&contents()[0], None).unwrap();
    for (name, mut answer) in answers(&portfolio) {
        let schema = schema_of(name);
        let first = answer.as_object().unwrap().keys().next().unwrap().clone();
        answer[&first] = Value::Null;
        assert!(
            !jsonschema::is_valid(&schema, &answer),
            "{name}: {first} may be null"
        );
    }
}

#[test]
fn no_answer_of_the_shipped_content_holds_contact_data() {
    let portfolio = Portfolio::new(&contents()[0], None).unwrap();
    for (name, answer) in answers(&portfolio) {
        let answer = answer.to_string();
        for private in ["555-0142", "ottoline@", "Lighthouse Steps", "EX4"] {
            assert!(!answer.contains(private), "{name}: {private}");
        }
    }
}

#[test]
fn tools_are_registered_as_they_are_listed() {
    let portfolio = Portfolio::new(&contents()[0], None).unwrap();
    let server = lambda_mcp::Server::builder("test", "1").state(Arc::new(portfolio));
    assert!(register(server).build().is_ok());
    for about in TOOLS {
        assert!(
            about.description.len() > 100 && !about.description.contains("  "),
            "{}",
            about.name
        );
    }
}

/// A value that must not be served, with the spellings in which it must not be found.
fn planted() -> impl Strategy<Value = (&'static str, String)> {
    let part = || "[a-z]{2,6}";
    prop_oneof![
        (part(), part()).prop_map(|(name, host)| ("email", format!("q{name}@{host}.example"))),
        "555[0-9]{4}"
            .prop_map(|digits| ("phone", format!("+1 202-{}-{}", &digits[..3], &digits[3..]))),
        (100..999_u16, part())
            .prop_map(|(number, name)| ("address", format!("{number} q{name} Street"))),
    ]
}

/// Wraps a private value in a text or a link, as it may hide.
fn disguised(kind: &str, value: &str, way: u8) -> Value {
    let digits: String = value.chars().filter(char::is_ascii_digit).collect();
    let text = match (way % 5, kind) {
        (0, _) => value.to_owned(),
        (1, _) => format!("Reach me: {value}, any time"),
        (2, "email") => format!("mailto:{value}?subject=hello"),
        (2, "phone") => format!("tel:+{digits}"),
        (3, "email") => format!("https://example.com/?to={}", value.replace('@', "%40")),
        (3, "phone") => format!("https://wa.me/{digits}"),
        (4, "phone") => digits,
        _ => value.to_uppercase(),
    };
    if way.is_multiple_of(2) {
        Value::from(text)
    } else {
        json!([text, "other"])
    }
}

fn names_of(kind: &str) -> &'static [&'static str] {
    match kind {
        "email" => &["email", "mail", "e-mail", "contactEmail"],
        "phone" => &["phone", "mobile", "x-phone", "telephone"],
        _ => &["address", "street", "homeAddress", "addressLine1"],
    }
}

/// The places in [`resume_with_places`] where a value is planted under a telling name.
const NAMED: [&str; 5] = [
    "/basics",
    "/basics/location",
    "/basics/extra",
    "/references/0",
    "/custom",
];

/// The places where it hides in other text; the last is the profile.
const HIDING: [&str; 10] = [
    "/basics",
    "/basics/location",
    "/basics/extra",
    "/basics/profiles/0",
    "/work/0",
    "/projects/0",
    "/references/0",
    "/references/0/more",
    "/custom",
    "",
];

fn resume_with_places() -> Value {
    json!({
        "basics": {
            "name": "A", "location": {"city": "Harbourtown"}, "extra": {},
            "profiles": [{"network": "n"}],
        },
        "work": [{"name": "W"}],
        "projects": [{"name": "P"}],
        "references": [{"name": "R", "more": {}}],
        "custom": {},
    })
}

/// Two files in which the value stands once under a name that says what it is, and once elsewhere
/// in disguise.
fn planted_files(
    kind: &str,
    value: &str,
    places: (usize, usize, usize),
    way: u8,
) -> (Value, String) {
    let (named, name, hiding) = places;
    let mut resume = resume_with_places();
    let mut profile = "[projects]\nfeatured = [\"P\"]\n".to_owned();
    resume.pointer_mut(NAMED[named]).unwrap()[names_of(kind)[name]] = value.into();
    let hidden = disguised(kind, value, way);
    match HIDING[hiding] {
        "" => {
            for table in ["availability", "capabilities", "contact"] {
                profile.push_str(&format!("[{table}]\nmore = {hidden}\n"));
            }
        }
        place => resume.pointer_mut(place).unwrap()["notes"] = hidden,
    }
    (resume, profile)
}

fn digits(text: &str) -> String {
    text.chars().filter(char::is_ascii_digit).collect()
}

proptest! {
    #![proptest_config(ProptestConfig { failure_persistence: None, ..ProptestConfig::default() })]

    #[test]
    fn a_planted_private_value_is_in_no_answer(
        (kind, value) in planted(),
        places in (0..NAMED.len(), 0..4_usize, 0..HIDING.len()),
        way in any::<u8>(),
    ) {
        let (resume, profile) = planted_files(kind, &value, places, way);
        let sources = Sources::of_text(&resume.to_string(), &profile);
        let (content, report) = content::check(&sources);
        let findings: String = report.sorted().iter().map(|f| format!("{f}\n")).collect();
        prop_assert!(content.is_some(), "{}", findings);
        let portfolio = Portfolio::new(&content.unwrap(), None).unwrap();
        let mut texts = vec![("findings", findings)];
        texts.extend(answers(&portfolio).into_iter().map(|(name, answer)| (name, answer.to_string())));
        for (name, text) in texts {
            let folded = text.to_lowercase();
            prop_assert!(!folded.contains(&value.to_lowercase()), "{}: {}", name, text);
            if kind == "email" {
                prop_assert!(!folded.contains(&value.replace('@', "%40")), "{}: {}", name, text);
            }
            if kind == "phone" {
                prop_assert!(!digits(&text).contains(&digits(&value)[1..]), "{}: {}", name, text);
            }
        }
    }

    #[test]
    fn the_same_value_is_there_when_its_owner_publishes_it(
        (kind, value) in planted(),
        name in 0..4_usize,
    ) {
        let mut resume = resume_with_places();
        resume["basics"][names_of(kind)[name]] = value.clone().into();
        let profile = format!("[publish]\n{kind} = true");
        let sources = Sources::of_text(&resume.to_string(), &profile);
        let portfolio = Portfolio::new(&content::check(&sources).0.unwrap(), None).unwrap();
        let found = answers(&portfolio).into_iter().any(|(_, answer)| answer.to_string().contains(&value));
        prop_assert!(found);
    }
}
