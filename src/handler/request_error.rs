//! [`RequestError`]: why a resource or prompt was not returned.

use std::error::Error;
use std::fmt;

use crate::handler::rejection::FromRejection;

/// The error type of resource and prompt handlers, sent as a JSON-RPC error.
///
/// Any [`std::error::Error`] converts into it by `?`: the client gets `-32603` without details, and
/// the source goes to the log. Use the constructors for what the client should know.
///
/// Specification: *Resources, Error Handling*; *Prompts, Error Handling*.
///
/// # Examples
///
/// ```
/// use lambda_mcp::handler::RequestError;
///
/// fn page(number: u32) -> Result<String, RequestError> {
///     match number {
///         0 => Err(RequestError::invalid("`number` counts from 1")),
///         1..=9 => Ok(std::fs::read_to_string("/pages").unwrap_or_default()),
///         _ => Err(RequestError::not_found()),
///     }
/// }
/// assert_eq!(page(10).unwrap_err().to_string(), "not found");
/// ```
#[derive(Debug)]
pub struct RequestError(pub(crate) Reason);

#[derive(Debug)]
pub(crate) enum Reason {
    /// The resource does not exist.
    NotFound,
    /// The arguments are invalid, with a message for the client.
    Invalid(String),
    /// An internal error.
    Internal(Box<dyn Error + Send + Sync>),
}

impl RequestError {
    /// The resource does not exist: `-32602`, and `-32002` before revision 2026-07-28.
    #[must_use]
    pub const fn not_found() -> Self {
        Self(Reason::NotFound)
    }

    /// The arguments are invalid: `-32602`. The client reads the message.
    #[must_use]
    pub fn invalid(message: impl Into<String>) -> Self {
        Self(Reason::Invalid(message.into()))
    }

    pub(crate) fn cause(&self) -> Option<&(dyn Error + Send + Sync + 'static)> {
        match &self.0 {
            Reason::Internal(source) => Some(&**source),
            Reason::NotFound | Reason::Invalid(_) => None,
        }
    }
}

impl fmt::Display for RequestError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match &self.0 {
            Reason::NotFound => f.write_str("not found"),
            Reason::Invalid(message) => f.write_str(message),
            Reason::Internal(_) => f.write_str("internal error"),
        }
    }
}

// Like `ToolError`, this type does not implement `Error`, so that `?` accepts any error.
impl<E: Error + Send + Sync + 'static> From<E> for RequestError {
    fn from(source: E) -> Self {
        Self(Reason::Internal(Box::new(source)))
    }
}

impl<T> FromRejection for Result<T, RequestError> {
    fn refused(message: String) -> Self {
        Err(RequestError::invalid(message))
    }

    fn internal(source: Box<dyn Error + Send + Sync>) -> Self {
        Err(RequestError(Reason::Internal(source)))
    }
}
