//! `LegacyHandshake::Required`: session ids over HTTP. Specification: 2025-11-25, *Transports, Session
//! Management*.

use std::time::Duration;

use lambda_mcp::protocol::ProtocolVersion;
use lambda_mcp::server::{LegacyHandshake, ManyInstancesError, RequestStateKey, ServerBuilder};
use lambda_mcp::testing::TestClient;
use lambda_mcp::{AskingContext, Server, ToolError, tool};
use serde_json::json;

use crate::fixtures::{assert_refused, client, legacy_versions};

const SESSION: &str = "Mcp-Session-Id";

async fn hello() -> &'static str {
    "Hello."
}

async fn asks(context: AskingContext) -> Result<String, ToolError> {
    Ok(context.roots("roots")?.len().to_string())
}

fn builder() -> ServerBuilder<()> {
    Server::builder("greeter", "1.0.0")
        .legacy_handshake(LegacyHandshake::Required)
        .tool(tool("hello", hello))
}

fn server() -> Server {
    builder().build().unwrap()
}

/// A new session.
async fn session(client: &TestClient) -> String {
    let response = client.initialize().await;
    assert!(response.result()["serverInfo"].is_object(), "{response}");
    response.header(SESSION).unwrap().to_owned()
}

#[tokio::test]
async fn a_session_id_is_needed_after_initialize_and_suffices() {
    let server = server();
    for version in legacy_versions() {
        let client = client(&server, version);
        let refused = client.call("hello", json!({})).await;
        let error = assert_refused(&refused, 400, -32600);
        assert!(error.message.contains(SESSION), "{refused}");
        let id = session(&client).await;
        assert!(id.bytes().all(|byte| byte.is_ascii_graphic()), "{id}");
        let called = client.call("hello", json!({})).header(SESSION, &id).await;
        assert_eq!(called.text(), "Hello.");
        // Only the answer of `initialize` has one.
        assert_eq!(called.header(SESSION), None);
    }
}

#[tokio::test]
async fn an_id_that_was_altered_or_made_elsewhere_is_not_found() {
    let server = server();
    let client = client(&server, ProtocolVersion::V2025_11_25);
    let elsewhere =
        session(&TestClient::new(self::server()).version(ProtocolVersion::V2025_11_25)).await;
    let id = session(&client).await;
    let altered = format!(
        "{}{}",
        if id.starts_with('A') { 'B' } else { 'A' },
        &id[1..]
    );
    for id in [elsewhere.as_str(), altered.as_str(), "", "7", "a.b"] {
        let refused = client.call("hello", json!({})).header(SESSION, id).await;
        assert_refused(&refused, 404, -32600);
    }
    // A client begins again without regard to the id that it has.
    let again = client.initialize().header(SESSION, &altered).await;
    assert!(again.header(SESSION).is_some(), "{again}");
}

#[tokio::test]
async fn an_id_expires() {
    let server = builder().session_ttl(Duration::ZERO).build().unwrap();
    let client = client(&server, ProtocolVersion::V2025_06_18);
    let id = session(&client).await;
    let refused = client.call("hello", json!({})).header(SESSION, &id).await;
    assert_refused(&refused, 404, -32600);
}

#[tokio::test]
async fn notifications_and_batches_need_the_id_too() {
    let server = server();
    let newest = client(&server, ProtocolVersion::V2025_11_25);
    let id = session(&newest).await;
    let initialized = || newest.notify("notifications/initialized", json!({}));
    assert_eq!(initialized().await.status(), 400);
    assert_eq!(initialized().header(SESSION, "x").await.status(), 404);
    assert_eq!(initialized().header(SESSION, &id).await.status(), 202);

    let batches = client(&server, ProtocolVersion::V2025_03_26);
    let batch = json!([{ "jsonrpc": "2.0", "id": 1, "method": "ping" }]).to_string();
    assert_refused(&batches.post(batch.clone()).await, 400, -32600);
    let served = batches.post(batch).header(SESSION, &id).await;
    assert_eq!(served.status(), 200, "{served}");
}

#[tokio::test]
async fn nothing_else_changes() {
    let server = server();
    let modern = client(&server, ProtocolVersion::V2026_07_28);
    assert_eq!(modern.call("hello", json!({})).await.text(), "Hello.");
    // By default there is no session, and an id that a client sends is ignored.
    let optional = Server::builder("greeter", "1.0.0").tool(tool("hello", hello));
    let optional = client(&optional.build().unwrap(), ProtocolVersion::V2025_11_25);
    assert_eq!(optional.initialize().await.header(SESSION), None);
    let called = optional.call("hello", json!({})).header(SESSION, "x").await;
    assert_eq!(called.text(), "Hello.");
    // A handshake that fails opens none.
    let failed = client(&server, ProtocolVersion::V2025_11_25)
        .request("initialize", json!({}))
        .await;
    assert_eq!(failed.header(SESSION), None, "{failed}");
}

#[tokio::test]
async fn web_pages_may_read_the_id() {
    let client = client(&server(), ProtocolVersion::V2025_11_25);
    let opened = client
        .initialize()
        .header("Origin", "http://localhost:3000")
        .await;
    let exposed = opened.header("Access-Control-Expose-Headers").unwrap();
    assert!(exposed.contains(SESSION), "{exposed}");
    let refused = client.request("ping", json!({})).await;
    let exposed = refused.header("Access-Control-Expose-Headers").unwrap();
    assert!(!exposed.contains(SESSION), "{exposed}");
}

#[test]
fn several_instances_need_one_key() {
    let missing = |server: Server| match server.check_for_many_instances() {
        Err(ManyInstancesError::NoSharedKey(missing)) => missing,
        other => panic!("{other:?}"),
    };
    let error = missing(server());
    assert_eq!((error.kind, &*error.name), ("setting", "legacy_handshake"));
    assert!(
        error.to_string().contains("requires session ids"),
        "{error}"
    );
    let asking = builder().tool(tool("asks", asks));
    assert_eq!(missing(asking.build().unwrap()).name, "asks");
    let key = RequestStateKey::new([7; 32]).unwrap();
    let shared = builder().request_state_key(key).build().unwrap();
    assert!(shared.check_for_many_instances().is_ok());
}
