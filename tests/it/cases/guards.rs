//! Checks for the notes of the cases about credentials, limits and side effects.

use serde_json::{Value, json};

use super::actions;
use super::run::Context;
use harness::{Outcome, Reply, TestServer};

type Check = fn(&Context<'_>) -> Result<(), &'static str>;

/// The checks, by case.
pub(crate) const CHECKS: &[(&str, Check)] = &[
    ("auth-missing-401", the_error_has_the_id),
    ("rl-429-shape", the_wait_in_words_and_data),
    ("rl-discovery-exempt", no_limit_is_told),
    ("side-retry-duplicate", once_for_each_key),
];

/// The cases whose calls must not reach `demo_write`.
pub(crate) const WRITE_NOTHING: &[&str] = &[
    "auth-missing-401",
    "auth-expired",
    "auth-bad-credentials-forms",
    "auth-jwt-alg-confusion",
    "auth-header-renamed-by-gateway",
    "auth-chatgpt-challenge",
    "jr-batch-cannot-evade-limits",
    "jr-duplicate-keys",
    "hdr-method-mismatch",
    "cors-on-errors",
];

/// Runs the checks of a case and returns the failures.
pub(crate) fn check(id: &str, context: &Context<'_>) -> Vec<String> {
    let checks = CHECKS.iter().filter(|(case, _)| *case == id);
    let found = checks.filter_map(|(_, check)| check(context).err());
    found
        .map(|words| format!("{words}; got {:#?}", context.replies))
        .collect()
}

/// Checks that the case did not write: the next note must be the first.
pub(crate) fn nothing_ran(id: &str, server: &TestServer) -> Option<String> {
    if !WRITE_NOTHING.contains(&id) {
        return None;
    }
    match actions::write(server, 1).outcome() {
        Outcome::Reply(reply) if words(&reply) == "This is note 1." => None,
        other => Some(format!("`demo_write` ran before: {other:?}")),
    }
}

/// Checks that no credential is in the logs.
pub(crate) fn credentials_in(logs: &str) -> Option<String> {
    // Every signed token starts with `{"` in Base64.
    let secrets = ["test-key", "eyJ", "dXNlcjpwYXNz", "API_KEY"];
    let found = secrets.iter().find(|secret| logs.contains(**secret))?;
    Some(format!("the logs hold {found}:\n{logs}"))
}

fn must(holds: bool, words: &'static str) -> Result<(), &'static str> {
    if holds { Ok(()) } else { Err(words) }
}

/// Returns the text of a tool result.
fn words(reply: &Reply) -> String {
    let result: Value = reply.json()["result"].clone();
    let text = result["content"][0]["text"].as_str();
    text.unwrap_or_default().to_owned()
}

fn the_error_has_the_id(context: &Context<'_>) -> Result<(), &'static str> {
    let body = context.replies[0].json();
    let is_error = body["error"]["code"].is_i64() && body["error"]["message"].is_string();
    must(body["id"] == json!(6) && is_error, "the error has the id 6")
}

fn the_wait_in_words_and_data(context: &Context<'_>) -> Result<(), &'static str> {
    let reply = &context.replies[0];
    let error = reply.json()["error"].clone();
    let wait = reply.header("retry-after").unwrap_or_default();
    let wait_s: u64 = wait.parse().map_err(|_| "the wait is a number")?;
    must(
        (1..=365 * 86_400).contains(&wait_s),
        "the wait is within the window",
    )?;
    must(
        error["data"]["retryAfterSeconds"] == json!(wait_s),
        "the data has the same wait",
    )?;
    let message = error["message"].as_str().unwrap_or_default();
    must(
        message.contains(&format!("({wait_s} seconds)")) && message.contains("Try again"),
        "the message says the wait in words",
    )
}

fn no_limit_is_told(context: &Context<'_>) -> Result<(), &'static str> {
    let told = |reply: &Reply| reply.header("ratelimit").is_some();
    must(
        !context.replies.iter().any(told),
        "what is not counted has no limit to tell of",
    )
}

fn once_for_each_key(context: &Context<'_>) -> Result<(), &'static str> {
    let replies = context.replies;
    let [first, again, other, elsewhere] = [0, 1, 2, 3].map(|index| words(&replies[index]));
    must(first.starts_with("This is note"), "the first call writes")?;
    must(first == again, "the same call gets the same result")?;
    must(
        replies[2].json()["result"]["isError"] == true && other != first,
        "another text with the same key is an error",
    )?;
    must(
        elsewhere.starts_with("This is note") && elsewhere != first,
        "another caller's key is another key",
    )
}
