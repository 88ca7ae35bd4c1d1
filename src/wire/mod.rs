//! The wire types of the protocol, one file per page of the specification.
//!
//! These types describe the JSON that clients and servers exchange, and which of it a version defines. They
//! do no I/O, and they import nothing from the other modules of this crate.

pub(crate) mod annotations;
mod base64;
pub(crate) mod capabilities;
pub(crate) mod completion;
pub(crate) mod content;
pub(crate) mod discover;
pub(crate) mod header;
pub(crate) mod implementation;
pub(crate) mod initialize;
pub(crate) mod input_required;
pub(crate) mod jsonrpc;
pub(crate) mod logging;
pub(crate) mod meta;
mod number;
pub(crate) mod one_line;
pub(crate) mod params;
pub(crate) mod percent;
pub(crate) mod progress;
pub(crate) mod prompts;
pub(crate) mod protected_resource;
pub(crate) mod reduction;
pub(crate) mod resource_contents;
pub(crate) mod resources;
pub(crate) mod tasks;
pub(crate) mod text;
pub(crate) mod timestamp;
pub(crate) mod tools;
pub(crate) mod version;
pub(crate) mod written_json;
