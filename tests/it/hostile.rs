//! Hostile bodies, and tools that fail.

use std::time::Duration;

use bytes::Bytes;
use lambda_mcp::{Args, Server, tool};
use schemars::JsonSchema;
use serde::Deserialize;
use serde_json::{Value, json};

use harness::messages::{assert_lives, call, request};
use harness::{Front, Reply, SERVED_VERSIONS, TestServer, Version, cpu_time};

fn send(server: &TestServer, version: &str, body: impl Into<Vec<u8>>) -> Reply {
    let request = server
        .post_raw(body)
        .version(version)
        .deadline(Duration::from_secs(2));
    if version == Version::MODERN {
        request.header("Mcp-Method", "tools/list")
    } else {
        request
    }
    .send()
}

#[track_caller]
fn assert_refused(reply: &Reply, code: i64, words: &str) {
    assert_eq!(reply.status, 400, "{words}: {reply:#?}");
    assert_eq!(reply.error_code(), code, "{words}: {reply:#?}");
    assert!(reply.message()["id"].is_null(), "{words}: {reply:#?}");
    assert_eq!(
        reply.values("access-control-allow-origin").count(),
        1,
        "{words}"
    );
}

#[test]
fn invalid_json_is_a_parse_error() {
    let server = TestServer::cases();
    let bodies: [(&str, &[u8]); 12] = [
        ("nothing", b""),
        ("white space", b" \n\t "),
        ("a word", b"hello"),
        ("half an object", b"{\"jsonrpc\":\"2.0\""),
        ("half an array", b"[{\"jsonrpc\":\"2.0\"}"),
        (
            "two messages",
            b"{\"jsonrpc\":\"2.0\",\"id\":1,\"method\":\"ping\"} {}",
        ),
        (
            "a trailing comma",
            b"{\"jsonrpc\":\"2.0\",\"id\":1,\"method\":\"ping\",}",
        ),
        ("single quotes", b"{'jsonrpc':'2.0'}"),
        (
            "a comment",
            b"{\"jsonrpc\":\"2.0\",/**/\"id\":1,\"method\":\"ping\"}",
        ),
        (
            "NaN",
            b"{\"jsonrpc\":\"2.0\",\"id\":NaN,\"method\":\"ping\"}",
        ),
        (
            "a zero byte",
            b"{\"jsonrpc\":\"2.0\",\"id\":1,\"method\":\"ping\"}\0",
        ),
        ("a form", b"jsonrpc=2.0&id=1&method=ping"),
    ];
    for version in SERVED_VERSIONS {
        for (words, body) in bodies {
            assert_refused(&send(&server, version.name(), body), -32700, words);
        }
    }
    assert_lives(&server);
}

#[test]
fn invalid_utf_8_is_a_parse_error() {
    let server = TestServer::cases();
    let bodies: [(&str, &[u8]); 5] = [
        (
            "a lone byte",
            b"{\"jsonrpc\":\"2.0\",\"id\":\"\xff\",\"method\":\"ping\"}",
        ),
        (
            "an overlong slash",
            b"{\"jsonrpc\":\"2.0\",\"id\":\"\xc0\xaf\",\"method\":\"ping\"}",
        ),
        (
            "an encoded surrogate",
            b"{\"jsonrpc\":\"2.0\",\"id\":\"\xed\xa0\x80\",\"method\":\"ping\"}",
        ),
        (
            "in an unused member",
            b"{\"jsonrpc\":\"2.0\",\"id\":1,\"method\":\"ping\",\"x\":\"\xfe\"}",
        ),
        ("UTF-16", b"\xff\xfe{\0}\0"),
    ];
    for (words, body) in bodies {
        for front in Front::ALL {
            let reply = server
                .post_raw(body)
                .version("2025-11-25")
                .via(front)
                .send();
            assert_refused(&reply, -32700, words);
        }
    }
    assert_lives(&server);
}

#[test]
fn a_byte_order_mark_is_ignored() {
    // RFC 8259, section 8.1: a parser may ignore it.
    let server = TestServer::cases();
    let ping = "{\"jsonrpc\":\"2.0\",\"id\":1,\"method\":\"ping\"}";
    for front in Front::ALL {
        for base64 in [false, true] {
            let request = server
                .post_raw(format!("\u{feff}{ping}"))
                .version("2025-11-25");
            let request = if base64 { request.base64() } else { request };
            assert_eq!(request.via(front).send().result(), json!({}));
        }
    }
    let batch = send(&server, "2025-03-26", format!("\u{feff}[{ping}]"));
    assert_eq!(batch.json().as_array().map(Vec::len), Some(1), "{batch:#?}");
    // Only one, and only at the start.
    for body in [
        format!("\u{feff}\u{feff}{ping}"),
        format!(" \u{feff}{ping}"),
        format!("{ping}\u{feff}"),
        "\u{feff}".to_owned(),
    ] {
        assert_refused(&send(&server, "2025-11-25", body.clone()), -32700, &body);
    }
    assert_lives(&server);
}

