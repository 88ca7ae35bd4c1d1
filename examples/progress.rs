//! A tool that reports its progress while it works.
//!
//! Deployed with `responseTransferMode: STREAM` (the template's `ResponseStreaming` parameter), each
//! notification is sent at once. Otherwise all are sent together with the result.
//!
//! Run it with `make run-example EXAMPLE=progress`:
//!
//! ```sh
//! curl -s http://127.0.0.1:9000/mcp -H 'Content-Type: application/json' \
//!   -d '{"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"name":"count","arguments":{"to":3},
//!        "_meta":{"progressToken":"t"}}}'
//! ```

use std::time::Duration;

use lambda_mcp::protocol::LoggingLevel;
use lambda_mcp::{Args, Context, Server, tool};
use schemars::JsonSchema;
use serde::Deserialize;
use serde_json::json;

#[derive(Deserialize, JsonSchema)]
struct Count {
    /// The number to count to.
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
                .description("Counts, and reports its progress.")
                .read_only(),
        )
        .build()?;
    if std::env::var_os("RESPONSE_STREAMING").is_some() {
        return lambda_mcp::lambda::run_with_streaming_response(server).await;
    }
    lambda_mcp::run(server).await
}
