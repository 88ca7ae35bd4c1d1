//! Handlers: what they take, what they return, and how they reach the client.
//!
//! A handler is a plain async function. Its parameters are made from the call by [`FromCall`]; what it
//! returns is converted by [`IntoToolOutput`], [`IntoResource`] or [`IntoPrompt`].

pub(crate) mod ask;
mod bound;
mod completion;
pub(crate) mod contents;
pub(crate) mod context;
pub(crate) mod extract;
mod failure;
#[expect(
    clippy::module_inception,
    reason = "the trait has the name of what it describes"
)]
mod handler;
pub(crate) mod invocation;
mod notify;
pub(crate) mod output;
pub(crate) mod prompt_output;

pub(crate) use self::ask::Asks;
pub use self::ask::{Elicited, NeedsInput, Sampling};
pub(crate) use self::bound::{Bound, Unbound};
pub use self::completion::CompletionRequest;
pub(crate) use self::completion::{Completer, UnboundCompleter};
pub(crate) use self::contents::Contents;
pub use self::contents::IntoResource;
pub(crate) use self::context::{Context, ContextParts};
pub use self::extract::{CallParts, FromCall};
pub(crate) use self::failure::Reason;
pub use self::failure::RequestError;
pub use self::handler::Handler;
pub(crate) use self::invocation::Invocation;
pub(crate) use self::notify::{Notifier, Receiver};
pub use self::output::IntoToolOutput;
pub(crate) use self::output::ToolOutput;
pub use self::prompt_output::IntoPrompt;
pub(crate) use self::prompt_output::PromptOutput;
pub use crate::schema::InvalidArguments;