#[test]
fn json_that_is_not_a_message_is_an_invalid_request() {
    let server = TestServer::cases();
    let bodies = [
        "null",
        "true",
        "1",
        "\"ping\"",
        "{}",
        "[]",
        "[1]",
        "[[]]",
        "[null]",
        r#"{"jsonrpc":"2.0"}"#,
        r#"{"jsonrpc":"2.0","method":1,"id":null}"#,
        r#"{"jsonrpc":"2.0","id":null,"method":"ping"}"#,
        r#"{"jsonrpc":"2.0","result":{}}"#,
        r#"{"JSONRPC":"2.0","ID":1,"METHOD":"ping"}"#,
    ];
    for version in SERVED_VERSIONS {
        for body in bodies {
            // Each element of a batch has its own response, with status 200.
            let is_batch = version == Version::V2025_03_26 && body.starts_with('[') && body != "[]";
            let reply = send(&server, version.name(), body);
            if is_batch {
                assert_eq!(
                    reply.json()[0]["error"]["code"],
                    -32600,
                    "{body}: {reply:#?}"
                );
            } else {
                assert_refused(&reply, -32600, body);
            }
        }
    }
    assert_lives(&server);
}

#[test]
fn duplicate_members_are_rejected() {
    let server = TestServer::cases();
    let bodies = [
        r#"{"jsonrpc":"2.0","jsonrpc":"2.0","id":1,"method":"ping"}"#,
        r#"{"jsonrpc":"2.0","id":1,"id":2,"method":"ping"}"#,
        r#"{"jsonrpc":"2.0","id":1,"method":"ping","method":"tools/list"}"#,
        r#"{"jsonrpc":"2.0","id":1,"method":"ping","m\u0065thod":"tools/list"}"#,
        r#"{"jsonrpc":"2.0","id":1,"method":"tools/list","params":{},"params":{}}"#,
        r#"{"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"name":"demo_read","name":"demo_noargs"}}"#,
        r#"{"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"name":"demo_noargs","_meta":{},"_meta":{}}}"#,
        r#"{"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"name":"demo_read","arguments":{"q":"a"},"arguments":{"q":"b"}}}"#,
        r#"{"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"name":"demo_read","arguments":{"q":"a","q":"b"}}}"#,
    ];
    for body in bodies {
        let reply = send(&server, "2025-11-25", body);
        let message = reply.message();
        let refused = message.get("error").is_some() || message["result"]["isError"] == true;
        assert!(refused, "{body}: {reply:#?}");
        assert!(reply.status < 500, "{body}: {reply:#?}");
    }
    assert_lives(&server);
}

