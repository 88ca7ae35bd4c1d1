//! Repeated headers. Some fronts hand on each line, others join the lines with commas; the response
//! must be the same.

use serde_json::{Value, json};

use harness::messages::{ping, request};
use harness::{Front, HttpRequest, Reply, ServerConfig, TestServer, Version};

/// A modern call of `demo_noargs`.
fn call() -> HttpRequest {
    let message = request(
        Version::V2026_07_28,
        "tools/call",
        json!({"name": "demo_noargs"}),
    );
    let mut request = HttpRequest::post(message.to_string());
    for (name, value) in [
        ("MCP-Protocol-Version", Version::MODERN),
        ("Mcp-Method", "tools/call"),
        ("Mcp-Name", "demo_noargs"),
    ] {
        request.headers.push((name.to_owned(), value.to_owned()));
    }
    request
}

/// Sends a request through all fronts, with the values of a header on lines of their own and joined.
fn send_all(server: &TestServer, base: &HttpRequest, name: &str, values: &[&str]) -> Vec<Reply> {
    let mut replies = Vec::new();
    for lines in [
        values.iter().map(ToString::to_string).collect(),
        vec![values.join(",")],
        vec![values.join(", ")],
    ] as [Vec<String>; 3]
    {
        let mut request = base.clone();
        request
            .headers
            .retain(|(n, _)| !n.eq_ignore_ascii_case(name));
        request
            .headers
            .extend(lines.into_iter().map(|line| (name.to_owned(), line)));
        for front in Front::ALL {
            replies.push(server.send_later(request.clone()).via(front).send());
        }
    }
    replies
}

/// The status and the error code, which all replies must share.
#[track_caller]
fn outcome(replies: &[Reply]) -> (u16, Option<i64>) {
    let outcome = |reply: &Reply| {
        let code: Option<Value> = reply.messages().unwrap().pop();
        (
            reply.status,
            code.and_then(|message| message["error"]["code"].as_i64()),
        )
    };
    let first = outcome(&replies[0]);
    for reply in replies {
        assert_eq!(outcome(reply), first, "{:#?}\nand {reply:#?}", replies[0]);
    }
    first
}

#[test]
fn a_repeated_standard_header_is_a_mismatch() {
    let server = TestServer::cases();
    let cases = [
        ("Mcp-Method", "tools/call", "tools/list"),
        ("Mcp-Name", "demo_noargs", "demo_read"),
        ("Mcp-Name", "=?base64?ZGVtb19ub2FyZ3M=?=", "demo_noargs"),
    ];
    for (name, value, other) in cases {
        let replies = send_all(&server, &call(), name, &[value]);
        assert_eq!(outcome(&replies), (200, None), "{name}");
        for values in [[value, value], [value, other], [other, value], [value, ""]] {
            let replies = send_all(&server, &call(), name, &values);
            assert_eq!(outcome(&replies), (400, Some(-32020)), "{name}: {values:?}");
        }
    }
}

#[test]
fn a_repeated_param_header_is_a_mismatch() {
    let server = ServerConfig::conformance().start();
    let params = json!({"name": "test_x_mcp_header", "arguments": {"region": "eu"}});
    let message = request(Version::V2026_07_28, "tools/call", params);
    let mut base = HttpRequest::post(message.to_string());
    for (name, value) in [
        ("MCP-Protocol-Version", Version::MODERN),
        ("Mcp-Method", "tools/call"),
        ("Mcp-Name", "test_x_mcp_header"),
    ] {
        base.headers.push((name.to_owned(), value.to_owned()));
    }
    let replies = send_all(&server, &base, "Mcp-Param-Region", &["eu"]);
    assert_eq!(outcome(&replies), (200, None));
    for values in [["eu", "eu"], ["eu", "us"]] {
        let replies = send_all(&server, &base, "Mcp-Param-Region", &values);
        assert_eq!(outcome(&replies), (400, Some(-32020)), "{values:?}");
    }
}

