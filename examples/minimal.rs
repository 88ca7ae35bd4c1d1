//! A complete server: one tool, on Lambda.

use lambda_mcp::{Args, Server, ToolError, tool};
use schemars::JsonSchema;
use serde::Deserialize;

#[derive(Deserialize, JsonSchema)]
struct Roll {
    /// How many sides the die has.
    #[schemars(range(min = 2, max = 100))]
    sides: u32,
}

async fn roll(Args(Roll { sides }): Args<Roll>) -> Result<String, ToolError> {
    let now = std::time::SystemTime::now().duration_since(std::time::UNIX_EPOCH)?;
    Ok(format!("You rolled a {}.", now.subsec_nanos() % sides + 1))
}

#[tokio::main(flavor = "current_thread")]
async fn main() -> Result<(), lambda_mcp::Error> {
    let die = tool("roll", roll).description("Rolls a die with a number of sides of your choice.");
    lambda_mcp::run(Server::builder("dice", "1.0.0").tool(die).build()?).await
}
