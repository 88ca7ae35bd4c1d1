//! Tests over all tools: their answers match their output schemas.

use lambda_mcp::Server;
use lambda_mcp::server::ServerBuilder;
use serde_json::{Value, json};

use super::*;
use crate::content::{self, Section, localized_of};
use crate::test_client::TestClient;

fn client(content: &Arc<Localized>) -> TestClient {
    let offers = Offers {
        tools: listed(content),
        resources: crate::resources::offers(content),
        prompts: &[],
        public_url: Some("https://mcp.example.com".to_owned()),
    };
    let documents = crate::resources::documents_of(content);
    let tools = read_only_tools(content, &documents, offers);
    let view = crate::view::view(content.default_content());
    let server = Server::builder("test", "1").resource(view);
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
                "search" => arguments = vec![json!({"query": "rust"}), json!({"query": ""})],
                "fetch" => arguments = vec![json!({"id": "section/basics"})],
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

fn contents() -> Vec<Arc<Localized>> {
    let odd = json!({
        "$schema": "https://example.com/s", "custom": [1, {"x": null}],
        "basics": {"name": "A", "extra": {"deep": [true]}, "profiles": [{}, {"network": "n", "x": 1.5}]},
        "work": [{"name": "W", "team": 3, "startDate": "long ago"}],
        "projects": [{"name": "P", "featured": 7, "isActive": true}],
        "skills": [{"name": "S", "value": 100}], "meta": {"theme": "t"}
    });
    vec![
        content::load(&crate::built_in::sources()).0.unwrap().into(),
        localized_of(&json!({"basics": {"name": "A"}}), ""),
        localized_of(
            &odd,
            "[availability]\nx = 1.5\ny = [1, 2]\n[contact]\nz = { a = 1 }\n[server]\nsearch = true",
        ),
        long(),
    ]
}

/// A résumé in two languages that is longer than clients accept.
fn long() -> Arc<Localized> {
    let entries: Vec<Value> = (0..60)
        .map(|n| json!({"name": format!("N{n}"), "description": "seven..".repeat(490)}))
        .collect();
    let label = json!({"en": "Developer", "de": "Entwicklerin"});
    let resume =
        json!({"basics": {"name": "A", "label": label}, "work": entries, "projects": entries});
    localized_of(&resume, "")
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
fn no_answer_is_longer_than_clients_accept() {
    for (name, _, answers) in answers(&client(&long())) {
        for answer in answers {
            let tokens = content::tokens::estimate(&answer.to_string());
            assert!(tokens < content::tokens::BUDGET, "{name}: {tokens}");
        }
    }
}

#[test]
fn the_pages_of_the_projects_have_all_of_them_once() {
    let client = client(&long());
    let first = client.call("get_projects", &json!({}));
    let pages = first["page"]["of"].as_u64().unwrap();
    let mut names = Vec::new();
    for page in 1..=pages {
        let answer = client.call("get_projects", &json!({"page": page}));
        assert_eq!(answer["total"], 60);
        let projects = answer["projects"].as_array().unwrap();
        names.extend(projects.iter().map(|project| project["name"].clone()));
    }
    let expected: Vec<_> = (0..60).map(|n| json!(format!("N{n}"))).collect();
    assert_eq!(names, expected);
    let featured = client.call("get_projects", &json!({"featured": true}));
    assert_eq!(featured.get("page"), None);
}

#[test]
fn every_answer_is_in_the_language_that_is_asked_for_and_names_it() {
    let client = client(&long());
    for tool in client.list("tools/list", "tools") {
        let name = tool["name"].as_str().unwrap();
        let property = &tool["inputSchema"]["properties"]["language"];
        let text = property["description"].as_str().unwrap();
        assert!(text.contains("en (default), de"), "{name}: {text}");
        for (language, expected) in [
            (json!("de-CH"), "de"),
            (json!("DE"), "de"),
            (json!("fr"), "en"),
            (Value::Null, "en"),
        ] {
            let answer = client.call(name, &json!({"language": language}));
            let named = match name {
                "get_resume" => &answer["meta"]["language"],
                _ => &answer["language"],
            };
            assert_eq!(named, expected, "{name} {language}");
        }
    }
    let section = client.call(
        "get_resume",
        &json!({"section": "basics", "language": "de"}),
    );
    assert_eq!(section["basics"]["label"], "Entwicklerin");
    assert_eq!(section["meta"]["language"], "de");
    let manifest = client.call("get_manifest", &json!({}));
    assert_eq!(manifest["content"]["languages"], json!(["en", "de"]));
}

#[test]
fn search_and_fetch_have_the_form_that_chatgpt_requires() {
    let content = &contents()[2];
    let client = client(content);
    let params = json!({"name": "search", "arguments": {"query": "p"}});
    let result = client.ask("tools/call", &params);
    let [block] = result["content"].as_array().unwrap().as_slice() else {
        panic!("{result}")
    };
    assert_eq!(block["type"], "text");
    let text: Value = serde_json::from_str(block["text"].as_str().unwrap()).unwrap();
    let card = "https://mcp.example.com/mcp/server-card";
    let found = json!({"results": [
        {"id": "project/P", "title": "P – A", "url": card},
        {"id": "section/projects", "title": "Projects – A", "url": card},
    ]});
    assert_eq!((&text, &result["structuredContent"]), (&found, &found));
    let document = client.call("fetch", &json!({"id": "project/P"}));
    assert_eq!(
        (&document["id"], &document["title"], &document["url"]),
        (&json!("project/P"), &json!("P – A"), &json!(card))
    );
    assert!(document["text"].as_str().unwrap().starts_with("# P\n"));
    assert_eq!(
        document["metadata"],
        json!({"person": "A", "kind": "project"})
    );
    for tool in client.list("tools/list", "tools") {
        let only = match tool["name"].as_str().unwrap() {
            "search" => "query",
            "fetch" => "id",
            _ => continue,
        };
        assert_eq!(tool["inputSchema"]["required"], json!([only]));
        let properties = tool["inputSchema"]["properties"].as_object().unwrap();
        assert_eq!(properties.len(), 1);
    }
    let params = json!({"name": "fetch", "arguments": {"id": "project/X"}});
    let result = client.ask("tools/call", &params);
    assert_eq!(result["isError"], true);
    let text = result["content"][0]["text"].as_str().unwrap();
    assert!(text.contains("Call search to find ids"), "{text}");
}

#[test]
fn the_tools_show_the_icon_of_the_person() {
    let resume = json!({"basics": {"name": "A", "image": "https://a.example/me.png"}});
    let expected = json!([{"src": "https://a.example/me.png", "mimeType": "image/png"}]);
    let icons = |profile: &str| {
        let tools = client(&localized_of(&resume, profile)).list("tools/list", "tools");
        tools
            .into_iter()
            .map(|mut tool| tool["icons"].take())
            .collect::<Vec<_>>()
    };
    assert!(icons("").iter().all(|icons| *icons == expected));
    // A long icon is shown for the server alone.
    let data = "A".repeat(2000);
    let profile = format!("[server]\nicon = \"data:image/png;base64,{data}\"");
    assert!(icons(&profile).iter().all(Value::is_null));
}

#[test]
fn the_tools_are_built_in_the_order_of_their_list() {
    let client = client(&contents()[0]);
    let tools = client.list("tools/list", "tools");
    assert_eq!(tools.len(), READ_ONLY.len());
    for (tool, about) in tools.iter().zip(listed(&contents()[0])) {
        assert_eq!(tool["name"], about.name);
        let is_one_line = !about.description.contains("  ");
        assert!(
            about.description.len() > 100 && is_one_line,
            "{}",
            about.name
        );
    }
}
