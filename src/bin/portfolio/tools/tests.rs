//! Tests over all tools: what they answer fits the schema they promise, and keeps private data back.

use serde_json::{Value, json};

use super::*;
use crate::content::{self, Sources};

/// Every answer with its tool's name and the schema promised for it.
fn answers(portfolio: &Portfolio) -> Vec<(&'static str, Value, Value)> {
    fn answer<T: schemars::JsonSchema>(answer: &Prepared<T>) -> (Value, Value) {
        let generator = schemars::generate::SchemaSettings::draft2020_12().for_serialize();
        let schema = generator
            .into_generator()
            .into_root_schema_for::<Prepared<T>>();
        (serde_json::to_value(answer).unwrap(), schema.to_value())
    }
    let mut all = vec![
        ("get_projects", answer(&portfolio.all_projects)),
        ("get_projects", answer(&portfolio.featured_projects)),
        ("get_capabilities", answer(&portfolio.capabilities)),
        ("check_availability", answer(&portfolio.availability)),
        ("get_manifest", answer(&portfolio.manifest)),
    ];
    all.extend(
        portfolio
            .resume
            .all()
            .map(|resume| ("get_resume", answer(resume))),
    );
    all.into_iter()
        .map(|(name, (answer, schema))| (name, answer, schema))
        .collect()
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
        for (name, answer, schema) in answers(&portfolio) {
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
    for (name, mut answer, schema) in answers(&portfolio) {
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
    for (name, answer, _) in answers(&portfolio) {
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
