//! [`ToolError`]: the tool failed. Specification: *Tools, Error Handling*.

use std::error::Error;
use std::fmt;

/// The message for the model if the cause must not be shown.
const INTERNAL: &str = "The tool failed because of an internal error. Trying again later may help; other arguments will not.";

/// The failure of a tool, sent as a result with `isError: true`.
///
/// The message is for the model: say what went wrong and what to try next. The `?` operator converts
/// any [`std::error::Error`] into a `ToolError`. Its text goes to the log only; the model reads that
/// an internal error occurred. Only the text of [`ToolError::new`] reaches the model. Specification:
/// *Tools, Error Handling*.
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
    source: Option<Box<dyn Error + Send + Sync>>,
}

impl ToolError {
    /// Creates an error with a message for the model.
    #[must_use]
    pub fn new(message: impl Into<String>) -> Self {
        Self {
            message: message.into(),
            source: None,
        }
    }

    /// An internal error: the model gets a fixed text, and the source is logged.
    pub(crate) fn internal(source: impl Into<Box<dyn Error + Send + Sync>>) -> Self {
        Self::new(INTERNAL).source(source)
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
            .field("source", &self.source)
            .finish()
    }
}

impl fmt::Display for ToolError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.message)
    }
}

// `ToolError` does not implement `std::error::Error`: this conversion would overlap with `From<T> for T`.
impl<E: Error + Send + Sync + 'static> From<E> for ToolError {
    fn from(source: E) -> Self {
        Self::internal(source)
    }
}
