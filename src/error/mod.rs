//! The two kinds of error, which never turn into one another.
//!
//! [`ProtocolError`] says that the request is wrong, for the client; [`ToolError`] says that a tool
//! could not do it, for the model. Refusals before the protocol is read (a wrong verb, a body too
//! large) have types of their own beside their rule.

mod chain;
pub(crate) mod code;
pub(crate) mod protocol;
mod tool;

pub(crate) use chain::chain;
pub use protocol::ProtocolError;
pub use tool::ToolError;
