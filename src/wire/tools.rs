//! Tools, their calls and results. Specification: *Tools*.

use std::borrow::Cow;

use serde::{Deserialize, Serialize};
use serde_json::value::RawValue;
use serde_json::{Map, Value};

use crate::wire::annotations::Icon;
use crate::wire::content::{self, Content};

/// A tool, as `tools/list` returns it.
#[derive(Debug, Serialize)]
#[serde(rename_all = "camelCase")]
pub(crate) struct Tool<'a> {
    /// The identifier.
    pub name: &'a str,
    /// The display name.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub title: Option<&'a str>,
    /// A description for the model: what the tool does and when to use it.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub description: Option<&'a str>,
    /// The JSON Schema of the arguments. Its type is always `object`.
    pub input_schema: &'a Value,
    /// The JSON Schema of the structured content.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub output_schema: Option<&'a Value>,
    /// Hints about the tool's effects.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub annotations: Option<&'a ToolAnnotations>,
    /// The icons.
    #[serde(skip_serializing_if = "<[_]>::is_empty")]
    pub icons: &'a [Icon],
    /// How the tool can be executed (2025-11-25 only).
    #[serde(skip_serializing_if = "Option::is_none")]
    pub execution: Option<&'a Value>,
    /// Additional metadata.
    #[serde(rename = "_meta", skip_serializing_if = "Option::is_none")]
    pub meta: Option<Cow<'a, Map<String, Value>>>,
}

/// Hints about the effects of a tool.
///
/// Clients use them to decide whether to ask the user before a call. Clients must not rely on the
/// hints of a server that they do not trust. A hint that is not set has the default of the
/// specification: not read-only, destructive, not idempotent, open world. Specification: *Tools,
/// Tool*; schema, *`ToolAnnotations`*.
///
/// # Examples
///
/// ```
/// use lambda_mcp::content::ToolAnnotations;
///
/// let hints = ToolAnnotations::new().destructive(false).open_world(true);
/// assert_eq!(hints.open_world_hint, Some(true));
/// ```
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize)]
#[serde(rename_all = "camelCase")]
#[non_exhaustive]
pub struct ToolAnnotations {
    /// The tool does not modify its environment.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub read_only_hint: Option<bool>,
    /// The tool may delete or overwrite data. Relevant only if it is not read-only.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub destructive_hint: Option<bool>,
    /// Repeated calls with the same arguments have no additional effect.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub idempotent_hint: Option<bool>,
    /// The tool interacts with external systems.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub open_world_hint: Option<bool>,
}

impl ToolAnnotations {
    /// Creates annotations without any hint.
    #[must_use]
    pub fn new() -> Self {
        Self::default()
    }

    /// Sets whether the tool leaves its environment unmodified.
    #[must_use]
    pub const fn read_only(mut self, hint: bool) -> Self {
        self.read_only_hint = Some(hint);
        self
    }

    /// Sets whether the tool may delete or overwrite data.
    #[must_use]
    pub const fn destructive(mut self, hint: bool) -> Self {
        self.destructive_hint = Some(hint);
        self
    }

    /// Sets whether repeated calls with the same arguments have no additional effect.
    #[must_use]
    pub const fn idempotent(mut self, hint: bool) -> Self {
        self.idempotent_hint = Some(hint);
        self
    }

    /// Sets whether the tool interacts with external systems.
    #[must_use]
    pub const fn open_world(mut self, hint: bool) -> Self {
        self.open_world_hint = Some(hint);
        self
    }
}

/// The parameters of a list method.
#[derive(Debug, Default, Deserialize)]
pub(crate) struct ListParams<'a> {
    /// The `nextCursor` of the previous page.
    #[serde(borrow, default)]
    pub cursor: Option<Cow<'a, str>>,
}

/// One page of `tools/list`.
#[derive(Debug, Serialize)]
#[serde(rename_all = "camelCase")]
pub(crate) struct ListToolsResult<'a, T> {
    /// The tools, in the order they were registered.
    pub tools: &'a [T],
    /// The cursor of the next page. Absent on the last page.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub next_cursor: Option<&'a str>,
}

/// The result of `tools/call`.
#[derive(Debug, Serialize)]
#[serde(rename_all = "camelCase")]
pub(crate) struct CallToolResult<'a> {
    /// The content for the model.
    #[serde(serialize_with = "content::serialize_written")]
    pub content: &'a [Content],
    /// The structured content, which matches the tool's output schema.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub structured_content: Option<&'a RawValue>,
    /// Whether the tool failed. The content then describes the failure.
    #[serde(skip_serializing_if = "std::ops::Not::not")]
    pub is_error: bool,
}

/// A result of `tools/call` that was written before, such as that of a task.
#[derive(Debug, Deserialize, Serialize)]
#[serde(rename_all = "camelCase")]
pub(crate) struct WrittenToolResult<'a> {
    /// The content, as an array.
    #[serde(borrow)]
    pub content: &'a RawValue,
    /// The structured content.
    #[serde(borrow, skip_serializing_if = "Option::is_none")]
    pub structured_content: Option<&'a RawValue>,
    /// Whether the tool failed.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub is_error: bool,
    /// Additional metadata. It is written with the members of the version.
    #[serde(rename = "_meta", skip_serializing)]
    pub meta: Option<Map<String, Value>>,
}
