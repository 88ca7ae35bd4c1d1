//! The worker of the shipped function: it runs the tool `contact` as a durable execution.

#[tokio::main(flavor = "current_thread")]
async fn main() -> Result<(), lambda_mcp_worker::Error> {
    lambda_mcp_worker::run(portfolio::worker_server()?).await
}
