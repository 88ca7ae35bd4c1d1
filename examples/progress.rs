//! A tool that tells how far it is while it works.
//!
//! Deployed with `responseTransferMode: STREAM` (the template's `ResponseStreaming` parameter), each
//! notification reaches the client as it happens; without it they arrive together with the result.

use std::time::Duration;

use lambda_mcp::protocol::LoggingLevel;
use lambda_mcp::{Args, Context, Server, tool};
use schemars::JsonSchema;
use serde::Deserialize;
use serde_json::json;

#[derive(Deserialize, JsonSchema)]
struct Count {
    /// How far to count.
    #[schemars(range(min = 1, max = 20))]
    to: u32,
}

async fn count(context: Context, Args(Count { to }): Args<Count>) -> String {
    context.log(LoggingLevel::Info, Some("count"), &json!({ "to": to }));
    for step in 1..=to {
        tokio::time::sleep(Duration::from_millis(20)).await;
        let message = format!("{step} of {to}");
        context.progress(f64::from(step), Some(f64::from(to)), Some(&message));
    }
    format!("Counted to {to}.")
}

#[tokio::main(flavor = "current_thread")]
async fn main() -> Result<(), lambda_mcp::Error> {
    let server = Server::builder("counter", "1.0.0")
        .log_notifications()
        .tool(
            tool("count", count)
                .description("Counts, and tells how far it is.")
                .read_only(),
        )
        .build()?;
    if std::env::var_os("RESPONSE_STREAMING").is_some() {
        return lambda_mcp::lambda::run_with_streaming_response(server).await;
    }
    lambda_mcp::run(server).await
}
