//! The serde types of the protocol, one file per page of the specification.
//!
//! They describe what is on the wire and nothing else: no rule, no I/O, nothing of ours imported.

pub(crate) mod annotations;
pub(crate) mod capabilities;
pub(crate) mod content;
pub(crate) mod discover;
pub(crate) mod implementation;
pub(crate) mod initialize;
pub(crate) mod jsonrpc;
pub(crate) mod meta;
pub(crate) mod strict;
pub(crate) mod tools;
pub(crate) mod version;
