//! Layers around calls: what they see, what they refuse, and what a faulty one does.

use std::sync::{Arc, Mutex};

use lambda_mcp::layer::{CallEnd, CallInfo, CallLayer, Next};
use lambda_mcp::protocol::ProtocolVersion;
use lambda_mcp::{BoxFuture, Server, ToolError, prompt, resource, tool};
use serde_json::{Value, json};

use crate::fixtures::{assert_refused, client};
use harness::messages::{request, with_headers};
use harness::{ServerConfig, Version};

type Seen = Arc<Mutex<Vec<String>>>;

/// Notes what it sees before and after each call.
struct Notes(&'static str, Seen);

impl CallLayer for Notes {
    fn call<'a>(&'a self, call: CallInfo<'a>, next: Next<'a>) -> BoxFuture<'a, CallEnd> {
        Box::pin(async move {
            let note = |text: String| self.1.lock().unwrap().push(text);
            let (name, kind) = (call.name().unwrap_or("-"), call.kind());
            let kind = kind.map_or("-".to_owned(), |kind| format!("{kind:?}"));
            note(format!("{}> {} {kind} {name}", self.0, call.method()));
            let end = next.run().await;
            let code = end.code().map_or(String::new(), |code| format!(" {code}"));
            note(format!("{}< {}{code}", self.0, end.outcome().as_str()));
            end
        })
    }
}

async fn hello() -> &'static str {
    "Hello."
}

async fn fails() -> Result<String, ToolError> {
    Err(ToolError::new("try another"))
}

#[expect(clippy::panic, reason = "the test needs a handler that panics")]
async fn panics() -> &'static str {
    panic!("planted")
}

fn builder() -> lambda_mcp::server::ServerBuilder<()> {
    Server::builder("layered", "1.0.0")
        .tool(tool("hello", hello).read_only())
        .tool(tool("fails", fails))
        .tool(tool("panics", panics))
        .resource(resource("text://hello", "hello", hello))
        .prompt(prompt("greet", hello))
}

#[tokio::test]
async fn layers_see_each_call_and_its_end_in_the_order_of_registration() {
    let seen = Seen::default();
    let server = builder()
        .layer(Notes("a", Arc::clone(&seen)))
        .layer(Notes("b", Arc::clone(&seen)))
        .build()
        .unwrap();
    let client = client(&server, ProtocolVersion::V2026_07_28);
    let take = || std::mem::take(&mut *seen.lock().unwrap());

    assert_eq!(client.call("hello", json!({})).await.text(), "Hello.");
    let called = "tools/call Tool hello";
    assert_eq!(
        take(),
        [
            &format!("a> {called}"),
            &format!("b> {called}"),
            "b< ok",
            "a< ok"
        ]
    );
    assert!(client.call("fails", json!({})).await.is_error());
    assert_eq!(take()[2..], ["b< tool_error", "a< tool_error"]);
    assert_refused(&client.call("panics", json!({})).await, 200, -32603);
    assert_eq!(take()[2..], ["b< error -32603", "a< error -32603"]);
    assert_eq!(client.read("text://hello").await.contents().len(), 1);
    assert_eq!(take()[0], "a> resources/read Resource text://hello");
    assert_eq!(client.prompt("greet", json!({})).await.messages().len(), 1);
    assert_eq!(take()[0], "a> prompts/get Prompt greet");
    assert_eq!(client.discover().await.status(), 200);
    assert_eq!(take()[0], "a> server/discover - -");
    // Requests that do not reach a method do not reach a layer.
    assert_refused(&client.call("no_such_tool", json!({})).await, 200, -32602);
    assert!(take().is_empty());
}

#[tokio::test]
async fn the_response_is_the_same_with_and_without_a_layer() {
    let plain = builder().build().unwrap();
    let layered = builder()
        .layer(Notes("a", Seen::default()))
        .build()
        .unwrap();
    for version in ProtocolVersion::ALL {
        for tool in ["hello", "fails", "panics", "no_such_tool"] {
            let of = |server| async move { client(server, version).call(tool, json!({})).await };
            let (plain, layered) = (of(&plain).await, of(&layered).await);
            assert_eq!(plain.body_text(), layered.body_text());
            assert_eq!(plain.status(), layered.status());
        }
    }
}

fn refuses<'a>(_: CallInfo<'a>, next: Next<'a>) -> BoxFuture<'a, CallEnd> {
    next.refuse(ToolError::new("The shop is closed. Call again tomorrow."))
}

fn fails_inside<'a>(_: CallInfo<'a>, next: Next<'a>) -> BoxFuture<'a, CallEnd> {
    next.refuse(ToolError::from(std::io::Error::other(
        "password of the database",
    )))
}

fn rejects<'a>(_: CallInfo<'a>, next: Next<'a>) -> BoxFuture<'a, CallEnd> {
    next.reject("the server is being moved")
}

