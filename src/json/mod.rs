//! JSON that is read once, into one list of small nodes.
//!
//! A `serde_json::Value` holds a map for each object and an allocation for each name and text: ten times
//! the size of the text that it was read from. A [`Document`] has twelve bytes for each name and value,
//! and borrows texts. So a check of large arguments, and the types that are read from them, need little
//! more memory than the request.
//!
//! - `document`: the nodes
//! - `read`: from JSON text to nodes
//! - `view`: what a node is
//! - `deserialize`: typed values from nodes

mod deserialize;
mod document;
mod read;
mod view;

pub(crate) use self::document::Document;
pub(crate) use self::read::describe;
pub(crate) use self::view::{Items, Kind, Members, ValueRef};

#[cfg(test)]
mod tests;
