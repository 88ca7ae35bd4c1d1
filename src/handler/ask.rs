//! Asking the client for input in the middle of a request. Specification: *Multi Round-Trip
//! Requests*; *Elicitation*; *Sampling*; *Roots*.
//!
//! A handler asks by key and returns early with `?`. If the answer is missing the call ends; the
//! client is asked and calls again, and the same code runs again with the answer at hand. Nothing is
//! stored in between. On a connection of the legacy era the library asks within the call.

use std::ops::Deref;

use schemars::JsonSchema;
use serde::de::DeserializeOwned;
use serde_json::Value;

use crate::handler::asks::NeedsInput;
use crate::handler::context::Context;
use crate::handler::create_message::CreateMessageRequest;
use crate::handler::extract::{CallParts, FromCall};
use crate::handler::question::{Elicited, Question};
use crate::handler::rejection::Rejection;
use crate::wire::input_required::{CreateMessageResult, ElicitAction, Root};

/// A [`Context`] that can ask the client for input in the middle of a request: a handler parameter.
///
/// It has all methods of [`Context`] as well. Take it only in handlers that ask: the crate knows by it
/// which handlers need [`request_state_key`](crate::server::ServerBuilder::request_state_key).
///
/// Each method returns the answer, or records the request and returns [`NeedsInput`]. Return that
/// with `?`: the call ends, the client asks the user or its model, and calls again with the answer.
/// The handler then runs **from its start**, so do nothing with effects before the last question.
///
/// To ask several questions in one round, call the methods first and use `?` afterwards. `key` names
/// the question within the call, and must be the same each time the handler runs.
///
/// Clients of revision 2026-07-28 can be asked, and on a connection (`serve_stdio`) those of the older
/// revisions: there the library sends the questions as requests and waits for the answers within the
/// call. With an older client over HTTP the call fails and says so. With a client that lacks the
/// capability it fails as well, with `-32021` in revision 2026-07-28. To serve both without a question,
/// look at [`can_elicit`](Self::can_elicit) first.
///
/// Answers and pending questions travel with the client in `requestState`, which is signed. All
/// instances of a server need the same key for it: on AWS Lambda a server whose handlers take this
/// parameter does not start without one.
///
/// # Examples
///
/// ```
/// use lambda_mcp::handler::Elicited;
/// use lambda_mcp::server::RequestStateKey;
/// use lambda_mcp::{AskingContext, Server, ToolError, tool};
/// use schemars::JsonSchema;
/// use serde::Deserialize;
///
/// #[derive(Deserialize, JsonSchema)]
/// struct Name {
///     /// Your name.
///     name: String,
/// }
///
/// async fn greet(context: AskingContext) -> Result<String, ToolError> {
///     match context.elicit::<Name>("name", "What is your name?")? {
///         Elicited::Accept(Name { name }) => Ok(format!("Hello, {name}.")),
///         _ => Ok("Hello.".to_owned()),
///     }
/// }
///
/// # fn main() -> Result<(), Box<dyn std::error::Error>> {
/// # let secret = "0123456789abcdef0123456789abcdef";
/// let server = Server::builder("greeter", "1.0.0")
///     .request_state_key(RequestStateKey::new(secret)?)
///     .tool(tool("greet", greet))
///     .build()?;
/// # Ok(())
/// # }
/// ```
#[derive(Debug, Clone)]
pub struct AskingContext(Context);

impl Deref for AskingContext {
    type Target = Context;

    fn deref(&self) -> &Context {
        &self.0
    }
}

impl<S> FromCall<S> for AskingContext {
    fn may_ask() -> bool {
        true
    }

    fn from_call(call: &mut CallParts<'_, S>) -> Result<Self, Rejection> {
        Ok(Self(call.context().clone()))
    }
}

