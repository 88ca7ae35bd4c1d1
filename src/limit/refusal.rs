//! A call that a limit refuses: what the client, and the model behind it, is told.
//!
//! 429 with `Retry-After` (RFC 6585, section 4), or 503 when the call could not be counted. Models
//! see no headers, so the wait also stands in the words and in the error's `data`. The code is
//! outside of what JSON-RPC and the specification keep for themselves, in the modern era; a legacy
//! client gets `-32000`, which servers have always used for such things.

use std::fmt;
use std::time::{Duration, SystemTime};

use http::StatusCode;
use http::header::{HeaderMap, HeaderValue, RETRY_AFTER};
use serde_json::{Value, json};

use crate::limit::Bound;
use crate::limit::denials::Denial;
use crate::limit::headers::{self, Quota};
use crate::limit::rule::{Per, Rule, in_words};
use crate::limit::window::{PARTS, wait_s};
use crate::reply::ErrorResponse;
use crate::wire::version::Era;

const LEGACY_CODE: i32 = -32000;
const EXCEEDED: i32 = 429;
const UNAVAILABLE: i32 = 503;
/// Stores that throttle or restart are back within seconds.
const WAIT_FOR_THE_STORE: Duration = Duration::from_secs(5);

/// A call that was refused before it reached its tool.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Limited {
    tool: String,
    kind: Kind,
    wait_ms: u64,
    wait_s: u64,
}

#[derive(Debug, Clone, PartialEq, Eq)]
enum Kind {
    Exceeded { rule: Box<Rule>, bound: Bound },
    Unavailable,
}

impl Limited {
    pub(crate) fn exceeded(tool: &str, rule: &Rule, denial: Denial, now: SystemTime) -> Self {
        let wait = denial.until.duration_since(now).unwrap_or_default();
        let wait_ms = u64::try_from(wait.as_nanos().div_ceil(1_000_000)).unwrap_or(u64::MAX);
        Self {
            tool: tool.to_owned(),
            kind: Kind::Exceeded {
                rule: Box::new(rule.clone()),
                bound: denial.bound,
            },
            wait_ms: wait_ms.max(1),
            wait_s: wait_s(now, denial.until),
        }
    }

    pub(crate) fn unavailable(tool: &str) -> Self {
        let wait_s = WAIT_FOR_THE_STORE.as_secs();
        Self {
            tool: tool.to_owned(),
            kind: Kind::Unavailable,
            wait_ms: wait_s * 1000,
            wait_s,
        }
    }

    /// Whether the call could not be counted; else there were too many.
    #[must_use]
    pub const fn is_unavailable(&self) -> bool {
        matches!(self.kind, Kind::Unavailable)
    }

    /// 429, or 503 if the call could not be counted; in both eras.
    #[must_use]
    pub const fn http_status(&self) -> StatusCode {
        match self.kind {
            Kind::Exceeded { .. } => StatusCode::TOO_MANY_REQUESTS,
            Kind::Unavailable => StatusCode::SERVICE_UNAVAILABLE,
        }
    }

    /// The JSON-RPC error code.
    #[must_use]
    pub const fn code(&self, era: Era) -> i32 {
        match (era, &self.kind) {
            (Era::Legacy, _) => LEGACY_CODE,
            (Era::Modern, Kind::Exceeded { .. }) => EXCEEDED,
            (Era::Modern, Kind::Unavailable) => UNAVAILABLE,
        }
    }

    /// How long to wait in whole seconds, as `Retry-After` has it; 1 at least.
    #[must_use]
    pub const fn retry_after_s(&self) -> u64 {
        self.wait_s
    }

    /// The error's `data`.
    #[must_use]
    pub fn data(&self) -> Value {
        let mut data = json!({
            "retryAfterMs": self.wait_ms,
            "retryAfterSeconds": self.wait_s,
        });
        if let (Kind::Exceeded { rule, bound }, Value::Object(data)) = (&self.kind, &mut data) {
            let (calls, window_s) = bounded(rule, *bound);
            data.insert("tool".to_owned(), json!(self.tool));
            data.insert("limit".to_owned(), json!(calls));
            data.insert("windowSeconds".to_owned(), json!(window_s));
            data.insert("per".to_owned(), json!(per(rule)));
        }
        data
    }

    /// The error and the headers that a client gets.
    #[must_use]
    pub(crate) fn response(&self, era: Era) -> ErrorResponse {
        ErrorResponse {
            data: Some(self.data()),
            headers: self.headers(),
            ..ErrorResponse::new(self.http_status(), self.code(era), self.to_string())
        }
    }

    /// `Retry-After`, and for a limit that is reached `RateLimit-Policy` and `RateLimit`.
    #[must_use]
    pub fn headers(&self) -> HeaderMap {
        let mut headers = HeaderMap::with_capacity(3);
        headers.insert(RETRY_AFTER, HeaderValue::from(self.wait_s));
        if let Kind::Exceeded { rule, bound } = &self.kind {
            let (calls, window_s) = bounded(rule, *bound);
            let burst = match bound {
                Bound::Limit => "",
                Bound::Burst => "-burst",
            };
            let quota = Quota {
                name: rule.name() + burst,
                calls,
                window_s,
                remaining: 0,
                reset_s: self.wait_s,
            };
            headers::write(&[quota], &mut headers);
        }
        headers
    }
}

/// The calls and the seconds of the bound that is reached.
fn bounded(rule: &Rule, bound: Bound) -> (u32, u64) {
    let window_s = rule.length().as_secs();
    match bound {
        Bound::Limit => (rule.limit(), window_s),
        Bound::Burst => (rule.burst_limit(), window_s.div_ceil(PARTS.into())),
    }
}

