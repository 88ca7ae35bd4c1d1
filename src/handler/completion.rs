//! Completion: a handler gives what an argument could be. Specification: *Completion*.

use std::collections::BTreeMap;

use serde::{Deserialize, Serialize};

use crate::handler::bound::{Bound, Unbound};
use crate::handler::extract::{CallParts, FromCall};
use crate::handler::handler::Handler;
use crate::schema::InvalidArguments;

/// What is being typed: the parameter that completion handlers take.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize)]
#[non_exhaustive]
pub struct CompletionRequest {
    /// What is typed so far.
    pub value: String,
    /// The other arguments, as far as they are filled in.
    pub arguments: BTreeMap<String, String>,
}

impl<S> FromCall<S> for CompletionRequest {
    fn from_call(call: &mut CallParts<'_, S>) -> Result<Self, InvalidArguments> {
        serde_json::from_value(call.arguments.take())
            .map_err(|error| InvalidArguments::new("", &error.to_string()))
    }
}

/// The handler of one argument, waiting for the state.
#[derive(Debug)]
pub(crate) struct UnboundCompleter<S> {
    argument: String,
    handler: Unbound<S, Vec<String>>,
}

/// The handler of one argument.
#[derive(Debug)]
pub(crate) struct Completer {
    pub(crate) argument: String,
    pub(crate) handler: Bound<Vec<String>>,
}

impl<S> UnboundCompleter<S> {
    pub(crate) fn new<M, H>(argument: String, handler: H) -> Self
    where
        H: Handler<S, M, Output = Vec<String>>,
    {
        Self {
            argument,
            handler: Unbound::new(handler, std::convert::identity),
        }
    }

    pub(crate) fn argument(&self) -> &str {
        &self.argument
    }

    pub(crate) fn bind(self, state: S) -> Completer
    where
        S: Send + Sync + 'static,
    {
        Completer {
            argument: self.argument,
            handler: self.handler.bind(state),
        }
    }
}
