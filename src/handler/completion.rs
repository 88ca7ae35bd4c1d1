//! Completion handlers: what an argument could be. Specification: *Completion*.

use std::collections::BTreeMap;
use std::error::Error;

use serde::{Deserialize, Serialize};

use crate::handler::bound::{Bound, Unbound};
use crate::handler::extract::{CallParts, FromCall};
use crate::handler::handler::Handler;
use crate::handler::rejection::{FromRejection, Rejection};
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
    fn from_call(call: &mut CallParts<'_, S>) -> Result<Self, Rejection> {
        serde_json::from_value(call.take_arguments())
            .map_err(|error| InvalidArguments::new("", &error.to_string()).into())
    }
}

/// A call that was refused has no suggestions.
impl FromRejection for Vec<String> {
    fn refused(_message: String) -> Self {
        Self::new()
    }

    fn internal(source: Box<dyn Error + Send + Sync>) -> Self {
        tracing::error!(error = %source, "a parameter of a completion handler failed");
        Self::new()
    }
}

/// The completion handler of one argument, not yet bound to a state.
#[derive(Debug)]
pub(crate) struct UnboundCompleter<S> {
    argument: String,
    handler: Unbound<S, Vec<String>>,
}

/// The completion handler of one argument.
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
