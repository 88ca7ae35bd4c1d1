//! Multi round-trip requests. Specification: *Multi Round-Trip Requests*; *Elicitation*; *Sampling*;
//! *Roots*.

use serde::{Deserialize, Serialize};
use serde_json::{Map, Value};

/// A result that asks for input before the request can be completed.
#[derive(Debug, Serialize)]
#[serde(rename_all = "camelCase")]
pub(crate) struct InputRequiredResult<'a> {
    pub(crate) input_requests: &'a Map<String, Value>,
    pub(crate) request_state: &'a str,
}

/// A client's answer to `elicitation/create`.
#[derive(Debug, Deserialize)]
pub(crate) struct ElicitResult {
    pub(crate) action: ElicitAction,
    #[serde(default)]
    pub(crate) content: Option<Value>,
}

/// What the person did.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum ElicitAction {
    /// Agreed.
    Accept,
    /// Said no.
    Decline,
    /// Closed the question without an answer.
    Cancel,
}

/// A client's answer to `sampling/createMessage`: what its model said.
#[derive(Debug, Clone, PartialEq, Deserialize)]
#[serde(rename_all = "camelCase")]
#[non_exhaustive]
pub struct Sampled {
    /// The content, one block or several, as the client sent it.
    pub content: Value,
    /// The model that was asked.
    pub model: String,
    /// Why it stopped.
    #[serde(default)]
    pub stop_reason: Option<String>,
}

impl Sampled {
    /// The text of all text blocks.
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

/// A client's answer to `roots/list`.
#[derive(Debug, Deserialize)]
pub(crate) struct ListRootsResult {
    pub(crate) roots: Vec<Root>,
}

/// A directory or file that a client works in.
#[derive(Debug, Clone, PartialEq, Eq, Deserialize)]
#[non_exhaustive]
pub struct Root {
    /// Its `file:` URI.
    pub uri: String,
    /// Its name for people.
    #[serde(default)]
    pub name: Option<String>,
}