impl AskingContext {
    /// Whether the user of this client can be asked to fill in a form.
    ///
    /// Over HTTP, clients of the revisions before 2026-07-28 cannot be asked at all, and others only if
    /// they declare it. Offer them another way, such as an argument.
    ///
    /// # Examples
    ///
    /// ```
    /// use lambda_mcp::handler::Elicited;
    /// use lambda_mcp::testing::TestClient;
    /// use lambda_mcp::{Args, AskingContext, Server, ToolError, tool};
    /// use schemars::JsonSchema;
    /// use serde::Deserialize;
    /// use serde_json::json;
    ///
    /// #[derive(Deserialize, JsonSchema)]
    /// struct Delete {
    ///     /// Confirms the deletion, for clients that show no form.
    ///     confirm: Option<bool>,
    /// }
    ///
    /// #[derive(Deserialize, JsonSchema)]
    /// struct Confirm {
    ///     delete: bool,
    /// }
    ///
    /// async fn delete_all(
    ///     context: AskingContext,
    ///     Args(Delete { confirm }): Args<Delete>,
    /// ) -> Result<&'static str, ToolError> {
    ///     let is_confirmed = if context.can_elicit() {
    ///         let answer = context.elicit::<Confirm>("confirm", "Delete all files?")?;
    ///         matches!(answer, Elicited::Accept(Confirm { delete: true }))
    ///     } else {
    ///         confirm == Some(true)
    ///     };
    ///     if is_confirmed { Ok("Deleted.") } else { Err(ToolError::new("Call again with `confirm`.")) }
    /// }
    ///
    /// # #[tokio::main(flavor = "current_thread")]
    /// # async fn main() -> Result<(), Box<dyn std::error::Error>> {
    /// let server = Server::builder("files", "1.0.0").tool(tool("delete_all", delete_all)).build()?;
    /// let client = TestClient::new(server);
    /// assert!(client.call("delete_all", json!({})).await.text().contains("`confirm`"));
    /// assert_eq!(client.call("delete_all", json!({"confirm": true})).await.text(), "Deleted.");
    /// # Ok(())
    /// # }
    /// ```
    #[must_use]
    pub fn can_elicit(&self) -> bool {
        self.client_capabilities().supports_form_elicitation()
    }

    /// Asks the user to fill in a form with the fields of `T`.
    ///
    /// `T` is a struct of texts, numbers, booleans and choices, without nesting; doc comments of its
    /// fields are shown to the user. Texts may have the formats `date`, `date-time`, `email` and `uri`.
    /// A choice is an enum of variants without fields, and a list of them is a choice of several;
    /// `#[schemars(title = "…")]` on a variant is what the user reads instead of its name. Give all of
    /// them one: variants with neither a title nor a comment come first.
    /// Do not ask for passwords, keys or payment data: use [`elicit_url`](Self::elicit_url). An answer
    /// that does not match the schema is asked for again.
    ///
    /// With any other type the call fails as an internal error, and the log says which field is the
    /// reason. A debug build says it in the error as well, so a test with
    /// [`TestClient`](crate::testing::TestClient) shows it.
    ///
    /// Specification: *Elicitation, Form Mode*.
    ///
    /// # Errors
    ///
    /// The answer is not there yet: return the error with `?`.
    ///
    /// # Examples
    ///
    /// ```
    /// use lambda_mcp::handler::Elicited;
    /// use lambda_mcp::testing::{Answer, TestClient};
    /// use lambda_mcp::{AskingContext, Server, ToolError, tool};
    /// use schemars::JsonSchema;
    /// use serde::Deserialize;
    /// use serde_json::json;
    ///
    /// #[derive(Deserialize, JsonSchema)]
    /// struct Confirm {
    ///     /// Whether all files are deleted. This cannot be undone.
    ///     delete: bool,
    /// }
    ///
    /// async fn delete_all(context: AskingContext) -> Result<&'static str, ToolError> {
    ///     match context.elicit::<Confirm>("confirm", "Delete all files?")? {
    ///         Elicited::Accept(Confirm { delete: true }) => Ok("All files are deleted."),
    ///         _ => Ok("Nothing was deleted."),
    ///     }
    /// }
    ///
    /// # #[tokio::main(flavor = "current_thread")]
    /// # async fn main() -> Result<(), Box<dyn std::error::Error>> {
    /// let server = Server::builder("files", "1.0.0").tool(tool("delete_all", delete_all)).build()?;
    /// let user = TestClient::new(server);
    /// let agreeing = user.clone().answer("confirm", Answer::accept(json!({"delete": true})));
    /// assert_eq!(agreeing.call("delete_all", json!({})).await.text(), "All files are deleted.");
    ///
    /// let declining = user.answer("confirm", Answer::decline());
    /// assert_eq!(declining.call("delete_all", json!({})).await.text(), "Nothing was deleted.");
    /// # Ok(())
    /// # }
    /// ```
    pub fn elicit<T>(&self, key: &str, message: &str) -> Result<Elicited<T>, NeedsInput>
    where
        T: DeserializeOwned + JsonSchema,
    {
        self.put(&Question::form(key, message))
    }

