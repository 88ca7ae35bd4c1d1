//! Handlers: their parameters, their return types, and input from the client.
//!
//! A [`Handler`] is an async function. Its parameters implement [`FromCall`]: [`Args`](crate::Args),
//! [`State`](crate::State), [`Context`], [`AskingContext`](crate::AskingContext), or types of your own.
//! Its return type implements [`IntoToolOutput`], [`IntoResource`] or [`IntoPrompt`].
//!
//! | handler of | returns | fails with |
//! | --- | --- | --- |
//! | a tool | `String`, [`Json<T>`](crate::Json), [`Stored<T>`](Stored), [`Content`](crate::content::Content), [`ToolOutput`] | [`ToolError`](crate::ToolError) |
//! | a resource | `String`, `Bytes`, [`Json<T>`](crate::Json), [`Contents`] | [`RequestError`] |
//! | a prompt | `String`, [`PromptMessage`](crate::content::PromptMessage), [`PromptOutput`] | [`RequestError`] |
//! | a completion | `Vec<String>` | [`RequestError`] |
//!
//! A handler can also fail with an error type of your own that implements [`IntoToolError`] or
//! [`IntoRequestError`]. One that implements both lets a handler serve a tool and a resource template.

mod arguments;
pub(crate) mod ask;
mod asks;
mod bound;
mod cancel_on_drop;
mod cancellation;
mod completion;
pub(crate) mod contents;
pub(crate) mod context;
mod create_message;
pub(crate) mod extract;
mod from_ref;
#[expect(
    clippy::module_inception,
    reason = "the trait has the name of what it describes"
)]
mod handler;
pub(crate) mod invocation;
mod notify;
pub(crate) mod output;
pub(crate) mod prompt_output;
mod question;
mod reads;
mod rejection;
mod request_error;
mod stored;
mod stored_output;

pub use self::asks::NeedsInput;
pub(crate) use self::asks::{Asked, Asks, Unusable};
pub(crate) use self::bound::{Bound, Unbound};
pub(crate) use self::cancel_on_drop::CancelOnDrop;
pub(crate) use self::cancellation::Cancellation;
pub(crate) use self::completion::{Completer, UnboundCompleter};
pub use self::completion::{CompletionRequest, IntoCompletion};
pub(crate) use self::contents::Contents;
pub use self::contents::IntoResource;
pub(crate) use self::context::{Context, ContextParts};
pub use self::create_message::CreateMessageRequest;
pub use self::extract::{CallParts, FromCall};
pub use self::from_ref::FromRef;
pub use self::handler::Handler;
pub(crate) use self::invocation::{Invocation, OutputFaults};
pub(crate) use self::notify::{Collected, Notifier, Receiver};
pub use self::output::IntoToolOutput;
pub(crate) use self::output::ToolOutput;
pub use self::prompt_output::IntoPrompt;
pub(crate) use self::prompt_output::PromptOutput;
pub use self::question::{Elicited, Question};
pub(crate) use self::reads::Reads;
pub use self::rejection::Rejection;
pub(crate) use self::request_error::Reason;
pub use self::request_error::{IntoRequestError, RequestError};
pub use self::stored::Stored;
pub use crate::error::IntoToolError;
pub(crate) use crate::schema::InvalidArguments;
