//! [`RequestError`]: why a resource or prompt was not returned.

use std::error::Error;
use std::fmt;

use crate::handler::rejection::FromRejection;

/// The error type of resource and prompt handlers, sent as a JSON-RPC error.
///
/// Any other error converts into it by `?`, also a boxed one, `anyhow::Error` and a text: the client gets
/// `-32603` without details, and the source goes to the log. Use the constructors for what the client
/// should know, and [`IntoRequestError`] for an error type of your own.
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
impl<E: Into<Box<dyn Error + Send + Sync>>> From<E> for RequestError {
    fn from(source: E) -> Self {
        Self(Reason::Internal(source.into()))
    }
}

/// An error type that the handler of a resource, a prompt or a completion can fail with.
///
/// Implement it for an error type of your own, and decide for each variant whether the client reads it.
/// `self.into()` makes an internal error: the client gets `-32603` without details, and the log has the
/// error with its sources. The crate implements it for [`RequestError`], for
/// `Box<dyn Error + Send + Sync>`, and, with the feature `anyhow`, for `anyhow::Error`.
///
/// # Examples
///
/// ```
/// use lambda_mcp::handler::{IntoRequestError, RequestError};
/// use lambda_mcp::{Server, resource};
/// use thiserror::Error;
///
/// #[derive(Debug, Error)]
/// enum ReportError {
///     #[error("there is no report yet")]
///     NotYet,
///     #[error("the bucket does not answer")]
///     Bucket(#[from] std::io::Error),
/// }
///
/// impl IntoRequestError for ReportError {
///     fn into_request_error(self) -> RequestError {
///         match self {
///             Self::NotYet => RequestError::not_found(),
///             Self::Bucket(_) => self.into(),
///         }
///     }
/// }
///
/// async fn report() -> Result<String, ReportError> {
///     let text = std::fs::read_to_string("/report")?;
///     if text.is_empty() { Err(ReportError::NotYet) } else { Ok(text) }
/// }
///
/// let report = resource("reports:today", "today", report);
/// assert!(Server::builder("reports", "1.0.0").resource(report).build().is_ok());
/// ```
#[diagnostic::on_unimplemented(
    message = "a resource, prompt or completion cannot fail with `{Self}`",
    label = "does not say what the client reads",
    note = "fail with `RequestError`, into which `?` converts any error, or implement `IntoRequestError` for an error type of your own",
    note = "with the feature `anyhow`, it can fail with `anyhow::Error`"
)]
pub trait IntoRequestError {
    /// Converts the error into what the client and the log get.
    fn into_request_error(self) -> RequestError;
}

impl IntoRequestError for RequestError {
    fn into_request_error(self) -> RequestError {
        self
    }
}

impl IntoRequestError for Box<dyn Error + Send + Sync> {
    fn into_request_error(self) -> RequestError {
        self.into()
    }
}

#[cfg(feature = "anyhow")]
#[cfg_attr(docsrs, doc(cfg(feature = "anyhow")))]
impl IntoRequestError for anyhow::Error {
    fn into_request_error(self) -> RequestError {
        self.into()
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
