//! JSON Schemas: generated from types, portable between clients, and checked before a handler runs.

mod generate;
pub(crate) mod text_arguments;
mod validate;

pub(crate) use self::generate::{form, input, no_input, output};
pub(crate) use self::validate::InvalidArguments;
pub use self::validate::InvalidSchema;
pub(crate) use self::validate::Validator;
