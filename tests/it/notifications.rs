//! Progress and log messages on a call's own stream, and everything else that is not offered.

use std::sync::Arc;
use std::time::Duration;

use bytes::Bytes;
use http_body_util::BodyExt as _;
use lambda_mcp::{Context, Server, State, tool};
use serde_json::{Value, json};
use tokio::sync::Notify;

use harness::messages::{ask, legacy, request, request_with, send, with_headers};
use harness::{Reply, SERVED_VERSIONS, ServerConfig, TestServer, Version, background};

const MODERN: Version = Version::V2026_07_28;
const LOG_LEVEL: &str = "io.modelcontextprotocol/logLevel";

fn conformance() -> TestServer {
    ServerConfig::conformance().start()
}

/// A call of a tool without arguments, with more in its `_meta`.
fn call_with(version: Version, tool: &str, meta: Value) -> Value {
    let params = json!({"name": tool, "arguments": {}});
    request_with(version, "tools/call", params, meta)
}

/// The messages before the response.
fn notifications(reply: &Reply, method: &str) -> Vec<Value> {
    let messages = reply.messages().unwrap();
    let (response, told) = messages.split_last().unwrap();
    assert!(
        response.get("result").is_some(),
        "the response comes last: {reply:#?}"
    );
    assert!(
        told.iter().all(|message| message["method"] == method),
        "{reply:#?}"
    );
    told.iter()
        .map(|message| message["params"].clone())
        .collect()
}

#[test]
fn progress_is_told_to_those_who_ask_in_every_version() {
    let server = conformance();
    for version in SERVED_VERSIONS {
        for token in [json!("progress-test-1"), json!(7), json!(""), json!(-1)] {
            let meta = json!({"progressToken": token});
            let reply = send(
                &server,
                version,
                &call_with(version, "test_tool_with_progress", meta),
            );
            assert!(reply.is_sse(), "{reply:#?}");
            assert_eq!(reply.header("x-accel-buffering").as_deref(), Some("no"));
            let told = notifications(&reply, "notifications/progress");
            assert!(
                told.iter().all(|params| params["progressToken"] == token),
                "{reply:#?}"
            );
            let steps: Vec<f64> = told
                .iter()
                .map(|params| params["progress"].as_f64().unwrap())
                .collect();
            assert_eq!(steps, [0.0, 50.0, 100.0]);
            assert!(
                told.iter()
                    .all(|params| params["total"].as_f64() == Some(100.0))
            );
        }
        let reply = send(
            &server,
            version,
            &call_with(version, "test_tool_with_progress", json!({})),
        );
        assert!(reply.is_json(), "nobody asked: {reply:#?}");
    }
}

#[test]
fn an_event_stream_goes_only_to_those_who_read_one() {
    let server = conformance();
    for version in SERVED_VERSIONS {
        let message = call_with(
            version,
            "test_tool_with_progress",
            json!({"progressToken": 1}),
        );
        let accepting = |accept: &str| {
            with_headers(&server, version, &message)
                .set_header("Accept", accept)
                .send()
        };
        for accept in [
            "application/json",
            "application/*",
            "application/json, text/event-stream;q=0",
        ] {
            let reply = accepting(accept);
            assert!(reply.is_json(), "{accept}: {reply:#?}");
            assert_eq!(reply.result()["content"][0]["text"], "The work is done.");
        }
        for accept in [
            "text/event-stream",
            "*/*",
            "text/event-stream, application/json;q=0.1",
        ] {
            let reply = accepting(accept);
            assert!(reply.is_sse(), "{accept}: {reply:#?}");
            assert_eq!(
                notifications(&reply, "notifications/progress").len(),
                3,
                "{accept}"
            );
        }
        // Whoever reads nothing else gets any answer as a stream of one event.
        let list = request(version, "tools/list", json!({}));
        let reply = with_headers(&server, version, &list)
            .set_header("Accept", "text/event-stream")
            .send();
        assert!(
            reply.is_sse() && reply.messages().unwrap().len() == 1,
            "{reply:#?}"
        );
    }
}

#[test]
fn a_token_or_level_of_the_wrong_kind_is_refused() {
    let server = conformance();
    let bad = [
        json!({"progressToken": {}}),
        json!({"progressToken": 1.5}),
        json!({LOG_LEVEL: "loud"}),
        json!({LOG_LEVEL: 3}),
    ];
    for meta in bad {
        let reply = send(
            &server,
            MODERN,
            &call_with(MODERN, "test_simple_text", meta.clone()),
        );
        assert_eq!(
            (reply.status, reply.error_code()),
            (400, -32602),
            "{meta}: {reply:#?}"
        );
    }
}