    /// Asks the user to open a web page, for input that must not pass through the client: a sign-in,
    /// a payment, a secret.
    ///
    /// [`ElicitAction::Accept`] means that the user agreed to open the page, not that anything
    /// happened there: check that on your side. `url` must be a valid `https` URL; with any other the
    /// call fails as an internal error, and the log says so. Specification: *Elicitation, URL Mode*.
    ///
    /// # Errors
    ///
    /// The answer is not there yet: return the error with `?`.
    ///
    /// # Examples
    ///
    /// ```
    /// use lambda_mcp::protocol::ElicitAction;
    /// use lambda_mcp::testing::{Answer, TestClient};
    /// use lambda_mcp::{AskingContext, Server, ToolError, tool};
    /// use serde_json::json;
    ///
    /// # async fn is_paid() -> bool { true }
    /// async fn order(context: AskingContext) -> Result<&'static str, ToolError> {
    ///     let page = "https://shop.example.com/pay/4711";
    ///     let action = context.elicit_url("pay", "Pay for order 4711.", page)?;
    ///     if action == ElicitAction::Accept && is_paid().await {
    ///         return Ok("The order is paid.");
    ///     }
    ///     Ok("The order waits for its payment.")
    /// }
    ///
    /// # #[tokio::main(flavor = "current_thread")]
    /// # async fn main() -> Result<(), Box<dyn std::error::Error>> {
    /// let server = Server::builder("shop", "1.0.0").tool(tool("order", order)).build()?;
    /// let client = TestClient::new(server).on_elicit(|question| {
    ///     assert_eq!(question.url(), Some("https://shop.example.com/pay/4711"));
    ///     Answer::accept_url()
    /// });
    /// assert_eq!(client.call("order", json!({})).await.text(), "The order is paid.");
    /// # Ok(())
    /// # }
    /// ```
    pub fn elicit_url(
        &self,
        key: &str,
        message: &str,
        url: &str,
    ) -> Result<ElicitAction, NeedsInput> {
        self.put(&Question::page(key, message, url))
    }

    /// Asks the client's model.
    ///
    /// **Deprecated in revision 2026-07-28**: call the API of a model provider instead. Clients keep
    /// support until at least 2027-07-28. Specification: *Sampling*.
    ///
    /// # Errors
    ///
    /// The answer is not there yet: return the error with `?`.
    ///
    /// # Examples
    ///
    /// ```
    /// use lambda_mcp::handler::CreateMessageRequest;
    /// use lambda_mcp::testing::{Answer, TestClient};
    /// use lambda_mcp::{AskingContext, Server, ToolError, tool};
    /// use serde_json::json;
    ///
    /// async fn summarize(context: AskingContext) -> Result<String, ToolError> {
    ///     let request = CreateMessageRequest::new("Summarize: the sky is blue.", 60);
    ///     Ok(context.sample("summary", &request)?.text())
    /// }
    ///
    /// # #[tokio::main(flavor = "current_thread")]
    /// # async fn main() -> Result<(), Box<dyn std::error::Error>> {
    /// let server = Server::builder("texts", "1.0.0").tool(tool("summarize", summarize)).build()?;
    /// let client = TestClient::new(server).on_sample(|_| Answer::sampled("A blue sky."));
    /// assert_eq!(client.call("summarize", json!({})).await.text(), "A blue sky.");
    /// # Ok(())
    /// # }
    /// ```
    pub fn sample(
        &self,
        key: &str,
        request: &CreateMessageRequest,
    ) -> Result<CreateMessageResult, NeedsInput> {
        self.put(&Question::sample(key, request))
    }

    /// Asks the client which directories and files the user works in.
    ///
    /// **Deprecated in revision 2026-07-28**: take them as arguments or resource URIs instead. Clients
    /// keep support until at least 2027-07-28. Specification: *Roots*.
    ///
    /// # Errors
    ///
    /// The answer is not there yet: return the error with `?`.
    ///
    /// # Examples
    ///
    /// ```
    /// use lambda_mcp::testing::TestClient;
    /// use lambda_mcp::{AskingContext, Server, ToolError, tool};
    /// use serde_json::json;
    ///
    /// async fn projects(context: AskingContext) -> Result<String, ToolError> {
    ///     let roots = context.roots("roots")?;
    ///     let names = roots.iter().map(|root| root.name.as_deref().unwrap_or(&root.uri));
    ///     Ok(names.collect::<Vec<_>>().join(", "))
    /// }
    ///
    /// # #[tokio::main(flavor = "current_thread")]
    /// # async fn main() -> Result<(), Box<dyn std::error::Error>> {
    /// let server = Server::builder("files", "1.0.0").tool(tool("projects", projects)).build()?;
    /// let client = TestClient::new(server).roots(["file:///home/ada/orders"]);
    /// assert_eq!(client.call("projects", json!({})).await.text(), "file:///home/ada/orders");
    /// # Ok(())
    /// # }
    /// ```
    pub fn roots(&self, key: &str) -> Result<Vec<Root>, NeedsInput> {
        self.put(&Question::roots(key))
    }
}

impl Context {
    /// Returns the answer to a question, or records the question as pending.
    pub(crate) fn put<T>(&self, question: &Question<T>) -> Result<T, NeedsInput> {
        self.with_asks(|asks| {
            if let Some(fault) = question.fault() {
                asks.fail(fault.to_owned());
                return Err(NeedsInput::new());
            }
            let read = |answer: &Value| question.read(answer);
            let request = |wrong: Option<String>| question.request(wrong.as_deref());
            asks.ask(question.key(), question.needs().clone(), read, request)
        })
    }
}
