//! Progress and log notifications on the stream of a call, and the features that are not offered.

use std::sync::Arc;
use std::time::Duration;

use bytes::Bytes;
use http_body_util::BodyExt as _;
use lambda_mcp::protocol::{LoggingLevel, ProtocolVersion};
use lambda_mcp::testing::{Notification, TestResponse};
use lambda_mcp::{Context, Server, State, tool};
use serde_json::{Value, json};
use tokio::sync::Notify;

use harness::messages::{ask, request, request_with, send, with_headers};
use harness::{SERVED_VERSIONS, ServerConfig, Version, background};

use crate::fixtures::{assert_refused, client, conformance, legacy_versions};

const MODERN: Version = Version::V2026_07_28;
const LOG_LEVEL: &str = "io.modelcontextprotocol/logLevel";

/// A call of a tool without arguments, with more in its `_meta`.
fn call_with(version: Version, tool: &str, meta: Value) -> Value {
    let params = json!({"name": tool, "arguments": {}});
    request_with(version, "tools/call", params, meta)
}

/// The values of `progress` that a call was notified of; it must have had no other notification.
#[track_caller]
fn steps(response: &TestResponse) -> Vec<f64> {
    let steps = response.progress();
    assert_eq!(steps.len(), response.notifications().len(), "{response}");
    steps.iter().map(|step| step.progress).collect()
}

#[tokio::test]
async fn progress_is_sent_to_those_who_ask_in_every_version() {
    let server = conformance();
    for version in ProtocolVersion::ALL {
        let client = client(&server, version);
        let call = || client.call("test_tool_with_progress", json!({}));
        for token in [json!("progress-test-1"), json!(7), json!(""), json!(-1)] {
            let response = call().progress_token(token.clone()).await;
            assert!(response.is_event_stream(), "{response}");
            assert_eq!(response.header("x-accel-buffering"), Some("no"));
            assert_eq!(steps(&response), [0.0, 50.0, 100.0]);
            let sent = response.progress();
            assert!(sent.iter().all(|step| step.token == token), "{response}");
            assert!(sent.iter().all(|step| step.total == Some(100.0)));
            assert!(response.result().is_object());
        }
        let response = call().await;
        assert!(response.is_json(), "progress was not asked for: {response}");
    }
}

#[tokio::test]
async fn an_event_stream_is_sent_only_to_clients_that_accept_one() {
    let server = conformance();
    for version in ProtocolVersion::ALL {
        let client = client(&server, version);
        let accepting = |accept: &str| {
            let call = client.call("test_tool_with_progress", json!({}));
            call.progress_token(1).header("Accept", accept)
        };
        for accept in [
            "application/json",
            "application/*",
            "application/json, text/event-stream;q=0",
        ] {
            let response = accepting(accept).await;
            assert!(response.is_json(), "{accept}: {response}");
            assert_eq!(response.content()[0]["text"], "The work is done.");
        }
        for accept in [
            "text/event-stream",
            "*/*",
            "text/event-stream, application/json;q=0.1",
        ] {
            let response = accepting(accept).await;
            assert!(response.is_event_stream(), "{accept}: {response}");
            assert_eq!(steps(&response).len(), 3, "{accept}");
        }
        // A client that accepts nothing else gets any response as a stream of one event.
        let list = client.request("tools/list", json!({}));
        let response = list.header("Accept", "text/event-stream").await;
        assert!(response.is_event_stream(), "{response}");
        assert!(response.notifications().is_empty() && response.result().is_object());
    }
}

#[tokio::test]
async fn a_token_or_level_of_the_wrong_type_is_refused() {
    let server = conformance();
    let bad = [
        ("progressToken", json!({})),
        ("progressToken", json!(1.5)),
        (LOG_LEVEL, json!("loud")),
        (LOG_LEVEL, json!(3)),
    ];
    for (name, value) in bad {
        let call =
            client(&server, ProtocolVersion::V2026_07_28).call("test_simple_text", json!({}));
        assert_refused(&call.meta(name, value).await, 400, -32602);
    }
}

