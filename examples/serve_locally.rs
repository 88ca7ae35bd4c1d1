//! One program for Lambda and for a developer's machine, without an emulator of Lambda.
//!
//! `cargo run --all-features --example serve_locally 9000` serves it at that port, until Ctrl-C. Without
//! a port it runs on Lambda, and with `make run-example EXAMPLE=serve_locally`:
//!
//! ```sh
//! curl -s http://127.0.0.1:9000/mcp -H 'Content-Type: application/json' \
//!   -d '{"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"name":"where_am_i"}}'
//! ```

use lambda_mcp::{Context, Server, serve_local, tool};

async fn where_am_i(context: Context) -> String {
    let address = context.source_ip().map(|address| address.to_string());
    format!(
        "You call from {}.",
        address.as_deref().unwrap_or("somewhere")
    )
}

#[tokio::main(flavor = "current_thread")]
async fn main() -> Result<(), lambda_mcp::Error> {
    let server = Server::builder("guide", "1.0.0")
        .tool(tool("where_am_i", where_am_i).read_only())
        .build()?;
    match std::env::args()
        .nth(1)
        .and_then(|port| port.parse::<u16>().ok())
    {
        Some(port) => serve_local(server, port).await,
        None => lambda_mcp::run(server).await,
    }
}
