//! JSON Schemas: generated from types, portable between clients, and checked before a handler runs.

mod generate;
pub(crate) mod text_arguments;
mod validate;

pub(crate) use self::generate::{form, input, no_input, output};
pub use self::validate::InvalidSchema;
pub(crate) use self::validate::Validator;
pub(crate) use self::validate::{Budget, InvalidArguments};
