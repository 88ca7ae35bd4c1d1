//! `contact` through the built function: the request to the mail service, and the result for the caller.

mod asking;
mod confidential;
mod failing;
mod local;
mod pages;
mod provider;
mod refusing;
mod sending;
mod ses;
mod wired;

use serde_json::{Value, json};

use harness::messages::call;
use harness::{Reply, ServerConfig, TestServer, Version};
use provider::Provider;

const API_KEY: &str = "re_SENTINELkey123";
const OWNER: &str = "owner-SENTINEL@owner.example";
const FROM: &str = "Portfolio <portfolio-SENTINEL@owner.example>";

/// More calls than any test sends: the shipped limits have tests of their own.
const NO_LIMIT: &str = "contact=1000/1h";

/// The function with Resend as its mail service, at `url`; no credential is needed.
fn with_resend(url: &str) -> ServerConfig {
    ServerConfig::new("portfolio")
        .env("CONTACT_PROVIDER", "resend")
        .env("CONTACT_AUTH", "none")
        .env("RATE_LIMITS", NO_LIMIT)
        .env("CONTACT_TO", OWNER)
        .env("CONTACT_FROM", FROM)
        .env("RESEND_API_KEY", API_KEY)
        .env("RESEND_BASE_URL", url)
}

fn start(provider: &Provider) -> TestServer {
    with_resend(&provider.url()).start()
}

fn arguments() -> Value {
    json!({
        "brief": "SENTINEL brief:\nare you free in May?",
        "contact": "ada-SENTINEL@example.org",
        "name": "Ada SENTINEL",
    })
}

/// Calls `contact` in the newest handshake version.
fn send(server: &TestServer, arguments: Value) -> Reply {
    call(server, Version::V2025_11_25, "contact", arguments)
}

/// The words of a tool error.
#[track_caller]
fn refusal(reply: &Reply) -> String {
    let result = reply.result();
    assert_eq!(result["isError"], true, "{result}");
    assert!(result.get("structuredContent").is_none(), "{result}");
    result["content"][0]["text"].as_str().unwrap().to_owned()
}

/// The answer when the message was sent.
#[track_caller]
fn sent(reply: &Reply) -> Value {
    let answer = reply.result()["structuredContent"].clone();
    assert_eq!(answer["status"], "sent", "{reply:#?}");
    answer
}
