//! Views of tools: who is told of them. Extension *MCP Apps* (`io.modelcontextprotocol/ui`).

use bytes::Bytes;
use lambda_mcp::content::{Contents, ResourceContents};
use lambda_mcp::{Server, resource, tool};
use serde_json::{Map, Value, json};

const URI: &str = "ui://dice/view";
const MIME_TYPE: &str = "text/html;profile=mcp-app";

async fn roll() -> &'static str {
    "4"
}

async fn view() -> Contents {
    let meta = Map::from_iter([("ui".to_owned(), json!({"prefersBorder": true}))]);
    ResourceContents::text(URI, MIME_TYPE, "<!doctype html><title>Dice</title>")
        .meta(meta)
        .into()
}

fn dice() -> Server {
    let meta = Map::from_iter([("example.com/team".to_owned(), json!("games"))]);
    Server::builder("dice", "1.0.0")
        .tool(tool("roll", roll).meta(meta).view(URI))
        .tool(tool("plain", roll))
        .resource(resource(URI, "view", view).mime_type(MIME_TYPE))
        .build()
        .unwrap()
}

/// Sends a request as a client of protocol 2026-07-28 with these capabilities, or of 2025-11-25.
async fn ask(method: &str, params: Value, capabilities: Option<Value>) -> Value {
    let mut params = params;
    let mut request = http::Request::post("/mcp").header("Content-Type", "application/json");
    if let Some(capabilities) = capabilities {
        request = request
            .header("MCP-Protocol-Version", "2026-07-28")
            .header("Mcp-Method", method);
        if let Some(uri) = params.get("uri").and_then(Value::as_str) {
            request = request.header("Mcp-Name", uri);
        }
        params["_meta"] = json!({
            "io.modelcontextprotocol/protocolVersion": "2026-07-28",
            "io.modelcontextprotocol/clientCapabilities": capabilities,
        });
    } else {
        request = request.header("MCP-Protocol-Version", "2025-11-25");
    }
    let message = json!({"jsonrpc": "2.0", "id": 1, "method": method, "params": params});
    let request = request.body(Bytes::from(message.to_string())).unwrap();
    let body = dice()
        .handle(request)
        .await
        .into_body()
        .into_bytes()
        .unwrap();
    let mut answer: Value = serde_json::from_slice(&body).unwrap();
    answer["result"].take()
}

fn apps() -> Value {
    json!({"extensions": {"io.modelcontextprotocol/ui": {"mimeTypes": [MIME_TYPE]}}})
}

#[tokio::test]
async fn the_view_is_listed_for_clients_that_show_views() {
    let with = ask("tools/list", json!({}), Some(apps())).await;
    let expected = json!({"example.com/team": "games", "ui": {"resourceUri": URI}});
    assert_eq!(with["tools"][0]["_meta"], expected);
    assert_eq!(with["tools"][1].get("_meta"), None);
    let without = ask("tools/list", json!({}), Some(json!({}))).await;
    assert_eq!(
        without["tools"][0]["_meta"],
        json!({"example.com/team": "games"})
    );
    assert_eq!(without["cacheScope"], "public");
    assert_eq!(with["cacheScope"], "public");
    // A client of an older protocol cannot say it in this request.
    let legacy = ask("tools/list", json!({}), None).await;
    assert_eq!(legacy["tools"][0]["_meta"], expected);
}

#[tokio::test]
async fn the_view_is_read_by_its_uri_and_not_listed() {
    for capabilities in [Some(apps()), Some(json!({})), None] {
        let list = ask("resources/list", json!({}), capabilities.clone()).await;
        assert_eq!(list["resources"], json!([]));
        let read = ask("resources/read", json!({"uri": URI}), capabilities).await;
        let contents = &read["contents"][0];
        assert_eq!(contents["uri"], URI);
        assert_eq!(contents["mimeType"], MIME_TYPE);
        assert_eq!(contents["_meta"]["ui"]["prefersBorder"], true);
    }
}
