//! Handlers of tools whose answer depends on the language alone.

use std::future::{Ready, ready};

use lambda_mcp::handler::Stored;
use lambda_mcp::{Args, ToolError};

use super::read_only::InLanguage;
use crate::content::ByLanguage;

/// Returns a handler that takes the language and returns the answer in it.
pub(super) fn handler<T: 'static>(
    answers: ByLanguage<Stored<T>>,
) -> impl Fn(Args<InLanguage>) -> Ready<Result<Stored<T>, ToolError>> + Send + Sync + 'static {
    move |Args(InLanguage { language })| ready(answer(&answers, language.as_deref()))
}

fn answer<T>(
    answers: &ByLanguage<Stored<T>>,
    language: Option<&str>,
) -> Result<Stored<T>, ToolError> {
    Ok(answers.get(language)?.clone())
}
