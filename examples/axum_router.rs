//! A server in an `axum` router, beside another route: on Lambda, and as a plain HTTP server.
//!
//! Run it with `make run-example EXAMPLE=axum_router`:
//!
//! ```sh
//! curl -s http://127.0.0.1:9000/
//! curl -s http://127.0.0.1:9000/mcp -H 'Content-Type: application/json' \
//!   -d '{"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"name":"price","arguments":{"fruit":"pear"}}}'
//! ```
//!
//! With an address it serves HTTP itself: `cargo run --all-features --example axum_router 127.0.0.1:9000`.

use std::error::Error;

use axum::Router;
use axum::routing::get;
use lambda_mcp::lambda::LogLevel;
use lambda_mcp::{Args, Server, ToolError, lambda_http, tool};
use schemars::JsonSchema;
use serde::Deserialize;
use tokio::net::TcpListener;

#[derive(Deserialize, JsonSchema)]
struct Price {
    /// The fruit, such as `apple`.
    fruit: String,
}

async fn price(Args(Price { fruit }): Args<Price>) -> Result<&'static str, ToolError> {
    match fruit.as_str() {
        "apple" => Ok("An apple costs 40 cents."),
        "pear" => Ok("A pear costs 60 cents."),
        _ => Err(ToolError::new("only `apple` and `pear` are sold")),
    }
}

async fn home() -> &'static str {
    "Apples and pears."
}

/// The routes. What is not routed goes to the server: the endpoint and its documents.
fn app() -> Result<Router, lambda_mcp::Error> {
    let price = tool("price", price)
        .description("Returns the price of a fruit.")
        .read_only();
    let mcp = Server::builder("fruits", "1.0.0").tool(price).build()?;
    let app = Router::new().route("/", get(home));
    Ok(app.fallback_service(lambda_http::handler(mcp)?))
}

#[tokio::main(flavor = "current_thread")]
async fn main() -> Result<(), Box<dyn Error>> {
    let Some(address) = std::env::args().nth(1) else {
        return Ok(lambda_http::run(app()?).await?);
    };
    LogLevel::default().init();
    let listener = TcpListener::bind(address).await?;
    tracing::info!(
        url = format!("http://{}/mcp", listener.local_addr()?),
        "serving"
    );
    Ok(axum::serve(listener, app()?).await?)
}
