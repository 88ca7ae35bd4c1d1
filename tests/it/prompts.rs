//! Prompts: listed with their arguments, filled in, and refused where the arguments do not fit.

use serde_json::{Value, json};

use harness::messages::ask;
use harness::{Reply, SERVED_VERSIONS, ServerConfig, TestServer, Version};

fn conformance() -> TestServer {
    ServerConfig::conformance().start()
}

fn get(server: &TestServer, version: Version, name: &str, arguments: Value) -> Reply {
    let params = json!({"name": name, "arguments": arguments});
    ask(server, version, "prompts/get", params)
}

#[test]
fn prompts_are_listed_with_their_arguments() {
    let server = conformance();
    for version in SERVED_VERSIONS {
        let listed = ask(&server, version, "prompts/list", json!({})).result();
        let prompts = listed["prompts"].as_array().unwrap();
        assert_eq!(prompts[0]["name"], "test_simple_prompt");
        assert_eq!(prompts[0].get("arguments"), None);
        assert_eq!(
            prompts[1]["arguments"],
            json!([
                {"name": "arg1", "description": "The first.", "required": true},
                {"name": "arg2", "description": "The second.", "required": true},
            ])
        );
        assert!(
            prompts
                .iter()
                .all(|prompt| prompt["description"].is_string())
        );
    }
}

#[test]
fn prompts_are_given_with_every_kind_of_content() {
    let server = conformance();
    for version in SERVED_VERSIONS {
        let bare = ask(
            &server,
            version,
            "prompts/get",
            json!({"name": "test_simple_prompt"}),
        );
        let text = "This is a simple prompt for testing.";
        let simple = json!([{"role": "user", "content": {"type": "text", "text": text}}]);
        assert_eq!(bare.result()["messages"], simple);
        let result = get(&server, version, "test_simple_prompt", json!({})).result();
        assert_eq!(result["messages"], simple);

        let arguments = json!({"arg1": "testValue1", "arg2": "ä \"b\""});
        let result = get(&server, version, "test_prompt_with_arguments", arguments).result();
        assert_eq!(
            result["messages"][0]["content"]["text"],
            "Prompt with arguments: arg1='testValue1', arg2='ä \"b\"'"
        );

        let name = "test_prompt_with_embedded_resource";
        let result = get(&server, version, name, json!({"resourceUri": "test://r"})).result();
        let resource = json!({"uri": "test://r", "mimeType": "text/plain", "text": "Embedded resource content for testing."});
        let content = &result["messages"][0]["content"];
        assert_eq!(*content, json!({"type": "resource", "resource": resource}));

        let result = get(&server, version, "test_prompt_with_image", json!({})).result();
        assert_eq!(result["messages"][0]["content"]["mimeType"], "image/png");
        assert_eq!(result["messages"][1]["content"]["type"], "text");
    }
}

#[test]
fn arguments_that_do_not_fit_are_invalid_and_say_which() {
    let server = conformance();
    let long = "x".repeat(41);
    let cases = [
        (json!({"arg1": "a"}), "`arg2`"),
        (json!({}), "`arg1`"),
        (json!({"arg1": "a", "arg2": 5}), "`arg2`"),
        (json!({"arg1": null, "arg2": "b"}), "`arg1`"),
        (json!({"arg1": long, "arg2": "b"}), "at most 40 characters"),
        (json!({"ARG1": "a", "arg2": "b"}), "`arg1`"),
        (json!([]), "object"),
        (json!("arg1"), "object"),
    ];
    for version in SERVED_VERSIONS {
        for (arguments, words) in &cases {
            let reply = get(
                &server,
                version,
                "test_prompt_with_arguments",
                arguments.clone(),
            );
            assert_eq!(
                (reply.status, reply.error_code()),
                (200, -32602),
                "{reply:#?}"
            );
            let message = reply.message()["error"]["message"].to_string();
            assert!(message.contains(words), "{words} in {message}");
        }
        for name in [
            "no_such_prompt",
            "",
            "TEST_SIMPLE_PROMPT",
            "test_simple_text",
        ] {
            let reply = get(&server, version, name, json!({}));
            assert_eq!(
                (reply.status, reply.error_code()),
                (200, -32602),
                "{reply:#?}"
            );
        }
    }
}

#[test]
fn the_cook_book_example_reads_numbers_out_of_text() {
    let server = ServerConfig::new("resources_and_prompts").start();
    for version in SERVED_VERSIONS {
        let cook = |arguments| get(&server, version, "cook", arguments);
        let cases = [
            (json!({"name": "pancakes"}), "cook it for 2."),
            (json!({"name": "pancakes", "people": "4"}), "cook it for 4."),
        ];
        for (arguments, words) in cases {
            let result = cook(arguments).result();
            let text = result["messages"][0]["content"]["text"].as_str().unwrap();
            assert!(text.ends_with(words), "{result}");
        }
        for people in ["0", "21", "many", "4.5", ""] {
            let reply = cook(json!({"name": "pancakes", "people": people}));
            assert_eq!(reply.error_code(), -32602, "{people}: {reply:#?}");
            let message = reply.message()["error"]["message"].to_string();
            assert!(message.contains("`people`"), "{message}");
        }
    }
}
