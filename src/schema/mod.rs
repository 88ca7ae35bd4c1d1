//! JSON Schemas: generated from types, portable between clients, and checked before a handler runs.
//!
//! - `generate`, `portable`: the schema of a type
//! - `closed`: the same, whose nested objects allow only the members that they name
//! - `listed`: the schema of arguments as clients list it
//! - `form`: the schema of a form that a user fills in
//! - `validate`, `format`: checks of values
//! - `text_arguments`: arguments that are text on the wire

mod closed;
pub(crate) mod form;
mod format;
mod generate;
mod listed;
mod portable;
pub(crate) mod text_arguments;
mod validate;

pub(crate) use self::closed::close_nested;
pub(crate) use self::generate::{input, no_input, output};
pub(crate) use self::listed::{closes, listed};
pub use self::validate::InvalidSchema;
pub(crate) use self::validate::Validator;
pub(crate) use self::validate::{Budget, InvalidArguments};
