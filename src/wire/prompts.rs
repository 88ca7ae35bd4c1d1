//! Prompts. Specification: *Prompts*.

use serde::Serialize;
use serde_json::{Map, Value};

use crate::wire::annotations::{Icon, Role};
use crate::wire::content::Content;

/// A prompt, as `prompts/list` returns it.
#[derive(Debug, Clone, Serialize)]
pub(crate) struct Prompt {
    /// The identifier.
    pub(crate) name: String,
    /// The display name.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(crate) title: Option<String>,
    /// The purpose of the prompt.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(crate) description: Option<String>,
    /// The arguments.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub(crate) arguments: Vec<PromptArgument>,
    /// The icons.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub(crate) icons: Vec<Icon>,
    /// Additional metadata.
    #[serde(rename = "_meta", skip_serializing_if = "Option::is_none")]
    pub(crate) meta: Option<Map<String, Value>>,
}

/// An argument of a prompt. Its value is always a string on the wire.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub(crate) struct PromptArgument {
    pub(crate) name: String,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(crate) title: Option<String>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(crate) description: Option<String>,
    pub(crate) required: bool,
}

/// One message of a prompt.
///
/// Specification: *Prompts, `PromptMessage`*.
///
/// # Examples
///
/// ```
/// use lambda_mcp::content::{Content, PromptMessage, Role};
///
/// let message = PromptMessage::user(Content::text("Summarize the report."));
/// assert_eq!(message.role, Role::User);
/// ```
#[derive(Debug, Clone, PartialEq, Serialize)]
#[non_exhaustive]
pub struct PromptMessage {
    /// The sender.
    pub role: Role,
    /// The content.
    pub content: Content,
}

impl PromptMessage {
    /// Creates a message of the user.
    #[must_use]
    pub fn user(content: impl Into<Content>) -> Self {
        Self {
            role: Role::User,
            content: content.into(),
        }
    }

    /// Creates a message of the model.
    #[must_use]
    pub fn assistant(content: impl Into<Content>) -> Self {
        Self {
            role: Role::Assistant,
            content: content.into(),
        }
    }
}

/// One page of `prompts/list`.
#[derive(Debug, Serialize)]
#[serde(rename_all = "camelCase")]
pub(crate) struct ListPromptsResult<'a, T> {
    pub(crate) prompts: &'a [T],
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(crate) next_cursor: Option<&'a str>,
}

/// The result of `prompts/get`.
#[derive(Debug, Serialize)]
pub(crate) struct GetPromptResult<'a> {
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(crate) description: Option<&'a str>,
    pub(crate) messages: &'a [PromptMessage],
}
