//! Calls that name no tool, or whose arguments do not fit the tool.

use lambda_mcp::protocol::ProtocolVersion;
use serde_json::{Value, json};

use crate::fixtures::{assert_refused, cases, client, legacy_versions};

#[tokio::test]
async fn an_unknown_tool_is_a_protocol_error_in_every_version() {
    let server = cases();
    for version in ProtocolVersion::ALL {
        for name in ["no_such_tool", "", "DEMO_READ", "demo_read "] {
            let response = client(&server, version).call(name, json!({})).await;
            assert_refused(&response, 200, -32602);
        }
    }
}

#[tokio::test]
async fn call_params_of_the_wrong_type_are_a_protocol_error() {
    let server = cases();
    let calls = [
        json!({}),
        json!({"name": 5}),
        json!({"name": null}),
        json!({"name": "demo_read", "arguments": []}),
        json!({"name": "demo_read", "arguments": "q"}),
        json!({"name": "demo_read", "arguments": 1}),
    ];
    for version in legacy_versions() {
        for params in &calls {
            let client = client(&server, version);
            let response = client.request("tools/call", params.clone()).await;
            assert_refused(&response, 200, -32602);
        }
    }
}

/// Arguments of `demo_bounds` that break one rule, with the words that name field and rule.
fn invalid() -> Vec<(Value, [&'static str; 2])> {
    vec![
        (json!({"count": 1}), ["text", "required"]),
        (json!({"text": "a"}), ["count", "required"]),
        (json!({"text": "", "count": 1}), ["text", "1"]),
        (json!({"text": "123456789", "count": 1}), ["text", "8"]),
        (json!({"text": 5, "count": 1}), ["text", "string"]),
        (json!({"text": "a", "count": 0}), ["count", "1"]),
        (json!({"text": "a", "count": 51}), ["count", "50"]),
        (json!({"text": "a", "count": 1.5}), ["count", "integer"]),
        (json!({"text": "a", "count": "1"}), ["count", "integer"]),
        (
            json!({"text": "a", "count": 1, "color": "blue"}),
            ["color", "green"],
        ),
        (json!({}), ["text", "required"]),
    ]
}

#[tokio::test]
async fn invalid_arguments_name_the_field_and_the_rule() {
    let server = cases();
    for version in ProtocolVersion::ALL {
        for (arguments, words) in invalid() {
            let client = client(&server, version);
            let response = client.call("demo_bounds", &arguments).await;
            let text = if version < ProtocolVersion::V2025_11_25 {
                assert_refused(&response, 200, -32602).message
            } else {
                assert_eq!(response.status(), 200, "{response}");
                assert!(response.is_error(), "{arguments}: {response}");
                response.content()[0]["text"].as_str().unwrap().to_owned()
            };
            for word in words {
                assert!(
                    text.contains(word),
                    "{version:?} {arguments}: {word:?} is not in {text:?}"
                );
            }
        }
    }
}

#[tokio::test]
async fn arguments_at_the_bounds_are_accepted() {
    let server = cases();
    for arguments in [
        json!({"text": "a", "count": 1}),
        json!({"text": "12345678", "count": 50}),
        // Eight characters are more bytes.
        json!({"text": "éééééééé", "count": 50, "color": "red"}),
        json!({"text": "a", "count": 1, "color": null}),
    ] {
        let client = client(&server, ProtocolVersion::V2025_11_25);
        let response = client.call("demo_bounds", &arguments).await;
        assert!(!response.is_error(), "{arguments}: {response}");
    }
}

#[tokio::test]
async fn an_integer_written_as_a_fraction_is_refused() {
    // JSON Schema accepts `1.0` as an integer; serde does not, and neither does the validator.
    let client = client(&cases(), ProtocolVersion::V2025_11_25);
    let arguments = json!({"text": "a", "count": 1.0});
    let response = client.call("demo_bounds", arguments).await;
    assert!(response.is_error(), "{response}");
    let text = response.text();
    assert!(text.contains("`count` must be an integer"), "{response}");
}
