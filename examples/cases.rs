//! The server that `tests/data/cases.jsonl` is written for: the tools the cases call, and nothing else.
//!
//! `ALLOWED_HOSTS`, `ALLOWED_ORIGINS`, `HEADER_ONLY_REQUESTS` and `LOG_LEVEL` mean what they mean to the
//! shipped function; unless they are set, pages of `https://app.example.com` may call, and any host
//! name is fine.
//!
//! `demo_write` takes the API keys `test-key-valid` and `test-key-B`, `test-key-reader`, which lacks
//! its scope, and tokens signed with the key of the tests for the URL of the endpoint, which is
//! `https://mcp.example.com/mcp` unless `PUBLIC_URL` says otherwise. `LIMITS` says how often tools
//! may be called, as in `demo_write=3/1h`: at any rate unless it is set.

use std::collections::HashMap;
use std::env;
use std::error::Error;
use std::sync::{Arc, Mutex, PoisonError};
use std::time::Duration;

use lambda_mcp::{
    ApiKeys, Args, Auth, Context, HeaderOnlyRequests, Hosts, HttpsUrl, Json, Jwt, JwtKeys, Limits,
    LogLevel, MemoryLimiter, Origins, Principal, Rules, Server, State, ToolAnnotations, ToolError,
    tool,
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

/// Arguments of `demo_write`.
#[derive(Deserialize, JsonSchema)]
struct Write {
    /// What to write.
    text: String,
    /// A text that is the same when the same call is made again.
    #[serde(default)]
    idempotency_key: Option<String>,
}

/// What was written, in the memory of this process.
#[derive(Default)]
struct Notes {
    /// How many there are.
    count: u64,
    /// The text and the number of those that came with a key, by whose it is.
    by_key: HashMap<(String, String), (String, u64)>,
}

async fn demo_write(
    State(notes): State<Arc<Mutex<Notes>>>,
    context: Context,
    Args(Write {
        text,
        idempotency_key,
    }): Args<Write>,
) -> Result<String, ToolError> {
    let writer = context.principal().map(Principal::id).unwrap_or_default();
    let mut notes = notes.lock().unwrap_or_else(PoisonError::into_inner);
    let key = idempotency_key.map(|key| (writer, key));
    if let Some((before, number)) = key.as_ref().and_then(|key| notes.by_key.get(key)) {
        return if *before == text {
            Ok(format!("This is note {number}."))
        } else {
            Err(ToolError::new(
                "this key was used for another text; take a new one for a new note",
            ))
        };
    }
    notes.count += 1;
    let number = notes.count;
    if let Some(key) = key {
        notes.by_key.insert(key, (text, number));
    }
    Ok(format!("This is note {number}."))
}

/// The credentials that the cases send.
fn auth() -> Result<Auth, Box<dyn Error>> {
    let keys = [
        ("ada", "test-key-valid", "demo:write"),
        ("grace", "test-key-B", "demo:write demo:read"),
        ("reader", "test-key-reader", "demo:read"),
    ];
    let keys = keys.map(|(name, key, scopes)| format!("{name} {} {scopes}", ApiKeys::digest(key)));
    let published = include_str!("../tests/data/rsa-2048-for-tests.jwks.json");
    Ok(Auth::new()
        .verifier(ApiKeys::parse(&keys.join(";"))?)
        .verifier(Jwt::new(ISSUER, JwtKeys::document(published)?))
        .authorization_server(HttpsUrl::parse(ISSUER)?))
}

const ISSUER: &str = "https://login.example.com";

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
    let limits = Rules::parse(&setting("LIMITS", ""))?;
    let mut adds = ToolAnnotations::default();
    adds.read_only_hint = Some(false);
    adds.destructive_hint = Some(false);
    adds.open_world_hint = Some(false);
    let server = Server::builder("cases", env!("CARGO_PKG_VERSION"))
        .hosts(Hosts::parse(&setting("ALLOWED_HOSTS", "*"))?)
        .origins(Origins::parse(&setting(
            "ALLOWED_ORIGINS",
            "https://app.example.com",
        ))?)
        .header_only_requests(header_only)
        .public_url(setting("PUBLIC_URL", "https://mcp.example.com"))
        .page_size(3)
        .auth(auth()?)
        .limits(Limits::new(limits, Arc::new(MemoryLimiter::new())))
        .state(Arc::new(Mutex::new(Notes::default())))
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
        .tool(
            tool("demo_write", demo_write)
                .description("Writes a note.")
                .annotations(adds)
                .requires_scope("demo:write"),
        )
        .build()?;
    lambda_mcp::run(server).await?;
    Ok(())
}
