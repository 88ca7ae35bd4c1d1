//! The worker of `examples/report`: it runs the same tool as a durable execution.

use lambda_mcp::tasks::Tasks;

#[path = "../../examples/report/server.rs"]
mod server;

#[tokio::main(flavor = "current_thread")]
async fn main() -> Result<(), lambda_mcp_worker::Error> {
    // The worker starts no tasks, so its own engine is never used.
    lambda_mcp_worker::run(server::books(Tasks::local()).build()?).await
}