#[test]
fn a_repeated_content_type_is_unsupported() {
    let server = TestServer::cases();
    let json = "application/json";
    let replies = send_all(&server, &call(), "Content-Type", &[json]);
    assert_eq!(outcome(&replies), (200, None));
    for values in [
        [json, json],
        [json, "text/plain"],
        ["text/plain", json],
        ["application/json; charset=utf-8", json],
    ] {
        let replies = send_all(&server, &call(), "Content-Type", &values);
        assert_eq!(outcome(&replies), (415, Some(-32600)), "{values:?}");
    }
}

#[test]
fn a_repeated_version_counts_once() {
    let server = TestServer::cases();
    let version = Version::MODERN;
    let replies = send_all(
        &server,
        &call(),
        "MCP-Protocol-Version",
        &[version, version],
    );
    assert_eq!(outcome(&replies), (200, None));
    for values in [
        [version, "2025-11-25"],
        ["2025-11-25", version],
        [version, ""],
    ] {
        let replies = send_all(&server, &call(), "MCP-Protocol-Version", &values);
        assert_eq!(outcome(&replies), (400, Some(-32020)), "{values:?}");
    }
}

#[test]
fn lists_can_be_repeated() {
    let server = TestServer::cases();
    let json = "application/json";
    for values in [
        [json, "text/event-stream"],
        ["text/html", json],
        [json, json],
    ] {
        let replies = send_all(&server, &call(), "Accept", &values);
        assert_eq!(outcome(&replies), (200, None), "{values:?}");
    }
    let replies = send_all(&server, &call(), "Accept", &["text/html", "image/png"]);
    assert_eq!(outcome(&replies), (406, Some(-32600)));

    let mut preflight = HttpRequest::new("OPTIONS", "/mcp");
    preflight
        .headers
        .push(("Origin".into(), "https://app.example.com".into()));
    let names = ["content-type", "mcp-param-region"];
    for reply in send_all(
        &server,
        &preflight,
        "Access-Control-Request-Headers",
        &names,
    ) {
        let allowed = reply.header("access-control-allow-headers").unwrap();
        assert!(allowed.contains("mcp-param-region"), "{reply:#?}");
    }
}

#[test]
fn a_repeated_origin_or_host_is_forbidden() {
    let server = ServerConfig::new("cases")
        .env("ALLOWED_HOSTS", "localhost")
        .start();
    let mut base = HttpRequest::post(ping().to_string());
    base.headers.push(("Host".into(), "localhost:9000".into()));
    let app = "https://app.example.com";
    for values in [[app, app], [app, "https://evil.example"]] {
        let replies = send_all(&server, &base, "Origin", &values);
        assert_eq!(outcome(&replies), (403, Some(-32600)), "{values:?}");
        for reply in replies {
            let allowed = reply.header("access-control-allow-origin");
            assert_eq!(allowed.as_deref(), Some(app), "{reply:#?}");
        }
    }
    for values in [["localhost", "localhost"], ["localhost", "evil.example"]] {
        let replies = send_all(&server, &base, "Host", &values);
        assert_eq!(outcome(&replies), (403, Some(-32600)), "{values:?}");
    }
}

#[test]
fn a_repeated_credential_is_rejected() {
    let server = TestServer::cases();
    let call = json!({
        "jsonrpc": "2.0", "id": 1, "method": "tools/call",
        "params": {"name": "demo_write", "arguments": {"text": "x"}},
    });
    let base = HttpRequest::post(call.to_string());
    let key = "Bearer test-key-valid";
    let replies = send_all(&server, &base, "Authorization", &[key]);
    assert_eq!(outcome(&replies), (200, None));
    for values in [[key, key], ["Basic eDp5", key], [key, "Basic eDp5"]] {
        let (status, _) = outcome(&send_all(&server, &base, "Authorization", &values));
        assert!([400, 401].contains(&status), "{values:?}: {status}");
    }
}
