//! [`read_only()`]: what all tools that only read have in common.

use lambda_mcp::handler::{Handler, IntoToolOutput};
use lambda_mcp::server::Tool;
use lambda_mcp::tool;
use schemars::JsonSchema;
use serde::Deserialize;
use serde::de::DeserializeOwned;

use crate::about::About;
use crate::arguments::Listed;

/// Arguments of a tool whose answer depends on the language alone.
#[derive(Debug, Deserialize, JsonSchema)]
pub(super) struct InLanguage {
    /// Language of the texts.
    pub(super) language: Option<String>,
}

/// Builds a tool that only reads. Its arguments are those of `A` that are listed.
pub(super) fn read_only<A, M, H>(
    about: About,
    listed: impl Fn() -> Listed + Send + Sync + 'static,
    handler: H,
) -> Tool<()>
where
    A: DeserializeOwned + JsonSchema + Send,
    H: Handler<(), M>,
    H::Output: IntoToolOutput + 'static,
{
    tool(about.name, handler)
        .title(about.title)
        .description(about.description)
        .input_schema_with(move || listed().schema::<A>())
        .read_only()
}
