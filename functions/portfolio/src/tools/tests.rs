//! Tests over all tools: what they answer fits the schema they promise.

use serde_json::{Value, json};

use super::*;
use crate::content::resume::Resume;
use crate::content::{self, Sources, content_of};
use crate::portfolio::Portfolio;

/// Every answer with its tool's name.
pub(crate) fn each(answers: &Answers) -> Vec<(&'static str, Value)> {
    fn json(answer: &impl serde::Serialize) -> Value {
        serde_json::to_value(answer).unwrap()
    }
    let mut all = vec![
        ("get_projects", json(&answers.all_projects)),
        ("get_projects", json(&answers.featured_projects)),
        ("get_capabilities", json(&answers.capabilities)),
        ("check_availability", json(&answers.availability)),
        ("get_manifest", json(&answers.manifest)),
    ];
    all.extend(
        answers
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
        content::load(&Sources::built_in())
            .0
            .unwrap()
            .default_content()
            .clone(),
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
        let answers = Answers::new(&content, Some("https://mcp.example.com")).unwrap();
        for (name, answer) in each(&answers) {
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
    let answers = Answers::new(&contents()[0], None).unwrap();
    for (name, mut answer) in each(&answers) {
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
