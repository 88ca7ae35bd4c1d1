//! Arguments are checked against exactly what their schema promises.
//!
//! schemars describes lengths, ranges and patterns, and serde does not look at them. A schema is
//! compiled once, at start, into a [`Validator`]; a keyword that it would have to ignore is an
//! error then, so that no promise stands unchecked. Specification: *Tools, Security
//! Considerations*: servers must validate all tool inputs.

mod check;
mod compile;
mod reference;

use regex_lite::Regex;
use serde_json::{Number, Value};

pub(crate) use check::InvalidArguments;
pub use compile::InvalidSchema;

/// A compiled schema.
#[derive(Debug)]
pub(crate) struct Validator {
    root: Node,
    /// What references lead to; a [`Node`] knows it by its index.
    referenced: Vec<Node>,
}

/// The assertions of one schema; what is `None` or empty asserts nothing.
#[derive(Debug, Default)]
struct Node {
    /// The schema `false`: nothing fits.
    never: bool,
    types: Vec<Type>,
    values: Option<Vec<Value>>,
    properties: Vec<(String, Self)>,
    required: Vec<String>,
    additional: Additional,
    items: Option<Box<Self>>,
    prefix_items: Vec<Self>,
    /// Of a string, in characters.
    length: Bounds,
    /// Of an array's items.
    count: Bounds,
    /// Of an object's members.
    members: Bounds,
    minimum: Vec<Limit>,
    maximum: Vec<Limit>,
    multiple_of: Option<f64>,
    unique: bool,
    pattern: Option<Regex>,
    any_of: Vec<Self>,
    one_of: Vec<Self>,
    all_of: Vec<Self>,
    not: Option<Box<Self>>,
    condition: Option<Box<Self>>,
    then: Option<Box<Self>>,
    otherwise: Option<Box<Self>>,
    /// Which of the validator's referenced nodes also holds.
    reference: Option<usize>,
}

/// What members beside the named ones may be.
#[derive(Debug, Default)]
enum Additional {
    #[default]
    Anything,
    Nothing,
    Each(Box<Node>),
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Type {
    Null,
    Boolean,
    Integer,
    Number,
    String,
    Array,
    Object,
}

#[derive(Debug, Default, Clone, Copy)]
struct Bounds {
    min: Option<usize>,
    max: Option<usize>,
}

#[derive(Debug, Clone)]
struct Limit {
    value: Number,
    exclusive: bool,
}

#[cfg(test)]
mod tests;
