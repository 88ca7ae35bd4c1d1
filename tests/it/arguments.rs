//! Calls of a tool that name no tool, or bring arguments that do not fit it.

use serde_json::{Value, json};

use harness::messages::{ask, call, legacy};
use harness::{SERVED_VERSIONS, TestServer, Version};

#[test]
fn an_unknown_tool_is_a_protocol_error_in_every_version() {
    let server = TestServer::cases();
    for version in SERVED_VERSIONS {
        for name in ["no_such_tool", "", "DEMO_READ", "demo_read "] {
            let reply = call(&server, version, name, json!({}));
            assert_eq!(
                (reply.status, reply.error_code()),
                (200, -32602),
                "{name:?}: {reply:#?}"
            );
        }
    }
}

#[test]
fn a_call_that_is_no_call_is_a_protocol_error() {
    let server = TestServer::cases();
    let calls = [
        json!({}),
        json!({"name": 5}),
        json!({"name": null}),
        json!({"name": "demo_read", "arguments": []}),
        json!({"name": "demo_read", "arguments": "q"}),
        json!({"name": "demo_read", "arguments": 1}),
    ];
    for version in legacy() {
        for params in &calls {
            let reply = ask(&server, version, "tools/call", params.clone());
            assert_eq!(
                (reply.status, reply.error_code()),
                (200, -32602),
                "{params}: {reply:#?}"
            );
        }
    }
}

/// Arguments of `demo_bounds` that break one rule, with the words that name field and rule.
fn unfit() -> Vec<(Value, [&'static str; 2])> {
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

#[test]
fn arguments_that_do_not_fit_name_the_field_and_the_rule() {
    let server = TestServer::cases();
    for version in SERVED_VERSIONS {
        for (arguments, words) in unfit() {
            let reply = call(&server, version, "demo_bounds", arguments.clone());
            assert_eq!(reply.status, 200, "{reply:#?}");
            let message = reply.message();
            let text = match version {
                Version::V2024_11_05 | Version::V2025_03_26 | Version::V2025_06_18 => {
                    assert_eq!(reply.error_code(), -32602, "{arguments}: {reply:#?}");
                    message["error"]["message"].clone()
                }
                Version::V2025_11_25 | Version::V2026_07_28 => {
                    assert_eq!(
                        message["result"]["isError"], true,
                        "{arguments}: {reply:#?}"
                    );
                    message["result"]["content"][0]["text"].clone()
                }
            };
            let text = text.as_str().unwrap();
            for word in words {
                assert!(
                    text.contains(word),
                    "{version:?} {arguments}: {word:?} is not in {text:?}"
                );
            }
        }
    }
}

#[test]
fn arguments_at_the_bounds_fit() {
    let server = TestServer::cases();
    for arguments in [
        json!({"text": "a", "count": 1}),
        json!({"text": "12345678", "count": 50}),
        // Eight characters are more bytes.
        json!({"text": "éééééééé", "count": 50, "color": "red"}),
        json!({"text": "a", "count": 1, "color": null}),
    ] {
        let result = call(
            &server,
            Version::V2025_11_25,
            "demo_bounds",
            arguments.clone(),
        )
        .result();
        assert_ne!(result["isError"], true, "{arguments}: {result}");
    }
}

#[test]
fn a_whole_number_written_as_a_fraction_is_refused_in_words() {
    // JSON Schema takes `1.0` for an integer; serde does not, and neither does the validator.
    let server = TestServer::cases();
    let reply = call(
        &server,
        Version::V2025_11_25,
        "demo_bounds",
        json!({"text": "a", "count": 1.0}),
    );
    assert_eq!(reply.result()["isError"], true, "{reply:#?}");
    assert!(
        reply.text().contains("`count` must be an integer"),
        "{reply:#?}"
    );
}
