//! `LEGACY_HANDSHAKE`, on the built function. Nothing is stored: another instance takes the session id.

use harness::messages::{request, with_headers};
use harness::{Outcome, SERVED_VERSIONS, ServerConfig, TestServer};
use serde_json::{Value, json};

const SESSION: &str = "mcp-session-id";

fn config() -> ServerConfig {
    ServerConfig::new("portfolio")
        .env("LEGACY_HANDSHAKE", "required")
        .env("REQUEST_STATE_KEY", "0123456789abcdef0123456789abcdef")
}

fn initialize(version: &str) -> Value {
    let client = json!({ "name": "it", "version": "1" });
    let params = json!({ "protocolVersion": version, "clientInfo": client, "capabilities": {} });
    json!({ "jsonrpc": "2.0", "id": 0, "method": "initialize", "params": params })
}

#[test]
fn a_session_of_one_instance_holds_for_another() {
    let (one, other) = (config().start(), config().start());
    for version in SERVED_VERSIONS {
        let list = request(version, "tools/list", json!({}));
        let ask = |server: &TestServer, id: Option<&str>| {
            let request = with_headers(server, version, &list);
            match id {
                Some(id) => request.header(SESSION, id),
                None => request,
            }
            .send()
        };
        if version.is_modern() {
            assert_eq!(ask(&one, None).status, 200);
            continue;
        }
        assert_eq!(ask(&one, None).status, 400);
        assert_eq!(ask(&one, Some("altered")).status, 404);
        let opened = one.post(&initialize(version.name())).send();
        let id = opened.header(SESSION).unwrap().to_owned();
        for server in [&one, &other] {
            assert_eq!(ask(server, Some(&id)).status, 200, "{version:?}");
        }
    }
    // As without sessions.
    let ended = one.request("DELETE", "/mcp").header(SESSION, "any").send();
    assert_eq!(ended.status, 405);
}

#[test]
fn the_function_does_not_start_on_lambda_without_a_shared_key() {
    let server = ServerConfig::new("portfolio")
        .env("LEGACY_HANDSHAKE", "required")
        .env("LAMBDA_TASK_ROOT", "/var/task")
        .start();
    let outcome = server.post(&initialize("2025-11-25")).outcome();
    let Outcome::Exited { logs, .. } = outcome else {
        panic!("{outcome:?}");
    };
    assert!(logs.contains("LEGACY_HANDSHAKE"), "{logs}");
}
