//! The worker of the server that the official conformance suite is run against.

#[path = "../../tests/fixtures/conformance/server.rs"]
mod server;

#[tokio::main(flavor = "current_thread")]
async fn main() -> Result<(), lambda_mcp_worker::Error> {
    lambda_mcp_worker::run(server::builder().build()?).await
}
