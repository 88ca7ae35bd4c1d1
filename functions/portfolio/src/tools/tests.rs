//! Tests over all tools: their answers match their output schemas.

use lambda_mcp::Server;
use lambda_mcp::server::ServerBuilder;
use serde_json::{Value, json};

use super::*;
use crate::content::{self, Section, Sources, content_of};
use crate::test_client::TestClient;

fn client(content: &Content) -> TestClient {
    let offers = Offers {
        tools: &READ_ONLY,
        resources: &crate::resources::OFFERS,
        prompts: &[],
        public_url: Some("https://mcp.example.com"),
    };
    let tools = read_only_tools(content, &offers).unwrap();
    let server = Server::builder("test", "1");
    let server = tools.into_iter().fold(server, ServerBuilder::tool);
    TestClient::new(server.build().unwrap())
}

/// Every tool with its output schema and all its answers.
fn answers(client: &TestClient) -> Vec<(String, Value, Vec<Value>)> {
    let tools = client.list("tools/list", "tools").into_iter();
    tools
        .map(|tool| {
            let name = tool["name"].as_str().unwrap();
            let mut arguments = vec![json!({})];
            match name {
                "get_projects" => arguments.push(json!({"featured": true})),
                "get_resume" => {
                    arguments.extend(Section::ALL.map(|section| json!({"section": section.name()})))
                }
                _ => {}
            }
            let answers = arguments
                .iter()
                .map(|arguments| client.call(name, arguments));
            let answers = answers.collect();
            (name.to_owned(), tool["outputSchema"].clone(), answers)
        })
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
fn every_answer_matches_the_output_schema_of_its_tool() {
    for content in contents() {
        for (name, schema, answers) in answers(&client(&content)) {
            assert_eq!(schema["type"], "object", "{name}");
            let validator = jsonschema::validator_for(&schema).unwrap();
            for answer in answers {
                let faults: Vec<_> = validator
                    .iter_errors(&answer)
                    .map(|error| error.to_string())
                    .collect();
                assert!(faults.is_empty(), "{name}: {faults:?} in {answer}");
            }
        }
    }
}

#[test]
fn an_answer_with_a_wrong_type_would_not_match() {
    for (name, schema, answers) in answers(&client(&contents()[0])) {
        for mut answer in answers {
            let first = answer.as_object().unwrap().keys().next().unwrap().clone();
            answer[&first] = Value::Null;
            assert!(
                !jsonschema::is_valid(&schema, &answer),
                "{name}: {first} may be null"
            );
        }
    }
}

#[test]
fn the_tools_are_built_in_the_order_of_their_list() {
    let client = client(&contents()[0]);
    let tools = client.list("tools/list", "tools");
    assert_eq!(tools.len(), READ_ONLY.len());
    for (tool, about) in tools.iter().zip(READ_ONLY) {
        assert_eq!(tool["name"], about.name);
        let is_one_line = !about.description.contains("  ");
        assert!(
            about.description.len() > 100 && is_one_line,
            "{}",
            about.name
        );
    }
}
