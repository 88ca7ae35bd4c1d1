//! Limits in a whole server: what is counted and for whom.
//!
//! Submodules: `refusals` is what a client sees of a limit, `groups` the limits of several tools, resources and
//! prompts, and of completions.

mod groups;
mod refusals;

use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, Mutex};
use std::time::SystemTime;

use bytes::Bytes;
use http::Request;
use lambda_mcp::auth::{ApiKeys, Auth};
use lambda_mcp::limit::{Counter, Decision, Limiter, Limits, MemoryLimiter, StoreError};
use lambda_mcp::protocol::ProtocolVersion;
use lambda_mcp::testing::{TestClient, TestResponse};
use lambda_mcp::{Args, BoxFuture, Server, tool};
use schemars::JsonSchema;
use serde::Deserialize;
use serde_json::json;

use crate::fixtures::{assert_refused, client};

const LEGACY: ProtocolVersion = ProtocolVersion::V2025_11_25;
const MODERN: ProtocolVersion = ProtocolVersion::V2026_07_28;

/// Counts in memory, records for whom, and fails on demand.
#[derive(Debug, Default)]
struct Recorder {
    memory: MemoryLimiter,
    asked: Mutex<Vec<String>>,
    down: AtomicBool,
}

impl Recorder {
    /// The counters it was asked for since the last time: bucket and owner.
    fn asked(&self) -> Vec<String> {
        std::mem::take(&mut self.asked.lock().unwrap())
    }
}

impl Limiter for Recorder {
    fn count<'a>(
        &'a self,
        counters: &'a [Counter],
        now: SystemTime,
    ) -> BoxFuture<'a, Result<Decision, StoreError>> {
        for counter in counters {
            let asked = format!("{} {}", counter.bucket(), counter.owner());
            self.asked.lock().unwrap().push(asked);
        }
        if self.down.load(Ordering::SeqCst) {
            let error = StoreError::new("planted").source("SENTINEL-STORE");
            return Box::pin(async { Err(error) });
        }
        self.memory.count(counters, now)
    }
}

#[derive(Deserialize, JsonSchema)]
struct Text {
    #[schemars(length(max = 8))]
    text: String,
}

async fn echo(Args(Text { text }): Args<Text>) -> String {
    text
}

/// A server with `read`, `search` and, behind a key, `write`; the last two are limited.
fn server(rules: &str) -> (Server, Arc<Recorder>) {
    let recorder = Arc::new(Recorder::default());
    let keys = ["ada", "grace"].map(|name| format!("{name} {} write", ApiKeys::digest(name)));
    let server = Server::builder("limits", "1.0.0")
        .tool(tool("read", echo).read_only())
        .tool(tool("search", echo).read_only())
        .tool(tool("write", echo).requires_scope("write"))
        .auth(Auth::new().verifier(keys.join(";").parse::<ApiKeys>().unwrap()))
        .limits(Limits::new(rules.parse().unwrap(), Arc::clone(&recorder)))
        .build()
        .unwrap();
    (server, recorder)
}

/// No test is about the end of a window, and none comes near to this one's.
const RULES: &str = "search=2/365d;write=2/365d";
const ADDRESS: &str = "198.51.100.7";

/// A client at an address.
fn client_at(server: &Server, address: &str) -> TestClient {
    client(server, LEGACY).source_ip(address.parse().unwrap())
}

/// A call of a tool, with a key if there is one.
async fn call_as(server: &Server, tool: &str, key: &str, address: &str) -> TestResponse {
    let mut client = client_at(server, address);
    if !key.is_empty() {
        client = client.bearer(key);
    }
    client.call(tool, json!({"text": "x"})).await
}

/// Sends everything that is no call of a limited tool, or is refused before it reaches one.
async fn send_all_that_is_not_counted(server: &Server) {
    let legacy = client_at(server, ADDRESS);
    let modern = legacy.clone().modern();
    for (verb, path, status) in [
        ("GET", "/mcp", 405),
        ("DELETE", "/mcp", 405),
        ("HEAD", "/mcp", 405),
        ("OPTIONS", "/mcp", 204),
        ("GET", "/nope", 404),
        ("POST", "/nope", 404),
        ("GET", "/health", 200),
        ("GET", "/mcp/server-card", 200),
    ] {
        let request = Request::builder().method(verb).uri(path);
        let response = legacy.send(request.body(Bytes::new()).unwrap()).await;
        assert_eq!(response.status(), status, "{verb} {path}");
    }
    let read = json!({"text": "x"});
    for request in [
        legacy.initialize(),
        legacy.request("ping", json!({})),
        legacy.request("tools/list", json!({})),
        modern.discover(),
        modern.request("tools/list", json!({})),
        legacy.call("read", &read),
        modern.call("read", &read),
    ] {
        let response = request.await;
        assert_eq!(response.status(), 200, "{response}");
        assert_eq!(response.header("ratelimit"), None, "{response}");
    }
    for (key, status) in [("", 401), ("mallory", 401)] {
        let response = call_as(server, "write", key, ADDRESS).await;
        assert_eq!(response.status(), status);
    }
    let long = json!({"text": "longer than allowed"});
    assert!(legacy.call("search", long).await.is_error());
    let unknown = legacy.call("no_such_tool", &read).await;
    assert_refused(&unknown, 200, -32602);
    let mislabelled = modern.call("search", &read).header("Mcp-Name", "read");
    assert_eq!(mislabelled.await.status(), 400);
    let params = json!({"name": "search", "arguments": read});
    let notification = legacy.notify("tools/call", params).await;
    assert_eq!(notification.status(), 202);
}

