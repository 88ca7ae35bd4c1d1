//! An order desk: a whole server. Staff of a shop work with its orders through agents: clerks read and change
//! them, only a manager refunds.
//!
//! Tools with filters, pages, nested arguments and structured results; a tool that asks the user first; a
//! resource, a template and a prompt with completion; a verifier of sign-ins; scopes that include others; an
//! error type; a limit over several tools; tests.
//!
//! `desk.rs` has the orders, `handlers.rs` what agents call, `sign_ins.rs` the credentials, and `server.rs` puts
//! them together. Run the tests with `cargo test --example order_desk`, the server with
//! `make run-example EXAMPLE=order_desk`:
//!
//! ```sh
//! curl -s http://127.0.0.1:9000/mcp -H 'Content-Type: application/json' \
//!   -H 'Authorization: Bearer desk-clerk' \
//!   -d '{"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"name":"list_orders","arguments":{"status":"open"}}}'
//! ```
//!
//! Orders, sign-ins and counts are kept in memory, so each instance has its own. On AWS, read them from a
//! database, and count in a `DynamoDbLimiter`.

mod desk;
mod handlers;
mod server;
mod sign_ins;

#[cfg(test)]
mod tests;

use server::{Fault, sample, server};

#[tokio::main(flavor = "current_thread")]
async fn main() -> Result<(), Fault> {
    let (desk, sign_ins) = sample()?;
    lambda_mcp::run(server(desk, sign_ins)?).await?;
    Ok(())
}
