//! Handlers of tools whose answer depends on the language alone.

use std::future::{Ready, ready};

use lambda_mcp::handler::Stored;
use lambda_mcp::{Args, ToolError};

use super::read_only::InLanguage;
use crate::content::ByLanguage;

impl<T: 'static> ByLanguage<Stored<T>> {
    /// Returns a handler that takes the language and returns the answer.
    pub(super) fn handler(
        self,
    ) -> impl Fn(Args<InLanguage>) -> Ready<Result<Stored<T>, ToolError>> + Send + Sync + 'static
    {
        move |Args(InLanguage { language })| ready(self.answer(language.as_deref()))
    }

    fn answer(&self, language: Option<&str>) -> Result<Stored<T>, ToolError> {
        Ok(self.get(language)?.clone())
    }
}
