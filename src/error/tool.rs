//! [`ToolError`]: the tool failed. Specification: *Tools, Error Handling*.

use std::error::Error;
use std::fmt;

use serde::Serialize;
use serde_json::value::RawValue;

/// The message for the model if the cause must not be shown.
const INTERNAL: &str = "The tool failed because of an internal error. Trying again later may help; other arguments will not.";

/// The failure of a tool, sent as a result with `isError: true`.
///
/// The message is for the model: say what went wrong and what to try next. The `?` operator converts
/// any other error into a `ToolError`: every [`std::error::Error`], a boxed one, and `anyhow::Error`.
/// Its text goes to the log with those of its sources; the model reads that an internal error occurred.
/// This includes `String` and `&str`: `?` does not send such a text to the model. Only what
/// [`ToolError::new`] and [`structured`](Self::structured) get reaches the model.
///
/// To let an error type of your own decide what the model reads, implement
/// [`IntoToolError`](crate::handler::IntoToolError). Specification: *Tools, Error Handling*.
///
/// # Examples
///
/// ```
/// use lambda_mcp::ToolError;
///
/// fn parse(text: &str) -> Result<u32, ToolError> {
///     Ok(text.parse::<u32>()?) // the text of `ParseIntError` goes to the log only
/// }
/// assert!(!parse("x").unwrap_err().to_string().contains("digit"));
///
/// let error = ToolError::new("no project is called `x`; call `list_projects` for the names");
/// assert!(error.to_string().contains("list_projects"));
/// ```
pub struct ToolError {
    message: String,
    structured: Option<Box<RawValue>>,
    source: Option<Box<dyn Error + Send + Sync>>,
}

impl ToolError {
    /// Creates an error with a message for the model.
    #[must_use]
    pub fn new(message: impl Into<String>) -> Self {
        Self {
            message: message.into(),
            structured: None,
            source: None,
        }
    }

    /// An internal error: the model gets a fixed text, and the source is logged.
    pub(crate) fn internal(source: impl Into<Box<dyn Error + Send + Sync>>) -> Self {
        Self::new(INTERNAL).source(source)
    }

    /// Adds structured content: the failure as data, such as a code, for programs.
    ///
    /// The same JSON is sent as text after the message. A tool with an output schema sends it as text
    /// only: what it sends as structured content must match that schema. Clients before revision
    /// 2025-06-18 get the text only. A value that cannot be written as JSON is an internal error.
    /// Specification: *Tools, Structured Content*.
    ///
    /// # Examples
    ///
    /// ```
    /// use lambda_mcp::testing::TestClient;
    /// use lambda_mcp::{Server, ToolError, tool};
    /// use serde_json::json;
    ///
    /// async fn refund() -> Result<String, ToolError> {
    ///     let limit = json!({ "code": "too_much", "limit_cents": 5000 });
    ///     Err(ToolError::new("The limit is 50 €. Refund less.").structured(&limit))
    /// }
    ///
    /// # #[tokio::main(flavor = "current_thread")]
    /// # async fn main() -> Result<(), Box<dyn std::error::Error>> {
    /// let server = Server::builder("orders", "1.0.0").tool(tool("refund", refund)).build()?;
    /// let result = TestClient::new(server).call("refund", json!({})).await;
    /// assert!(result.is_error());
    /// assert_eq!(result.result()["structuredContent"]["code"], "too_much");
    /// # Ok(())
    /// # }
    /// ```
    #[must_use]
    pub fn structured<T: Serialize>(mut self, value: &T) -> Self {
        match serde_json::value::to_raw_value(value) {
            Ok(json) => {
                self.structured = Some(json);
                self
            }
            Err(error) => Self::internal(error),
        }
    }

    /// The structured content, as JSON.
    pub(crate) fn structured_content(&self) -> Option<&RawValue> {
        self.structured.as_deref()
    }