#[test]
fn logs_are_sent_from_the_level_that_was_asked_for() {
    let server = conformance();
    let logged = |level: &str| {
        let message = call_with(MODERN, "test_tool_with_logging", json!({LOG_LEVEL: level}));
        let reply = send(&server, MODERN, &message);
        assert_eq!(reply.result()["content"][0]["text"], "The work is logged.");
        notifications(&reply, "notifications/message")
    };
    let debug = logged("debug");
    assert_eq!(
        debug[0],
        json!({"level": "info", "logger": "test", "data": "Tool execution started"})
    );
    assert_eq!(debug[3], json!({"level": "debug", "data": {"logged": 3}}));
    assert_eq!((debug.len(), logged("info").len()), (4, 3));
    assert_eq!(logged("info")[2]["data"], "Tool execution completed");
    for level in [
        "notice",
        "warning",
        "error",
        "critical",
        "alert",
        "emergency",
    ] {
        assert_eq!(logged(level).len(), 0, "{level}");
    }
}

#[test]
fn nothing_is_logged_to_a_client_that_did_not_ask_or_cannot() {
    let server = conformance();
    for version in SERVED_VERSIONS {
        let meta = json!({"progressToken": 1});
        let reply = send(
            &server,
            version,
            &call_with(version, "test_logging_tool", meta),
        );
        assert!(reply.is_json(), "{reply:#?}");
    }
    // The level is a word of the modern era alone.
    for version in legacy() {
        let meta = json!({LOG_LEVEL: "debug"});
        let reply = send(
            &server,
            version,
            &call_with(version, "test_logging_tool", meta),
        );
        assert!(reply.is_json(), "{reply:#?}");
    }
    let found = ask(&server, MODERN, "server/discover", json!({})).result();
    assert_eq!(found["capabilities"]["logging"], json!({}), "{found}");
    for version in legacy() {
        let client = json!({"name": "c", "version": "0"});
        let hello =
            json!({"protocolVersion": version.name(), "capabilities": {}, "clientInfo": client});
        let agreed = ask(&server, version, "initialize", hello).result();
        assert_eq!(agreed["capabilities"].get("logging"), None, "{agreed}");
    }
}

#[test]
fn each_call_of_a_batch_tells_its_own_progress() {
    let server = conformance();
    let version = Version::V2025_03_26;
    let mut calls = [1, 2].map(|token| {
        call_with(
            version,
            "test_tool_with_progress",
            json!({"progressToken": token}),
        )
    });
    calls[1]["id"] = json!(2);
    let reply = server.post(&json!(calls)).version(version.name()).send();
    let messages = reply.messages().unwrap();
    let (responses, told) = messages.split_last().unwrap();
    assert_eq!(responses.as_array().unwrap().len(), 2, "{reply:#?}");
    let steps: Vec<(i64, f64)> = told
        .iter()
        .map(|message| {
            let params = &message["params"];
            (
                params["progressToken"].as_i64().unwrap(),
                params["progress"].as_f64().unwrap(),
            )
        })
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

#[test]
fn the_counting_example_tells_each_step_when_it_happens() {
    let count = |version, to: u32| {
        let params = json!({"name": "count", "arguments": {"to": to}});
        let meta = json!({"progressToken": "t", LOG_LEVEL: "info"});
        request_with(version, "tools/call", params, meta)
    };
    let told = |reply: &Reply| {
        let messages = reply.messages().unwrap();
        let texts = messages
            .iter()
            .map(|message| message["params"]["message"].clone());
        texts.filter(Value::is_string).collect::<Vec<_>>()
    };
    let buffered = ServerConfig::new("progress").start();
    let streaming = ServerConfig::new("progress")
        .env("RESPONSE_STREAMING", "1")
        .start();
    for version in SERVED_VERSIONS {
        for server in [&buffered, &streaming] {
            let reply = send(server, version, &count(version, 3));
            assert_eq!(told(&reply), ["1 of 3", "2 of 3", "3 of 3"]);
            assert_eq!(reply.result()["content"][0]["text"], "Counted to 3.");
        }
    }
    // 400 ms of work: the first event leaves long before the last.
    let reply = send(&streaming, MODERN, &count(MODERN, 20));
    let (first, last) = (reply.arrivals[0], *reply.arrivals.last().unwrap());
    assert!(
        last - first > Duration::from_millis(200),
        "{:?}",
        reply.arrivals
    );
    // What has nothing to tell is answered at once, in the same mode.
    for method in ["tools/list", "no/such/method"] {
        let reply = ask(&streaming, MODERN, method, json!({}));
        assert!(reply.is_json(), "{reply:#?}");
    }
    assert_eq!(streaming.request("GET", "/mcp").send().status, 405);
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
    let server = conformance();
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
    let offered =
        json!({"tools": {}, "resources": {}, "prompts": {}, "completions": {}, "logging": {}});
    assert_eq!(found["capabilities"], offered);
}

#[test]
fn traceparent_is_logged_and_no_other_context() {
    let server = conformance();
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
    assert_eq!(lines.len(), 6, "{log}");
    for line in &lines[..4] {
        assert_eq!(line["traceparent"], traceparent, "{line}");
    }
    assert!(
        lines[4..]
            .iter()
            .all(|line| line.get("traceparent").is_none()),
        "{log}"
    );
    assert!(!log.contains("SENTINEL"), "{log}");
}
