//! JSON Schemas: generated from types, portable between clients, and checked before a handler runs.
//!
//! - `generate`, `portable`: the schema of a type
//! - `listed`: the schema of arguments as clients list it
//! - `form`: the schema of a form that a user fills in
//! - `validate`, `format`: checks of values
//! - `text_arguments`: arguments that are text on the wire

pub(crate) mod form;
mod format;
mod generate;
mod listed;
mod portable;
pub(crate) mod text_arguments;
mod validate;

pub(crate) use self::generate::{input, no_input, output};
pub(crate) use self::listed::{closes, listed};
pub use self::validate::InvalidSchema;
pub(crate) use self::validate::Validator;
pub(crate) use self::validate::{Budget, InvalidArguments};
