//! Limits: how often each caller may call a tool, counted in memory or in DynamoDB.
//!
//! Run it with `make run-example EXAMPLE=limits`, and send this four times within a minute:
//!
//! ```sh
//! curl -si http://127.0.0.1:9000/mcp -H 'Content-Type: application/json' \
//!   -d '{"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"name":"quote"}}'
//! ```
//!
//! The fourth answer is 429, with `Retry-After` and a text for the model. On Lambda each instance has a
//! memory of its own, so set `RATE_LIMIT_TABLE` to the name of a DynamoDB table (partition key `pk`, TTL
//! attribute `expires_at`): its counts are shared by all instances.

use std::error::Error;
use std::sync::Arc;
use std::time::Duration;

use lambda_mcp::limit::{DynamoDbLimiter, Limiter, Limits, MemoryLimiter, Rule, Rules, Target};
use lambda_mcp::{Server, tool};

async fn quote() -> &'static str {
    "Simplicity is prerequisite for reliability."
}

fn rules() -> Result<Rules, Box<dyn Error>> {
    // Three calls per minute from each caller: an address, or the subject of a credential.
    let each = Rule::new(3, Duration::from_secs(60))?.fail_open();
    // A thousand per day from all callers together. If the table cannot be reached, a few calls pass.
    let all = Rule::new(1000, Duration::from_secs(24 * 60 * 60))?
        .total()
        .fail_open();
    let rules = Rules::new().target(Target::tool("quote"), [each, all])?;
    // The same as text, for a configuration.
    assert_eq!(
        "quote=3/1m:open,total:1000/1d:open".parse(),
        Ok(rules.clone())
    );
    Ok(rules)
}

#[tokio::main(flavor = "current_thread")]
async fn main() -> Result<(), Box<dyn Error>> {
    let limiter: Arc<dyn Limiter> = match std::env::var("RATE_LIMIT_TABLE") {
        Ok(table) => Arc::new(DynamoDbLimiter::new(table)),
        Err(_) => Arc::new(MemoryLimiter::new()),
    };
    let server = Server::builder("quotes", "1.0.0")
        .limits(Limits::new(rules()?, limiter))
        .tool(
            tool("quote", quote)
                .description("Returns a quote.")
                .read_only(),
        )
        .build()?;
    lambda_mcp::run(server).await?;
    Ok(())
}