#[tokio::test]
async fn logs_are_sent_from_the_requested_level() {
    let server = conformance();
    let logged = async |level: LoggingLevel| {
        let client = client(&server, ProtocolVersion::V2026_07_28).log_level(level);
        let response = client.call("test_tool_with_logging", json!({})).await;
        assert_eq!(response.content()[0]["text"], "The work is logged.");
        let notifications = response.notifications().iter();
        let is_log = |n: &Notification| n.method == "notifications/message";
        assert!(response.notifications().iter().all(is_log), "{response}");
        notifications.map(|n| n.params.clone()).collect::<Vec<_>>()
    };
    let debug = logged(LoggingLevel::Debug).await;
    assert_eq!(
        debug[0],
        json!({"level": "info", "logger": "test", "data": "Tool execution started"})
    );
    assert_eq!(debug[3], json!({"level": "debug", "data": {"logged": 3}}));
    let info = logged(LoggingLevel::Info).await;
    assert_eq!((debug.len(), info.len()), (4, 3));
    assert_eq!(info[2]["data"], "Tool execution completed");
    for level in [
        LoggingLevel::Notice,
        LoggingLevel::Warning,
        LoggingLevel::Error,
        LoggingLevel::Critical,
        LoggingLevel::Alert,
        LoggingLevel::Emergency,
    ] {
        assert_eq!(logged(level).await.len(), 0, "{level:?}");
    }
}

#[tokio::test]
async fn nothing_is_logged_to_a_client_that_did_not_ask_or_cannot() {
    let server = conformance();
    for version in ProtocolVersion::ALL {
        let call = client(&server, version).call("test_logging_tool", json!({}));
        let response = call.progress_token(1).await;
        assert!(response.is_json(), "{response}");
    }
    // Only the modern era has the level.
    for version in legacy_versions() {
        let client = client(&server, version).log_level(LoggingLevel::Debug);
        let response = client.call("test_logging_tool", json!({})).await;
        assert!(response.is_json(), "{response}");
    }
    let found = client(&server, ProtocolVersion::V2026_07_28)
        .discover()
        .await;
    assert_eq!(
        found.result()["capabilities"]["logging"],
        json!({}),
        "{found}"
    );
    for version in legacy_versions() {
        let agreed = client(&server, version).initialize().await;
        assert_eq!(agreed.result()["protocolVersion"], version.as_str());
        let capabilities = &agreed.result()["capabilities"];
        assert_eq!(capabilities.get("logging"), None, "{agreed}");
    }
}

#[tokio::test]
async fn each_call_of_a_batch_reports_its_own_progress() {
    let calls = [1, 2].map(|token| {
        let meta = json!({"progressToken": token});
        let mut call = call_with(Version::V2025_03_26, "test_tool_with_progress", meta);
        call["id"] = json!(token);
        call
    });
    let client = client(&conformance(), ProtocolVersion::V2025_03_26);
    let response = client.post(json!(calls).to_string()).await;
    let responses = response.message().as_array().unwrap();
    assert_eq!(responses.len(), 2, "{response}");
    assert_eq!(steps(&response).len(), 6);
    let steps: Vec<(i64, f64)> = response
        .progress()
        .iter()
        .map(|step| (step.token.as_i64().unwrap(), step.progress))
        .collect();
    let expected = [
        (1, 0.0),
        (1, 50.0),
        (1, 100.0),
        (2, 0.0),
        (2, 50.0),
        (2, 100.0),
    ];
    assert_eq!(steps, expected);
}

