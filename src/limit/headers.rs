//! The response headers `RateLimit-Policy` and `RateLimit`, and what they report.
//!
//! The form is that of the IETF draft *`RateLimit` header fields for HTTP* from its eighth version
//! on: lists of named policies, `"contact-1h";q=3;w=3600` and `"contact-1h";r=2;t=1200`. The three
//! headers of older drafts can report one window only.

use std::fmt::Write as _;

use http::header::{HeaderMap, HeaderName, HeaderValue};

use crate::limit::period;
use crate::limit::rule::Rule;

const POLICY: HeaderName = HeaderName::from_static("ratelimit-policy");
const STATE: HeaderName = HeaderName::from_static("ratelimit");

/// A limit of a client, and how much of it is left.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct Quota {
    /// Printable ASCII without quotes.
    pub(super) name: String,
    pub(super) calls: u32,
    pub(super) window_s: u64,
    pub(super) remaining: u64,
    /// The time until all calls are available again.
    pub(super) reset_s: u64,
}

/// The limits of a client that was allowed to make a call, and how much of them is left.
///
/// [`Limits::check`](crate::limit::Limits::check) returns it. Totals are not part of it: they would
/// disclose what other clients do.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct Quotas(pub(super) Vec<Quota>);

impl Quotas {
    /// Returns the headers `RateLimit-Policy` and `RateLimit`, or none if the client has no limit of
    /// its own.
    #[must_use]
    pub fn headers(&self) -> HeaderMap {
        let mut headers = HeaderMap::new();
        let (mut policy, mut state) = (String::new(), String::new());
        for quota in &self.0 {
            let separator = if policy.is_empty() { "" } else { ", " };
            let name = &quota.name;
            // Writing to a string does not fail.
            let _ = write!(
                policy,
                "{separator}\"{name}\";q={};w={}",
                quota.calls, quota.window_s
            );
            let _ = write!(
                state,
                "{separator}\"{name}\";r={};t={}",
                quota.remaining, quota.reset_s
            );
        }
        for (name, text) in [(POLICY, policy), (STATE, state)] {
            if let Ok(value) = HeaderValue::try_from(text)
                && !value.is_empty()
            {
                headers.insert(name, value);
            }
        }
        headers
    }
}

/// Returns a name that no other rule of the bucket has, such as `contact-1h`.
pub(super) fn policy_name(bucket: &str, rule: &Rule) -> String {
    let total = if rule.is_total() { "total-" } else { "" };
    format!("{bucket}-{total}{}", period::short(rule.window()))
}
