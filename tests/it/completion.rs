//! Completion: what is suggested, in which order, and how much of it.

use serde_json::{Value, json};

use harness::messages::ask;
use harness::{Reply, SERVED_VERSIONS, ServerConfig, TestServer, Version};

fn conformance() -> TestServer {
    ServerConfig::conformance().start()
}

fn complete(
    server: &TestServer,
    version: Version,
    reference: Value,
    (name, value): (&str, &str),
) -> Reply {
    let params = json!({"ref": reference, "argument": {"name": name, "value": value}});
    ask(server, version, "completion/complete", params)
}

fn prompt() -> Value {
    json!({"type": "ref/prompt", "name": "test_prompt_with_arguments"})
}

fn template() -> Value {
    json!({"type": "ref/resource", "uri": "test://template/{id}/data"})
}

#[test]
fn what_begins_with_the_text_comes_before_what_contains_it() {
    let server = conformance();
    let cases = [
        ("test", vec!["Testimony", "test", "latest"]),
        ("TEST", vec!["Testimony", "test", "latest"]),
        ("o", vec!["other", "Testimony"]),
        ("", vec!["latest", "Testimony", "test", "other"]),
        ("nothing", vec![]),
    ];
    for version in SERVED_VERSIONS {
        for (typed, expected) in &cases {
            let result = complete(&server, version, prompt(), ("arg1", typed)).result();
            let completion = &result["completion"];
            assert_eq!(completion["values"], json!(expected), "{typed}");
            assert_eq!(completion["total"], expected.len(), "{typed}");
            assert_eq!(completion["hasMore"], false, "{typed}");
        }
    }
}

#[test]
fn a_hundred_are_sent_and_the_rest_is_counted() {
    let server = conformance();
    for version in SERVED_VERSIONS {
        let result = complete(&server, version, prompt(), ("arg2", "")).result();
        let completion = &result["completion"];
        assert_eq!(completion["values"].as_array().unwrap().len(), 100);
        assert_eq!(completion["values"][99], "any 100");
        assert_eq!(
            (&completion["total"], &completion["hasMore"]),
            (&json!(150), &json!(true))
        );

        // 99, 990 to 999, then all others with `99` in them.
        let result = complete(&server, version, template(), ("id", "99")).result();
        let values = result["completion"]["values"].as_array().unwrap();
        assert_eq!(
            (&values[0], &values[10], &values[11]),
            (&json!("99"), &json!("999"), &json!("199"))
        );
        assert_eq!(values.len(), 19, "{result}");
    }
}

#[test]
fn what_was_filled_in_before_is_known() {
    let server = conformance();
    for version in SERVED_VERSIONS {
        let params = json!({
            "ref": prompt(),
            "argument": {"name": "arg2", "value": "150"},
            "context": {"arguments": {"arg1": "mine"}},
        });
        let result = ask(&server, version, "completion/complete", params).result();
        assert_eq!(result["completion"]["values"], json!(["mine 150"]));
    }
}

#[test]
fn what_nothing_completes_has_no_suggestions_and_what_is_not_there_is_invalid() {
    let server = conformance();
    for version in SERVED_VERSIONS {
        let image = json!({"type": "ref/prompt", "name": "test_prompt_with_embedded_resource"});
        let empty = [
            (image, "resourceUri"),
            (prompt(), "arg3"),
            (template(), "number"),
        ];
        for (reference, argument) in empty {
            let result = complete(&server, version, reference, (argument, "x")).result();
            assert_eq!(result["completion"]["values"], json!([]), "{argument}");
        }
        let absent = [
            json!({"type": "ref/prompt", "name": "no_such_prompt"}),
            json!({"type": "ref/resource", "uri": "test://template/5/data"}),
            json!({"type": "ref/tool", "name": "test_simple_text"}),
            json!({"type": "ref/prompt"}),
            json!("test_prompt_with_arguments"),
        ];
        for reference in absent {
            let reply = complete(&server, version, reference.clone(), ("arg1", ""));
            assert_eq!(
                (reply.status, reply.error_code()),
                (200, -32602),
                "{reference}"
            );
        }
    }
}

#[test]
fn it_is_offered_where_something_completes_and_refused_elsewhere() {
    let book = ServerConfig::new("resources_and_prompts").start();
    let none = TestServer::cases();
    let recipe = json!({"type": "ref/resource", "uri": "recipes://{name}"});
    let cook = json!({"type": "ref/prompt", "name": "cook"});
    for version in SERVED_VERSIONS {
        for reference in [&recipe, &cook] {
            let result = complete(&book, version, reference.clone(), ("name", "SOUP")).result();
            assert_eq!(result["completion"]["values"], json!(["lentil soup"]));
        }
        let reply = complete(&none, version, cook.clone(), ("name", ""));
        assert_eq!(reply.error_code(), -32601, "{reply:#?}");
    }
    for (server, offered) in [(&book, Some(&json!({}))), (&none, None)] {
        let result = ask(server, Version::V2026_07_28, "server/discover", json!({})).result();
        assert_eq!(
            result["capabilities"].get("completions"),
            offered,
            "{result}"
        );
    }
}
