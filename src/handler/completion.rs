//! Completion handlers: what an argument could be. Specification: *Completion*.

use std::collections::BTreeMap;

use serde::{Deserialize, Serialize};
use serde_json::Value;

use crate::handler::bound::{Bound, Unbound};
use crate::handler::extract::{CallParts, FromCall};
use crate::handler::handler::Handler;
use crate::handler::reads::{Reads, completion_request};
use crate::handler::rejection::Rejection;
use crate::handler::request_error::{IntoRequestError, RequestError};
use crate::schema::InvalidArguments;

/// The argument that the user is typing: a parameter of completion handlers.
///
/// A handler may ignore it and return every value: those that contain the typed text are chosen
/// from what it returns.
///
/// # Examples
///
/// ```
/// use lambda_mcp::handler::CompletionRequest;
/// use lambda_mcp::{Args, Server, resource_template};
/// use schemars::JsonSchema;
/// use serde::Deserialize;
///
/// #[derive(Deserialize, JsonSchema)]
/// struct Page {
///     book: String,
///     page: u32,
/// }
///
/// async fn page(Args(Page { book, page }): Args<Page>) -> String {
///     format!("Page {page} of {book}.")
/// }
///
/// /// The pages of the book that was chosen before.
/// async fn pages(request: CompletionRequest) -> Vec<String> {
///     let count = match request.arguments.get("book").map(String::as_str) {
///         Some("short") => 3,
///         _ => 300,
///     };
///     (1..=count).map(|page: u32| page.to_string()).collect()
/// }
///
/// let template = resource_template("book://{book}/{page}", "page", page).complete("page", pages);
/// assert!(Server::builder("books", "1.0.0").resource(template).build().is_ok());
/// ```
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize)]
#[non_exhaustive]
pub struct CompletionRequest {
    /// The text typed so far; may be empty.
    pub value: String,
    /// The other arguments that are already filled in, by name.
    pub arguments: BTreeMap<String, String>,
}

impl<S> FromCall<S> for CompletionRequest {
    fn input_schema() -> Option<Value> {
        Some(completion_request())
    }

    fn from_call(call: &mut CallParts<'_, S>) -> Result<Self, Rejection> {
        serde_json::from_value(call.take_arguments())
            .map_err(|error| InvalidArguments::new("", &error.to_string()).into())
    }
}

/// A type that a completion handler can return: `Vec<String>`, or a [`Result`] with [`RequestError`] or
/// an error that implements [`IntoRequestError`].
///
/// # Examples
///
/// ```
/// use lambda_mcp::handler::RequestError;
/// use lambda_mcp::{Args, Server, resource_template};
/// use schemars::JsonSchema;
/// use serde::Deserialize;
///
/// #[derive(Deserialize, JsonSchema)]
/// struct Order {
///     number: u32,
/// }
///
/// async fn order(Args(Order { number }): Args<Order>) -> String {
///     format!("Order {number}.")
/// }
///
/// async fn numbers() -> Result<Vec<String>, RequestError> {
///     let file = std::fs::read_to_string("/orders")?;
///     Ok(file.lines().map(str::to_owned).collect())
/// }
///
/// let order = resource_template("orders://{number}", "order", order).complete("number", numbers);
/// assert!(Server::builder("orders", "1.0.0").resource(order).build().is_ok());
/// ```
#[diagnostic::on_unimplemented(
    message = "a completion handler cannot return `{Self}`",
    note = "it returns `Vec<String>`, or a `Result` of it with `RequestError` or an error that implements `IntoRequestError`"
)]
pub trait IntoCompletion {
    /// Converts the value into all possible values, best first.
    ///
    /// # Errors
    ///
    /// Returns why there are no suggestions.
    fn into_completion(self) -> Result<Vec<String>, RequestError>;
}

impl IntoCompletion for Vec<String> {
    fn into_completion(self) -> Result<Self, RequestError> {
        Ok(self)
    }
}

impl<E: IntoRequestError> IntoCompletion for Result<Vec<String>, E> {
    fn into_completion(self) -> Result<Vec<String>, RequestError> {
        self.map_err(E::into_request_error)
    }
}

type Suggested = Result<Vec<String>, RequestError>;

/// The completion handler of one argument, not yet bound to a state.
#[derive(Debug)]
pub(crate) struct UnboundCompleter<S> {
    argument: String,
    reads: Reads,
    handler: Unbound<S, Suggested>,
}

/// The completion handler of one argument.
#[derive(Debug)]
pub(crate) struct Completer {
    pub(crate) argument: String,
    pub(crate) handler: Bound<Suggested>,
}

impl<S> UnboundCompleter<S> {
    pub(crate) fn new<M, H>(argument: String, handler: H) -> Self
    where
        H: Handler<S, M>,
        H::Output: IntoCompletion + 'static,
    {
        Self {
            argument,
            reads: H::reads(),
            handler: Unbound::new(handler, IntoCompletion::into_completion),
        }
    }

    pub(crate) fn argument(&self) -> &str {
        &self.argument
    }

    pub(crate) const fn reads(&self) -> &Reads {
        &self.reads
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