const fn per(rule: &Rule) -> &'static str {
    match rule.counts_per() {
        Per::Client => "client",
        Per::Total => "total",
    }
}

impl fmt::Display for Limited {
    /// The error's message: words for the model.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let (tool, wait_s) = (&self.tool, self.wait_s);
        match &self.kind {
            Kind::Exceeded { rule, bound } => {
                let (calls, window_s) = bounded(rule, *bound);
                let who = match rule.counts_per() {
                    Per::Client => "by each client",
                    Per::Total => "by all clients together",
                };
                let times = if calls == 1 { "once" } else { "times" };
                let count = if calls == 1 {
                    String::new()
                } else {
                    format!("{calls} ")
                };
                write!(
                    f,
                    "Too many calls: `{tool}` can be called {count}{times} in {} {who}. This call \
                     did nothing. Try again in {}, not before.",
                    in_words(window_s),
                    wait(wait_s),
                )
            }
            Kind::Unavailable => write!(
                f,
                "`{tool}` cannot be called at the moment, as its limit cannot be checked. This \
                 call did nothing. Try again in {}.",
                wait(wait_s),
            ),
        }
    }
}

impl std::error::Error for Limited {}

/// A wait in words, and to the second where the words are rounded.
fn wait(seconds: u64) -> String {
    let words = in_words(seconds);
    if seconds < 120 {
        format!("{seconds} second{}", if seconds == 1 { "" } else { "s" })
    } else if words.ends_with("seconds") {
        words
    } else {
        format!("{words} ({seconds} seconds)")
    }
}

#[cfg(test)]
mod tests {
    use std::time::UNIX_EPOCH;

    use super::*;

    /// A refusal at 1000.25 s by a rule of `contact`.
    fn refused(rule: &Rule, bound: Bound) -> Limited {
        let now = UNIX_EPOCH + Duration::from_millis(1_000_250);
        let window = rule.window(now);
        let until = match bound {
            Bound::Limit => window.end(),
            Bound::Burst => window.part_end(),
        };
        Limited::exceeded("contact", rule, Denial { until, bound }, now)
    }

    fn rule(limit: u32, window_s: u64) -> Rule {
        Rule::new("contact", limit, Duration::from_secs(window_s)).unwrap()
    }

    #[test]
    fn the_wait_is_the_same_in_headers_data_and_words() {
        let limited = refused(&rule(3, 3600), Bound::Limit);
        assert_eq!(limited.http_status(), StatusCode::TOO_MANY_REQUESTS);
        assert_eq!(limited.code(Era::Legacy), -32000);
        assert_eq!(limited.code(Era::Modern), 429);
        assert_eq!(
            limited.to_string(),
            "Too many calls: `contact` can be called 3 times in 1 hour by each client. This call \
             did nothing. Try again in 44 minutes (2600 seconds), not before."
        );
        assert_eq!(
            limited.data(),
            json!({
                "retryAfterMs": 2_599_750,
                "retryAfterSeconds": 2600,
                "tool": "contact",
                "limit": 3,
                "windowSeconds": 3600,
                "per": "client",
            })
        );
        let headers = limited.headers();
        assert_eq!(headers["retry-after"], "2600");
        assert_eq!(headers["ratelimit-policy"], r#""contact-1h";q=3;w=3600"#);
        assert_eq!(headers["ratelimit"], r#""contact-1h";r=0;t=2600"#);
    }

    #[test]
    fn a_burst_is_told_as_what_it_is() {
        let rule = rule(20, 86_400).burst(1).unwrap().per(Per::Total);
        let limited = refused(&rule, Bound::Burst);
        assert_eq!(
            limited.to_string(),
            "Too many calls: `contact` can be called once in 144 minutes by all clients together. \
             This call did nothing. Try again in 128 minutes (7640 seconds), not before."
        );
        let headers = limited.headers();
        assert_eq!(
            headers["ratelimit-policy"],
            r#""contact-total-1d-burst";q=1;w=8640"#
        );
        assert_eq!(
            headers["ratelimit"],
            r#""contact-total-1d-burst";r=0;t=7640"#
        );
    }

    #[test]
    fn waits_are_whole_seconds_and_never_none() {
        let second = refused(&rule(1, 1), Bound::Limit);
        assert_eq!(second.retry_after_s(), 1);
        assert_eq!(second.data()["retryAfterMs"], 750);
        let now = UNIX_EPOCH + Duration::from_nanos(59_999_999_999);
        let denial = Denial {
            until: UNIX_EPOCH + Duration::from_secs(60),
            bound: Bound::Limit,
        };
        let last = Limited::exceeded("contact", &rule(1, 60), denial, now);
        assert_eq!(last.headers()["retry-after"], "1");
        assert_eq!(last.data()["retryAfterMs"], 1);
        assert!(
            last.to_string().ends_with("in 1 second, not before."),
            "{last}"
        );
    }

    #[test]
    fn what_could_not_be_counted_says_nothing_of_the_store() {
        let limited = Limited::unavailable("contact");
        assert_eq!(limited.http_status(), StatusCode::SERVICE_UNAVAILABLE);
        assert_eq!(limited.code(Era::Legacy), -32000);
        assert_eq!(limited.code(Era::Modern), 503);
        assert_eq!(limited.headers().len(), 1);
        assert_eq!(limited.headers()["retry-after"], "5");
        assert_eq!(
            limited.data(),
            json!({ "retryAfterMs": 5000, "retryAfterSeconds": 5 })
        );
        assert_eq!(
            limited.to_string(),
            "`contact` cannot be called at the moment, as its limit cannot be checked. This call \
             did nothing. Try again in 5 seconds."
        );
    }
}
