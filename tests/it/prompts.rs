//! Prompts: listed with their arguments, filled in, and refused if the arguments are invalid.

use lambda_mcp::protocol::ProtocolVersion;
use serde_json::json;

use crate::fixtures::{assert_refused, client, conformance};

#[tokio::test]
async fn prompts_are_listed_with_their_arguments() {
    let server = conformance();
    for version in ProtocolVersion::ALL {
        let listed = client(&server, version).prompts().await;
        let prompts: Vec<_> = listed.iter().collect();
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

#[tokio::test]
async fn prompts_return_every_kind_of_content() {
    let server = conformance();
    for version in ProtocolVersion::ALL {
        let client = client(&server, version);
        let text = "This is a simple prompt for testing.";
        let simple = json!([{"role": "user", "content": {"type": "text", "text": text}}]);
        let bare = json!({"name": "test_simple_prompt"});
        let bare = client.request("prompts/get", bare).await;
        assert_eq!(bare.result()["messages"], simple);
        let response = client.prompt("test_simple_prompt", json!({})).await;
        assert_eq!(response.result()["messages"], simple);

        let arguments = json!({"arg1": "testValue1", "arg2": "ä \"b\""});
        let response = client.prompt("test_prompt_with_arguments", arguments).await;
        assert_eq!(
            response.messages()[0]["content"]["text"],
            "Prompt with arguments: arg1='testValue1', arg2='ä \"b\"'"
        );

        let name = "test_prompt_with_embedded_resource";
        let response = client
            .prompt(name, json!({"resourceUri": "test://r"}))
            .await;
        let resource = json!({"uri": "test://r", "mimeType": "text/plain", "text": "Embedded resource content for testing."});
        let content = &response.messages()[0]["content"];
        assert_eq!(*content, json!({"type": "resource", "resource": resource}));

        let response = client.prompt("test_prompt_with_image", json!({})).await;
        assert_eq!(response.messages()[0]["content"]["mimeType"], "image/png");
        assert_eq!(response.messages()[1]["content"]["type"], "text");
    }
}

#[tokio::test]
async fn invalid_arguments_and_unknown_prompts_are_refused() {
    let server = conformance();
    let long = "x".repeat(41);
    let cases = [
        (json!({"arg1": "a"}), "`arg2`"),
        (json!({}), "`arg1`"),
        (json!({"arg1": "a", "arg2": 5}), "`arg2`"),
        (json!({"arg1": null, "arg2": "b"}), "`arg1` is required"),
        (json!({"arg1": long, "arg2": "b"}), "at most 40 characters"),
        (json!({"ARG1": "a", "arg2": "b"}), "`arg1`"),
        (json!([]), "object"),
        (json!("arg1"), "object"),
    ];
    for version in ProtocolVersion::ALL {
        let client = client(&server, version);
        for (arguments, words) in &cases {
            let response = client.prompt("test_prompt_with_arguments", arguments).await;
            let message = assert_refused(&response, 200, -32602).message;
            assert!(message.contains(words), "{words} in {message}");
        }
        for name in [
            "no_such_prompt",
            "",
            "TEST_SIMPLE_PROMPT",
            "test_simple_text",
        ] {
            assert_refused(&client.prompt(name, json!({})).await, 200, -32602);
        }
    }
}
