//! What response headers tell of limits: `RateLimit-Policy` and `RateLimit`.
//!
//! The form is that of the IETF draft *RateLimit header fields for HTTP* from its eighth version
//! on: lists of named policies, `"contact-1h";q=3;w=3600` and `"contact-1h";r=2;t=1200`. The three
//! headers of older drafts can show one window only.

use std::fmt::Write as _;

use http::header::{HeaderMap, HeaderName, HeaderValue};

const POLICY: HeaderName = HeaderName::from_static("ratelimit-policy");
const STATE: HeaderName = HeaderName::from_static("ratelimit");

/// One policy and how it stands.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct Quota {
    /// Visible ASCII without quotes.
    pub(crate) name: String,
    pub(crate) calls: u32,
    pub(crate) window_s: u64,
    pub(crate) remaining: u64,
    /// Until all calls are available again.
    pub(crate) reset_s: u64,
}

/// Writes both headers, if there is anything to tell.
pub(crate) fn write(quotas: &[Quota], headers: &mut HeaderMap) {
    let (mut policy, mut state) = (String::new(), String::new());
    for quota in quotas {
        let and = if policy.is_empty() { "" } else { ", " };
        let name = &quota.name;
        // Writing to a string does not fail.
        let _ = write!(
            policy,
            "{and}\"{name}\";q={};w={}",
            quota.calls, quota.window_s
        );
        let _ = write!(
            state,
            "{and}\"{name}\";r={};t={}",
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
}
