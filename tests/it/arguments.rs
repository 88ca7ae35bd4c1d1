//! Calls that name no tool, or whose arguments do not fit the tool.

use std::time::Duration;

use lambda_mcp::protocol::ProtocolVersion;
use lambda_mcp::{Args, Server, tool};
use schemars::JsonSchema;
use serde::Deserialize;
use serde::de::DeserializeOwned;
use serde_json::{Value, json};

use harness::cpu_time;

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
async fn whole_numbers_in_any_notation_are_integers() {
    let server = cases();
    for version in ProtocolVersion::ALL {
        for (number, count) in [("5.0", 5), ("6e0", 6), ("1e1", 10), ("50.0", 50)] {
            let arguments: Value =
                serde_json::from_str(&format!(r#"{{"text": "a", "count": {number}}}"#)).unwrap();
            let response = client(&server, version)
                .call("demo_bounds", arguments)
                .await;
            let text = response.text();
            assert!(
                text.starts_with(&format!("{count} times")),
                "{number}: {response}"
            );
        }
    }
    let client = client(&server, ProtocolVersion::V2025_11_25);
    for number in [5.5, 51.0] {
        let arguments = json!({"text": "a", "count": number});
        let response = client.call("demo_bounds", arguments).await;
        assert!(response.is_error(), "{number}: {response}");
    }
}

/// A recursive filter with its tag beside the content.
#[derive(Deserialize, JsonSchema)]
#[serde(tag = "op", rename_all = "lowercase")]
#[expect(dead_code, reason = "only whether it deserializes matters")]
enum Tagged {
    Not { of: Box<Self> },
    Maybe { of: Box<Self> },
    Any { of: Vec<Self> },
    Is { value: String },
}

/// A recursive filter whose first two variants look alike.
#[derive(Deserialize, JsonSchema)]
#[serde(untagged)]
#[expect(dead_code, reason = "only whether it deserializes matters")]
enum Untagged {
    Not { of: Box<Self> },
    Maybe { of: Box<Self>, likely: Option<bool> },
    Is { value: String },
}

#[derive(Deserialize, JsonSchema)]
#[expect(dead_code, reason = "only whether it deserializes matters")]
struct Search<F> {
    filter: F,
}

/// The server of a tool that takes a filter.
fn searching<F>() -> Server
where
    F: DeserializeOwned + JsonSchema + Send + 'static,
{
    async fn search<F>(_: Args<Search<F>>) -> &'static str {
        "found"
    }
    let search = tool("search", search::<F>);
    Server::builder("search", "1.0.0")
        .tool(search)
        .build()
        .unwrap()
}

#[tokio::test]
async fn recursive_enums_are_checked_in_linear_time() {
    fn nested(depth: usize, leaf: Value) -> Value {
        let wrap = |inner: Value, _| json!({"of": inner, "op": "not"});
        json!({"filter": (0..depth).fold(leaf, wrap)})
    }
    // What took 2^14 times as long as a check of the leaf.
    let depth = 30;
    for (server, name) in [
        (searching::<Tagged>(), "tagged"),
        (searching::<Untagged>(), "untagged"),
    ] {
        let client = client(&server, ProtocolVersion::V2026_07_28);
        let started = cpu_time();
        let good = nested(depth, json!({"op": "is", "value": "x"}));
        assert_eq!(client.call("search", good).await.text(), "found", "{name}");
        let bad = client
            .call("search", nested(depth, json!({"op": "is", "value": 5})))
            .await;
        assert!(bad.is_error(), "{name}: {bad}");
        let took = cpu_time() - started;
        assert!(took < Duration::from_secs(5), "{name}: {took:?}");
    }
}

#[tokio::test]
async fn null_for_an_optional_field_is_its_absence_at_any_depth() {
    #[derive(Deserialize, JsonSchema)]
    struct Order {
        items: Vec<Item>,
        /// Serde itself does not accept `null` here.
        #[serde(default)]
        express: bool,
    }
    #[derive(Deserialize, JsonSchema)]
    struct Item {
        name: String,
        #[serde(default)]
        count: u32,
    }
    async fn order(Args(Order { items, express }): Args<Order>) -> String {
        let told = items
            .iter()
            .map(|item| format!("{} {} ", item.count, item.name));
        format!("{}express={express}", told.collect::<String>())
    }
    let server = Server::builder("orders", "1.0.0");
    let server = server.tool(tool("order", order)).build().unwrap();
    for version in ProtocolVersion::ALL {
        let client = client(&server, version);
        let arguments = json!({
            "items": [{"name": "pen", "count": null}, {"name": "ink", "count": 2}],
            "express": null,
        });
        let response = client.call("order", arguments).await;
        assert_eq!(response.text(), "0 pen 2 ink express=false", "{response}");
    }
}

#[tokio::test]
async fn a_failed_alternative_names_its_tag_and_the_field() {
    let client = client(&searching::<Tagged>(), ProtocolVersion::V2026_07_28);
    let refused = |filter: Value| client.call("search", json!({"filter": filter}));
    let response = refused(json!({"op": "any", "of": [{"op": "is", "value": 5}]})).await;
    assert!(
        response.text().contains(
            r#"`filter.of[0].value` must be a string, not an integer (`filter.of[0].op` is "is")"#
        ),
        "{response}"
    );
    let response = refused(json!({"op": "xor"})).await;
    assert!(
        response
            .text()
            .contains(r#"`filter.op` must be one of "not", "maybe", "any", "is""#),
        "{response}"
    );
}

#[tokio::test]
async fn unique_items_are_compared_in_linear_time() {
    #[derive(Deserialize, JsonSchema)]
    #[expect(dead_code, reason = "only whether it deserializes matters")]
    struct Ids {
        #[schemars(extend("uniqueItems" = true))]
        ids: Vec<u64>,
    }
    async fn count(_: Args<Ids>) -> &'static str {
        "counted"
    }
    let tool = tool("count", count);
    let server = Server::builder("ids", "1.0.0").tool(tool).build().unwrap();
    let client = client(&server, ProtocolVersion::V2026_07_28);
    let mut ids: Vec<u64> = (0..120_000).collect();
    let started = cpu_time();
    assert_eq!(
        client.call("count", json!({"ids": ids})).await.text(),
        "counted"
    );
    ids.push(0);
    let refused = client.call("count", json!({"ids": ids})).await;
    assert!(refused.text().contains("the same item twice"), "{refused}");
    let took = cpu_time() - started;
    assert!(took < Duration::from_secs(10), "{took:?}");
}
