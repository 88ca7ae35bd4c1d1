//! The log: one JSON line for each message, with what an operator needs and nothing confidential.

use serde_json::{Value, json};

use harness::messages::{ask, call, ping, request, request_with, send};
use harness::{ServerConfig, TestServer, Version};

/// The lines of a log, each of which must be one JSON object.
#[track_caller]
fn lines(log: &str) -> Vec<Value> {
    let parse = |line: &str| match serde_json::from_str::<Value>(line) {
        Ok(value @ Value::Object(_)) => value,
        _ => panic!("no JSON object: {line:?}\nin\n{log}"),
    };
    log.lines().map(parse).collect()
}

/// The lines about requests.
#[track_caller]
fn requests(log: &str) -> Vec<Value> {
    lines(log)
        .into_iter()
        .filter(|line| line["message"] == "request")
        .collect()
}

#[test]
fn every_message_is_one_line_at_info() {
    let server = TestServer::cases();
    let mut sent = Vec::new();
    let mut note = |status: u16| sent.push(status);
    note(ask(&server, Version::V2026_07_28, "tools/list", json!({})).status);
    note(
        call(
            &server,
            Version::V2025_11_25,
            "demo_fail",
            json!({"how": "words"}),
        )
        .status,
    );
    note(call(&server, Version::V2025_11_25, "demo_bounds", json!({})).status);
    note(call(&server, Version::V2025_11_25, "no_such_tool", json!({})).status);
    note(server.request("GET", "/mcp").send().status);
    note(server.request("OPTIONS", "/mcp").send().status);
    note(server.request("GET", "/nope").send().status);
    note(server.request("GET", "/health").send().status);
    note(server.post_raw("{").send().status);
    note(
        server
            .post(&json!({"jsonrpc": "2.0", "method": "notifications/x"}))
            .send()
            .status,
    );
    note(
        server
            .post(&ping())
            .set_header("Accept", "image/png")
            .send()
            .status,
    );
    let log = server.finish();
    let told = requests(&log);
    let statuses: Vec<u64> = told
        .iter()
        .map(|line| line["status"].as_u64().unwrap())
        .collect();
    let sent: Vec<u64> = sent.into_iter().map(u64::from).collect();
    assert_eq!(statuses, sent, "{log}");
    assert!(told.iter().all(|line| line["level"] == "INFO"), "{log}");
    assert!(
        told.iter()
            .all(|line| line["request_id"].as_str().is_some_and(|id| id.len() == 36)),
        "{log}"
    );
    assert!(
        told.iter().all(|line| line["duration_us"].is_u64()),
        "{log}"
    );
}

#[test]
fn each_message_of_a_batch_is_one_line_with_its_own_status() {
    let server = ServerConfig::new("cases")
        .env("LIMITS", "demo_read=1/365d")
        .start();
    let call = |id: u32, name: &str| {
        let params = json!({"name": name, "arguments": {"q": "a", "text": "b"}});
        json!({"jsonrpc": "2.0", "id": id, "method": "tools/call", "params": params})
    };
    let batch = json!([
        call(1, "demo_read"),
        call(2, "demo_read"),
        call(3, "demo_write"),
        {"jsonrpc": "2.0", "method": "notifications/initialized"},
        {"jsonrpc": "1.0", "id": 5, "method": "ping"},
        {"jsonrpc": "2.0", "id": 6, "method": "nope"},
    ]);
    let reply = server.post(&batch).version("2025-03-26").send();
    assert_eq!(reply.status, 200, "{reply:#?}");
    // Where every request is refused alike, so is the batch.
    let batch = json!([call(1, "demo_read"), call(2, "demo_read")]);
    let limited = server.post(&batch).version("2025-03-26").send();
    assert_eq!(limited.status, 429, "{limited:#?}");
    assert!(limited.header("retry-after").is_some(), "{limited:#?}");
    let batch = json!([call(1, "demo_write"), call(2, "demo_write")]);
    let challenged = server.post(&batch).version("2025-03-26").send();
    assert_eq!(challenged.status, 401, "{challenged:#?}");
    assert!(
        challenged.header("www-authenticate").is_some(),
        "{challenged:#?}"
    );

    let log = server.finish();
    let lines = requests(&log);
    let expected = [
        json!({"batch_index": 1, "batch_size": 6, "status": 200, "outcome": "ok", "tool": "demo_read"}),
        json!({"batch_index": 2, "status": 429, "outcome": "limited", "code": -32000}),
        json!({"batch_index": 3, "status": 401, "outcome": "challenged", "tool": "demo_write"}),
        json!({"batch_index": 4, "status": 202, "outcome": "accepted"}),
        json!({"batch_index": 5, "status": 400, "outcome": "rejected", "code": -32600}),
        json!({"batch_index": 6, "status": 200, "outcome": "error", "code": -32601}),
        json!({"batch_index": 1, "batch_size": 2, "status": 429}),
        json!({"batch_index": 2, "batch_size": 2, "status": 429}),
        json!({"status": 401}),
        json!({"status": 401}),
    ];
    assert_eq!(lines.len(), expected.len(), "{log}");
    for (line, expected) in lines.iter().zip(&expected) {
        for (name, value) in expected.as_object().unwrap() {
            assert_eq!(line[name], *value, "{name} in {line}");
        }
    }
    let request_id = &lines[0]["request_id"];
    assert!(
        lines[..6]
            .iter()
            .all(|line| line["request_id"] == *request_id),
        "{log}"
    );
}

