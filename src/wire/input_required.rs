//! Multi round-trip requests. Specification: *Multi Round-Trip Requests*; *Elicitation*; *Sampling*;
//! *Roots*.

use serde::{Deserialize, Serialize};
use serde_json::{Map, Value};

/// A result that asks the client for input. The client repeats the request with the answers.
#[derive(Debug, Serialize)]
#[serde(rename_all = "camelCase")]
pub(crate) struct InputRequiredResult<'a> {
    pub(crate) input_requests: &'a Map<String, Value>,
    pub(crate) request_state: &'a str,
}

/// A client's response to `elicitation/create`.
#[derive(Debug, Deserialize)]
pub(crate) struct ElicitResult {
    pub(crate) action: ElicitAction,
    #[serde(default)]
    pub(crate) content: Option<Value>,
}

/// The user's response to a URL elicitation.
///
/// [`AskingContext::elicit_url`](crate::AskingContext::elicit_url) returns it. Specification: *Elicitation,
/// Response Actions*.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum ElicitAction {
    /// The user agreed.
    Accept,
    /// The user declined.
    Decline,
    /// The user dismissed the request without an answer.
    Cancel,
}

/// The response of the client's model to `sampling/createMessage`.
///
/// [`AskingContext::sample`](crate::AskingContext::sample) returns it. Specification: *Sampling*.
#[derive(Debug, Clone, PartialEq, Deserialize)]
#[serde(rename_all = "camelCase")]
#[non_exhaustive]
pub struct CreateMessageResult {
    /// One content block or an array of them, as the client sent it.
    pub content: Value,
    /// The name of the model that generated the message.
    pub model: String,
    /// The reason why the model stopped, such as `endTurn`.
    #[serde(default)]
    pub stop_reason: Option<String>,
}

impl CreateMessageResult {
    /// Returns the concatenated text of all text blocks.
    #[must_use]
    pub fn text(&self) -> String {
        let blocks = self
            .content
            .as_array()
            .map_or(std::slice::from_ref(&self.content), Vec::as_slice);
        blocks
            .iter()
            .filter_map(|block| block.get("text")?.as_str())
            .collect()
    }
}

/// A client's response to `roots/list`.
#[derive(Debug, Deserialize)]
pub(crate) struct ListRootsResult {
    pub(crate) roots: Vec<Root>,
}

/// A directory or file that the client works in.
///
/// [`AskingContext::roots`](crate::AskingContext::roots) returns them. Specification: *Roots*.
#[derive(Debug, Clone, PartialEq, Eq, Deserialize)]
#[non_exhaustive]
pub struct Root {
    /// The `file:` URI.
    pub uri: String,
    /// The display name.
    #[serde(default)]
    pub name: Option<String>,
}
