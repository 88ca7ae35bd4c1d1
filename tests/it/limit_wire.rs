//! Limits in a whole server: what is counted, for whom, and what a client sees of it.

use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, Mutex};
use std::time::SystemTime;

use bytes::Bytes;
use http::Request;
use lambda_mcp::auth::{ApiKeys, Auth};
use lambda_mcp::handler::CompletionRequest;
use lambda_mcp::limit::{Counter, Decision, Limiter, Limits, MemoryLimiter, StoreError};
use lambda_mcp::protocol::ProtocolVersion;
use lambda_mcp::testing::{TestClient, TestResponse};
use lambda_mcp::{Args, BoxFuture, Server, prompt, resource, resource_template, tool};
use schemars::JsonSchema;
use serde::Deserialize;
use serde_json::{Value, json};

use harness::Version;
use harness::messages;

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
async fn a_refusal_has_the_form_of_its_era() {
    let (server, _) = server(RULES);
    for _ in 0..2 {
        let admitted = call_as(&server, "search", "", ADDRESS).await;
        assert_eq!(admitted.status(), 200);
    }
    for (version, code) in [(LEGACY, -32000), (MODERN, 429)] {
        let params = json!({"name": "search", "arguments": {"text": "x"}});
        let version_of_harness = match version {
            MODERN => Version::V2026_07_28,
            _ => Version::V2025_11_25,
        };
        let mut message = messages::request(version_of_harness, "tools/call", params);
        message["id"] = json!("call-7");
        let client = client_at(&server, ADDRESS).version(version);
        let response = client.post(message.to_string()).await;
        let error = assert_refused(&response, 429, code);
        assert_eq!(response.message()["id"], "call-7");
        let wait: u64 = response.header("retry-after").unwrap().parse().unwrap();
        assert_eq!(error.data["retryAfterSeconds"], wait);
        assert!(response.header("ratelimit").unwrap().contains("r=0"));
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

/// A client or a gateway that looks at the status alone waits as well.
#[tokio::test]
async fn a_batch_whose_calls_are_all_refused_has_their_status() {
    let (server, _) = server(RULES);
    let call = |id: u8| {
        let params = json!({"name": "search", "arguments": {"text": "x"}});
        json!({"jsonrpc": "2.0", "id": id, "method": "tools/call", "params": params})
    };
    let ping = json!({"jsonrpc": "2.0", "id": 9, "method": "ping"});
    let client = client_at(&server, ADDRESS).version(ProtocolVersion::V2025_03_26);
    let send = async |batch: Value| client.post(batch.to_string()).await;
    assert_eq!(send(json!([call(1), call(2)])).await.status(), 200);
    let refused = send(json!([call(3), call(4)])).await;
    assert_eq!(refused.status(), 429, "{refused}");
    assert!(refused.header("retry-after").is_some(), "{refused}");
    assert_eq!(refused.message().as_array().map(Vec::len), Some(2));
    // One that is answered has status 200.
    assert_eq!(send(json!([call(5), ping])).await.status(), 200);
}

#[tokio::test]
async fn without_a_store_reading_goes_on_and_writing_waits() {
    let (server, recorder) = server("search=20/365d:open;write=2/365d");
    recorder.down.store(true, Ordering::SeqCst);
    assert_eq!(call_as(&server, "read", "", ADDRESS).await.status(), 200);
    assert_eq!(call_as(&server, "search", "", ADDRESS).await.status(), 200);
    let response = call_as(&server, "write", "ada", ADDRESS).await;
    assert_refused(&response, 503, -32000);
    assert_eq!(response.header("retry-after"), Some("5"));
    let text = response.body_text();
    assert!(
        !text.contains("SENTINEL") && !text.contains("planted"),
        "{text}"
    );
    recorder.down.store(false, Ordering::SeqCst);
    assert_eq!(
        call_as(&server, "write", "ada", ADDRESS).await.status(),
        200
    );
}

/// The same data as a tool, a resource, a template and a prompt.
#[tokio::test]
async fn a_limit_of_a_group_cannot_be_avoided_by_reading_the_data_another_way() {
    async fn resume() -> &'static str {
        "Everything."
    }
    let rules = "resume[get_resume,resource:resume://*,prompt:assess]=4/365d";
    let recorder = Arc::new(Recorder::default());
    let server = Server::builder("limits", "1.0.0")
        .tool(tool("get_resume", resume).read_only())
        .resource(resource("resume://full", "full", resume))
        .resource(resource_template("resume://part/{text}", "part", echo))
        .prompt(prompt("assess", resume))
        .prompt(prompt("free", resume))
        .limits(Limits::new(rules.parse().unwrap(), Arc::clone(&recorder)))
        .build()
        .unwrap();
    let client = client_at(&server, ADDRESS);
    let responses = async || {
        [
            client.call("get_resume", json!({})).await,
            client.read("resume://full").await,
            client.read("resume://part/x").await,
            client.prompt("assess", json!({})).await,
        ]
    };
    for response in responses().await {
        assert_eq!(response.status(), 200);
        let policy = response.header("ratelimit-policy");
        assert_eq!(policy, Some(r#""resume-365d";q=4;w=31536000"#));
    }
    for response in responses().await {
        assert_refused(&response, 429, -32000);
    }
    // What is not in the group stays open, and so do lists.
    assert_eq!(client.prompt("free", json!({})).await.status(), 200);
    let listed = client.request("resources/list", json!({})).await;
    assert_eq!(listed.status(), 200);
    // An unknown resource is refused before anything is counted.
    recorder.asked();
    let unknown = client.read("resume://none").await;
    assert!(unknown.expect_protocol_error().code < 0);
    assert_eq!(recorder.asked(), [""; 0]);
}

/// Suggestions are data: a template may list the names of all customers.
#[tokio::test]
async fn a_completion_counts_as_a_use_of_its_prompt_or_template_or_by_its_own_limit() {
    async fn names(_: CompletionRequest) -> Vec<String> {
        vec!["ada".to_owned()]
    }
    let server = |rules: &str| {
        let limits = Limits::new(rules.parse().unwrap(), MemoryLimiter::new());
        let template = resource_template("customer://{text}", "customer", echo);
        let greet = prompt("greet", echo).complete("text", names);
        Server::builder("limits", "1.0.0")
            .resource(template.complete("text", names))
            .prompt(greet)
            .limits(limits)
            .build()
    };
    let template = "customer://{text}";
    let of_data = server("data[prompt:greet,resource:customer://*]=2/365d").unwrap();
    for version in ProtocolVersion::ALL {
        let address = format!("198.51.100.{}", version as u8);
        let client = client(&of_data, version).source_ip(address.parse().unwrap());
        for suggested in [
            client.complete_prompt("greet", "text", "a").await,
            client.complete_resource(template, "text", "a").await,
        ] {
            assert_eq!(suggested.completion().values, ["ada"]);
        }
        for limited in [
            client.complete_resource(template, "text", "a").await,
            client.complete_prompt("greet", "text", "a").await,
            client.read("customer://ada").await,
        ] {
            assert_eq!(limited.status(), 429, "{limited}");
        }
        // An argument that nothing completes gives no data.
        let nothing = client.complete_prompt("greet", "other", "a").await;
        assert_eq!(nothing.completion().values, [""; 0]);
    }

    let of_its_own = server("prompt:greet=1/365d; completion:prompt:*=2/365d").unwrap();
    let client = client_at(&of_its_own, ADDRESS);
    for status in [200, 200, 429] {
        let suggested = client.complete_prompt("greet", "text", "a").await;
        assert_eq!(suggested.status(), status, "{suggested}");
    }
    let limited = client.complete_prompt("greet", "text", "a").await;
    let told = &limited.expect_protocol_error().data;
    assert_eq!(told["completion"], "greet", "{limited}");
    for status in [200, 429] {
        let got = client.prompt("greet", json!({"text": "x"})).await;
        assert_eq!(got.status(), status, "{got}");
    }

    // A limit that nothing meets is a typing error.
    let error = server("completion:prompt:great=1/1h").unwrap_err();
    assert!(
        error.to_string().contains("completion:prompt:great"),
        "{error}"
    );
}