#[test]
fn deep_nesting_is_rejected() {
    let server = TestServer::cases();
    let nested = |open: &str, close: &str| open.repeat(100_000) + &close.repeat(100_000);
    let arrays = nested("[", "]");
    let objects = nested("{\"a\":", "}").replace(":}", ":1}");
    let bodies = [
        arrays.clone(),
        "[".repeat(900_000),
        "{\"a\":".repeat(150_000),
        format!(r#"{{"jsonrpc":"2.0","id":{arrays},"method":"ping"}}"#),
        format!(r#"{{"jsonrpc":"2.0","id":1,"method":"ping","params":{objects}}}"#),
        format!(r#"{{"jsonrpc":"2.0","id":1,"method":"ping","params":{{"_meta":{arrays}}}}}"#),
        format!(
            r#"{{"jsonrpc":"2.0","id":1,"method":"tools/call","params":{{"name":"demo_read","arguments":{{"q":{arrays}}}}}}}"#
        ),
    ];
    for version in ["2025-03-26", "2025-11-25", Version::MODERN] {
        for body in &bodies {
            let start: String = body.chars().take(60).collect();
            let reply = send(&server, version, body.clone());
            assert_eq!(reply.status, 400, "{version} {start}: {reply:#?}");
            assert!(
                reply.elapsed < Duration::from_secs(1),
                "{start}: {:?}",
                reply.elapsed
            );
        }
    }
    assert_lives(&server);
}

#[test]
fn moderate_nesting_is_accepted() {
    let server = TestServer::cases();
    let nested = "[".repeat(40) + &"]".repeat(40);
    let params = format!(r#"{{"_meta":{{"deep":{nested}}}}}"#);
    let body = format!(r#"{{"jsonrpc":"2.0","id":1,"method":"ping","params":{params}}}"#);
    assert_eq!(send(&server, "2025-11-25", body).result(), json!({}));
}

/// Arguments of a tool that accepts any members.
#[derive(Deserialize, JsonSchema)]
struct Query {
    #[serde(rename = "q")]
    _q: String,
}

async fn read(Args(_): Args<Query>) -> &'static str {
    "read"
}

/// Returns the CPU time of a call with this number of members, as the mean of several calls: the clock
/// advances in steps of some milliseconds.
fn time_for_members(server: &Server, members: usize, calls: u32) -> Duration {
    let members: Vec<String> = (0..members).map(|n| format!("\"k{n}\":{n}")).collect();
    let arguments = format!("{{\"q\":\"a\",{}}}", members.join(","));
    let params = format!(r#"{{"name":"read","arguments":{arguments}}}"#);
    let body = format!(r#"{{"jsonrpc":"2.0","id":1,"method":"tools/call","params":{params}}}"#);
    assert!(body.len() < 1024 * 1024);
    let runtime = tokio::runtime::Builder::new_current_thread()
        .enable_time()
        .build()
        .unwrap();
    let before = cpu_time();
    for _ in 0..calls {
        let request = http::Request::post("/mcp")
            .header("Content-Type", "application/json")
            .body(Bytes::from(body.clone()))
            .unwrap();
        let response = runtime.block_on(server.handle(request));
        assert_eq!(response.status(), 200, "{response:#?}");
    }
    (cpu_time() - before) / calls
}

#[test]
fn time_is_linear_in_the_number_of_members() {
    let server = Server::builder("members", "1").tool(tool("read", read));
    let server = server.build().unwrap();
    let few = time_for_members(&server, 2_500, 40);
    let many = time_for_members(&server, 20_000, 5);
    // Eight times as many members. Quadratic time would be 64 times as long.
    assert!(many < few * 32, "{few:?} became {many:?}");
    assert!(few > Duration::ZERO, "the clock does not advance");
}

#[test]
fn errors_do_not_echo_long_texts() {
    let server = TestServer::cases();
    let long = "x".repeat(200_000);
    let ask = |method: &str, params: Value| {
        let message = request(Version::V2025_11_25, method, params);
        server.post(&message).version("2025-11-25").send()
    };
    let replies = [
        ask(&long, json!({})),
        ask("tools/call", json!({"name": long, "arguments": {}})),
        ask("tools/list", json!({"cursor": long})),
        ask(
            "tools/call",
            json!({"name": "demo_bounds", "arguments": {"text": long, "count": 1}}),
        ),
        ask(
            "tools/call",
            json!({"name": "demo_noargs", "arguments": {&long: 1}}),
        ),
        server
            .post(&request(Version::V2025_11_25, "ping", json!({})))
            .version(&long[..4000])
            .send(),
    ];
    for reply in replies {
        assert!(
            reply.body.len() < 2000,
            "{} bytes come back",
            reply.body.len()
        );
    }
}

#[test]
fn a_panic_in_a_tool_is_an_internal_error_without_details() {
    let server = TestServer::cases();
    for version in SERVED_VERSIONS {
        let reply = call(&server, version, "demo_fail", json!({"how": "panic"}));
        assert_eq!(reply.status, 200, "{reply:#?}");
        assert_eq!(reply.error_code(), -32603, "{reply:#?}");
        for secret in ["SENTINEL", "panic", ".rs", "demo_fail"] {
            assert!(
                !reply.text().contains(secret),
                "{secret} is shown: {reply:#?}"
            );
        }
        assert_lives(&server);
    }
    let logs = server.finish();
    assert!(
        logs.contains("SENTINEL-PANIC"),
        "the cause is logged:\n{logs}"
    );
}

#[test]
fn the_failure_of_a_tool_is_a_result_without_its_cause() {
    let server = TestServer::cases();
    for version in SERVED_VERSIONS {
        let reply = call(&server, version, "demo_fail", json!({"how": "words"}));
        assert_eq!(reply.status, 200);
        let result = reply.result();
        assert_eq!(result["isError"], true, "{reply:#?}");
        assert_eq!(
            result["content"][0]["text"],
            "there is nothing to find; try `demo_read`"
        );

        let reply = call(&server, version, "demo_fail", json!({"how": "cause"}));
        assert_eq!(reply.result()["isError"], true, "{reply:#?}");
        assert!(!reply.text().contains("SENTINEL"), "{reply:#?}");
        assert!(!reply.text().contains("os error"), "{reply:#?}");
    }
    let logs = server.finish();
    assert!(logs.contains("os error 2"), "the cause is logged:\n{logs}");
}
