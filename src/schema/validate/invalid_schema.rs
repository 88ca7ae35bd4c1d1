//! [`InvalidSchema`]: why a schema cannot be checked.

use std::fmt;

use thiserror::Error;

/// Why a JSON Schema is not supported: which part of it, and what is wrong.
///
/// Every keyword of an input schema is checked on each call, so a keyword that would not be checked
/// is an error when the server is built. See [the supported keywords](crate::server#json-schema).
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct InvalidSchema {
    /// The field that the faulty part describes; empty for the schema as a whole.
    pub(super) field: String,
    pub(super) fault: Fault,
}

/// What is wrong with a schema.
#[derive(Debug, Clone, PartialEq, Eq, Error)]
pub(super) enum Fault {
    #[error("the keyword `{0}` is not supported, and nothing would check it")]
    Keyword(String),
    #[error("the keyword `{0}` has an invalid value")]
    Value(String),
    #[error("the pattern `{pattern}` is not supported: {reason}")]
    Pattern { pattern: String, reason: String },
    #[error("it refers to `{0}`, which does not exist in it")]
    Reference(String),
    #[error("it refers to itself for the same value, so a check would never end")]
    Cycle,
    #[error("its `$schema` is `{0}`; only JSON Schema 2020-12 is supported")]
    Dialect(String),
}

impl Fault {
    /// The fault in the schema of a field.
    pub(super) fn at(self, field: &str) -> InvalidSchema {
        InvalidSchema {
            field: field.to_owned(),
            fault: self,
        }
    }
}

impl fmt::Display for InvalidSchema {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        if !self.field.is_empty() {
            write!(f, "field `{}`: ", self.field)?;
        }
        self.fault.fmt(f)
    }
}

impl std::error::Error for InvalidSchema {}
