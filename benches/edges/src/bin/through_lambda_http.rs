//! The server by `lambda_mcp::lambda_http::run`.

use lambda_mcp::lambda_http::{handler, run};

#[tokio::main(flavor = "current_thread")]
async fn main() -> Result<(), lambda_mcp::Error> {
    run(handler(edges::server()?)?).await
}
