//! JSON-RPC messages, and requests that send them.

use serde_json::{Value, json};

use crate::{Reply, RequestBuilder, SERVED_VERSIONS, TestServer, Version};

/// A request in the form of `version`; a modern one has the envelope.
pub fn request(version: Version, method: &str, params: Value) -> Value {
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

/// A request with more members in its `_meta`, such as a progress token or capabilities.
pub fn request_with(version: Version, method: &str, params: Value, meta: Value) -> Value {
    let mut message = request(version, method, params);
    for (name, value) in meta.as_object().unwrap() {
        message["params"]["_meta"][name] = value.clone();
    }
    message
}

/// Sends a request with the headers of its version.
pub fn ask(server: &TestServer, version: Version, method: &str, params: Value) -> Reply {
    send(server, version, &request(version, method, params))
}

/// Sends a message with the headers of its version.
#[track_caller]
pub fn send(server: &TestServer, version: Version, message: &Value) -> Reply {
    with_headers(server, version, message).send()
}

/// A message with the headers of its version, ready to be sent.
pub fn with_headers<'s>(
    server: &'s TestServer,
    version: Version,
    message: &Value,
) -> RequestBuilder<'s> {
    let builder = server.post(message);
    if version.is_modern() {
        builder.modern_headers()
    } else {
        builder.version(version.name())
    }
}

/// A call of a tool.
pub fn call(server: &TestServer, version: Version, tool: &str, arguments: Value) -> Reply {
    ask(
        server,
        version,
        "tools/call",
        json!({"name": tool, "arguments": arguments}),
    )
}

/// A call of a tool by a modern client that can show forms; `more` are members of `params` beside the
/// name and the arguments, such as `requestState`.
pub fn call_with_forms(server: &TestServer, tool: &str, arguments: Value, more: Value) -> Reply {
    let mut params = json!({"name": tool, "arguments": arguments});
    for (name, value) in more.as_object().unwrap() {
        params[name] = value.clone();
    }
    let meta = json!({
        "io.modelcontextprotocol/clientCapabilities": {"elicitation": {"form": {}}},
    });
    let version = Version::V2026_07_28;
    let message = request_with(version, "tools/call", params, meta);
    send(server, version, &message)
}

/// `ping`, which legacy versions answer with `{}`.
pub fn ping() -> Value {
    json!({"jsonrpc": "2.0", "id": 1, "method": "ping"})
}

/// The versions with a handshake.
pub fn legacy() -> impl Iterator<Item = Version> {
    SERVED_VERSIONS
        .into_iter()
        .filter(|version| !version.is_modern())
}

/// Fails unless the server still answers.
#[track_caller]
pub fn assert_lives(server: &TestServer) {
    assert_eq!(
        server.post(&ping()).version("2025-11-25").send().result(),
        json!({})
    );
}
