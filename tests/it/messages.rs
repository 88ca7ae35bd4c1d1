//! The JSON-RPC messages that more than one topic sends.

use serde_json::{Value, json};

use crate::harness::{Reply, SERVED_VERSIONS, TestServer, Version};

/// A request in the shape of `version`: the modern ones carry the envelope.
pub(crate) fn request(version: Version, method: &str, params: Value) -> Value {
    let mut params = params;
    if version.is_modern() {
        params["_meta"] = json!({
            "io.modelcontextprotocol/protocolVersion": Version::MODERN,
            "io.modelcontextprotocol/clientCapabilities": {},
            "io.modelcontextprotocol/clientInfo": {"name": "harness", "version": "1.0"},
        });
    }
    json!({"jsonrpc": "2.0", "id": 1, "method": method, "params": params})
}

/// Sends a request with the headers that belong to its version.
pub(crate) fn ask(server: &TestServer, version: Version, method: &str, params: Value) -> Reply {
    let message = request(version, method, params);
    let builder = server.post(&message);
    if version.is_modern() {
        builder.modern_headers()
    } else {
        builder.version(version.name())
    }
    .send()
}

/// A call of a tool.
pub(crate) fn call(server: &TestServer, version: Version, tool: &str, arguments: Value) -> Reply {
    ask(
        server,
        version,
        "tools/call",
        json!({"name": tool, "arguments": arguments}),
    )
}

/// `ping`, which every legacy version answers with `{}`.
pub(crate) fn ping() -> Value {
    json!({"jsonrpc": "2.0", "id": 1, "method": "ping"})
}

/// The versions before the envelope.
pub(crate) fn legacy() -> impl Iterator<Item = Version> {
    SERVED_VERSIONS
        .into_iter()
        .filter(|version| !version.is_modern())
}

/// Fails unless the server still answers.
#[track_caller]
pub(crate) fn assert_lives(server: &TestServer) {
    assert_eq!(
        server.post(&ping()).version("2025-11-25").send().result(),
        json!({})
    );
}
