//! The two kinds of error. There is no conversion between them.
//!
//! A [`ProtocolError`] tells the client that its request is invalid. A [`ToolError`] tells the model
//! that a tool failed. Requests that are rejected before the body is parsed (a wrong HTTP method, a
//! body that is too large) have their own types, next to the rule.

mod chain;
pub(crate) mod code;
pub(crate) mod protocol;
mod tool;

pub(crate) use chain::chain;
pub(crate) use protocol::ProtocolError;
pub use tool::{IntoToolError, ToolError};
