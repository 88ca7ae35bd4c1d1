//! Outputs that are stored: their results are those of a handler that serializes the same value on each
//! call, in every version, at any edge.

use bytes::Bytes;
use http::Request;
use lambda_mcp::handler::Stored;
use lambda_mcp::server::{Invocation, ResponseLimit};
use lambda_mcp::{Json, Server, ToolError, ToolOutput, tool};
use schemars::JsonSchema;
use serde::Serialize;
use serde_json::{Map, Value, json};

/// The versions, the newest first.
const VERSIONS: [&str; 5] = [
    "2026-07-28",
    "2025-11-25",
    "2025-06-18",
    "2025-03-26",
    "2024-11-05",
];

#[derive(Clone, Serialize, JsonSchema)]
struct Harbours {
    /// Their names.
    names: Vec<String>,
}

fn harbours() -> Harbours {
    Harbours {
        names: vec!["Husum \"old\"\n".to_owned(), "Tönning \\ 日本".to_owned()],
    }
}

fn server(name: &str, is_stored: bool) -> Server {
    let (object, list) = (
        Stored::new(&harbours()).unwrap(),
        Stored::<Vec<u32>>::of(&json!([1, 2])).unwrap(),
    );
    let server = Server::builder(name, "1.0.0");
    let server = if is_stored {
        server
            .tool(tool("object", move || std::future::ready(object.clone())))
            .tool(tool("list", move || std::future::ready(list.clone())))
    } else {
        server
            .tool(tool("object", async || Json(harbours())))
            .tool(tool("list", async || Json(vec![1_u32, 2])))
    };
    server.build().unwrap()
}

/// Sends a request, and returns the body of the response.
async fn sent(server: &Server, version: &str, method: &str, limit: Option<ResponseLimit>) -> Bytes {
    let (method, name) = method.split_once(' ').unwrap_or((method, ""));
    let mut params = json!({});
    let mut request = Request::post("/mcp")
        .header("content-type", "application/json")
        .header("mcp-protocol-version", version);
    if version == VERSIONS[0] {
        params["_meta"] = json!({
            "io.modelcontextprotocol/protocolVersion": version,
            "io.modelcontextprotocol/clientInfo": {"name": "t", "version": "1"},
            "io.modelcontextprotocol/clientCapabilities": {},
        });
        request = request.header("mcp-method", method);
        if !name.is_empty() {
            request = request.header("mcp-name", name);
        }
    }
    if !name.is_empty() {
        params["name"] = json!(name);
    }
    let message = json!({"jsonrpc": "2.0", "id": "a\"1", "method": method, "params": params});
    let mut invocation = Invocation::default();
    invocation.response_limit = limit;
    let request = request.extension(invocation);
    let request = request.body(Bytes::from(message.to_string())).unwrap();
    let response = server.handle(request).await;
    assert_eq!(response.status(), 200, "{version} {method}");
    response.into_body().into_bytes().unwrap()
}

#[tokio::test]
async fn a_stored_output_is_answered_as_one_that_is_made_on_each_call() {
    let (stored, made) = (server("s", true), server("s", false));
    let limits = [
        None,
        Some(ResponseLimit::bytes(1_000_000)),
        Some(ResponseLimit::escaped_bytes(1_000_000)),
        // Too little: the result is replaced.
        Some(ResponseLimit::escaped_bytes(300)),
    ];
    for version in VERSIONS {
        for limit in limits {
            for method in ["tools/list", "tools/call object", "tools/call list"] {
                let expected = sent(&made, version, method, limit).await;
                for _ in 0..2 {
                    let answer = sent(&stored, version, method, limit).await;
                    assert_eq!(answer, expected, "{version} {method} {limit:?}");
                }
            }
        }
    }
}

#[tokio::test]
async fn servers_that_share_an_output_name_themselves() {
    let shared = Stored::new(&harbours()).unwrap();
    for name in ["first", "second", "first"] {
        let output = shared.clone();
        let object = tool("object", move || std::future::ready(output.clone()));
        let server = Server::builder(name, "1.0.0").tool(object).build().unwrap();
        let body = sent(&server, VERSIONS[0], "tools/call object", None).await;
        let answer: Value = serde_json::from_slice(&body).unwrap();
        let meta = &answer["result"]["_meta"]["io.modelcontextprotocol/serverInfo"];
        assert_eq!(meta["name"], name);
    }
}

#[tokio::test]
async fn more_can_be_added_to_a_stored_output() {
    fn output(output: impl lambda_mcp::handler::IntoToolOutput) -> Result<ToolOutput, ToolError> {
        let meta = Map::from_iter([("example.com/a".to_owned(), json!(1))]);
        let output = output.into_tool_output()?;
        Ok(output
            .content(lambda_mcp::content::Content::text("more"))
            .meta(meta))
    }
    let stored = Stored::new(&harbours()).unwrap();
    let stored = tool("object", move || std::future::ready(output(stored.clone())));
    let made = tool("object", async || output(Json(harbours())));
    let [stored, made] =
        [stored, made].map(|tool| Server::builder("s", "1.0.0").tool(tool).build().unwrap());
    for version in VERSIONS {
        let expected = sent(&made, version, "tools/call object", None).await;
        let answer = sent(&stored, version, "tools/call object", None).await;
        assert_eq!(answer, expected, "{version}");
        assert!(String::from_utf8_lossy(&answer).contains("more"));
    }
}
