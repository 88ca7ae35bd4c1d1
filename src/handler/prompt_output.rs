//! [`PromptOutput`]: what a prompt returns. Specification: *Prompts, Data Types*.

use crate::handler::request_error::IntoRequestError;
use crate::handler::request_error::RequestError;
use crate::wire::content::Content;
use crate::wire::prompts::PromptMessage;

/// The messages of a prompt, with an optional description.
///
/// # Examples
///
/// ```
/// use lambda_mcp::content::{Content, PromptMessage, PromptOutput};
/// use lambda_mcp::{Server, prompt};
///
/// async fn interview() -> PromptOutput {
///     PromptOutput::new()
///         .description("An interview about Rust")
///         .message(PromptMessage::assistant(Content::text("Ask me about Rust.")))
///         .message(PromptMessage::user(Content::text("What is a lifetime?")))
/// }
///
/// let interview = prompt("interview", interview);
/// assert!(Server::builder("interviews", "1.0.0").prompt(interview).build().is_ok());
/// ```
#[derive(Debug, Clone, Default, PartialEq)]
pub struct PromptOutput {
    pub(crate) description: Option<String>,
    pub(crate) messages: Vec<PromptMessage>,
}

impl PromptOutput {
    /// No messages and no description.
    #[must_use]
    pub fn new() -> Self {
        Self::default()
    }

    /// Sets what the messages are about.
    #[must_use]
    pub fn description(mut self, description: impl Into<String>) -> Self {
        self.description = Some(description.into());
        self
    }

    /// Adds a message after the others.
    #[must_use]
    pub fn message(mut self, message: PromptMessage) -> Self {
        self.messages.push(message);
        self
    }
}

/// A type that a prompt handler can return.
///
/// A text, a [`Content`] and a [`PromptMessage`] become one message; text and content are sent in
/// the role of the user. Implement the trait for a type of your own to return that type from several
/// prompts.
///
/// # Examples
///
/// ```
/// use lambda_mcp::content::{Content, PromptMessage, PromptOutput};
/// use lambda_mcp::handler::{IntoPrompt, RequestError};
/// use lambda_mcp::{Server, prompt};
///
/// struct Review {
///     code: String,
/// }
///
/// impl IntoPrompt for Review {
///     fn into_prompt(self) -> Result<PromptOutput, RequestError> {
///         if self.code.is_empty() {
///             return Err(RequestError::invalid("there is no code to review"));
///         }
///         let text = format!("Review this code:\n\n{}", self.code);
///         Ok(PromptOutput::new().message(PromptMessage::user(Content::text(text))))
///     }
/// }
///
/// async fn review() -> Review {
///     Review { code: "fn main() {}".to_owned() }
/// }
///
/// assert!(Server::builder("reviews", "1.0.0").prompt(prompt("review", review)).build().is_ok());
/// ```
#[diagnostic::on_unimplemented(
    message = "a prompt cannot return `{Self}`",
    note = "a prompt returns `String`, `&'static str`, `Content`, `PromptMessage`, a `Vec` of messages, `PromptOutput`, or a `Result` of one of these with `RequestError` or an error that implements `IntoRequestError`"
)]
pub trait IntoPrompt {
    /// Converts the value into the messages of the prompt.
    ///
    /// # Errors
    ///
    /// Returns why the prompt cannot be returned.
    fn into_prompt(self) -> Result<PromptOutput, RequestError>;
}

impl IntoPrompt for PromptOutput {
    fn into_prompt(self) -> Result<PromptOutput, RequestError> {
        Ok(self)
    }
}

impl IntoPrompt for Vec<PromptMessage> {
    fn into_prompt(self) -> Result<PromptOutput, RequestError> {
        Ok(PromptOutput {
            description: None,
            messages: self,
        })
    }
}

impl IntoPrompt for PromptMessage {
    fn into_prompt(self) -> Result<PromptOutput, RequestError> {
        vec![self].into_prompt()
    }
}

impl IntoPrompt for Content {
    fn into_prompt(self) -> Result<PromptOutput, RequestError> {
        PromptMessage::user(self).into_prompt()
    }
}

impl IntoPrompt for String {
    fn into_prompt(self) -> Result<PromptOutput, RequestError> {
        Content::text(self).into_prompt()
    }
}

impl IntoPrompt for &'static str {
    fn into_prompt(self) -> Result<PromptOutput, RequestError> {
        Content::text(self).into_prompt()
    }
}

impl<T: IntoPrompt, E: IntoRequestError> IntoPrompt for Result<T, E> {
    fn into_prompt(self) -> Result<PromptOutput, RequestError> {
        self.map_err(E::into_request_error)?.into_prompt()
    }
}
