//! [`Rejection`]: why a handler parameter could not be extracted.

use std::error::Error;
use std::fmt;

use crate::schema::InvalidArguments;

/// The reason why [`FromCall::from_call`](super::FromCall::from_call) did not return a value.
///
/// The handler does not run. What the caller sees depends on the constructor:
///
/// | constructor | `tools/call` | `prompts/get`, `completion/complete` | `resources/read` |
/// | --- | --- | --- | --- |
/// | [`invalid_argument`](Self::invalid_argument) | a tool error that names the field; `-32602` before 2025-11-25 | `-32602` | resource not found: the URI has no resource with these variables |
/// | [`refused`](Self::refused) | a tool error with the message | `-32602` with the message | the same |
/// | `?` on any error | a tool error without details | `-32603` | `-32603` |
///
/// The source of an internal error goes to the log and never to the client.
///
/// # Examples
///
/// ```
/// use lambda_mcp::handler::Rejection;
///
/// fn parse(text: &str) -> Result<u32, Rejection> {
///     Ok(text.parse::<u32>()?) // an internal error: the client does not see its text
/// }
/// assert_eq!(parse("x").unwrap_err().to_string(), "internal error");
/// ```
pub struct Rejection(pub(super) RejectionKind);

#[derive(Debug)]
pub(super) enum RejectionKind {
    Arguments(InvalidArguments),
    Refused(String),
    Internal(Box<dyn Error + Send + Sync>),
}

impl Rejection {
    /// An argument is invalid: `path` names the field (empty for the arguments as a whole), and
    /// `rule` completes the sentence that begins with it.
    ///
    /// # Examples
    ///
    /// ```
    /// use lambda_mcp::handler::Rejection;
    ///
    /// let rejection = Rejection::invalid_argument("from", "must be a day before `to`");
    /// assert_eq!(rejection.to_string(), "`from` must be a day before `to`");
    /// ```
    #[must_use]
    pub fn invalid_argument(path: &str, rule: &str) -> Self {
        InvalidArguments::new(path, rule).into()
    }

    /// The call is refused for another reason. The caller, often a model, reads the message: say
    /// what to do next.
    #[must_use]
    pub fn refused(message: impl Into<String>) -> Self {
        Self(RejectionKind::Refused(message.into()))
    }
}

impl fmt::Debug for Rejection {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_tuple("Rejection").field(&self.0).finish()
    }
}

impl fmt::Display for Rejection {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match &self.0 {
            RejectionKind::Arguments(invalid) => invalid.fmt(f),
            RejectionKind::Refused(message) => f.write_str(message),
            RejectionKind::Internal(_) => f.write_str("internal error"),
        }
    }
}

impl From<InvalidArguments> for Rejection {
    fn from(invalid: InvalidArguments) -> Self {
        Self(RejectionKind::Arguments(invalid))
    }
}

// Like `ToolError`, this type does not implement `Error`: the conversion would overlap with
// `From<T> for T`.
impl<E: Into<Box<dyn Error + Send + Sync>>> From<E> for Rejection {
    fn from(source: E) -> Self {
        Self(RejectionKind::Internal(source.into()))
    }
}

/// What a handler gives the protocol and can also say why the handler did not run.
pub(crate) trait FromRejection {
    /// The call was refused, with a message for the caller.
    fn refused(message: String) -> Self;

    /// An internal error; the source is for the log.
    fn internal(source: Box<dyn Error + Send + Sync>) -> Self;
}