#[test]
fn a_line_has_client_method_target_and_outcome() {
    let server = TestServer::cases();
    call(
        &server,
        Version::V2026_07_28,
        "demo_read",
        json!({"q": "a"}),
    );
    call(&server, Version::V2025_06_18, "demo_bounds", json!({}));
    call(&server, Version::V2025_11_25, "demo_bounds", json!({}));
    server.request("GET", "/mcp").send();
    server.post_raw("{").version("2025-11-25").send();
    let log = server.finish();
    let told = requests(&log);
    let expected = [
        json!({"era": "modern", "version": "2026-07-28", "method": "tools/call", "tool": "demo_read",
               "client": "harness", "status": 200, "outcome": "ok"}),
        json!({"era": "legacy", "version": "2025-06-18", "method": "tools/call",
               "tool": "demo_bounds", "status": 200, "outcome": "error", "code": -32602}),
        json!({"era": "legacy", "version": "2025-11-25", "method": "tools/call",
               "tool": "demo_bounds", "status": 200, "outcome": "tool_error"}),
        json!({"http_method": "GET", "status": 405, "outcome": "refused"}),
        json!({"era": "legacy", "status": 400, "outcome": "rejected", "code": -32700}),
    ];
    assert_eq!(told.len(), expected.len(), "{log}");
    for (line, expected) in told.iter().zip(&expected) {
        for (name, value) in expected.as_object().unwrap() {
            assert_eq!(line[name], *value, "{name} in {line}");
        }
    }
}

#[test]
fn the_level_can_be_lowered() {
    let server = ServerConfig::new("cases").env("LOG_LEVEL", "warn").start();
    ask(&server, Version::V2025_11_25, "tools/list", json!({}));
    call(
        &server,
        Version::V2025_11_25,
        "demo_fail",
        json!({"how": "cause"}),
    );
    let log = server.finish();
    assert_eq!(requests(&log).len(), 0, "{log}");
    assert!(log.contains("os error 2"), "a failure is still told: {log}");
}

