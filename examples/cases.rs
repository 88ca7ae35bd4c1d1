//! The server that `tests/data/cases.jsonl` is written for: the tools the cases call, and nothing else.
//!
//! `ALLOWED_HOSTS`, `ALLOWED_ORIGINS`, `HEADER_ONLY_REQUESTS` and `LOG_LEVEL` mean what they mean to the
//! shipped function; unless they are set, pages of `https://app.example.com` may call, and any host
//! name is fine.

use std::env;
use std::error::Error;
use std::time::Duration;

use lambda_mcp::{
    Args, HeaderOnlyRequests, Hosts, Json, LogLevel, Origins, Server, ToolError, tool,
};
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

/// Arguments of `demo_read`.
#[derive(Deserialize, JsonSchema)]
struct Read {
    /// What to read. Two values stand for an upstream that misbehaves: `__8_MiB_result__` and
    /// `__upstream_40s__`.
    q: String,
}

/// What `demo_read` found.
#[derive(Serialize, JsonSchema)]
struct Found {
    /// What was asked for.
    q: String,
    /// What was found.
    text: String,
}

async fn demo_read(Args(Read { q }): Args<Read>) -> Json<Found> {
    let text = match q.as_str() {
        "__8_MiB_result__" => "x".repeat(8 * 1024 * 1024),
        "__upstream_40s__" => {
            tokio::time::sleep(Duration::from_secs(40)).await;
            "too late".to_owned()
        }
        q => format!("Nothing is known about `{q}`."),
    };
    Json(Found { q, text })
}

async fn demo_noargs() -> &'static str {
    "This tool takes no arguments."
}

/// Arguments of `demo_bounds`: one of each kind of rule.
#[derive(Deserialize, JsonSchema)]
struct Bounds {
    /// A short text.
    #[schemars(length(min = 1, max = 8))]
    text: String,
    /// A small number.
    #[schemars(range(min = 1, max = 50))]
    count: u32,
    /// One of two words.
    #[serde(default)]
    color: Option<Color>,
}

#[derive(Clone, Copy, Deserialize, JsonSchema)]
#[serde(rename_all = "lowercase")]
enum Color {
    Red,
    Green,
}

async fn demo_bounds(Args(bounds): Args<Bounds>) -> String {
    let color = match bounds.color {
        None => "no color",
        Some(Color::Red) => "red",
        Some(Color::Green) => "green",
    };
    format!("{} times {:?} in {color}", bounds.count, bounds.text)
}

/// Arguments of `demo_fail`.
#[derive(Deserialize, JsonSchema)]
struct Fail {
    /// How to fail.
    how: How,
    /// What the formatted panic says.
    #[serde(default)]
    text: String,
}

#[derive(Clone, Copy, Deserialize, JsonSchema)]
#[serde(rename_all = "lowercase")]
enum How {
    /// With words for the model.
    Words,
    /// With a cause that must not be shown.
    Cause,
    /// By a panic with a fixed text.
    Panic,
    /// By a panic that says what the caller said.
    Format,
}

#[expect(clippy::panic, reason = "the tests need a tool that panics")]
async fn demo_fail(Args(Fail { how, text }): Args<Fail>) -> Result<String, ToolError> {
    match how {
        How::Words => Err(ToolError::new("there is nothing to find; try `demo_read`")),
        How::Cause => Ok(std::fs::read_to_string("/nonexistent/SENTINEL-PATH")?),
        How::Panic => panic!("SENTINEL-PANIC"),
        How::Format => panic!("it said {text}"),
    }
}

/// A variable of the function's configuration, or what stands for it.
fn setting(name: &str, default: &str) -> String {
    env::var(name).unwrap_or_else(|_| default.to_owned())
}

#[tokio::main(flavor = "current_thread")]
async fn main() -> Result<(), Box<dyn Error>> {
    setting("LOG_LEVEL", "info").parse::<LogLevel>()?.init();
    let header_only = match setting("HEADER_ONLY_REQUESTS", "reject").as_str() {
        "allow" => HeaderOnlyRequests::Allow,
        _ => HeaderOnlyRequests::Reject,
    };
    let server = Server::builder("cases", env!("CARGO_PKG_VERSION"))
        .hosts(Hosts::parse(&setting("ALLOWED_HOSTS", "*"))?)
        .origins(Origins::parse(&setting(
            "ALLOWED_ORIGINS",
            "https://app.example.com",
        ))?)
        .header_only_requests(header_only)
        .page_size(3)
        .tool(
            tool("demo_read", demo_read)
                .description("Reads what is known of `q`.")
                .read_only(),
        )
        .tool(
            tool("demo_noargs", demo_noargs)
                .description("Takes no arguments.")
                .read_only(),
        )
        .tool(
            tool("demo_bounds", demo_bounds)
                .description("Checks its arguments.")
                .read_only(),
        )
        .tool(
            tool("demo_fail", demo_fail)
                .description("Fails as it is told.")
                .read_only(),
        )
        .build()?;
    lambda_mcp::run(server).await?;
    Ok(())
}
