//! Limits in a whole server: what is counted, for whom, and what a client gets.

use std::net::IpAddr;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, Mutex};
use std::time::SystemTime;

use bytes::Bytes;
use http::{HeaderMap, Request};
use lambda_mcp::auth::{ApiKeys, Auth};
use lambda_mcp::limit::{Counter, Decision, Limiter, Limits, MemoryLimiter, StoreError};
use lambda_mcp::server::Invocation;
use lambda_mcp::{Args, BoxFuture, Server, tool};
use schemars::JsonSchema;
use serde::Deserialize;
use serde_json::{Value, json};

use harness::Version;
use harness::messages;

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

struct Got {
    status: u16,
    headers: HeaderMap,
    body: Value,
}

async fn send(server: &Server, mut request: Request<Bytes>, address: &str) -> Got {
    let mut invocation = Invocation::default();
    invocation.source_ip = address.parse::<IpAddr>().ok();
    request.extensions_mut().insert(invocation);
    let (parts, body) = server.handle(request).await.into_parts();
    let body = body.into_bytes().unwrap();
    Got {
        status: parts.status.as_u16(),
        headers: parts.headers,
        body: serde_json::from_slice(&body).unwrap_or_default(),
    }
}

fn post(version: Version, message: &Value) -> Request<Bytes> {
    let mut request = Request::post("/mcp")
        .header("Content-Type", "application/json")
        .header("Accept", "application/json, text/event-stream")
        .header("MCP-Protocol-Version", version.name());
    if version.is_modern() {
        request = request.header("Mcp-Method", message["method"].as_str().unwrap());
        if let Some(name) = message["params"]["name"].as_str() {
            request = request.header("Mcp-Name", name);
        }
    }
    request.body(Bytes::from(message.to_string())).unwrap()
}

fn call(tool: &str) -> Value {
    let params = json!({"name": tool, "arguments": {"text": "x"}});
    messages::request(Version::V2025_11_25, "tools/call", params)
}

/// A call of a tool, with a key if there is one.
async fn call_as(server: &Server, tool: &str, key: &str, address: &str) -> Got {
    let mut request = post(Version::V2025_11_25, &call(tool));
    if !key.is_empty() {
        let value = format!("Bearer {key}").parse().unwrap();
        request.headers_mut().insert("authorization", value);
    }
    send(server, request, address).await
}

#[expect(clippy::too_many_lines, reason = "a table, one row a request")]
#[tokio::test]
async fn nothing_but_a_call_that_reaches_a_limited_tool_is_counted() {
    let (server, recorder) = server(RULES);
    for _ in 0..3 {
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
            let got = send(&server, request.body(Bytes::new()).unwrap(), ADDRESS).await;
            assert_eq!(got.status, status, "{verb} {path}");
        }
        let hello = json!({"protocolVersion": "2025-11-25", "capabilities": {},
                           "clientInfo": {"name": "c", "version": "0"}});
        let read = json!({"name": "read", "arguments": {"text": "x"}});
        for (version, method, params) in [
            (Version::V2025_11_25, "initialize", hello),
            (Version::V2025_11_25, "ping", json!({})),
            (Version::V2025_11_25, "tools/list", json!({})),
            (Version::V2026_07_28, "server/discover", json!({})),
            (Version::V2026_07_28, "tools/list", json!({})),
            (Version::V2025_11_25, "tools/call", read.clone()),
            (Version::V2026_07_28, "tools/call", read),
        ] {
            let message = messages::request(version, method, params);
            let got = send(&server, post(version, &message), ADDRESS).await;
            assert_eq!(got.status, 200, "{method}");
            assert!(!got.headers.contains_key("ratelimit"), "{method}");
        }
        // Refused before they reach the tool.
        for (key, status) in [("", 401), ("mallory", 401)] {
            assert_eq!(call_as(&server, "write", key, ADDRESS).await.status, status);
        }
        let mut long = call("search");
        long["params"]["arguments"]["text"] = json!("longer than allowed");
        let got = send(&server, post(Version::V2025_11_25, &long), ADDRESS).await;
        assert_eq!(got.body["result"]["isError"], true);
        let unknown = post(Version::V2025_11_25, &call("no_such_tool"));
        assert!(send(&server, unknown, ADDRESS).await.body["error"].is_object());
        let mut lied = post(
            Version::V2026_07_28,
            &messages::request(
                Version::V2026_07_28,
                "tools/call",
                json!({"name": "search", "arguments": {"text": "x"}}),
            ),
        );
        lied.headers_mut()
            .insert("mcp-name", "read".parse().unwrap());
        assert_eq!(send(&server, lied, ADDRESS).await.status, 400);
        let mut silent = call("search");
        silent.as_object_mut().unwrap().remove("id");
        let got = send(&server, post(Version::V2025_11_25, &silent), ADDRESS).await;
        assert_eq!(got.status, 202);
    }
    assert_eq!(recorder.asked(), [""; 0]);
    let got = call_as(&server, "search", "", ADDRESS).await;
    assert_eq!(got.status, 200);
    assert_eq!(
        got.headers["ratelimit-policy"],
        r#""search-365d";q=2;w=31536000"#
    );
    assert_eq!(recorder.asked().len(), 1);
}

