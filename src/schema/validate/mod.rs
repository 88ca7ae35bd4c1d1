//! Arguments are checked against exactly what their schema says.
//!
//! schemars describes lengths, ranges and patterns, and serde does not check them. A schema is
//! compiled once, at build time, into a [`Validator`]; a keyword that would not be checked is an error
//! then. Specification: *Tools, Security Considerations*: servers must validate all tool inputs.
//!
//! - `compile`, `assertion`, `reference`, `pattern`: from a schema to `node`, its compiled form
//! - `run`, `unevaluated`, `hash`, `number`: whether a value matches, within a `budget`
//! - `edits`: what is put right in arguments
//! - `explain`, `meant`, `words`: what is wrong with arguments, in words

mod assertion;
mod budget;
mod check;
mod compile;
mod edits;
mod explain;
mod hash;
mod invalid_arguments;
mod invalid_schema;
mod meant;
mod node;
mod number;
mod pattern;
mod reference;
mod run;
mod unevaluated;
mod words;

pub(crate) use self::budget::Budget;
pub(crate) use self::invalid_arguments::InvalidArguments;
pub use self::invalid_schema::InvalidSchema;
pub(crate) use self::node::Validator;
pub(super) use self::reference::find as find_reference;

#[cfg(test)]
mod tests;
