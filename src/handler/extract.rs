//! Handler parameters: [`FromCall`] and the parameters that the crate provides.

use schemars::JsonSchema;
use serde::de::DeserializeOwned;
use serde_json::Value;

use crate::handler::arguments::{Arguments, invalid};
use crate::handler::context::Context;
use crate::handler::from_ref::FromRef;
use crate::handler::rejection::Rejection;
use crate::schema;
use crate::schema::InvalidArguments;

/// A type that can be a handler parameter.
///
/// The crate implements it for [`Args`], [`State`], [`Context`], [`AskingContext`] and
/// [`CompletionRequest`]. Implement it for a type of your own to share what several handlers need
/// before they run.
///
/// Extraction is synchronous; do asynchronous work in the handler.
///
/// [`AskingContext`]: crate::AskingContext
/// [`CompletionRequest`]: crate::handler::CompletionRequest
///
/// # Examples
///
/// A parameter that only a caller with a credential has:
///
/// ```
/// use lambda_mcp::handler::{CallParts, FromCall, Rejection};
/// use lambda_mcp::{Server, tool};
///
/// struct Caller(String);
///
/// impl<S> FromCall<S> for Caller {
///     fn from_call(call: &mut CallParts<'_, S>) -> Result<Self, Rejection> {
///         let principal = call.context().principal();
///         principal
///             .map(|principal| Self(principal.subject().to_owned()))
///             .ok_or_else(|| Rejection::refused("Sign in first, then call again."))
///     }
/// }
///
/// async fn whoami(Caller(name): Caller) -> String {
///     format!("You are {name}.")
/// }
///
/// let server = Server::builder("names", "1.0.0").tool(tool("whoami", whoami)).build();
/// assert!(server.is_ok());
/// ```
#[diagnostic::on_unimplemented(
    message = "`{Self}` cannot be a parameter of a handler",
    label = "not a parameter",
    note = "arguments are taken as `Args<T>`, where `T` derives `Deserialize` and `JsonSchema`",
    note = "parameters are owned: `Context`, not `&Context`",
    note = "`State<S>` is the state given to `ServerBuilder::state`; other types implement `FromCall`"
)]
pub trait FromCall<S>: Sized + Send {
    /// Returns the JSON Schema of the arguments that this parameter reads, or `None` (the default)
    /// if it reads none. At most one parameter of a handler returns one: two cannot share the
    /// arguments, and [`ServerBuilder::build`](crate::server::ServerBuilder::build) fails.
    #[must_use]
    fn input_schema() -> Option<Value> {
        None
    }

    /// Returns whether a handler with this parameter may ask the client for input. `false` by default;
    /// [`AskingContext`] returns `true`.
    ///
    /// Override it in a parameter that contains an [`AskingContext`]: what other handlers ask fails as
    /// an internal error, and the log says so. A server with such a handler needs a
    /// [shared key](crate::server::ServerBuilder::request_state_key) on AWS Lambda.
    ///
    /// [`AskingContext`]: crate::AskingContext
    #[must_use]
    fn may_ask() -> bool {
        false
    }

    /// Extracts the parameter. Parameters are extracted from left to right.
    ///
    /// # Errors
    ///
    /// Returns why the handler cannot be called.
    fn from_call(call: &mut CallParts<'_, S>) -> Result<Self, Rejection>;
}

/// One call, from which the handler's parameters are extracted.
///
/// `S` is the server's state.
#[derive(Debug)]
pub struct CallParts<'a, S> {
    pub(super) state: &'a S,
    pub(super) arguments: Arguments<'a>,
    pub(super) context: &'a Context,
}

