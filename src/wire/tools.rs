//! Tools: how they are listed and what a call gives. Specification: *Tools*.

use std::borrow::Cow;

use serde::{Deserialize, Serialize};
use serde_json::value::RawValue;
use serde_json::{Map, Value};

use super::present;
use crate::wire::annotations::Icon;
use crate::wire::content::Content;

/// A tool as `tools/list` shows it.
#[derive(Debug, Clone, Serialize)]
#[serde(rename_all = "camelCase")]
pub(crate) struct Tool {
    /// What clients call it by.
    pub name: String,
    /// Its name for people.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub title: Option<String>,
    /// What it does and when to choose it.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub description: Option<String>,
    /// The JSON Schema of its arguments, always an object.
    pub input_schema: Value,
    /// The JSON Schema of its structured content.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub output_schema: Option<Value>,
    /// What a client may assume about its effects.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub annotations: Option<ToolAnnotations>,
    /// Pictures of it.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub icons: Vec<Icon>,
    /// How it may be executed (2025-11-25).
    #[serde(skip_serializing_if = "Option::is_none")]
    pub execution: Option<Value>,
    /// What the protocol has no member for.
    #[serde(rename = "_meta", skip_serializing_if = "Option::is_none")]
    pub meta: Option<Map<String, Value>>,
}

/// Hints about a tool's effects; a client must not trust them from a server it does not trust.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize)]
#[serde(rename_all = "camelCase")]
#[non_exhaustive]
pub struct ToolAnnotations {
    /// It changes nothing.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub read_only_hint: Option<bool>,
    /// It may destroy something.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub destructive_hint: Option<bool>,
    /// Calling it again with the same arguments changes nothing more.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub idempotent_hint: Option<bool>,
    /// It reaches beyond what this server holds.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub open_world_hint: Option<bool>,
}

impl ToolAnnotations {
    /// No hint yet.
    ///
    /// # Examples
    ///
    /// ```
    /// use lambda_mcp::content::ToolAnnotations;
    ///
    /// let hints = ToolAnnotations::new().destructive(false).open_world(true);
    /// assert_eq!(hints.open_world_hint, Some(true));
    /// ```
    #[must_use]
    pub fn new() -> Self {
        Self::default()
    }

    /// Sets whether it changes nothing.
    #[must_use]
    pub const fn read_only(mut self, hint: bool) -> Self {
        self.read_only_hint = Some(hint);
        self
    }

    /// Sets whether it may destroy something.
    #[must_use]
    pub const fn destructive(mut self, hint: bool) -> Self {
        self.destructive_hint = Some(hint);
        self
    }

    /// Sets whether calling it again with the same arguments changes nothing more.
    #[must_use]
    pub const fn idempotent(mut self, hint: bool) -> Self {
        self.idempotent_hint = Some(hint);
        self
    }

    /// Sets whether it reaches beyond what this server holds.
    #[must_use]
    pub const fn open_world(mut self, hint: bool) -> Self {
        self.open_world_hint = Some(hint);
        self
    }
}

/// The parameters of `tools/call`.
#[derive(Debug, Deserialize)]
#[serde(rename_all = "camelCase")]
pub(crate) struct CallToolParams<'a> {
    /// The tool's name.
    #[serde(borrow)]
    pub(crate) name: Cow<'a, str>,
    /// Its arguments; absent and `null` mean none.
    #[serde(borrow, default)]
    pub(crate) arguments: Option<&'a RawValue>,
    /// Answers to what an earlier result asked for.
    #[serde(borrow, default, deserialize_with = "present")]
    pub(crate) input_responses: Option<&'a RawValue>,
    /// What an earlier result gave along to be sent back.
    #[serde(borrow, default, deserialize_with = "present")]
    pub(crate) request_state: Option<&'a RawValue>,
}

/// The parameters of a list method.
#[derive(Debug, Default, Deserialize)]
pub(crate) struct ListParams<'a> {
    /// Where the last page ended.
    #[serde(borrow, default)]
    pub cursor: Option<Cow<'a, str>>,
}

/// One page of `tools/list`.
#[derive(Debug, Serialize)]
#[serde(rename_all = "camelCase")]
pub(crate) struct ListToolsResult<'a> {
    /// The tools, in the order they were registered.
    pub tools: &'a [Tool],
    /// Where the next page begins; absent on the last one.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub next_cursor: Option<&'a str>,
}

/// The result of `tools/call`.
#[derive(Debug, Serialize)]
#[serde(rename_all = "camelCase")]
pub(crate) struct CallToolResult<'a> {
    /// What a model reads.
    pub content: &'a [Content],
    /// What a program reads, matching the tool's output schema.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub structured_content: Option<&'a RawValue>,
    /// The tool could not do it; the content says why.
    #[serde(skip_serializing_if = "std::ops::Not::not")]
    pub is_error: bool,
}
