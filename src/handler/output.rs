//! What a tool gives back. Specification: *Tools, Tool Result*.

use schemars::JsonSchema;
use serde::Serialize;
use serde_json::value::RawValue;
use serde_json::{Map, Value};

use crate::error::ToolError;
use crate::schema;
use crate::wire::content::Content;

/// The result of a tool: content for the model, and structured content for programs.
#[derive(Debug, Clone, Default)]
pub struct ToolOutput {
    pub(crate) content: Vec<Content>,
    pub(crate) structured: Option<Box<RawValue>>,
    pub(crate) meta: Option<Map<String, Value>>,
}

impl ToolOutput {
    /// Nothing yet.
    #[must_use]
    pub fn new() -> Self {
        Self::default()
    }

    /// Adds a piece of content.
    #[must_use]
    pub fn content(mut self, content: impl Into<Content>) -> Self {
        self.content.push(content.into());
        self
    }

    /// Sets the structured content, and adds the same JSON as text for clients that read only
    /// text.
    ///
    /// # Errors
    ///
    /// The value cannot be written as JSON.
    pub fn structured<T: Serialize>(mut self, value: &T) -> Result<Self, ToolError> {
        let json = serde_json::value::to_raw_value(value)?;
        self.content.push(Content::text(json.get()));
        self.structured = Some(json);
        Ok(self)
    }

    /// Sets the result's `_meta`, for what the protocol has no member for.
    #[must_use]
    pub fn meta(mut self, meta: Map<String, Value>) -> Self {
        self.meta = Some(meta);
        self
    }
}

/// A value as structured content, with its JSON Schema as the tool's output schema.
#[derive(Debug, Clone, Copy, Default)]
pub struct Json<T>(pub T);

/// What a tool may return.
#[diagnostic::on_unimplemented(
    message = "a tool cannot return `{Self}`",
    note = "a tool returns `Json<T>`, `String`, `&'static str`, `Content`, `ToolOutput`, or a `Result` of one of them with `ToolError`"
)]
pub trait IntoToolOutput {
    /// The JSON Schema of the structured content, if there is one.
    #[must_use]
    fn output_schema() -> Option<Value> {
        None
    }

    /// The result of the tool.
    ///
    /// # Errors
    ///
    /// The tool failed.
    fn into_tool_output(self) -> Result<ToolOutput, ToolError>;
}

impl IntoToolOutput for ToolOutput {
    fn into_tool_output(self) -> Result<ToolOutput, ToolError> {
        Ok(self)
    }
}

impl IntoToolOutput for Content {
    fn into_tool_output(self) -> Result<ToolOutput, ToolError> {
        Ok(ToolOutput::new().content(self))
    }
}

impl IntoToolOutput for String {
    fn into_tool_output(self) -> Result<ToolOutput, ToolError> {
        Ok(ToolOutput::new().content(Content::text(self)))
    }
}

impl IntoToolOutput for &'static str {
    fn into_tool_output(self) -> Result<ToolOutput, ToolError> {
        self.to_owned().into_tool_output()
    }
}

impl<T: Serialize + JsonSchema> IntoToolOutput for Json<T> {
    fn output_schema() -> Option<Value> {
        Some(schema::output::<T>())
    }

    fn into_tool_output(self) -> Result<ToolOutput, ToolError> {
        ToolOutput::new().structured(&self.0)
    }
}

impl<T: IntoToolOutput> IntoToolOutput for Result<T, ToolError> {
    fn output_schema() -> Option<Value> {
        T::output_schema()
    }

    fn into_tool_output(self) -> Result<ToolOutput, ToolError> {
        self.and_then(T::into_tool_output)
    }
}
