//! Batches: one version has them, and each message is served by itself.

use serde_json::{Value, json};

use harness::messages::{legacy, ping, request};
use harness::{TestServer, Version};

#[test]
fn batches_belong_to_one_version() {
    let server = TestServer::cases();
    let batch = json!([ping(), {"jsonrpc": "2.0", "id": 2, "method": "ping"}]);
    for version in legacy() {
        let reply = server.post(&batch).version(version.name()).send();
        if version == Version::V2025_03_26 {
            assert_eq!(reply.status, 200);
            assert_eq!(reply.json().as_array().map(Vec::len), Some(2), "{reply:#?}");
        } else {
            assert_eq!(
                (reply.status, reply.error_code()),
                (400, -32600),
                "{reply:#?}"
            );
        }
    }
    let modern = request(Version::V2026_07_28, "tools/list", json!({}));
    let reply = server
        .post(&json!([modern]))
        .version(Version::MODERN)
        .send();
    assert_eq!(
        (reply.status, reply.error_code()),
        (400, -32600),
        "{reply:#?}"
    );
    // No header at all is the oldest version.
    assert_eq!(server.post(&batch).send().status, 200);
}

#[test]
fn each_message_of_a_batch_is_served_by_itself() {
    let server = TestServer::cases();
    let call = |id: Value, name: &str| {
        let params = json!({"name": name, "arguments": {"q": "a", "how": "panic"}});
        json!({"jsonrpc": "2.0", "id": id, "method": "tools/call", "params": params})
    };
    let batch = json!([
        call(json!(1), "demo_read"),
        {"jsonrpc": "2.0", "method": "notifications/initialized"},
        call(json!("b"), "no_such_tool"),
        {"jsonrpc": "2.0", "id": 3, "result": {}},
        call(json!(4), "demo_fail"),
        {"jsonrpc": "1.0", "id": 5, "method": "ping"},
        {"jsonrpc": "2.0", "id": 6, "method": "nope"},
        {"jsonrpc": "2.0", "id": 7, "method": "ping"},
    ]);
    let reply = server.post(&batch).version("2025-03-26").send();
    let answers = reply.json();
    let of = |id: Value| {
        let found = answers
            .as_array()
            .unwrap()
            .iter()
            .find(|answer| answer["id"] == id);
        found
            .unwrap_or_else(|| panic!("no answer to {id}: {answers:#}"))
            .clone()
    };
    assert_eq!(answers.as_array().unwrap().len(), 6, "{answers:#}");
    assert!(of(json!(4))["error"]["code"] == -32603);
    assert!(of(json!("b"))["error"]["code"] == -32602);
    assert!(of(json!(5))["error"]["code"] == -32600);
    assert!(of(json!(6))["error"]["code"] == -32601);
    assert_eq!(of(json!(7))["result"], json!({}));
}

#[test]
fn a_batch_of_notifications_is_accepted_and_a_bad_batch_is_not() {
    let server = TestServer::cases();
    let note = json!({"jsonrpc": "2.0", "method": "notifications/initialized"});
    let reply = server
        .post(&json!([note, note]))
        .version("2025-03-26")
        .send();
    assert_eq!((reply.status, reply.body.len()), (202, 0));

    let many = Value::Array(vec![ping(); 1000]);
    for batch in [json!([]), many] {
        let reply = server.post(&batch).version("2025-03-26").send();
        assert_eq!(
            (reply.status, reply.error_code()),
            (400, -32600),
            "{reply:#?}"
        );
    }
    let client = json!({"name": "c", "version": "0"});
    let hello = json!({"protocolVersion": "2025-03-26", "capabilities": {}, "clientInfo": client});
    let hello = request(Version::V2025_03_26, "initialize", hello);
    let reply = server.post(&json!([hello])).version("2025-03-26").send();
    assert_eq!(
        reply.json()[0]["error"]["code"],
        -32600,
        "initialize is never part of a batch"
    );
}
