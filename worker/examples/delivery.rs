//! The worker of `tests/fixtures/delivery`.

use lambda_mcp::tasks::Tasks;

#[path = "../../tests/fixtures/delivery/server.rs"]
mod server;

#[tokio::main(flavor = "current_thread")]
async fn main() -> Result<(), lambda_mcp_worker::Error> {
    lambda_mcp_worker::run(server::builder(Tasks::local())?.build()?).await
}
