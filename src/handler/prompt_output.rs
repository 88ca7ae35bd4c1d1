//! What a prompt gives back. Specification: *Prompts, Data Types*.

use crate::handler::failure::RequestError;
use crate::wire::content::Content;
use crate::wire::prompts::PromptMessage;

/// A prompt filled in: messages, and what they are about.
#[derive(Debug, Clone, Default, PartialEq)]
pub struct PromptOutput {
    pub(crate) description: Option<String>,
    pub(crate) messages: Vec<PromptMessage>,
}

impl PromptOutput {
    /// Nothing yet.
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

    /// Adds a message.
    #[must_use]
    pub fn message(mut self, message: PromptMessage) -> Self {
        self.messages.push(message);
        self
    }
}

/// What a prompt may return.
#[diagnostic::on_unimplemented(
    message = "a prompt cannot return `{Self}`",
    note = "a prompt returns `String`, `&'static str`, `Content`, `PromptMessage`, a `Vec` of messages, `PromptOutput`, or a `Result` of one of them with `RequestError`"
)]
pub trait IntoPrompt {
    /// The filled-in prompt.
    ///
    /// # Errors
    ///
    /// The prompt cannot be given.
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

impl<T: IntoPrompt> IntoPrompt for Result<T, RequestError> {
    fn into_prompt(self) -> Result<PromptOutput, RequestError> {
        self.and_then(T::into_prompt)
    }
}
