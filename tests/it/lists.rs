//! Lists: their pages and cursors, how long clients may cache them, and the fields of their entries.

use lambda_mcp::Server;
use lambda_mcp::protocol::ProtocolVersion;
use lambda_mcp::testing::List;
use serde_json::{Value, json};

use harness::messages::ask;
use harness::{SERVED_VERSIONS, ServerConfig};

use crate::fixtures::{assert_refused, client, conformance, conformance_with};

const MODERN: ProtocolVersion = ProtocolVersion::V2026_07_28;

fn paged(entries: usize) -> Server {
    conformance_with(|server| server.page_size(entries))
}

/// All four lists of a server, each with its method.
async fn lists(server: &Server, version: ProtocolVersion) -> [(&'static str, List); 4] {
    let client = client(server, version);
    [
        ("tools/list", client.tools().await),
        ("prompts/list", client.prompts().await),
        ("resources/list", client.resources().await),
        (
            "resources/templates/list",
            client.resource_templates().await,
        ),
    ]
}

#[tokio::test]
async fn pages_follow_one_another_and_hold_everything_once() {
    let (whole, parts) = (paged(100), paged(2));
    for version in ProtocolVersion::ALL {
        let lists = lists(&whole, version)
            .await
            .into_iter()
            .zip(lists(&parts, version).await);
        for ((method, all), (_, parts)) in lists {
            assert_eq!(all.page_sizes().len(), 1, "{method} has more than one page");
            let sizes = parts.page_sizes();
            let (last, full) = sizes.split_last().unwrap();
            assert!(full.iter().all(|size| *size == 2), "{method}: {sizes:?}");
            assert!((1..=2).contains(last), "{method}: {sizes:?}");
            let listed: Vec<&Value> = parts.iter().collect();
            assert_eq!(listed, all.iter().collect::<Vec<_>>(), "{method}");
            let is_named = |name: &&str| !name.is_empty();
            assert!(all.names().iter().all(is_named), "{method}");
        }
    }
}

async fn first_cursor(server: &Server, method: &str) -> Value {
    let response = client(server, MODERN).request(method, json!({})).await;
    response.result()["nextCursor"].clone()
}

#[tokio::test]
async fn a_cursor_is_valid_in_every_instance_and_for_its_list_only() {
    let (one, another, other_pages) = (paged(2), paged(2), paged(3));
    let tools = first_cursor(&one, "tools/list").await;
    let next = json!({ "cursor": tools });
    let next = client(&another, MODERN).request("tools/list", next).await;
    assert_eq!(next.result()["tools"][0]["name"], "test_audio_content");

    let text = tools.as_str().unwrap();
    let flipped = (0..text.len()).map(|at| {
        let byte = if text.as_bytes()[at] == b'0' {
            "1"
        } else {
            "0"
        };
        json!(format!("{}{byte}{}", &text[..at], &text[at + 1..]))
    });
    let bad = flipped.chain([
        first_cursor(&one, "prompts/list").await,
        first_cursor(&other_pages, "tools/list").await,
        json!(""),
        json!(text.to_uppercase()),
        json!(format!("{text}0")),
        json!(format!(" {text}")),
        json!("2"),
        json!(2),
        json!({}),
    ]);
    for version in [MODERN, ProtocolVersion::V2025_11_25] {
        for cursor in bad.clone().filter(|cursor| *cursor != tools) {
            let client = client(&one, version);
            let response = client
                .request("tools/list", json!({"cursor": cursor}))
                .await;
            assert_refused(&response, 200, -32602);
        }
    }
}

#[tokio::test]
async fn modern_results_say_how_long_they_may_be_cached_and_by_whom() {
    let server = conformance();
    let read = |uri: &str| {
        let is_public = uri != "test://static-binary";
        ("resources/read", json!({"uri": uri}), is_public)
    };
    let cacheable = [
        ("server/discover", json!({}), true),
        ("tools/list", json!({}), true),
        ("prompts/list", json!({}), true),
        ("resources/list", json!({}), true),
        ("resources/templates/list", json!({}), true),
        read("test://static-text"),
        read("test://static-binary"),
    ];
    for (method, params, is_public) in cacheable {
        let modern = client(&server, MODERN);
        let response = modern.request(method, params.clone()).await;
        let scope = if is_public { "public" } else { "private" };
        assert_eq!(response.result()["cacheScope"], scope, "{method} {params}");
        assert_eq!(response.result()["ttlMs"], 300_000, "{method} {params}");
        if method == "server/discover" {
            continue;
        }
        let legacy = client(&server, ProtocolVersion::V2025_11_25);
        let response = legacy.request(method, params).await;
        assert_eq!(response.result().get("cacheScope"), None, "{method}");
        assert_eq!(response.result().get("ttlMs"), None, "{method}");
    }
    let client = client(&server, MODERN);
    for request in [
        client.call("test_simple_text", json!({})),
        client.prompt("test_simple_prompt", json!({})),
    ] {
        let response = request.await;
        assert_eq!(response.result().get("cacheScope"), None, "{response}");
        assert_eq!(response.result()["resultType"], "complete", "{response}");
    }
}

#[tokio::test]
async fn the_fields_of_a_tool_reach_the_versions_that_have_them() {
    let server = conformance();
    let icons = json!([{"src": "https://example.com/icon.png", "mimeType": "image/png"}]);
    let hints = json!({"readOnlyHint": true, "destructiveHint": false, "idempotentHint": true, "openWorldHint": false});
    for version in ProtocolVersion::ALL {
        let tools = client(&server, version).tools().await;
        let tool = tools.get("test_declared_fields");
        let since = |first: ProtocolVersion, value: Value| (version >= first).then_some(value);
        let expected = [
            (
                "annotations",
                since(ProtocolVersion::V2025_03_26, hints.clone()),
            ),
            (
                "title",
                since(ProtocolVersion::V2025_06_18, json!("Declared fields")),
            ),
            (
                "_meta",
                since(
                    ProtocolVersion::V2025_06_18,
                    json!({"example.com/of": "tool"}),
                ),
            ),
            ("icons", since(ProtocolVersion::V2025_11_25, icons.clone())),
            (
                "execution",
                (version == ProtocolVersion::V2025_11_25)
                    .then(|| json!({"taskSupport": "forbidden"})),
            ),
        ];
        for (member, value) in expected {
            assert_eq!(tool.get(member), value.as_ref(), "{member} in {version:?}");
        }
    }
}

#[tokio::test]
async fn every_kind_of_content_arrives_with_all_its_fields() {
    let server = conformance();
    let text = json!({"type": "text", "text": "For a person.",
        "annotations": {"audience": ["user"], "priority": 0.5}, "_meta": {"example.com/of": "content"}});
    let link = json!({"type": "resource_link", "uri": "test://static-text", "name": "static-text", "title": "A text"});
    let json_text = json!({"type": "text", "text": "{\"fields\":6}"});
    for version in ProtocolVersion::ALL {
        let client = client(&server, version);
        let response = client.call("test_declared_fields", json!({})).await;
        let result = response.result();
        if version < ProtocolVersion::V2025_06_18 {
            // It has neither links, nor structured content, nor `_meta` of content.
            let mut text = text.clone();
            text.as_object_mut().unwrap().remove("_meta");
            assert_eq!(result["content"], json!([text, json_text]), "{result}");
            assert_eq!(result.get("structuredContent"), None, "{result}");
            continue;
        }
        assert_eq!(
            result["content"],
            json!([text, link, json_text]),
            "{result}"
        );
        assert_eq!(
            result["structuredContent"],
            json!({"fields": 6}),
            "{result}"
        );
        assert_eq!(response.meta()["example.com/of"], "result", "{result}");
        let mixed = client.call("test_multiple_content_types", json!({})).await;
        let kinds: Vec<&Value> = mixed.content().iter().map(|c| &c["type"]).collect();
        assert_eq!(kinds, ["text", "image", "resource"], "{mixed}");
    }
}

/// The schema as the fixture writes it; the reply must have it byte for byte.
const CONTACT: &str = r##"{"$schema":"https://json-schema.org/draft/2020-12/schema","type":"object","$defs":{"address":{"$anchor":"addressDef","type":"object","properties":{"street":{"type":"string"},"city":{"type":"string"}}}},"properties":{"name":{"type":"string"},"address":{"$ref":"#/$defs/address"},"contactMethod":{"type":"string","enum":["phone","email"]},"phone":{"type":"string"},"email":{"type":"string"}},"allOf":[{"anyOf":[{"required":["phone"]},{"required":["email"]}]}],"if":{"properties":{"contactMethod":{"const":"phone"}},"required":["contactMethod"]},"then":{"required":["phone"]},"else":{"required":["email"]},"additionalProperties":false}"##;

#[tokio::test]
async fn a_schema_written_by_hand_is_listed_unchanged_and_checked() {
    let server = conformance();
    for version in ProtocolVersion::ALL {
        let response = client(&server, version)
            .request("tools/list", json!({}))
            .await;
        let listed = response.body_text();
        assert!(listed.contains(CONTACT), "{version:?}: {listed}");
    }
    let cases = [
        (
            json!({"contactMethod": "phone", "phone": "1"}),
            "reached by 1",
        ),
        (
            json!({"email": "a@b", "address": {"city": "Bern"}}),
            "reached by a@b",
        ),
        (
            json!({"contactMethod": "phone", "email": "a@b"}),
            "`phone` is required",
        ),
        (
            json!({"contactMethod": "email", "phone": "1"}),
            "`email` is required",
        ),
        (json!({}), "must have one of the fields `phone`, `email`"),
        (
            json!({"email": "a@b", "address": {"city": 5}}),
            "`address.city` must be a string",
        ),
        (
            json!({"email": "a@b", "fax": "1"}),
            "`fax` is not a known field",
        ),
    ];
    for (arguments, words) in cases {
        let client = client(&server, MODERN);
        let response = client.call("json_schema_2020_12_tool", arguments).await;
        let text = response.text();
        assert!(text.contains(words), "{words} in {response}");
        let is_valid = words.starts_with("reached");
        assert_eq!(response.is_error(), !is_valid, "{response}");
    }
}

/// On AWS Lambda a schema is made on first need, which `build` cannot check. What has nothing to do with it
/// is served.
#[test]
fn a_fault_that_is_found_on_lambda_takes_away_only_its_list() {
    let methods = [
        "tools/list",
        "prompts/list",
        "resources/list",
        "resources/templates/list",
    ];
    for (fault, broken) in [("tool", "tools/list"), ("prompt", "prompts/list")] {
        let config = ServerConfig::conformance().env("TASKS", "none");
        let config = config.env("STATE_KEY", "0123456789abcdef0123456789abcdef");
        let config = config.env("LAMBDA_TASK_ROOT", "/var/task");
        let server = config.env("FAULT", fault).start();
        for version in SERVED_VERSIONS {
            for method in methods {
                let reply = ask(&server, version, method, json!({}));
                if method == broken {
                    assert_eq!(reply.json()["error"]["code"], -32603, "{reply:#?}");
                } else {
                    reply.result();
                }
            }
            let call = json!({"name": "test_simple_text"});
            ask(&server, version, "tools/call", call).result();
            let client = json!({"name": "c", "version": "0"});
            let hello = json!({
                "protocolVersion": version.name(), "capabilities": {}, "clientInfo": client,
            });
            if !version.is_modern() {
                let result = ask(&server, version, "initialize", hello).result();
                assert_eq!(result["protocolVersion"], version.name(), "{result}");
            }
        }
        let log = server.finish();
        let told = format!("\"a {fault} cannot be used\"");
        assert_eq!(log.matches(&told).count(), 1, "{log}");
        assert!(!log.contains("no lists"), "{log}");
    }
}
