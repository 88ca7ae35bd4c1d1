//! [`ToolOutput`]: what a tool returns. Specification: *Tools, Tool Result*.

use std::borrow::Cow;
use std::sync::Arc;

use schemars::JsonSchema;
use serde::Serialize;
use serde_json::value::RawValue;
use serde_json::{Map, Value};

use crate::error::IntoToolError;
use crate::error::ToolError;
use crate::handler::rejection::FromRejection;
use crate::handler::stored_output::StoredOutput;
use crate::schema;
use crate::wire::content::Content;

/// The result of a tool: content blocks for the model, and structured content for programs.
///
/// Return it when the simpler types do not suffice: several content blocks, images, links, or
/// `_meta`. To return one value, [`Json`] is shorter and declares the output schema as well.
///
/// # Examples
///
/// ```
/// use lambda_mcp::content::{Content, ResourceLink};
/// use lambda_mcp::{Server, ToolOutput, tool};
///
/// async fn chart() -> ToolOutput {
///     ToolOutput::new()
///         .content(Content::text("Sales went up in May."))
///         .content(Content::image(b"\x89PNG", "image/png"))
///         .content(ResourceLink::new("sales:///2026.csv", "sales"))
/// }
///
/// assert!(Server::builder("sales", "1.0.0").tool(tool("chart", chart)).build().is_ok());
/// ```
#[derive(Debug, Clone, Default)]
pub struct ToolOutput {
    content: Vec<Content>,
    structured: Option<Box<RawValue>>,
    /// In place of the content and the structured content.
    stored: Option<Arc<StoredOutput>>,
    pub(crate) meta: Option<Map<String, Value>>,
}

impl ToolOutput {
    /// No content.
    #[must_use]
    pub fn new() -> Self {
        Self::default()
    }

    /// An output that is stored.
    pub(super) fn stored(output: Arc<StoredOutput>) -> Self {
        Self {
            stored: Some(output),
            ..Self::default()
        }
    }

    /// Adds a content block.
    #[must_use]
    pub fn content(mut self, content: impl Into<Content>) -> Self {
        self.unshare();
        self.content.push(content.into());
        self
    }

    /// Sets the structured content, and adds the same JSON as a text block for clients that read
    /// only text.
    ///
    /// Declare its schema with [`Tool::output_schema`](crate::server::Tool::output_schema).
    ///
    /// # Errors
    ///
    /// The value cannot be serialized as JSON.
    ///
    /// # Examples
    ///
    /// ```
    /// use lambda_mcp::content::Content;
    /// use lambda_mcp::{ToolError, ToolOutput};
    /// use serde_json::json;
    ///
    /// async fn measure() -> Result<ToolOutput, ToolError> {
    ///     let output = ToolOutput::new().content(Content::text("It is warm."));
    ///     output.structured(&json!({ "celsius": 24.5 }))
    /// }
    /// # let _ = measure;
    /// ```
    pub fn structured<T: Serialize>(mut self, value: &T) -> Result<Self, ToolError> {
        let json = serde_json::value::to_raw_value(value)?;
        self.unshare();
        self.content.push(Content::text(json.get()));
        self.structured = Some(json);
        Ok(self)
    }

    /// Sets `_meta` of the result, for data outside the protocol. Names are prefixed, as in
    /// `example.com/name`. Specification: *Base Protocol, `_meta`*.
    #[must_use]
    pub fn meta(mut self, meta: Map<String, Value>) -> Self {
        self.unshare();
        self.meta = Some(meta);
        self
    }

    /// Copies what is stored, so that more can be added.
    fn unshare(&mut self) {
        if let Some(stored) = self.stored.take() {
            self.content.push(Content::text(stored.json().get()));
            self.structured = Some(stored.json().to_owned());
        }
    }

    /// The content blocks.
    pub(crate) fn blocks(&self) -> Cow<'_, [Content]> {
        match &self.stored {
            Some(stored) => Cow::Owned(vec![Content::text(stored.json().get())]),
            None => Cow::Borrowed(&self.content),
        }
    }

    /// The structured content.
    pub(crate) fn structured_content(&self) -> Option<&RawValue> {
        let stored = self.stored.as_ref().map(|stored| stored.json());
        stored.or(self.structured.as_deref())
    }

    /// What is stored, if that is the whole output.
    pub(crate) fn as_stored(&self) -> Option<&StoredOutput> {
        self.stored.as_deref()
    }
}

/// A value as JSON.
///
/// A tool that returns it sends the value as structured content, with the JSON Schema of `T` as the
/// tool's output schema, and as text for clients that read only text. A resource that returns it
/// sends the JSON as text.
///
/// # Examples
///
/// ```
/// use lambda_mcp::{Json, Server, tool};
/// use schemars::JsonSchema;
/// use serde::Serialize;
///
/// #[derive(Serialize, JsonSchema)]
/// struct Weather {
///     /// Temperature in degrees Celsius.
///     celsius: f64,
/// }
///
/// async fn weather() -> Json<Weather> {
///     Json(Weather { celsius: 24.5 })
/// }
///
/// assert!(Server::builder("weather", "1.0.0").tool(tool("weather", weather)).build().is_ok());
/// ```
#[derive(Debug, Clone, Copy, Default)]
pub struct Json<T>(pub T);

/// A type that a tool handler can return.
///
/// Implement it for a type of your own to return that type from several tools.
///
/// # Examples
///
/// ```
/// use lambda_mcp::content::Content;
/// use lambda_mcp::handler::IntoToolOutput;
/// use lambda_mcp::{Server, ToolError, ToolOutput, tool};
///
/// enum Found {
///     Nothing,
///     Page(String),
/// }
///
/// impl IntoToolOutput for Found {
///     fn into_tool_output(self) -> Result<ToolOutput, ToolError> {
///         match self {
///             Self::Nothing => Err(ToolError::new("Nothing was found; use fewer words.")),
///             Self::Page(text) => Ok(ToolOutput::new().content(Content::text(text))),
///         }
///     }
/// }
///
/// async fn search() -> Found {
///     Found::Page("# Results".to_owned())
/// }
///
/// assert!(Server::builder("search", "1.0.0").tool(tool("search", search)).build().is_ok());
/// ```
#[diagnostic::on_unimplemented(
    message = "a tool cannot return `{Self}`",
    note = "a tool returns `Json<T>`, `Stored<T>`, `String`, `&'static str`, `Content`, `ToolOutput`, or a `Result` of one of these with `ToolError` or an error that implements `IntoToolError`"
)]
pub trait IntoToolOutput {
    /// Returns the JSON Schema of the structured content, or `None` (the default) if the type has
    /// none. It becomes the tool's output schema.
    #[must_use]
    fn output_schema() -> Option<Value> {
        None
    }

    /// Converts the value into the result of the tool.
    ///
    /// # Errors
    ///
    /// Returns why the tool failed.
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

impl<T: IntoToolOutput, E: IntoToolError> IntoToolOutput for Result<T, E> {
    fn output_schema() -> Option<Value> {
        T::output_schema()
    }

    fn into_tool_output(self) -> Result<ToolOutput, ToolError> {
        self.map_err(E::into_tool_error)?.into_tool_output()
    }
}

impl<T> FromRejection for Result<T, ToolError> {
    fn refused(message: String) -> Self {
        Err(ToolError::new(message))
    }

    fn internal(source: Box<dyn std::error::Error + Send + Sync>) -> Self {
        Err(ToolError::internal(source))
    }
}
