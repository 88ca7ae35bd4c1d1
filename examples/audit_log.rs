//! A layer around every call: an audit log, and a rule that stops destructive tools.
//!
//! Run it with `make run-example EXAMPLE=audit_log`:
//!
//! ```sh
//! curl -s http://127.0.0.1:9000/mcp -H 'Content-Type: application/json' \
//!   -H 'Authorization: Bearer key-of-the-clerk-0123' \
//!   -d '{"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"name":"cancel_order"}}'
//! ```
//!
//! The key `key-of-the-owner-0123` may cancel orders.

use lambda_mcp::auth::{ApiKeys, Auth};
use lambda_mcp::content::ToolAnnotations;
use lambda_mcp::layer::{CallEnd, CallInfo, CallLayer, Next};
use lambda_mcp::{BoxFuture, Server, ToolError, tool};

/// Logs who called what with which outcome, unless the tool only reads.
struct AuditLog;

impl CallLayer for AuditLog {
    fn call<'a>(&'a self, call: CallInfo<'a>, next: Next<'a>) -> BoxFuture<'a, CallEnd> {
        Box::pin(async move {
            let end = next.run().await;
            let only_reads = |hints: &ToolAnnotations| hints.read_only_hint == Some(true);
            if call.method() == "tools/call" && !call.annotations().is_some_and(only_reads) {
                let who = call
                    .principal()
                    .map_or("anyone", |principal| principal.subject());
                let outcome = end.outcome().as_str();
                let duration_s = end.duration().as_secs_f64();
                tracing::info!(who, outcome, duration_s, "audit");
            }
            end
        })
    }
}

/// Lets only the owner call tools that destroy something.
fn only_the_owner_destroys<'a>(call: CallInfo<'a>, next: Next<'a>) -> BoxFuture<'a, CallEnd> {
    let destroys = call
        .annotations()
        .is_some_and(|hints| hints.destructive_hint == Some(true));
    let is_owner = call
        .principal()
        .is_some_and(|principal| principal.subject() == "owner");
    if destroys && !is_owner {
        return next.refuse(ToolError::new("only the owner can do this; ask the owner"));
    }
    next.run()
}

async fn list_orders() -> &'static str {
    "Order 1: 3 apples."
}

async fn cancel_order() -> &'static str {
    "Order 1 is cancelled."
}

fn server() -> Result<Server, Box<dyn std::error::Error>> {
    let digest = |key| ApiKeys::digest(key);
    let keys = format!(
        "owner {} orders; clerk {} orders",
        digest("key-of-the-owner-0123"),
        digest("key-of-the-clerk-0123"),
    );
    let cancels = ToolAnnotations::new().read_only(false).destructive(true);
    let server = Server::builder("orders", "1.0.0")
        .auth(Auth::new().verifier(keys.parse::<ApiKeys>()?))
        .layer(AuditLog)
        .layer(only_the_owner_destroys)
        .tool(tool("list_orders", list_orders).read_only())
        .tool(
            tool("cancel_order", cancel_order)
                .requires_scope("orders")
                .annotations(cancels),
        );
    Ok(server.build()?)
}

#[tokio::main(flavor = "current_thread")]
async fn main() -> Result<(), Box<dyn std::error::Error>> {
    Ok(lambda_mcp::run(server()?).await?)
}
