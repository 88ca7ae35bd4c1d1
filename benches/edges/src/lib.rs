//! The server that both programs serve, to compare the edges: `native` decodes events as the library
//! does, `through_lambda_http` as the crate `lambda_http` does. Built and driven by `make bench`.

use lambda_mcp::server::BuildError;
use lambda_mcp::{Server, tool};

async fn hello() -> &'static str {
    "Hello."
}

/// A server with one tool.
pub fn server() -> Result<Server, BuildError> {
    Server::builder("greeter", "1.0.0").tool(tool("hello", hello)).build()
}
