//! Requests of several rounds: questions, answers, and the signed state between them.

mod clients;
mod instances;
mod questions;
mod state;

use lambda_mcp::Server;
use lambda_mcp::protocol::ProtocolVersion;
use lambda_mcp::testing::TestResponse;
use serde_json::{Map, Value, json};

use crate::fixtures::{assert_refused, client};

const MODERN: ProtocolVersion = ProtocolVersion::V2026_07_28;

/// A request whose handler asks, and the capabilities of its client.
#[derive(Clone)]
struct Asking<'s> {
    server: &'s Server,
    method: &'static str,
    params: Value,
    capabilities: Value,
}

impl<'s> Asking<'s> {
    fn new(server: &'s Server, method: &'static str, params: Value) -> Self {
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
    fn tool(server: &'s Server, name: &str) -> Self {
        let name = format!("test_input_required_result_{name}");
        Self::new(server, "tools/call", json!({"name": name, "arguments": {}}))
    }

    fn capable_of(mut self, capabilities: Value) -> Self {
        self.capabilities = capabilities;
        self
    }

    /// The request with more members in its `params`.
    async fn send(&self, more: Value) -> TestResponse {
        let mut params = self.params.clone();
        for (name, value) in more.as_object().unwrap() {
            params[name] = value.clone();
        }
        client(self.server, MODERN)
            .capabilities(self.capabilities.clone())
            .request(self.method, params)
            .await
    }

    /// The first round, which must ask.
    async fn begin(&self) -> Asked {
        Asked::read(&self.send(json!({})).await)
    }

    /// The next round.
    async fn answer(&self, asked: &Asked, answers: Value) -> TestResponse {
        let params = json!({"inputResponses": answers, "requestState": asked.state});
        self.send(params).await
    }
}

/// What a result asks for.
struct Asked {
    requests: Map<String, Value>,
    state: String,
}

impl Asked {
    #[track_caller]
    fn read(response: &TestResponse) -> Self {
        let result = response.result();
        assert_eq!(result["resultType"], "input_required", "{result}");
        assert_eq!(
            result.get("ttlMs"),
            None,
            "a question may not be cached: {result}"
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
fn text(response: &TestResponse) -> String {
    assert_eq!(response.result()["resultType"], "complete", "{response}");
    let text = response.result()["content"][0]["text"].as_str();
    text.unwrap_or_else(|| panic!("no text: {response}"))
        .to_owned()
}

#[track_caller]
fn assert_invalid(response: &TestResponse, words: &str) {
    let message = assert_refused(response, 200, -32602).message;
    assert!(message.contains(words), "{words} in {message}");
}
