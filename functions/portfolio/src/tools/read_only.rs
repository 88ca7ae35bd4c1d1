//! [`read_only()`]: what all tools that only read have in common.

use lambda_mcp::handler::{Handler, IntoToolOutput};
use lambda_mcp::server::Tool;
use lambda_mcp::tool;

use crate::about::About;

/// Builds a tool that only reads.
pub(super) fn read_only<M, H>(about: About, handler: H) -> Tool<()>
where
    H: Handler<(), M>,
    H::Output: IntoToolOutput + 'static,
{
    tool(about.name, handler)
        .title(about.title)
        .description(about.description)
        .read_only()
}