    /// Sets the cause, which is logged and never sent.
    #[must_use]
    pub fn source(mut self, source: impl Into<Box<dyn Error + Send + Sync>>) -> Self {
        self.source = Some(source.into());
        self
    }

    /// Returns the cause.
    #[must_use]
    pub fn cause(&self) -> Option<&(dyn Error + Send + Sync + 'static)> {
        self.source.as_deref()
    }
}

impl fmt::Debug for ToolError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("ToolError")
            .field("message", &self.message)
            .field("structured", &self.structured)
            .field("source", &self.source)
            .finish()
    }
}

impl fmt::Display for ToolError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.message)
    }
}

// `ToolError` does not implement `std::error::Error`: this conversion would overlap with `From<T> for
// T`. What converts into a boxed error is more than what is an error: `anyhow::Error`, and boxes.
impl<E: Into<Box<dyn Error + Send + Sync>>> From<E> for ToolError {
    fn from(source: E) -> Self {
        Self::internal(source)
    }
}

/// An error type that a tool can fail with.
///
/// A tool returns `Result<T, E>` with any such `E`. Implement it for an error type of your own, and
/// decide for each variant whether the model reads it. `self.into()` makes an internal error: the model
/// gets a fixed text, and the log has the error with its sources.
///
/// The error type of a tool that [asks](crate::AskingContext) has a variant for
/// [`NeedsInput`](crate::handler::NeedsInput), for which this method returns `self.into()`: that becomes
/// the question. A client that cannot be asked is then told so, and not the words of [`ToolError::new`].
///
/// The crate implements it for [`ToolError`], for `Box<dyn Error + Send + Sync>`, and, with the feature
/// `anyhow`, for `anyhow::Error`; the last two are always internal errors.
///
/// # Examples
///
/// ```
/// use lambda_mcp::handler::{IntoToolError, NeedsInput};
/// use lambda_mcp::{Server, ToolError, tool};
/// use thiserror::Error;
///
/// #[derive(Debug, Error)]
/// enum OrderError {
///     #[error("order {0} does not exist; call `find_orders` for the numbers")]
///     Unknown(u32),
///     #[error("the database does not answer")]
///     Database(#[from] std::io::Error),
///     /// A question to the user that is not answered yet.
///     #[error(transparent)]
///     Ask(#[from] NeedsInput),
/// }
///
/// impl IntoToolError for OrderError {
///     fn into_tool_error(self) -> ToolError {
///         match self {
///             Self::Unknown(_) => ToolError::new(self.to_string()),
///             Self::Database(_) | Self::Ask(_) => self.into(),
///         }
///     }
/// }
///
/// async fn ship() -> Result<String, OrderError> {
///     let orders = std::fs::read_to_string("/orders")?;
///     if orders.is_empty() {
///         return Err(OrderError::Unknown(7));
///     }
///     Ok("Shipped.".to_owned())
/// }
///
/// assert!(Server::builder("orders", "1.0.0").tool(tool("ship", ship)).build().is_ok());
/// ```
#[diagnostic::on_unimplemented(
    message = "a tool cannot fail with `{Self}`",
    label = "does not say what the model reads",
    note = "fail with `ToolError`, into which `?` converts any error, or implement `IntoToolError` for an error type of your own",
    note = "with the feature `anyhow`, a tool can fail with `anyhow::Error`"
)]
pub trait IntoToolError {
    /// Converts the error into what the model and the log get.
    fn into_tool_error(self) -> ToolError;
}

impl IntoToolError for ToolError {
    fn into_tool_error(self) -> ToolError {
        self
    }
}

impl IntoToolError for Box<dyn Error + Send + Sync> {
    fn into_tool_error(self) -> ToolError {
        self.into()
    }
}

#[cfg(feature = "anyhow")]
#[cfg_attr(docsrs, doc(cfg(feature = "anyhow")))]
impl IntoToolError for anyhow::Error {
    fn into_tool_error(self) -> ToolError {
        self.into()
    }
}