/// A call that ends only after its first notification was read.
#[test]
fn the_first_event_is_there_before_the_tool_ends() {
    async fn wait(State(gate): State<Arc<Notify>>, context: Context) -> &'static str {
        context.progress(1.0, None, None);
        gate.notified().await;
        context.progress(2.0, None, None);
        "done"
    }
    let gate = Arc::new(Notify::new());
    let server = Server::builder("waiting", "1")
        .state(Arc::clone(&gate))
        .tool(tool("wait", wait));
    let server = server.build().unwrap();
    let message = call_with(MODERN, "wait", json!({"progressToken": 1}));
    let request = http::Request::post("/mcp")
        .header("Content-Type", "application/json")
        .header("MCP-Protocol-Version", MODERN.name())
        .header("Mcp-Method", "tools/call")
        .header("Mcp-Name", "wait")
        .body(Bytes::from(message.to_string()))
        .unwrap();
    let text = background().block_on(async {
        let deadline = Duration::from_secs(10);
        let streamed = tokio::time::timeout(deadline, async {
            let mut body = server.handle_streaming(request).await.into_body();
            let first = body.frame().await.unwrap().unwrap().into_data().unwrap();
            gate.notify_one();
            let rest = body.collect().await.unwrap().to_bytes();
            (first, rest)
        });
        let (first, rest) = streamed.await.expect("the first event, then the end");
        (
            String::from_utf8(first.to_vec()).unwrap(),
            String::from_utf8(rest.to_vec()).unwrap(),
        )
    });
    assert!(
        text.0.contains("\"progress\":1.0") && text.0.ends_with("\n\n"),
        "{}",
        text.0
    );
    assert!(
        text.1.contains("\"progress\":2.0") && text.1.contains("done"),
        "{}",
        text.1
    );
}

#[test]
fn what_would_need_a_stream_or_a_session_is_refused_at_once() {
    let server = ServerConfig::conformance().start();
    let quick = Duration::from_secs(2);
    let subscriptions = [
        (
            "subscriptions/listen",
            json!({"notifications": {"toolsListChanged": true}}),
        ),
        (
            "resources/subscribe",
            json!({"uri": "test://watched-resource"}),
        ),
        (
            "resources/unsubscribe",
            json!({"uri": "test://watched-resource"}),
        ),
        ("logging/setLevel", json!({"level": "info"})),
    ];
    for version in SERVED_VERSIONS {
        for (method, params) in &subscriptions {
            for accept in ["application/json, text/event-stream", "text/event-stream"] {
                let message = request(version, method, params.clone());
                let reply = with_headers(&server, version, &message)
                    .set_header("Accept", accept)
                    .deadline(quick)
                    .send();
                let status = if version.is_modern() { 404 } else { 200 };
                assert_eq!(
                    (reply.status, reply.error_code()),
                    (status, -32601),
                    "{reply:#?}"
                );
            }
        }
    }
    let found = ask(&server, MODERN, "server/discover", json!({})).result();
    let offered = json!({
        "tools": {}, "resources": {}, "prompts": {}, "completions": {}, "logging": {},
        "extensions": {"io.modelcontextprotocol/tasks": {}},
    });
    assert_eq!(found["capabilities"], offered);
}

#[test]
fn traceparent_is_logged_and_no_other_context() {
    let server = ServerConfig::conformance().start();
    let traceparent = "00-0af7651916cd43dd8448eb211c80319c-00f067aa0ba902b7-01";
    let meta =
        json!({"traceparent": traceparent, "tracestate": "a=SENTINEL", "baggage": "SENTINEL"});
    for version in SERVED_VERSIONS {
        send(
            &server,
            version,
            &call_with(version, "test_simple_text", meta.clone()),
        );
    }
    send(
        &server,
        MODERN,
        &call_with(MODERN, "test_simple_text", json!({"traceparent": 5})),
    );
    let secret = json!({"traceparent": "my password is SENTINEL"});
    send(
        &server,
        MODERN,
        &call_with(MODERN, "test_simple_text", secret),
    );
    let log = server.finish();
    let lines: Vec<Value> = log
        .lines()
        .map(|line| serde_json::from_str(line).unwrap())
        .collect();
    let (traced, others) = lines.split_at(SERVED_VERSIONS.len());
    assert_eq!(others.len(), 2, "{log}");
    for line in traced {
        assert_eq!(line["traceparent"], traceparent, "{line}");
    }
    assert!(
        others.iter().all(|line| line.get("traceparent").is_none()),
        "{log}"
    );
    assert!(!log.contains("SENTINEL"), "{log}");
}
