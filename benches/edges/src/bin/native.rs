//! The server by `lambda_mcp::run`.

#[tokio::main(flavor = "current_thread")]
async fn main() -> Result<(), lambda_mcp::Error> {
    lambda_mcp::run(edges::server()?).await
}
