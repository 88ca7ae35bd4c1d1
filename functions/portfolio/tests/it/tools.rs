//! The shipped function's tools: what agents see of them and what they answer, in every version.

use serde_json::{Value, json};

use crate::content::Folder;
use harness::messages::{ask, call};
use harness::{SERVED_VERSIONS, ServerConfig, TestServer, Version};

const TOOLS: [&str; 5] = [
    "get_manifest",
    "get_resume",
    "get_projects",
    "get_capabilities",
    "check_availability",
];

/// What the shipped example person has but does not publish.
const PRIVATE: [&str; 4] = ["555-0142", "ottoline@", "Lighthouse Steps", "EX4 0PL"];

fn portfolio() -> TestServer {
    ServerConfig::new("portfolio").start()
}

fn listed(server: &TestServer, version: Version) -> Vec<Value> {
    let result = ask(server, version, "tools/list", json!({})).result();
    result["tools"].as_array().unwrap().clone()
}

/// The structured content of a tool's answer.
fn answer(server: &TestServer, tool: &str, arguments: Value) -> Value {
    let result = call(server, Version::V2025_11_25, tool, arguments).result();
    assert_ne!(result["isError"], true, "{result}");
    result["structuredContent"].clone()
}

/// Every keyword and name in a schema.
fn names_in(schema: &Value, names: &mut Vec<String>) {
    match schema {
        Value::Object(object) => {
            for (name, value) in object {
                names.push(name.clone());
                names_in(value, names);
            }
        }
        Value::Array(items) => items.iter().for_each(|item| names_in(item, names)),
        _ => {}
    }
}

#[test]
fn the_tools_are_listed_with_all_that_an_agent_chooses_by() {
    let server = portfolio();
    for version in SERVED_VERSIONS {
        let tools = listed(&server, version);
        let names: Vec<_> = tools
            .iter()
            .map(|tool| tool["name"].as_str().unwrap())
            .collect();
        assert_eq!(names, TOOLS, "{version:?}");
        for tool in &tools {
            assert!(
                tool["description"]
                    .as_str()
                    .is_some_and(|text| text.len() > 100),
                "{tool}"
            );
            if version < Version::V2025_03_26 {
                assert!(tool.get("annotations").is_none(), "{tool}");
                continue;
            }
            let hints = &tool["annotations"];
            let honest = json!([true, false, true, false]);
            let told = [
                "readOnlyHint",
                "destructiveHint",
                "idempotentHint",
                "openWorldHint",
            ];
            assert_eq!(json!(told.map(|hint| &hints[hint])), honest, "{tool}");
        }
    }
}

#[test]
fn what_is_listed_in_the_newest_handshake_version() {
    insta::assert_json_snapshot!(listed(&portfolio(), Version::V2025_11_25));
}

#[test]
fn input_schemas_are_portable() {
    for tool in listed(&portfolio(), Version::V2025_11_25) {
        let schema = &tool["inputSchema"];
        assert_eq!(schema["type"], "object", "{schema}");
        assert!(schema["properties"].is_object(), "{schema}");
        let mut names = Vec::new();
        names_in(schema, &mut names);
        for keyword in [
            "anyOf", "oneOf", "allOf", "$ref", "$defs", "$schema", "format",
        ] {
            assert!(
                !names.iter().any(|name| name == keyword),
                "{keyword} in {schema}"
            );
        }
    }
}

#[test]
fn every_tool_answers_the_very_first_request_in_every_version() {
    for version in SERVED_VERSIONS {
        for tool in TOOLS {
            let result = call(&portfolio(), version, tool, json!({})).result();
            assert_ne!(result["isError"], true, "{tool} {version:?}");
            let content = result["content"].as_array().unwrap();
            assert_eq!(content.len(), 1, "{tool} {version:?}");
            let text: Value = serde_json::from_str(content[0]["text"].as_str().unwrap()).unwrap();
            // Structured content came with revision 2025-06-18.
            if version >= Version::V2025_06_18 {
                assert_eq!(result["structuredContent"], text, "{tool} {version:?}");
            }
            assert!(
                text.to_string().contains("Ottoline Quillfeather"),
                "{tool} {version:?}"
            );
            for private in PRIVATE {
                assert!(
                    !text.to_string().contains(private),
                    "{tool} {version:?}: {private}"
                );
            }
        }
    }
}

#[test]
fn every_answer_fits_the_schema_that_was_listed_for_it() {
    let server = portfolio();
    let sections = [
        "basics",
        "work",
        "volunteer",
        "education",
        "awards",
        "certificates",
        "publications",
        "skills",
        "languages",
        "interests",
        "references",
        "projects",
        "meta",
    ];
    let mut calls: Vec<_> = TOOLS.map(|tool| (tool, json!({}))).to_vec();
    calls.push(("get_projects", json!({"featured": true})));
    calls.extend(sections.map(|section| ("get_resume", json!({"section": section}))));
    let tools = listed(&server, Version::V2025_11_25);
    for (name, arguments) in calls {
        let tool = tools.iter().find(|tool| tool["name"] == name).unwrap();
        let validator = jsonschema::validator_for(&tool["outputSchema"]).unwrap();
        let found = answer(&server, name, arguments.clone());
        let faults: Vec<_> = validator
            .iter_errors(&found)
            .map(|e| e.to_string())
            .collect();
        assert!(faults.is_empty(), "{name} {arguments}: {faults:?}");
        if let Some(section) = arguments["section"].as_str() {
            let members: Vec<_> = found.as_object().unwrap().keys().collect();
            assert_eq!(members, [section], "{found}");
        }
    }
}