#[test]
fn nothing_a_client_sends_in_confidence_is_logged_at_any_level() {
    let server = ServerConfig::new("cases").env("LOG_LEVEL", "trace").start();
    let mut message = request(
        Version::V2026_07_28,
        "tools/call",
        json!({"name": "demo_read", "arguments": {"q": "SENTINEL-1", "SENTINEL-2": 1}}),
    );
    message["id"] = json!("SENTINEL-3");
    message["params"]["_meta"]["com.example/user"] = json!("SENTINEL-4");
    let send = |message: &Value| {
        let request = server.post(message).modern_headers();
        request
            .header("Authorization", "Bearer SENTINEL-5")
            .header("X-Api-Key", "SENTINEL-6")
            .header("Cookie", "session=SENTINEL-7")
            .header("Proxy-Authorization", "Basic SENTINEL-8")
            .header("Mcp-Session-Id", "SENTINEL-9")
            .send()
    };
    assert_eq!(send(&message).status, 200);
    message["params"]["name"] = json!("demo_fail");
    message["params"]["arguments"] = json!({"how": "format", "text": "SENTINEL-10"});
    assert_eq!(send(&message).error_code(), -32603);
    message["params"]["arguments"] = json!({"how": "SENTINEL-11"});
    assert_eq!(send(&message).result()["isError"], true);
    let version = Version::V2025_06_18;
    call(
        &server,
        version,
        "demo_bounds",
        json!({"text": "SENTINEL-12", "count": "SENTINEL-13"}),
    );
    ask(
        &server,
        version,
        "tools/list",
        json!({"cursor": "SENTINEL-14"}),
    );
    server.request("GET", "/mcp?token=SENTINEL-15").send();
    server.post_raw("{\"SENTINEL-16\"").send();
    server
        .post_raw(r#"{"jsonrpc":"2.0","id":1,"method":"ping","params":"SENTINEL-17"}"#)
        .send();
    server
        .post(&ping())
        .header("Origin", "https://SENTINEL-18.example")
        .send();
    let log = server.finish();
    assert!(requests(&log).len() >= 9, "{log}");
    assert!(!log.contains("SENTINEL"), "{log}");
}

#[test]
fn characters_that_do_not_print_are_replaced() {
    let server = TestServer::cases();
    let evil = "a\n{\"level\":\"INFO\",\"message\":\"request\"}\r\u{1b}[31m\u{2028}\u{85}\0\u{202e}\u{2066}\u{200f}\u{e0041}";
    let mut message = request(
        Version::V2026_07_28,
        "tools/call",
        json!({"name": evil, "arguments": {}}),
    );
    message["params"]["_meta"]["io.modelcontextprotocol/clientInfo"]["name"] = json!(evil);
    let named = server
        .post(&message)
        .version(Version::MODERN)
        .header("Mcp-Method", "tools/call");
    use base64::Engine as _;
    let name = base64::engine::general_purpose::STANDARD.encode(evil);
    let reply = named
        .header("Mcp-Name", &format!("=?base64?{name}?="))
        .send();
    assert_eq!(reply.error_code(), -32602, "{reply:#?}");
    let odd = json!({"jsonrpc": "2.0", "id": evil, "method": evil});
    let reply = server
        .post(&odd)
        .version("2025-11-25")
        .header("User-Agent", "x\u{1b}[31m")
        .send();
    assert_eq!(reply.error_code(), -32601, "{reply:#?}");
    let notification = json!({"jsonrpc": "2.0", "method": evil});
    assert_eq!(
        server
            .post(&notification)
            .version("2025-11-25")
            .send()
            .status,
        202
    );
    let log = server.finish();
    assert_eq!(requests(&log).len(), 3, "{log}");
    assert_eq!(lines(&log).len(), 3, "{log}");
    let is_invisible = |c: &char| {
        (c.is_control() && *c != '\n') || "\u{202e}\u{2066}\u{200f}\u{e0041}".contains(*c)
    };
    assert_eq!(log.chars().find(is_invisible), None, "{log:?}");
}

#[test]
fn a_line_stays_short_whatever_a_client_sends() {
    let server = TestServer::cases();
    let long = "x".repeat(100_000);
    let mut message = request(Version::V2026_07_28, &long, json!({"name": long}));
    message["params"]["_meta"]["io.modelcontextprotocol/clientInfo"]["name"] = json!(long);
    server
        .post(&message)
        .version(Version::MODERN)
        .header("Mcp-Method", &long)
        .send();
    server.request(&"M".repeat(1000), "/mcp").send();
    let log = server.finish();
    assert_eq!(requests(&log).len(), 2, "{log}");
    assert!(log.lines().all(|line| line.len() < 1000), "{log}");
}

#[test]
fn a_failed_tool_is_one_json_line_with_its_causes() {
    let server = TestServer::cases();
    for how in ["panic", "cause"] {
        call(
            &server,
            Version::V2025_11_25,
            "demo_fail",
            json!({"how": how}),
        );
    }
    let log = server.finish();
    let told = lines(&log);
    let names = |line: &Value| {
        line.as_object()
            .unwrap()
            .values()
            .any(|value| value == "demo_fail")
    };
    let errors = told
        .iter()
        .filter(|line| line["level"] == "ERROR" && names(line));
    // The line of the panic itself is written while the handler runs, and has the fields of its span.
    let (panics, failures): (Vec<&Value>, Vec<&Value>) =
        errors.partition(|line| line["message"] == "panic");
    let requests = requests(&log);
    let counts = (panics.len(), failures.len(), requests.len());
    assert_eq!(counts, (1, 2, 2), "{log}");
    for (failure, request) in failures.iter().zip(&requests) {
        assert!(failure["request_id"].is_string(), "{failure}");
        assert_eq!(failure["request_id"], request["request_id"], "{log}");
    }
}

/// W3C Baggage carries whatever an application put into it, and no one checks a `traceparent`.
#[test]
fn a_trace_is_logged_by_its_id_alone() {
    let server = TestServer::cases();
    let good = "00-0af7651916cd43dd8448eb211c80319c-00f067aa0ba902b7-01";
    let long = format!("{good} SENTINEL-TEXT");
    for traceparent in [
        json!(good),
        json!(long),
        json!(["SENTINEL-LIST"]),
        json!(null),
    ] {
        let meta = json!({"traceparent": traceparent, "tracestate": "SENTINEL-STATE", "baggage": "key=SENTINEL-BAGGAGE"});
        let message = request_with(Version::V2026_07_28, "tools/list", json!({}), meta);
        assert_eq!(send(&server, Version::V2026_07_28, &message).status, 200);
    }
    let log = server.finish();
    let traces: Vec<Value> = requests(&log)
        .iter()
        .map(|line| line["traceparent"].clone())
        .collect();
    assert_eq!(traces, [json!(good), json!(null), json!(null), json!(null)]);
    assert!(!log.contains("SENTINEL"), "{log}");
}
