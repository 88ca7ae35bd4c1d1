//! [`CreateMessageRequest`]: what the client's model is asked. Specification: *Sampling*.

use serde_json::{Map, Value, json};

/// A request to the client's model, for [`AskingContext::sample`](crate::AskingContext::sample).
///
/// **Deprecated in revision 2026-07-28**, as all of sampling: call the API of a model provider
/// instead. Clients keep support until at least 2027-07-28.
///
/// # Examples
///
/// ```
/// use lambda_mcp::handler::CreateMessageRequest;
///
/// let request = CreateMessageRequest::new("Summarize: the sky is blue.", 60)
///     .system_prompt("Answer in one sentence.")
///     .temperature(0.2);
/// # let _ = request;
/// ```
#[derive(Debug, Clone, PartialEq)]
pub struct CreateMessageRequest(Map<String, Value>);

impl CreateMessageRequest {
    /// Asks with one message in the role of the user, for an answer of at most `max_tokens` tokens.
    #[must_use]
    pub fn new(text: &str, max_tokens: u32) -> Self {
        let message = json!({ "role": "user", "content": { "type": "text", "text": text } });
        let mut params = Map::new();
        params.insert("messages".to_owned(), json!([message]));
        params.insert("maxTokens".to_owned(), json!(max_tokens));
        Self(params)
    }

    /// Sets the system prompt. Defaults to none; the client may change or ignore it.
    #[must_use]
    pub fn system_prompt(mut self, text: &str) -> Self {
        self.0.insert("systemPrompt".to_owned(), json!(text));
        self
    }

    /// Sets the sampling temperature, usually from 0.0 (deterministic) to 1.0. Defaults to the
    /// client's choice.
    #[must_use]
    pub fn temperature(mut self, temperature: f64) -> Self {
        self.0.insert("temperature".to_owned(), json!(temperature));
        self
    }

    /// The request as the client gets it.
    pub(super) fn to_wire(&self) -> Value {
        json!({ "method": "sampling/createMessage", "params": self.0 })
    }
}
