//! Signed tokens, as the public library judges them.
//!
//! - `mint`: an issuer that signs whatever a test wants, with keys of this process
//! - `jwt`: good tokens of each kind, and the ways to forge one
//! - `key_sets`: which keys of a document are taken
//! - `jwks`: keys at a URL that is slow, down, rotating

mod jwks;
mod jwt;
mod key_sets;
mod mint;

use std::time::{Duration, SystemTime};

use lambda_mcp::auth::{BearerToken, Refusal, Verdict, Verifier};

const ISSUER: &str = "https://login.example.com";
const ENDPOINT: &str = "https://mcp.example.com/mcp";
/// Seconds since 1970 at which the tests take place.
const NOW_S: u64 = 1_800_000_000;

/// The time of a test, `seconds` after its start.
fn at(seconds: u64) -> SystemTime {
    SystemTime::UNIX_EPOCH + Duration::from_secs(NOW_S + seconds)
}

async fn judged(verifier: &impl Verifier, token: &str) -> Verdict {
    judged_at(verifier, token, at(0)).await
}

async fn judged_at(verifier: &impl Verifier, token: &str, now: SystemTime) -> Verdict {
    verifier
        .verify(BearerToken::new(token, Some(ENDPOINT), now))
        .await
}

/// Whose token it is, or why it is not good.
fn outcome(verdict: &Verdict) -> &str {
    match verdict {
        Verdict::Accepted(principal) => principal.subject(),
        Verdict::Unrecognized => "not mine",
        Verdict::Refused(refusal) => Refusal::as_str(*refusal),
        Verdict::Unavailable => "unavailable",
        _ => panic!("{verdict:?}"),
    }
}