#[tokio::test]
async fn a_full_quota_closes_nothing_but_its_tool() {
    let (server, recorder) = server(RULES);
    for status in [200, 200, 429, 429, 429] {
        assert_eq!(call_as(&server, "search", "", ADDRESS).await.status, status);
    }
    // What is known to be denied costs no decision.
    assert_eq!(recorder.asked().len(), 3);
    for version in [Version::V2025_11_25, Version::V2026_07_28] {
        let list = messages::request(version, "tools/list", json!({}));
        assert_eq!(
            send(&server, post(version, &list), ADDRESS).await.status,
            200
        );
    }
    assert_eq!(call_as(&server, "read", "", ADDRESS).await.status, 200);
    assert_eq!(call_as(&server, "write", "ada", ADDRESS).await.status, 200);
    assert_eq!(
        call_as(&server, "search", "", "198.51.100.8").await.status,
        200
    );
}

#[tokio::test]
async fn a_refusal_has_the_form_of_its_era() {
    let (server, _) = server(RULES);
    for _ in 0..2 {
        call_as(&server, "search", "", ADDRESS).await;
    }
    for (version, code) in [(Version::V2025_11_25, -32000), (Version::V2026_07_28, 429)] {
        let params = json!({"name": "search", "arguments": {"text": "x"}});
        let mut message = messages::request(version, "tools/call", params);
        message["id"] = json!("call-7");
        let got = send(&server, post(version, &message), ADDRESS).await;
        assert_eq!(got.status, 429);
        assert_eq!(got.body["id"], "call-7");
        assert_eq!(got.body["error"]["code"], code);
        let wait: u64 = got.headers["retry-after"]
            .to_str()
            .unwrap()
            .parse()
            .unwrap();
        assert_eq!(got.body["error"]["data"]["retryAfterSeconds"], wait);
        assert!(got.headers["ratelimit"].to_str().unwrap().contains("r=0"));
    }
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
        let got = call_as(&server, "write", key, address).await;
        assert_eq!(got.status, status, "{key} at {address}");
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
        let got = call_as(&server, "search", key, ADDRESS).await;
        assert_eq!(got.status, status, "{key}");
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
        let mut message = call(tool);
        message["id"] = json!(id);
        batch.push(message);
    }
    let got = send(&server, post(Version::V2025_03_26, &json!(batch)), ADDRESS).await;
    assert_eq!(got.status, 200);
    let is_result: Vec<bool> = got
        .body
        .as_array()
        .unwrap()
        .iter()
        .map(|response| response.get("result").is_some())
        .collect();
    assert_eq!(is_result, [true, true, false, true, false], "{}", got.body);
    let asked = recorder.asked();
    assert_eq!(asked.len(), 3);
    assert!(
        asked.iter().all(|one| one.starts_with("search ")),
        "{asked:?}"
    );
}

#[tokio::test]
async fn without_a_store_reading_goes_on_and_writing_waits() {
    let (server, recorder) = server("search=20/365d:open;write=2/365d");
    recorder.down.store(true, Ordering::SeqCst);
    assert_eq!(call_as(&server, "read", "", ADDRESS).await.status, 200);
    assert_eq!(call_as(&server, "search", "", ADDRESS).await.status, 200);
    let got = call_as(&server, "write", "ada", ADDRESS).await;
    assert_eq!(got.status, 503);
    assert_eq!(got.headers["retry-after"], "5");
    assert_eq!(got.body["error"]["code"], -32000);
    let text = got.body.to_string();
    assert!(
        !text.contains("SENTINEL") && !text.contains("planted"),
        "{text}"
    );
    recorder.down.store(false, Ordering::SeqCst);
    assert_eq!(call_as(&server, "write", "ada", ADDRESS).await.status, 200);
}
