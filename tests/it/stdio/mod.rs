//! A connection over standard input and output, with the real process.
//!
//! - `eras`: which era it speaks, and the handshake
//! - `lines`: what is no message, what is too long, and how a connection ends
//! - `calls`: calls side by side, cancellation, notifications
//! - `asking`: requests of the server to its client
//! - `soak`: many messages with flat memory

mod asking;
mod calls;
mod eras;
mod lines;
mod soak;

use bytes::Bytes;
use harness::Process;
use serde_json::{Value, json};

const LEGACY: [&str; 4] = ["2025-11-25", "2025-06-18", "2025-03-26", "2024-11-05"];
const MODERN: &str = "2026-07-28";

fn desk() -> Process {
    Process::start("stdio", &[], &[])
}

fn request(id: Value, method: &str, params: Value) -> Value {
    json!({ "jsonrpc": "2.0", "id": id, "method": method, "params": params })
}

fn notification(method: &str, params: Value) -> Value {
    json!({ "jsonrpc": "2.0", "method": method, "params": params })
}

/// A request of version 2026-07-28.
fn modern(id: Value, method: &str, params: Value) -> Value {
    with_version(MODERN, id, method, params)
}

fn with_version(version: &str, id: Value, method: &str, mut params: Value) -> Value {
    params["_meta"] = json!({
        "io.modelcontextprotocol/protocolVersion": version,
        "io.modelcontextprotocol/clientCapabilities": {},
    });
    request(id, method, params)
}

fn call(id: Value, tool: &str, arguments: Value) -> Value {
    let params = json!({ "name": tool, "arguments": arguments });
    request(id, "tools/call", params)
}

fn initialize(version: &str, capabilities: Value) -> Value {
    let client = json!({ "name": "it", "version": "1" });
    let params = json!({
        "protocolVersion": version, "clientInfo": client, "capabilities": capabilities,
    });
    request(json!("init"), "initialize", params)
}

/// A connection of a legacy version after its handshake.
fn initialized(version: &str, capabilities: Value) -> Process {
    let mut process = desk();
    let answer = process.ask(&initialize(version, capabilities));
    assert_eq!(answer["result"]["protocolVersion"], version, "{answer}");
    process
}

/// The next line is the answer to a request. The official schema of the version accepts it.
#[track_caller]
fn ask(process: &mut Process, version: &str, message: &Value) -> Value {
    let answer = process.ask(message);
    assert_eq!(answer["id"], message["id"], "{answer}");
    let asked = http::Request::post("/mcp")
        .header("MCP-Protocol-Version", version)
        .body(Bytes::from(message.to_string()))
        .unwrap();
    let mut answered = http::Response::new(Bytes::from(answer.to_string()));
    let json = http::HeaderValue::from_static("application/json");
    answered.headers_mut().insert("content-type", json);
    harness::assert_conforms(&asked, &answered);
    answer
}

fn text(answer: &Value) -> &str {
    let text = answer["result"]["content"][0]["text"].as_str();
    text.unwrap_or_else(|| panic!("no text: {answer}"))
}

#[track_caller]
fn assert_code(answer: &Value, code: i64) {
    assert_eq!(answer["error"]["code"], code, "{answer}");
}
