//! [`ToolError`]: the tool could not do it. Specification: *Tools, Error Handling*.

use std::error::Error;
use std::fmt;

/// What a model reads when a cause is kept back.
const INTERNAL: &str = "The tool failed because of an internal error. Trying again later may help; other arguments will not.";

/// A tool's failure, answered as a normal result with `isError: true`.
///
/// The words go to the model, so they say what to do next. Any [`std::error::Error`] turns into a
/// `ToolError` by `?`: its own words are kept for the log, and the model reads that something
/// internal failed. Only [`ToolError::new`] puts words in front of the model.
///
/// # Examples
///
/// ```
/// use lambda_mcp::ToolError;
///
/// fn parse(text: &str) -> Result<u32, ToolError> {
///     Ok(text.parse::<u32>()?) // the model never sees what `ParseIntError` says
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
    /// A failure in words for the model: what went wrong and what to try next.
    #[must_use]
    pub fn new(message: impl Into<String>) -> Self {
        Self {
            message: message.into(),
            source: None,
        }
    }

    /// An internal error: the model gets a fixed text, and the source goes to the log.
    pub(crate) fn internal(source: impl Into<Box<dyn Error + Send + Sync>>) -> Self {
        Self::new(INTERNAL).source(source)
    }

    /// Keeps the cause for the log. The model does not see it.
    #[must_use]
    pub fn source(mut self, source: impl Into<Box<dyn Error + Send + Sync>>) -> Self {
        self.source = Some(source.into());
        self
    }

    /// The cause kept for the log.
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

// `ToolError` itself is no `std::error::Error`: this conversion would then overlap with `From<T> for T`.
impl<E: Error + Send + Sync + 'static> From<E> for ToolError {
    fn from(source: E) -> Self {
        Self::internal(source)
    }
}
