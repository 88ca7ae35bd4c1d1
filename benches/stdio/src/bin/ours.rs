//! One tool over stdio by this library. It logs warnings only, as rmcp does without a subscriber.

use lambda_mcp::{Args, Server, tool};
use schemars::JsonSchema;
use serde::Deserialize;

#[derive(Deserialize, JsonSchema)]
struct Echo {
    text: String,
}

async fn echo(Args(Echo { text }): Args<Echo>) -> String {
    text
}

#[tokio::main(flavor = "current_thread")]
async fn main() -> Result<(), Box<dyn std::error::Error>> {
    "warn"
        .parse::<lambda_mcp::lambda::LogLevel>()?
        .init_on_stderr();
    let server = Server::builder("echo", "1.0.0").tool(tool("echo", echo));
    lambda_mcp::serve_stdio(server.build()?).await?;
    Ok(())
}