#[tokio::test]
async fn only_a_call_that_reaches_a_limited_tool_is_counted() {
    let (server, recorder) = server(RULES);
    for _ in 0..3 {
        send_all_that_is_not_counted(&server).await;
    }
    assert_eq!(recorder.asked(), [""; 0]);
    let response = call_as(&server, "search", "", ADDRESS).await;
    assert_eq!(response.status(), 200);
    assert_eq!(
        response.header("ratelimit-policy"),
        Some(r#""search-365d";q=2;w=31536000"#)
    );
    assert_eq!(recorder.asked().len(), 1);
}

#[tokio::test]
async fn a_full_quota_closes_nothing_but_its_tool() {
    let (server, recorder) = server(RULES);
    for status in [200, 200, 429, 429, 429] {
        assert_eq!(
            call_as(&server, "search", "", ADDRESS).await.status(),
            status
        );
    }
    // What is known to be denied costs no decision.
    assert_eq!(recorder.asked().len(), 3);
    for version in [LEGACY, MODERN] {
        let client = client_at(&server, ADDRESS).version(version);
        let listed = client.request("tools/list", json!({})).await;
        assert_eq!(listed.status(), 200);
    }
    assert_eq!(call_as(&server, "read", "", ADDRESS).await.status(), 200);
    assert_eq!(
        call_as(&server, "write", "ada", ADDRESS).await.status(),
        200
    );
    assert_eq!(
        call_as(&server, "search", "", "198.51.100.8")
            .await
            .status(),
        200
    );
}

#[tokio::test]
async fn a_key_is_a_caller_wherever_it_calls_from() {
    let (server, recorder) = server(RULES);
    let calls = [
        ("ada", "198.51.100.7", 200),
        ("ada", "198.51.100.8", 200),
        ("ada", "198.51.100.9", 429),
        ("grace", "198.51.100.7", 200),
    ];
    for (key, address, status) in calls {
        let response = call_as(&server, "write", key, address).await;
        assert_eq!(response.status(), status, "{key} at {address}");
    }
    let asked = recorder.asked();
    assert_eq!(asked[0], asked[2]);
    assert_ne!(asked[0], asked[3]);
    // Neither names nor addresses are stored.
    assert!(!asked.concat().contains("ada") && !asked.concat().contains("198"));
}

#[tokio::test]
async fn a_public_tool_counts_addresses_whatever_key_is_sent() {
    let (server, recorder) = server(RULES);
    // Else a made-up or stolen key would be a way to a fresh quota.
    for (key, status) in [("ada", 200), ("grace", 200), ("mallory", 429), ("", 429)] {
        let response = call_as(&server, "search", key, ADDRESS).await;
        assert_eq!(response.status(), status, "{key}");
    }
    let asked = recorder.asked();
    assert!(asked.iter().all(|one| *one == asked[0]), "{asked:?}");
}

#[tokio::test]
async fn each_call_of_a_batch_is_counted_and_needs_its_own_credential() {
    let (server, recorder) = server(RULES);
    let mut batch = Vec::new();
    for (id, tool) in ["search", "read", "write", "search", "search"]
        .iter()
        .enumerate()
    {
        let params = json!({"name": tool, "arguments": {"text": "x"}});
        batch.push(json!({"jsonrpc": "2.0", "id": id, "method": "tools/call", "params": params}));
    }
    let client = client_at(&server, ADDRESS).version(ProtocolVersion::V2025_03_26);
    let response = client.post(json!(batch).to_string()).await;
    assert_eq!(response.status(), 200);
    let is_result: Vec<bool> = response
        .message()
        .as_array()
        .unwrap()
        .iter()
        .map(|response| response.get("result").is_some())
        .collect();
    assert_eq!(is_result, [true, true, false, true, false], "{response}");
    let asked = recorder.asked();
    assert_eq!(asked.len(), 3);
    assert!(
        asked.iter().all(|one| one.starts_with("search ")),
        "{asked:?}"
    );
}