#[test]
fn arguments_that_do_not_fit_name_the_field_and_the_rule() {
    let server = portfolio();
    let rows = [
        (
            "get_resume",
            json!({"section": "hobbies"}),
            "section",
            "interests",
        ),
        ("get_resume", json!({"section": 3}), "section", "string"),
        (
            "get_projects",
            json!({"featured": "yes"}),
            "featured",
            "boolean",
        ),
    ];
    for (tool, arguments, field, rule) in rows {
        for version in SERVED_VERSIONS {
            let reply = call(&server, version, tool, arguments.clone());
            let is_early = version <= Version::V2025_06_18;
            let words = if is_early {
                assert_eq!(reply.error_code(), -32602, "{tool} {version:?}");
                reply.message()["error"].to_string()
            } else {
                let result = reply.result();
                assert_eq!(result["isError"], true, "{tool} {version:?}");
                result["content"].to_string()
            };
            assert!(
                words.contains(field) && words.contains(rule),
                "{version:?}: {words}"
            );
        }
    }
}

/// In strict function calling every argument is required, and `null` means that it is absent.
#[test]
fn null_means_the_whole_resume_and_all_projects_in_every_version() {
    let server = portfolio();
    for version in SERVED_VERSIONS {
        for (tool, arguments) in [
            ("get_resume", json!({"section": null})),
            ("get_projects", json!({"featured": null})),
        ] {
            let text = |arguments: Value| {
                let result = call(&server, version, tool, arguments).result();
                assert_ne!(result["isError"], true, "{version:?} {result}");
                result["content"].clone()
            };
            assert_eq!(text(arguments), text(json!({})), "{version:?} {tool}");
        }
    }
}

#[test]
fn featured_projects_are_those_that_the_profile_names_in_its_order() {
    let server = portfolio();
    let featured = answer(&server, "get_projects", json!({"featured": true}));
    let names: Vec<_> = featured["projects"]
        .as_array()
        .unwrap()
        .iter()
        .map(|project| &project["name"])
        .collect();
    assert_eq!(
        names,
        ["Tidewatch", "Quiet Pager", "Calm Operations Workshop"]
    );
    let all = answer(&server, "get_projects", json!({}));
    assert_eq!(
        answer(&server, "get_projects", json!({"featured": false})),
        all
    );
    assert_eq!((&all["total"], &all["featured"]), (&json!(6), &json!(3)));
    assert_eq!(all["projects"].as_array().unwrap().len(), 6);
}

#[test]
fn the_manifest_lists_the_tools_that_are_there_and_no_get() {
    let server = ServerConfig::new("portfolio")
        .env("PUBLIC_URL", "https://mcp.example.com")
        .start();
    let manifest = answer(&server, "get_manifest", json!({}));
    let names: Vec<_> = manifest["tools"]
        .as_array()
        .unwrap()
        .iter()
        .map(|tool| &tool["name"])
        .collect();
    assert_eq!(names, TOOLS);
    assert_eq!(
        manifest["server"]["endpoint"],
        "https://mcp.example.com/mcp"
    );
    assert_eq!(
        manifest["content"]["withheld"],
        json!(["address", "email", "phone"])
    );
    assert!(!manifest.to_string().contains("GET"), "{manifest}");
}

#[test]
fn an_owner_who_publishes_contact_data_is_reachable_by_it() {
    let folder = Folder::new("published");
    folder.write(
        "resume.json",
        r#"{"basics": {"name": "A", "email": "a@example.com", "phone": "+1 202-555-0142",
            "location": {"address": "1 Quay", "city": "C"}},
            "references": [{"name": "B", "email": "b@example.com", "reference": "Ask b@example.com."}]}"#,
    );
    folder.write(
        "profile.toml",
        "[publish]\nemail = true\nphone = true\naddress = true\n",
    );
    let server = folder.serve();
    let resume = answer(&server, "get_resume", json!({}));
    assert_eq!(
        resume["basics"],
        json!({"name": "A", "email": "a@example.com", "phone": "+1 202-555-0142",
            "location": {"address": "1 Quay", "city": "C"}})
    );
    assert_eq!(resume["references"][0]["reference"], "Ask [withheld].");
    let manifest = answer(&server, "get_manifest", json!({}));
    assert_eq!(
        manifest["contact"]["ways"][0],
        json!({"kind": "email", "value": "a@example.com"})
    );
    assert_eq!(
        manifest["content"]["withheld"],
        json!(["reference_contacts"])
    );
}

#[test]
fn a_file_with_older_field_names_gives_the_same_answers() {
    let current = Folder::new("current");
    current.write(
        "resume.json",
        r#"{"basics": {"name": "A B", "image": "https://a.example/i", "url": "https://a.example"},
            "work": [{"name": "C", "url": "https://c.example", "startDate": "2020-03"}],
            "interests": [{"name": "H"}], "languages": [{"language": "L"}]}"#,
    );
    let older = Folder::new("older");
    older.write(
        "resume.json",
        r#"{"basics": {"name": "A B", "picture": "https://a.example/i", "website": "https://a.example",
            "phone": ""}, "volunteer": null,
            "work": [{"company": "C", "website": "https://c.example", "startDate": "2020-3", "endDate": "Present"}],
            "hobbies": [{"name": "H"}], "languages": [{"name": "L"}]}"#,
    );
    let (current, older) = (current.serve(), older.serve());
    for tool in TOOLS {
        assert_eq!(
            answer(&older, tool, json!({})),
            answer(&current, tool, json!({})),
            "{tool}"
        );
    }
}
