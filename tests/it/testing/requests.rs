//! What the client sends in each era, and what a test can change of it.

use lambda_mcp::protocol::ProtocolVersion;
use lambda_mcp::server::Invocation;
use lambda_mcp::testing::TestClient;
use lambda_mcp::{Context, Server, tool};
use serde_json::{Value, json};

use super::{only, recorded};
use crate::fixtures::{assert_refused, client, conformance, legacy_versions};

#[tokio::test]
async fn a_modern_client_sends_the_envelope_and_the_headers_that_repeat_it() {
    let client = TestClient::new(conformance())
        .client_info("inspector", "2.0.0")
        .capabilities(json!({"roots": {}}));
    let (client, sent) = recorded(client);
    let _ = client.call("test_simple_text", json!({})).await;
    let (headers, message) = only(&sent);
    assert_eq!(headers["content-type"], "application/json");
    assert_eq!(headers["accept"], "application/json, text/event-stream");
    assert_eq!(headers["mcp-protocol-version"], "2026-07-28");
    assert_eq!(headers["mcp-method"], "tools/call");
    assert_eq!(headers["mcp-name"], "test_simple_text");
    let envelope = json!({
        "io.modelcontextprotocol/protocolVersion": "2026-07-28",
        "io.modelcontextprotocol/clientCapabilities": {"roots": {}},
        "io.modelcontextprotocol/clientInfo": {"name": "inspector", "version": "2.0.0"},
    });
    assert_eq!(message["params"]["_meta"], envelope);
    assert_eq!(message["jsonrpc"], "2.0");

    // What a header cannot carry is encoded.
    let _ = client.read("test://für ").await;
    assert_eq!(only(&sent).0["mcp-name"], "=?base64?dGVzdDovL2bDvHIg?=");
    let arguments = json!({"region": "Zürich", "page_size": 42, "dry_run": null});
    let result = client.call("test_x_mcp_header", arguments).await;
    assert!(result.text().starts_with("region=Zürich page_size=42 "));
    let (headers, _) = only(&sent);
    assert_eq!(headers["mcp-param-region"], "=?base64?WsO8cmljaA==?=");
    assert_eq!(headers["mcp-param-page-size"], "42");
    assert_eq!(headers.get("mcp-param-dry-run"), None);
}

#[tokio::test]
async fn a_legacy_client_sends_its_version_and_nothing_modern() {
    for version in legacy_versions() {
        let (client, sent) = recorded(TestClient::new(conformance()).legacy(version));
        let _ = client.call("test_simple_text", json!({})).await;
        let (headers, message) = only(&sent);
        assert_eq!(headers["mcp-protocol-version"], version.as_str());
        assert!(
            headers
                .keys()
                .all(|name| !name.as_str().starts_with("mcp-") || name == "mcp-protocol-version")
        );
        assert_eq!(
            message["params"],
            json!({"name": "test_simple_text", "arguments": {}})
        );

        let agreed = client.initialize().await;
        assert_eq!(agreed.result()["protocolVersion"], version.as_str());
        let (headers, message) = only(&sent);
        assert_eq!(
            headers.get("mcp-protocol-version"),
            None,
            "nothing is agreed on yet"
        );
        assert_eq!(message["params"]["clientInfo"]["name"], "test-client");
        let accepted = client.notify("notifications/initialized", json!({})).await;
        assert_eq!((accepted.status(), accepted.body().len()), (202, 0));
    }
}

#[test]
#[should_panic(expected = "2026-07-28 has no handshake")]
fn the_newest_version_is_no_legacy_one() {
    let _ = TestClient::new(conformance()).legacy(ProtocolVersion::V2026_07_28);
}

#[tokio::test]
async fn headers_and_meta_are_set_for_a_client_or_for_one_request() {
    let client = TestClient::new(conformance())
        .bearer("of-the-client")
        .header("X-A", "client")
        .meta("example.com/a", json!(1));
    let (client, sent) = recorded(client);
    let _ = client.request("tools/list", json!({})).await;
    let (headers, message) = only(&sent);
    assert_eq!(headers["authorization"], "Bearer of-the-client");
    assert_eq!(headers["x-a"], "client");
    assert_eq!(message["params"]["_meta"]["example.com/a"], 1);

    let request = client
        .request("tools/list", json!({}))
        .bearer("of-the-request");
    let request = request
        .append_header("X-A", "request")
        .without_header("Accept");
    let _ = request
        .meta("example.com/a", json!(2))
        .param("cursor", json!(null))
        .await;
    let (headers, message) = only(&sent);
    assert_eq!(headers["authorization"], "Bearer of-the-request");
    let both: Vec<_> = headers.get_all("x-a").iter().collect();
    assert_eq!(both, ["client", "request"]);
    assert_eq!(headers.get("accept"), None);
    assert_eq!(message["params"]["_meta"]["example.com/a"], 2);
    assert_eq!(message["params"]["cursor"], Value::Null);
}

#[tokio::test]
async fn raw_requests_are_sent_unchanged() {
    let client = client(&conformance(), ProtocolVersion::V2025_11_25);
    let pong = client
        .post(r#"{"jsonrpc":"2.0","id":"é","method":"ping"}"#)
        .await;
    assert_eq!(
        *pong.message(),
        json!({"jsonrpc": "2.0", "id": "é", "result": {}})
    );
    assert_refused(&client.post("{").await, 400, -32700);
    let request = http::Request::get("/mcp")
        .body(bytes::Bytes::new())
        .unwrap();
    let refused = client.send(request).await;
    assert_eq!(
        (refused.status(), refused.header("allow")),
        (405, Some("POST, OPTIONS"))
    );
    let request = http::Request::get("/health")
        .body(bytes::Bytes::new())
        .unwrap();
    assert_eq!(client.send(request).await.message()["status"], "ok");
}

#[tokio::test]
async fn the_platform_s_side_of_a_request_is_the_client_s_to_set() {
    async fn origin(context: Context) -> String {
        format!("{:?} {:?}", context.source_ip(), context.request_id())
    }
    let server = Server::builder("origin", "1")
        .tool(tool("origin", origin))
        .build()
        .unwrap();
    let client = TestClient::new(server);
    assert_eq!(
        client.call("origin", json!({})).await.text(),
        "Some(127.0.0.1) None"
    );
    let elsewhere = client.clone().source_ip("192.0.2.7".parse().unwrap());
    assert_eq!(
        elsewhere.call("origin", json!({})).await.text(),
        "Some(192.0.2.7) None"
    );
    let mut invocation = Invocation::default();
    invocation.request_id = Some("r-1".into());
    let invoked = client.invocation(invocation);
    assert_eq!(
        invoked.call("origin", json!({})).await.text(),
        "None Some(\"r-1\")"
    );
}
