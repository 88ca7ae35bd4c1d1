//! Requests over several rounds: questions, answers, and the state between them, which proves itself.

mod clients;
mod questions;
mod state;

use serde_json::{Map, Value, json};

use harness::messages::{request_with, send};
use harness::{Reply, ServerConfig, TestServer, Version};

const MODERN: Version = Version::V2026_07_28;
const CAPABILITIES: &str = "io.modelcontextprotocol/clientCapabilities";

fn conformance() -> TestServer {
    ServerConfig::conformance().start()
}

/// A request that asks back, and what its client can do.
#[derive(Clone)]
struct Asking<'s> {
    server: &'s TestServer,
    method: &'static str,
    params: Value,
    capabilities: Value,
}

impl<'s> Asking<'s> {
    fn new(server: &'s TestServer, method: &'static str, params: Value) -> Self {
        let capabilities =
            json!({"elicitation": {"form": {}, "url": {}}, "sampling": {}, "roots": {}});
        Self {
            server,
            method,
            params,
            capabilities,
        }
    }

    /// A tool of the conformance example.
    fn tool(server: &'s TestServer, name: &str) -> Self {
        let name = format!("test_input_required_result_{name}");
        Self::new(server, "tools/call", json!({"name": name, "arguments": {}}))
    }

    fn capable_of(mut self, capabilities: Value) -> Self {
        self.capabilities = capabilities;
        self
    }

    /// The request with more members in its `params`.
    fn send(&self, more: Value) -> Reply {
        let mut params = self.params.clone();
        for (name, value) in more.as_object().unwrap() {
            params[name] = value.clone();
        }
        let meta = json!({CAPABILITIES: self.capabilities});
        send(
            self.server,
            MODERN,
            &request_with(MODERN, self.method, params, meta),
        )
    }

    /// The first round, which must ask.
    #[track_caller]
    fn begin(&self) -> Asked {
        Asked::read(&self.send(json!({})))
    }

    /// The next round.
    fn answer(&self, asked: &Asked, answers: Value) -> Reply {
        self.send(json!({"inputResponses": answers, "requestState": asked.state}))
    }
}

/// What a result asks for.
struct Asked {
    requests: Map<String, Value>,
    state: String,
}

impl Asked {
    #[track_caller]
    fn read(reply: &Reply) -> Self {
        let result = reply.result();
        assert_eq!(result["resultType"], "input_required", "{result}");
        assert_eq!(
            result.get("ttlMs"),
            None,
            "a question may not be kept: {result}"
        );
        Self {
            requests: result["inputRequests"].as_object().unwrap().clone(),
            state: result["requestState"].as_str().unwrap().to_owned(),
        }
    }

    /// The keys of the questions.
    fn keys(&self) -> Vec<&str> {
        self.requests.keys().map(String::as_str).collect()
    }

    /// The words of one question.
    fn message(&self, key: &str) -> &str {
        self.requests[key]["params"]["message"].as_str().unwrap()
    }
}

fn accept(content: Value) -> Value {
    json!({"action": "accept", "content": content})
}

fn sampled(text: &str) -> Value {
    json!({"role": "assistant", "content": {"type": "text", "text": text}, "model": "m"})
}

#[track_caller]
fn text(reply: &Reply) -> String {
    let result = reply.result();
    assert_eq!(result["resultType"], "complete", "{result}");
    let text = result["content"][0]["text"].as_str();
    text.unwrap_or_else(|| panic!("no text: {result}"))
        .to_owned()
}

#[track_caller]
fn assert_invalid(reply: &Reply, words: &str) {
    assert_eq!(
        (reply.status, reply.error_code()),
        (200, -32602),
        "{reply:#?}"
    );
    let message = reply.message()["error"]["message"].to_string();
    assert!(message.contains(words), "{words} in {message}");
}
