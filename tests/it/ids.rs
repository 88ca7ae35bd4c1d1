//! Request ids and progress tokens: what is accepted, and that it is echoed byte for byte.

use serde_json::{Value, json};

use harness::messages::{request_with, send};
use harness::{Outcome, Reply, SERVED_VERSIONS, ServerConfig, TestServer, Version};

fn post(server: &TestServer, version: Version, id: &str) -> Reply {
    let body = format!(r#"{{"jsonrpc":"2.0","id":{id},"method":"ping"}}"#);
    let request = server.post_raw(body).version(version.name());
    request.header("Mcp-Method", "ping").send()
}

#[test]
fn whole_numbers_and_strings_are_echoed_byte_for_byte() {
    let server = TestServer::cases();
    let ids = [
        "0",
        "-0",
        "1.0",
        "-1.0",
        "1e2",
        "1.50e1",
        "10E-1",
        "0.0",
        "9007199254740993",
        "-9223372036854775808",
        "18446744073709551615",
        r#""""#,
        r#""1.5""#,
        r#""\u0000é""#,
    ];
    for id in ids {
        let text = post(&server, Version::V2025_11_25, id).text();
        assert!(text.contains(&format!(r#""id":{id},"#)), "{id}: {text}");
    }
}

#[test]
fn other_numbers_are_not_ids() {
    let server = TestServer::cases();
    for id in [
        "1.5",
        "1e-1",
        "1.25e1",
        "1e30",
        "1e999999999999",
        "18446744073709551616",
    ] {
        for version in SERVED_VERSIONS {
            let reply = post(&server, version, id);
            assert_eq!((reply.status, reply.error_code()), (400, -32600), "{id}");
            assert!(!reply.text().contains(id), "{id} is echoed: {reply:#?}");
        }
    }
}

#[test]
fn ids_are_limited_to_1_kib() {
    let server = TestServer::cases();
    let longest = format!("{:?}", "x".repeat(1022));
    let reply = post(&server, Version::V2025_11_25, &longest);
    assert_eq!(reply.result(), json!({}));
    assert!(reply.text().contains(&longest));

    let too_long = [
        format!("{:?}", "x".repeat(1023)),
        format!("{:?}", "é".repeat(512)),
        format!("{:?}", "x".repeat(200_000)),
        format!("1.{}", "0".repeat(1023)),
    ];
    for id in too_long {
        for version in SERVED_VERSIONS {
            let reply = post(&server, version, &id);
            let start: String = id.chars().take(20).collect();
            assert_eq!((reply.status, reply.error_code()), (400, -32600), "{start}");
            assert!(reply.text().contains("1024 bytes"), "{start}: {reply:#?}");
            assert!(reply.body.len() < 300, "{start}: {reply:#?}");
        }
    }
}

#[test]
fn a_duplicate_id_is_not_echoed() {
    let server = TestServer::cases();
    let bodies = [
        r#"{"jsonrpc":"2.0","id":7,"id":8,"method":"ping"}"#,
        r#"{"jsonrpc":"2.0","id":7,"id":7,"method":"ping"}"#,
        r#"{"jsonrpc":"2.0","id":7,"method":"ping","\u0069d":8}"#,
        r#"{"jsonrpc":"2.0","method":"ping","method":"ping","id":7,"id":8}"#,
        r#"{"jsonrpc":"2.0","id":7,"id":null,"method":"ping"}"#,
    ];
    for version in SERVED_VERSIONS {
        for body in bodies {
            let request = server.post_raw(body).version(version.name());
            let reply = request.header("Mcp-Method", "ping").send();
            assert_eq!((reply.status, reply.error_code()), (400, -32600), "{body}");
            assert_no_id(&reply, version);
        }
    }
    // The other members do not make the id ambiguous.
    let body = r#"{"jsonrpc":"2.0","id":7,"method":"ping","method":"ping"}"#;
    let reply = server.post_raw(body).version("2025-11-25").send();
    assert_eq!(reply.message()["id"], 7, "{reply:#?}");
    // In a batch, the other messages are not affected.
    let batch = format!(
        r#"[{},{{"jsonrpc":"2.0","id":9,"method":"ping"}}]"#,
        bodies[0]
    );
    // The harness reads the second id, so its own checks do not apply.
    let outcome = server.post_raw(batch).version("2025-03-26").outcome();
    let Outcome::Reply(reply) = outcome else {
        panic!("{outcome:#?}")
    };
    assert_eq!(reply.json()[0]["id"], Value::Null, "{reply:#?}");
    assert_eq!(reply.json()[1]["id"], 9, "{reply:#?}");
}

/// Checks the form of an error whose request has no readable id.
#[track_caller]
fn assert_no_id(reply: &Reply, version: Version) {
    let message = reply.message();
    let id = message.get("id");
    if version < Version::V2025_11_25 {
        assert_eq!(id, Some(&Value::Null), "{version:?}: {reply:#?}");
    } else {
        assert_eq!(id, None, "{version:?}: {reply:#?}");
    }
}

#[test]
fn errors_have_no_null_id_from_2025_11_25_on() {
    let server = TestServer::cases();
    let bodies = [
        "hello",
        "[",
        "[]",
        "{}",
        "null",
        r#"{"jsonrpc":"2.0","id":1.5,"method":"ping"}"#,
        r#"{"jsonrpc":"2.0","id":null,"method":"ping"}"#,
    ];
    for body in bodies {
        for version in SERVED_VERSIONS {
            let reply = server.post_raw(body).version(version.name()).send();
            assert_eq!(reply.status, 400, "{body}: {reply:#?}");
            assert_no_id(&reply, version);
        }
        // A later version has the form of the newest one.
        for unknown in ["2099-01-01", "2026-07-29", "latest"] {
            let reply = server.post_raw(body).version(unknown).send();
            assert_eq!(reply.status, 400, "{body}: {reply:#?}");
            assert_no_id(&reply, Version::V2026_07_28);
        }
        // Without the header, the version is 2025-03-26.
        assert_no_id(&server.post_raw(body).send(), Version::V2025_03_26);
    }
    // Without the header, `_meta` can still name the version.
    let body = r#"{"jsonrpc":"2.0","id":[],"method":"ping","params":{"_meta":{"io.modelcontextprotocol/protocolVersion":"2026-07-28"}}}"#;
    assert_no_id(&server.post_raw(body).send(), Version::V2026_07_28);
}

#[test]
fn progress_tokens_follow_the_same_rules() {
    let server = ServerConfig::conformance().start();
    let call = |version, token: &str| {
        let params = json!({"name": "test_tool_with_progress", "arguments": {}});
        let message = request_with(version, "tools/call", params, json!({"progressToken": "T"}));
        let body = message.to_string().replace(r#""T""#, token);
        let request = server.post_raw(body).version(version.name());
        if version.is_modern() {
            let request = request.header("Mcp-Method", "tools/call");
            request.header("Mcp-Name", "test_tool_with_progress").send()
        } else {
            request.send()
        }
    };
    let longest = format!("{:?}", "x".repeat(1022));
    for version in SERVED_VERSIONS {
        for token in ["1.0", "1e2", "-7", r#""a\u0041""#, &longest] {
            let reply = call(version, token);
            let member = format!(r#""progressToken":{token}"#);
            assert_eq!(
                reply.text().matches(&member).count(),
                3,
                "{version:?}: {reply:#?}"
            );
        }
    }
    // A malformed token is an error in the modern era. A legacy call runs without progress.
    let too_long = format!("{:?}", "x".repeat(1023));
    for token in ["1.5", "{}", "true", "null", r#"["a"]"#, &too_long] {
        for version in SERVED_VERSIONS {
            let reply = call(version, token);
            if version.is_modern() && token != "null" {
                assert_eq!((reply.status, reply.error_code()), (400, -32602), "{token}");
                assert!(reply.text().contains("progressToken"), "{reply:#?}");
            } else {
                let result = reply.result();
                assert_eq!(result["content"][0]["text"], "The work is done.", "{token}");
                assert!(reply.is_json(), "{token}: {reply:#?}");
            }
        }
    }
}

#[test]
fn a_malformed_meta_does_not_fail_a_legacy_request() {
    let server = TestServer::cases();
    let metas = [
        json!(null),
        json!([]),
        json!("x"),
        json!(1),
        json!({"progressToken": {"a": 1}}),
        json!({"traceparent": 7, "baggage": []}),
        json!({"io.modelcontextprotocol/clientInfo": 3}),
        json!({"io.modelcontextprotocol/logLevel": "loud"}),
    ];
    for version in harness::messages::legacy() {
        for meta in &metas {
            let params = json!({"name": "demo_noargs", "_meta": meta});
            let call = json!({"jsonrpc": "2.0", "id": 1, "method": "tools/call", "params": params});
            let result = send(&server, version, &call).result();
            assert!(result["content"].is_array(), "{version:?} {meta}: {result}");
        }
        let mut ping = json!({"jsonrpc": "2.0", "id": 1, "method": "ping"});
        ping["params"] = json!({"_meta": {"io.modelcontextprotocol/protocolVersion": 5}});
        assert_eq!(
            send(&server, version, &ping).result(),
            json!({}),
            "{version:?}"
        );
    }
}
