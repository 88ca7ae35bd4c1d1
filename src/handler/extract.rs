//! What a handler takes as parameters.

use schemars::JsonSchema;
use serde::de::DeserializeOwned;
use serde_json::Value;

use crate::handler::context::Context;
use crate::schema;
use crate::schema::InvalidArguments;

/// A parameter of a handler, made out of the call.
#[diagnostic::on_unimplemented(
    message = "`{Self}` cannot be a parameter of a handler",
    note = "a handler takes `State<S>`, `Context` and `Args<T>`, each at most once"
)]
pub trait FromCall<S>: Sized + Send {
    /// The JSON Schema this parameter gives the arguments, if it reads them.
    #[must_use]
    fn input_schema() -> Option<Value> {
        None
    }

    /// Makes the parameter.
    ///
    /// # Errors
    ///
    /// The arguments do not fit the type.
    fn from_call(call: &mut CallParts<'_, S>) -> Result<Self, InvalidArguments>;
}

/// A call's parts, from which parameters are made.
#[derive(Debug)]
pub struct CallParts<'a, S> {
    pub(crate) state: &'a S,
    pub(crate) arguments: Value,
    pub(crate) context: &'a Context,
}

/// The arguments of a call, as a type.
///
/// Its JSON Schema becomes the input schema, so doc comments on its fields are what a model reads
/// about them, and what the schema promises — lengths, ranges, patterns, enums — is checked before
/// the type is made.
#[derive(Debug, Clone, Copy, Default)]
pub struct Args<T>(pub T);

impl<S, T: DeserializeOwned + JsonSchema + Send> FromCall<S> for Args<T> {
    fn input_schema() -> Option<Value> {
        Some(schema::input::<T>())
    }

    fn from_call(call: &mut CallParts<'_, S>) -> Result<Self, InvalidArguments> {
        let arguments = call.arguments.take();
        serde_path_to_error::deserialize(arguments)
            .map(Self)
            .map_err(|error| {
                let path = error.path().to_string();
                let path = if path == "." { "" } else { &path };
                InvalidArguments::new(path, &format!("cannot be used: {}", error.inner()))
            })
    }
}

/// The server's state, as it was given to [`ServerBuilder::state`].
///
/// A handler gets a clone: keep what is large behind an [`Arc`](std::sync::Arc).
///
/// [`ServerBuilder::state`]: crate::server::ServerBuilder::state
#[derive(Debug, Clone, Copy, Default)]
pub struct State<S>(pub S);

impl<S: Clone + Send> FromCall<S> for State<S> {
    fn from_call(call: &mut CallParts<'_, S>) -> Result<Self, InvalidArguments> {
        Ok(Self(call.state.clone()))
    }
}

impl<S> FromCall<S> for Context {
    fn from_call(call: &mut CallParts<'_, S>) -> Result<Self, InvalidArguments> {
        Ok(call.context.clone())
    }
}
