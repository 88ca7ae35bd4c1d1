//! [`TestClient`]: sends requests to a server in this process, for tests of what it serves.

use bytes::Bytes;
use http::Request;
use lambda_mcp::Server;
use serde_json::{Value, json};

/// A client of protocol version 2025-11-25.
pub(crate) struct TestClient {
    server: Server,
    runtime: tokio::runtime::Runtime,
}

impl TestClient {
    pub(crate) fn new(server: Server) -> Self {
        let runtime = tokio::runtime::Builder::new_current_thread()
            .enable_all()
            .build()
            .unwrap();
        Self { server, runtime }
    }

    /// Sends a request and returns its result. Panics if the answer is an error.
    pub(crate) fn ask(&self, method: &str, params: &Value) -> Value {
        let message = json!({"jsonrpc": "2.0", "id": 1, "method": method, "params": params});
        let request = Request::post("/mcp")
            .header("content-type", "application/json")
            .header("mcp-protocol-version", "2025-11-25")
            .body(Bytes::from(message.to_string()))
            .unwrap();
        let response = self.runtime.block_on(self.server.handle(request));
        let body = response.into_body().into_bytes().unwrap();
        let mut answer: Value = serde_json::from_slice(&body).unwrap();
        let result = answer["result"].take();
        assert!(result.is_object(), "{method} {params}: {answer}");
        result
    }

    /// Calls a tool and returns its structured answer. Panics if the answer is an error.
    pub(crate) fn call(&self, tool: &str, arguments: &Value) -> Value {
        let params = json!({"name": tool, "arguments": arguments});
        let mut result = self.ask("tools/call", &params);
        assert_ne!(result["isError"], true, "{tool} {arguments}: {result}");
        result["structuredContent"].take()
    }

    /// Returns the entries of a list.
    pub(crate) fn list(&self, method: &str, member: &str) -> Vec<Value> {
        let mut result = self.ask(method, &json!({}));
        assert_eq!(result.get("nextCursor"), None, "{method} has several pages");
        serde_json::from_value(result[member].take()).unwrap()
    }
}
