//! A server that serves nobody without a credential.

use lambda_mcp::Server;
use lambda_mcp::protocol::{Era, ProtocolVersion};
use lambda_mcp::testing::{TestClient, TestRequest};
use serde_json::{Value, json};

use super::{CLERK, READER, auth, builder, caller, challenge, requests, text};
use crate::fixtures::client;

fn closed() -> Server {
    let login = "https://login.example.com".parse().unwrap();
    let auth = auth().authorization_server(login).required();
    builder().auth(auth).build().unwrap()
}

/// Every kind of request, those for what does not exist included.
fn everything(client: &TestClient, era: Era) -> Vec<TestRequest> {
    let mut all = vec![
        client.request("tools/list", json!({})),
        client.request("resources/list", json!({})),
        client.request("resources/templates/list", json!({})),
        client.request("prompts/list", json!({})),
        client.call("no_such_tool", json!({})),
        client.read("orders:nothing"),
        client.request("no/such/method", json!({})),
    ];
    match era {
        Era::Modern => all.push(client.discover()),
        Era::Legacy => all.extend([client.initialize(), client.request("ping", json!({}))]),
    }
    for name in ["open", "greet", "mine"] {
        all.extend(requests(client, name));
    }
    all
}

#[tokio::test]
async fn every_message_without_a_valid_credential_is_challenged() {
    let server = closed();
    for version in ProtocolVersion::ALL {
        for key in ["", "no-such-key"] {
            let client = caller(&server, version, key);
            for request in everything(&client, version.era()) {
                let response = request.await;
                assert_eq!(response.status(), 401, "{version}: {response}");
                let metadata = challenge(&response, "resource_metadata");
                let expected = "https://mcp.example.com/.well-known/oauth-protected-resource/mcp";
                assert_eq!(metadata.as_deref(), Some(expected), "{response}");
            }
            let response = client.notify("notifications/initialized", json!({})).await;
            assert_eq!(response.status(), 401, "{response}");
            assert!(response.header("www-authenticate").is_some(), "{response}");
            assert_eq!(response.body_text(), "");
        }
    }
}

#[tokio::test]
async fn callers_with_a_credential_are_known_everywhere() {
    let server = closed();
    for version in ProtocolVersion::ALL {
        let reader = caller(&server, version, READER);
        for name in ["open", "greet", "mine"] {
            for request in requests(&reader, name) {
                assert_eq!(text(&request.await), "reader");
            }
        }
        assert_eq!(
            reader.tools().await.names(),
            ["open", "greet", "mine", "refund"]
        );
        let accepted = reader.notify("notifications/initialized", json!({})).await;
        assert_eq!(accepted.status(), 202);
        let refused = reader.call("refund", json!({})).await;
        assert_eq!(refused.status(), 403, "{refused}");
        let refund = caller(&server, version, CLERK)
            .call("refund", json!({}))
            .await;
        assert_eq!(refund.text(), "clerk");
        if version.era() == Era::Legacy {
            assert_eq!(reader.initialize().await.status(), 200);
        }
    }
}

#[tokio::test]
async fn nothing_of_a_closed_server_is_in_shared_caches() {
    let reader = caller(&closed(), ProtocolVersion::V2026_07_28, READER);
    let mut responses = vec![reader.discover().await, reader.read("orders:open").await];
    for method in [
        "tools/list",
        "resources/list",
        "resources/templates/list",
        "prompts/list",
    ] {
        responses.push(reader.request(method, json!({})).await);
    }
    for response in responses {
        assert_eq!(response.result()["cacheScope"], "private", "{response}");
    }
}

#[tokio::test]
async fn what_clients_need_to_sign_in_stays_open() {
    // Documents are no messages, so the schemas of messages do not judge them.
    let client = TestClient::new(closed()).legacy(ProtocolVersion::V2025_11_25);
    let rows = [
        ("GET", "/.well-known/oauth-protected-resource", 200),
        ("GET", "/.well-known/oauth-protected-resource/mcp", 200),
        ("GET", "/mcp/server-card", 200),
        ("GET", "/health", 200),
        ("GET", "/mcp", 405),
        ("DELETE", "/mcp", 405),
        ("OPTIONS", "/mcp", 204),
    ];
    for (verb, path, status) in rows {
        let request = http::Request::builder().method(verb).uri(path);
        let request = request
            .header("Origin", "http://localhost:3000")
            .body(bytes::Bytes::new());
        let response = client.send(request.unwrap()).await;
        assert_eq!(response.status(), status, "{verb} {path}: {response}");
        assert!(
            response.header("www-authenticate").is_none(),
            "{verb} {path}"
        );
    }
    let malformed = client.post("{").await;
    assert_eq!(malformed.status(), 400, "{malformed}");
}

#[tokio::test]
async fn a_batch_of_a_stranger_is_challenged_as_a_whole() {
    let server = closed();
    let batch = json!([
        {"jsonrpc": "2.0", "id": 1, "method": "ping"},
        {"jsonrpc": "2.0", "method": "notifications/initialized"},
        {"jsonrpc": "2.0", "id": 2, "method": "tools/list"},
    ]);
    let client = client(&server, ProtocolVersion::V2025_03_26);
    let response = client.post(batch.to_string()).await;
    assert_eq!(response.status(), 401, "{response}");
    assert!(response.header("www-authenticate").is_some(), "{response}");
    let body: Value = serde_json::from_str(&response.body_text()).unwrap();
    assert_eq!(body.as_array().unwrap().len(), 2, "{body}");
    let notifications = json!([{"jsonrpc": "2.0", "method": "notifications/initialized"}]);
    let response = client.post(notifications.to_string()).await;
    assert_eq!(response.status(), 401, "{response}");
}
