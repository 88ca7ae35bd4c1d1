//! Signed tokens, checked through the public API.
//!
//! - `mint`: an issuer that signs any token, with keys of this process
//! - `auth0`: access tokens that have several audiences
//! - `cognito`: access tokens that have a client in the place of an audience
//! - `jwt`: valid tokens of each kind, and forged ones
//! - `key_sets`: which keys of a JWK Set are used
//! - `jwks`: keys at a URL that is slow, down or rotating

mod auth0;
mod cognito;
mod jwks;
mod jwt;
mod key_sets;
mod mint;

use std::time::{Duration, SystemTime};

use lambda_mcp::auth::{BearerToken, InvalidToken, Verdict, Verifier};

const ISSUER: &str = "https://login.example.com";
const ENDPOINT: &str = "https://mcp.example.com/mcp";
/// Seconds since 1970 at which the tests take place.
const NOW_S: u64 = 1_800_000_000;

/// The time of a test, `seconds` after its start.
fn at(seconds: u64) -> SystemTime {
    SystemTime::UNIX_EPOCH + Duration::from_secs(NOW_S + seconds)
}

async fn check(verifier: &impl Verifier, token: &str) -> Verdict {
    check_at(verifier, token, at(0)).await
}

async fn check_at(verifier: &impl Verifier, token: &str, now: SystemTime) -> Verdict {
    verifier
        .verify(BearerToken::new(token, Some(ENDPOINT), now))
        .await
}

/// The subject of a valid token, or the reason it is not accepted.
fn outcome(verdict: &Verdict) -> &str {
    match verdict {
        Verdict::Accepted(principal) => principal.subject(),
        Verdict::Unrecognized => "unrecognized",
        Verdict::Invalid(reason) => InvalidToken::as_str(*reason),
        Verdict::Unavailable => "unavailable",
        _ => panic!("{verdict:?}"),
    }
}