#[tokio::test]
async fn a_refusal_speaks_to_the_model_and_a_rejection_to_the_client() {
    for version in ProtocolVersion::ALL {
        let server = builder().layer(refuses).build().unwrap();
        let refusing = client(&server, version);
        let response = refusing.call("hello", json!({})).await;
        assert!(response.is_error(), "{response}");
        assert_eq!(response.text(), "The shop is closed. Call again tomorrow.");
        let response = refusing.read("text://hello").await;
        let error = assert_refused(&response, 200, -32602);
        assert!(error.message.contains("The shop is closed."), "{response}");

        let server = builder().layer(fails_inside).build().unwrap();
        let failing = client(&server, version);
        let response = failing.call("hello", json!({})).await;
        assert!(
            response.is_error() && !response.body_text().contains("password"),
            "{response}"
        );
        let response = failing.prompt("greet", json!({})).await;
        assert_refused(&response, 200, -32603);
        assert!(!response.body_text().contains("password"), "{response}");

        let server = builder().layer(rejects).build().unwrap();
        let response = client(&server, version).call("hello", json!({})).await;
        let error = assert_refused(&response, 200, -32602);
        assert!(error.message.contains("being moved"), "{response}");
    }
}

/// Panics at each call.
struct Panics;

impl CallLayer for Panics {
    #[expect(clippy::panic, reason = "the test needs a layer that panics")]
    fn call<'a>(&'a self, _: CallInfo<'a>, _: Next<'a>) -> BoxFuture<'a, CallEnd> {
        panic!("planted")
    }
}

#[tokio::test]
async fn a_faulty_layer_ends_the_request_and_nothing_else() {
    let server = builder().layer(Panics).build().unwrap();
    let panicking = client(&server, ProtocolVersion::V2026_07_28);
    assert_refused(&panicking.call("hello", json!({})).await, 200, -32603);
    assert_refused(&panicking.discover().await, 200, -32603);
}

fn hangs<'a>(_: CallInfo<'a>, _: Next<'a>) -> BoxFuture<'a, CallEnd> {
    Box::pin(std::future::pending())
}

async fn slow() -> &'static str {
    std::future::pending().await
}

#[tokio::test(start_paused = true)]
async fn a_layer_is_bounded_by_the_call_timeout_and_sees_that_of_the_handler() {
    let timeout = std::time::Duration::from_secs(5);
    let server = builder()
        .call_timeout(timeout)
        .layer(hangs)
        .build()
        .unwrap();
    let hanging = client(&server, ProtocolVersion::V2026_07_28);
    assert_refused(&hanging.call("hello", json!({})).await, 200, -32603);

    let seen = Seen::default();
    let server = builder()
        .call_timeout(timeout)
        .layer(Notes("a", Arc::clone(&seen)))
        .tool(tool("slow", slow))
        .build()
        .unwrap();
    let response = client(&server, ProtocolVersion::V2026_07_28)
        .call("slow", json!({}))
        .await;
    assert!(
        response.text().contains("did not finish in time"),
        "{response}"
    );
    assert_eq!(seen.lock().unwrap()[1], "a< tool_error");
}

/// The log of the example: its lines have the fields of the request that they are written in.
#[test]
fn the_audit_log_says_who_called_what() {
    let server = ServerConfig::new("audit_log").start();
    let cancel = |key: &str| {
        let message = request(
            Version::V2026_07_28,
            "tools/call",
            json!({"name": "cancel_order"}),
        );
        with_headers(&server, Version::V2026_07_28, &message)
            .header("Authorization", &format!("Bearer {key}"))
            .send()
            .result()
    };
    assert_eq!(cancel("key-of-the-clerk-0123")["isError"], true);
    assert_eq!(
        cancel("key-of-the-owner-0123")["content"][0]["text"],
        "Order 1 is cancelled."
    );
    harness::messages::call(&server, Version::V2026_07_28, "list_orders", json!({}));

    let log = server.finish();
    let lines = log
        .lines()
        .map(|line| serde_json::from_str::<Value>(line).unwrap());
    let (audits, requests): (Vec<Value>, Vec<Value>) =
        lines.partition(|line| line["message"] == "audit");
    let requests: Vec<Value> = requests
        .into_iter()
        .filter(|line| line["message"] == "request")
        .collect();
    assert_eq!((audits.len(), requests.len()), (2, 3), "{log}");
    for (audit, (who, outcome)) in audits
        .iter()
        .zip([("clerk", "tool_error"), ("owner", "ok")])
    {
        assert_eq!(
            (&audit["who"], &audit["outcome"]),
            (&json!(who), &json!(outcome)),
            "{log}"
        );
        assert!(audit["duration_s"].is_number(), "{audit}");
    }
    for (audit, request) in audits.iter().zip(&requests) {
        for name in ["request_id", "method", "tool", "subject"] {
            assert!(audit[name].is_string(), "{name} in {audit}");
            assert_eq!(audit[name], request[name], "{name} in {log}");
        }
    }
    assert!(!log.contains("key-of-the"), "{log}");
}
