//! `Mcp-Param-*` headers, which must match the arguments that they mirror.

use lambda_mcp::Server;
use lambda_mcp::protocol::ProtocolVersion;
use lambda_mcp::testing::TestResponse;
use serde_json::{Value, json};

use crate::fixtures::{assert_refused, client, conformance, legacy_versions};

const TOOL: &str = "test_x_mcp_header";
const MODERN: ProtocolVersion = ProtocolVersion::V2026_07_28;

/// A call with exactly these headers about its arguments.
async fn call(
    server: &Server,
    version: ProtocolVersion,
    arguments: &Value,
    headers: &[(&str, &str)],
) -> TestResponse {
    let mut request = client(server, version).call(TOOL, arguments);
    for name in ["Region", "Page-Size", "Dry-Run"] {
        request = request.without_header(&format!("Mcp-Param-{name}"));
    }
    for (name, value) in headers {
        request = request.append_header(name, value);
    }
    request.await
}

#[tokio::test]
async fn the_annotation_is_listed() {
    let listed = client(&conformance(), MODERN).tools().await;
    let tool = listed.get(TOOL);
    let properties = &tool["inputSchema"]["properties"];
    assert_eq!(properties["region"]["x-mcp-header"], "Region");
    assert_eq!(properties["page_size"]["x-mcp-header"], "Page-Size");
    assert_eq!(properties["dry_run"]["x-mcp-header"], "Dry-Run");
}

#[tokio::test]
async fn headers_that_match_the_arguments_are_accepted() {
    let server = conformance();
    let region = |value: &str| json!({"region": value});
    let cases: &[(Value, &[(&str, &str)])] = &[
        (region("us-west1"), &[("Mcp-Param-Region", "us-west1")]),
        (region("us-west1"), &[("MCP-PARAM-REGION", "us-west1")]),
        (region("us-west1"), &[("mcp-param-region", " us-west1 ")]),
        (region("a, b"), &[("Mcp-Param-Region", "a, b")]),
        (
            region("Hello"),
            &[("Mcp-Param-Region", "=?base64?SGVsbG8=?=")],
        ),
        (
            region("Hello, 世界"),
            &[("Mcp-Param-Region", "=?base64?SGVsbG8sIOS4lueVjA==?=")],
        ),
        (
            region(" padded "),
            &[("Mcp-Param-Region", "=?base64?IHBhZGRlZCA=?=")],
        ),
        (region(""), &[("Mcp-Param-Region", "")]),
        (region("SGVsbG8="), &[("Mcp-Param-Region", "SGVsbG8=")]),
        (
            region("=?base64?SGVsbG8="),
            &[("Mcp-Param-Region", "=?base64?SGVsbG8=")],
        ),
        (
            json!({"region": "a", "page_size": 42, "dry_run": true}),
            &[
                ("Mcp-Param-Region", "a"),
                ("Mcp-Param-Page-Size", "42.0"),
                ("Mcp-Param-Dry-Run", "true"),
            ],
        ),
        (
            json!({"region": "a", "page_size": 42, "dry_run": false}),
            &[
                ("Mcp-Param-Region", "a"),
                ("Mcp-Param-Page-Size", "42"),
                ("Mcp-Param-Dry-Run", "false"),
            ],
        ),
        // Null and absent arguments have no header, and unknown headers are ignored.
        (
            json!({"region": "a", "page_size": null}),
            &[("Mcp-Param-Region", "a")],
        ),
        (
            region("a"),
            &[("Mcp-Param-Region", "a"), ("Mcp-Param-Other", "b")],
        ),
    ];
    for (arguments, headers) in cases {
        let response = call(&server, MODERN, arguments, headers).await;
        let text = response.text();
        let expected = format!("region={} ", arguments["region"].as_str().unwrap());
        assert!(text.starts_with(&expected), "{headers:?}: {response}");
    }
}

#[tokio::test]
async fn headers_that_do_not_match_are_rejected_before_the_tool_runs() {
    let server = conformance();
    let hello = json!({"region": "Hello"});
    let all = json!({"region": "a", "page_size": 42, "dry_run": true});
    let region = ("Mcp-Param-Region", "a");
    let size = ("Mcp-Param-Page-Size", "42");
    let dry = ("Mcp-Param-Dry-Run", "true");
    let cases: &[(&Value, &[(&str, &str)])] = &[
        (&hello, &[]),
        (&hello, &[("Mcp-Param-Region", "hello")]),
        (&hello, &[("Mcp-Param-Region", "")]),
        (&hello, &[("Mcp-Param-Region", "=?base64?SGVsbG8?=")]),
        (&hello, &[("Mcp-Param-Region", "=?base64?SGVs!!!bG8=?=")]),
        (&hello, &[("Mcp-Param-Region", "=?base64?/w==?=")]),
        (
            &hello,
            &[("Mcp-Param-Region", "Hello"), ("Mcp-Param-Region", "World")],
        ),
        (&hello, &[("Mcp-Param-Region", "Hello"), size]),
        (&all, &[region, size]),
        (&all, &[region, dry]),
        (&all, &[size, dry]),
        (&all, &[region, size, ("Mcp-Param-Dry-Run", "True")]),
        (&all, &[region, size, ("Mcp-Param-Dry-Run", "1")]),
        (&all, &[region, dry, ("Mcp-Param-Page-Size", "43")]),
        (&all, &[region, dry, ("Mcp-Param-Page-Size", "42.4")]),
        (&all, &[region, dry, ("Mcp-Param-Page-Size", "4_2")]),
        (&all, &[region, dry, ("Mcp-Param-Page-Size", "inf")]),
        (&json!({"region": null}), &[region]),
        (&json!({}), &[region]),
    ];
    for (arguments, headers) in cases {
        let response = call(&server, MODERN, arguments, headers).await;
        let message = assert_refused(&response, 400, -32020).message;
        assert!(message.contains("Mcp-Param-"), "{message}");
    }
    // Two adjacent integers that are equal as floats. A proxy that routes by the header must see the
    // same number as the tool.
    let large = json!({"region": "a", "page_size": 9_007_199_254_740_993_u64});
    let near = [region, ("Mcp-Param-Page-Size", "9007199254740992")];
    assert_refused(&call(&server, MODERN, &large, &near).await, 400, -32020);
}

#[tokio::test]
async fn the_legacy_era_ignores_them() {
    let server = conformance();
    for version in legacy_versions() {
        for headers in [&[][..], &[("Mcp-Param-Region", "another")]] {
            let response = call(&server, version, &json!({"region": "a"}), headers).await;
            assert_eq!(response.text(), "region=a page_size=10 dry_run=false");
        }
    }
}
