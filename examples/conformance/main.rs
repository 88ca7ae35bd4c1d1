//! The server that the official conformance suite is run against: every fixture it names.
//!
//! `make conformance` serves it through `cargo lambda watch` and drives it with
//! `@modelcontextprotocol/conformance`; names and texts are those the suite asks for. The package's
//! own tests use it as well, and set `ALLOWED_HOSTS`, `PAGE_SIZE`, `STATE_KEY` and `STATE_TTL_S`.

use std::env;
use std::error::Error;
use std::time::Duration;

use lambda_mcp::{Hosts, Server, StateKey};

mod asking;
mod media;
mod prompts;
mod resources;
mod tools;

#[tokio::main(flavor = "current_thread")]
async fn main() -> Result<(), Box<dyn Error>> {
    let hosts = match env::var("ALLOWED_HOSTS") {
        Ok(names) => Hosts::parse(&names)?,
        Err(_) => Hosts::loopback(),
    };
    let mut server = Server::builder("conformance", env!("CARGO_PKG_VERSION"))
        .hosts(hosts)
        .log_notifications();
    if let Ok(entries) = env::var("PAGE_SIZE") {
        server = server.page_size(entries.parse()?);
    }
    if let Ok(secret) = env::var("STATE_KEY") {
        server = server.request_state_key(StateKey::new(secret)?);
    }
    if let Ok(seconds) = env::var("STATE_TTL_S") {
        server = server.request_state_ttl(Duration::from_secs(seconds.parse()?));
    }
    let server = tools::register(server);
    let server = asking::register(server);
    let server = prompts::register(server);
    let server = resources::register(server).build()?;
    lambda_mcp::run(server).await?;
    Ok(())
}
