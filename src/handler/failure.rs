//! [`RequestError`]: why a resource or prompt cannot be given.

use std::error::Error;
use std::fmt;

/// Why a resource or prompt cannot be given. Specification: *Resources, Error Handling*; *Prompts,
/// Error Handling*.
///
/// Any [`std::error::Error`] turns into one by `?`, as an internal error whose cause is kept for the
/// log and never sent.
#[derive(Debug)]
pub struct RequestError(pub(crate) Reason);

#[derive(Debug)]
pub(crate) enum Reason {
    /// There is nothing at the URI.
    NotFound,
    /// The arguments ask for what cannot be, in words for the client.
    Invalid(String),
    /// Something broke here.
    Internal(Box<dyn Error + Send + Sync>),
}

impl RequestError {
    /// There is no such resource.
    #[must_use]
    pub const fn not_found() -> Self {
        Self(Reason::NotFound)
    }

    /// The arguments ask for what cannot be. The words go to the client.
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

// Like `ToolError`, this is no `std::error::Error` itself, so that `?` can take any.
impl<E: Error + Send + Sync + 'static> From<E> for RequestError {
    fn from(source: E) -> Self {
        Self(Reason::Internal(Box::new(source)))
    }
}
