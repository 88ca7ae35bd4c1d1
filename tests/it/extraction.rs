//! What the caller sees when a handler parameter of another crate cannot be extracted.

use std::fmt;

use lambda_mcp::handler::{CallParts, FromCall, Rejection};
use lambda_mcp::protocol::ProtocolVersion;
use lambda_mcp::testing::TestResponse;
use lambda_mcp::{Server, prompt, resource, tool};
use serde_json::json;

use crate::fixtures::{assert_refused, client};

const ADVICE: &str = "Sign in first, then call again.";

/// Never a value: each of these fails in one of the ways that `Rejection` has.
struct Invalid;
struct Refused;
struct Broken;

#[derive(Debug)]
struct Secret;

impl fmt::Display for Secret {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("password of the database")
    }
}

impl std::error::Error for Secret {}

impl<S> FromCall<S> for Invalid {
    fn from_call(_: &mut CallParts<'_, S>) -> Result<Self, Rejection> {
        Err(Rejection::invalid_argument(
            "from",
            "must be a day before `to`",
        ))
    }
}

impl<S> FromCall<S> for Refused {
    fn from_call(_: &mut CallParts<'_, S>) -> Result<Self, Rejection> {
        Err(Rejection::refused(ADVICE))
    }
}

impl<S> FromCall<S> for Broken {
    fn from_call(_: &mut CallParts<'_, S>) -> Result<Self, Rejection> {
        Err(Secret.into())
    }
}

async fn invalid(_: Invalid) -> &'static str {
    "the handler ran"
}

async fn refused(_: Refused) -> &'static str {
    "the handler ran"
}

async fn broken(_: Broken) -> &'static str {
    "the handler ran"
}

fn server() -> Server {
    Server::builder("extraction", "1.0.0")
        .tool(tool("invalid", invalid))
        .tool(tool("refused", refused))
        .tool(tool("broken", broken))
        .prompt(prompt("invalid", invalid))
        .prompt(prompt("refused", refused))
        .prompt(prompt("broken", broken))
        .resource(resource("test://invalid", "invalid", invalid))
        .resource(resource("test://refused", "refused", refused))
        .resource(resource("test://broken", "broken", broken))
        .build()
        .unwrap()
}

fn assert_hides_the_source(response: &TestResponse) {
    let body = response.body_text();
    assert!(!body.contains("password"), "{body}");
    assert!(!body.contains("the handler ran"), "{body}");
}

#[tokio::test]
async fn a_tool_answers_with_a_tool_error() {
    let server = server();
    let client = client(&server, ProtocolVersion::V2026_07_28);

    let response = client.call("invalid", json!({})).await;
    assert!(response.is_error(), "{response}");
    let text = response.text();
    assert!(text.contains("`from` must be a day before `to`"), "{text}");

    let response = client.call("refused", json!({})).await;
    assert!(response.is_error(), "{response}");
    assert_eq!(response.text(), ADVICE);

    let response = client.call("broken", json!({})).await;
    assert!(response.is_error(), "{response}");
    assert_hides_the_source(&response);
}

#[tokio::test]
async fn an_invalid_argument_is_a_protocol_error_before_2025_11_25() {
    let server = server();
    let client = client(&server, ProtocolVersion::V2025_06_18);
    let response = client.call("invalid", json!({})).await;
    let error = assert_refused(&response, 200, -32602);
    assert!(error.message.contains("`from` must be"), "{response}");
    assert!(client.call("refused", json!({})).await.is_error());
}

#[tokio::test]
async fn a_prompt_or_resource_answers_with_a_protocol_error() {
    let server = server();
    let client = client(&server, ProtocolVersion::V2026_07_28);
    let asks = |name: &str| {
        [
            client.prompt(name, json!({})),
            client.read(&format!("test://{name}")),
        ]
    };

    let [prompt, resource] = asks("invalid");
    let response = prompt.await;
    let error = assert_refused(&response, 200, -32602);
    assert!(error.message.contains("`from` must be"), "{response}");
    let response = resource.await;
    let error = assert_refused(&response, 200, -32602);
    assert_eq!(error.data, json!({"uri": "test://invalid"}), "{response}");

    for request in asks("refused") {
        let response = request.await;
        let error = assert_refused(&response, 200, -32602);
        assert!(error.message.contains(ADVICE), "{response}");
    }
    for request in asks("broken") {
        let response = request.await;
        assert_refused(&response, 200, -32603);
        assert_hides_the_source(&response);
    }
}