impl<S> CallParts<'_, S> {
    /// Returns the server's state.
    #[must_use]
    pub const fn state(&self) -> &S {
        self.state
    }

    /// Returns the arguments, which were checked against the input schema: always an object, or
    /// `null` after [`take_arguments`](Self::take_arguments).
    #[must_use]
    pub fn arguments(&self) -> &Value {
        self.arguments.value()
    }

    /// Takes the arguments out of the call.
    #[must_use]
    pub fn take_arguments(&mut self) -> Value {
        self.arguments.take()
    }

    /// Returns the context of the request. A clone is cheap.
    #[must_use]
    pub const fn context(&self) -> &Context {
        self.context
    }
}

/// The arguments of a call, deserialized into `T`.
///
/// The JSON Schema of `T` becomes the tool's input schema, so a model reads the doc comments of its
/// fields. Arguments are checked against that schema before they are deserialized: lengths, ranges,
/// patterns, enums, required and unknown members. A handler that runs has valid arguments.
///
/// A `null` for an optional field counts as absent, and a whole number such as `5.0` or `1e2` counts
/// as an integer.
///
/// # Examples
///
/// ```
/// use lambda_mcp::{Args, Server, tool};
/// use schemars::JsonSchema;
/// use serde::Deserialize;
///
/// #[derive(Deserialize, JsonSchema)]
/// struct Search {
///     /// Words to look for.
///     #[schemars(length(min = 1, max = 200))]
///     query: String,
///     /// Maximum number of results. Defaults to 10.
///     #[schemars(range(min = 1, max = 50))]
///     limit: Option<u32>,
/// }
///
/// async fn search(Args(Search { query, limit }): Args<Search>) -> String {
///     format!("The best {} results for {query:?}: none.", limit.unwrap_or(10))
/// }
///
/// assert!(Server::builder("search", "1.0.0").tool(tool("search", search)).build().is_ok());
/// ```
#[derive(Debug, Clone, Copy, Default)]
pub struct Args<T>(pub T);

impl<S, T: DeserializeOwned + JsonSchema + Send> FromCall<S> for Args<T> {
    fn input_schema() -> Option<Value> {
        Some(schema::input::<T>())
    }

    fn from_call(call: &mut CallParts<'_, S>) -> Result<Self, Rejection> {
        Ok(Self(call.arguments.read()?))
    }
}

impl<T: DeserializeOwned> Args<T> {
    /// Reads arguments that were checked.
    ///
    /// # Errors
    ///
    /// They do not have the type.
    pub(crate) fn read(arguments: Value) -> Result<Self, InvalidArguments> {
        serde_path_to_error::deserialize(arguments)
            .map(Self)
            .map_err(|error| invalid(&error))
    }
}

/// The server's state, as set by [`ServerBuilder::state`], or a [part](crate::handler::FromRef) of it.
///
/// Each call gets a clone: keep what is large or shared behind an [`Arc`](std::sync::Arc). Do not
/// rely on what earlier calls left in it: on Lambda the next call may reach another instance.
///
/// [`ServerBuilder::state`]: crate::server::ServerBuilder::state
///
/// # Examples
///
/// ```
/// use std::sync::Arc;
///
/// use lambda_mcp::{Server, State, tool};
///
/// struct Stock {
///     apples: u32,
/// }
///
/// async fn apples(State(stock): State<Arc<Stock>>) -> String {
///     format!("{} apples are left.", stock.apples)
/// }
///
/// let server = Server::builder("shop", "1.0.0")
///     .state(Arc::new(Stock { apples: 7 }))
///     .tool(tool("apples", apples))
///     .build();
/// assert!(server.is_ok());
/// ```
#[derive(Debug, Clone, Copy, Default)]
pub struct State<S>(pub S);

impl<S, T: FromRef<S> + Send> FromCall<S> for State<T> {
    fn from_call(call: &mut CallParts<'_, S>) -> Result<Self, Rejection> {
        Ok(Self(T::from_ref(call.state())))
    }
}

impl<S> FromCall<S> for Context {
    fn from_call(call: &mut CallParts<'_, S>) -> Result<Self, Rejection> {
        Ok(call.context().clone())
    }
}
