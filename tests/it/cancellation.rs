//! `Context::cancelled`: who is told when a call is cancelled, and when nobody is.

use std::time::Duration;

use lambda_mcp::protocol::ProtocolVersion;
use lambda_mcp::{Context, Server, State, tool};
use serde_json::json;
use tokio::sync::mpsc::{UnboundedReceiver, UnboundedSender, unbounded_channel};

use crate::fixtures::{assert_refused, client};

type Told = UnboundedSender<&'static str>;

/// Starts a task that tells when the call is cancelled.
fn watch(context: Context, told: Told) {
    tokio::spawn(async move {
        let _ = told.send("started");
        context.cancelled().await;
        let _ = told.send("cancelled");
    });
}

async fn hangs(State(told): State<Told>, context: Context) -> &'static str {
    watch(context, told);
    std::future::pending().await
}

#[expect(clippy::panic, reason = "the test needs a handler that panics")]
async fn panics(State(told): State<Told>, context: Context) -> &'static str {
    watch(context, told);
    panic!("planted")
}

async fn ends(State(told): State<Told>, context: Context) -> &'static str {
    watch(context, told);
    tokio::task::yield_now().await;
    "done"
}

fn server() -> (Server, UnboundedReceiver<&'static str>) {
    let (told, heard) = unbounded_channel();
    let server = Server::builder("patience", "1.0.0")
        .call_timeout(Duration::from_secs(5))
        .state(told)
        .tool(tool("hangs", hangs))
        .tool(tool("panics", panics))
        .tool(tool("ends", ends));
    (server.build().unwrap(), heard)
}

/// What is told next. It comes at once, or the test fails.
async fn next(heard: &mut UnboundedReceiver<&'static str>) -> Option<&'static str> {
    let told = tokio::time::timeout(Duration::from_secs(30), heard.recv()).await;
    told.expect("the task is told in time")
}

#[tokio::test(start_paused = true)]
async fn a_call_is_cancelled_at_its_deadline() {
    let (server, mut heard) = server();
    let response = client(&server, ProtocolVersion::V2026_07_28)
        .call("hangs", json!({}))
        .await;
    assert!(response.is_error(), "{response}");
    assert_eq!(next(&mut heard).await, Some("started"));
    assert_eq!(next(&mut heard).await, Some("cancelled"));
}

#[tokio::test]
async fn a_call_is_cancelled_when_its_handler_panics() {
    let (server, mut heard) = server();
    let response = client(&server, ProtocolVersion::V2026_07_28)
        .call("panics", json!({}))
        .await;
    assert_refused(&response, 200, -32603);
    assert_eq!(next(&mut heard).await, Some("started"));
    assert_eq!(next(&mut heard).await, Some("cancelled"));
}

/// As a host does when the client closes the connection, or cancels the request.
#[tokio::test]
async fn a_call_is_cancelled_when_its_future_is_dropped() {
    let (server, mut heard) = server();
    let client = client(&server, ProtocolVersion::V2026_07_28);
    let call = tokio::spawn(async move { client.call("hangs", json!({})).await });
    assert_eq!(next(&mut heard).await, Some("started"));
    call.abort();
    assert_eq!(next(&mut heard).await, Some("cancelled"));
}

#[tokio::test(start_paused = true)]
async fn a_call_that_ends_by_itself_is_not_cancelled() {
    let (server, mut heard) = server();
    let response = client(&server, ProtocolVersion::V2026_07_28)
        .call("ends", json!({}))
        .await;
    assert_eq!(response.text(), "done");
    assert_eq!(next(&mut heard).await, Some("started"));
    // The clock is paused, so the hour passes when no task has anything else to do.
    let later = tokio::time::timeout(Duration::from_secs(3600), heard.recv()).await;
    assert!(later.is_err(), "{later:?}");
}
