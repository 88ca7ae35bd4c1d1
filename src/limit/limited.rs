//! [`Limited`]: the error for a call that a limit refuses.
//!
//! 429 with `Retry-After` (RFC 6585, section 4), or 503 if the call could not be counted. Models do
//! not see headers, so the wait is also in the message and in the error's `data`. In the modern era
//! the JSON-RPC code is outside of the ranges that JSON-RPC and MCP reserve. Legacy clients get
//! -32000, the usual code for server errors.

use std::fmt;
use std::time::{Duration, SystemTime};

use http::StatusCode;
use http::header::{HeaderMap, HeaderValue, RETRY_AFTER};
use serde_json::{Value, json};

use crate::limit::counter::{Counter, LimitKind, Scope};
use crate::limit::headers::{Quota, Quotas, policy_name};
use crate::limit::period::in_words;
use crate::limit::rule::Rule;
use crate::limit::target::Target;
use crate::limit::window::{PARTS, wait_s};
use crate::reply::ErrorResponse;
use crate::wire::version::Era;

const LEGACY_CODE: i32 = -32000;
const EXCEEDED: i32 = 429;
const UNAVAILABLE: i32 = 503;
/// Stores that throttle or restart usually answer again within seconds.
const STORE_WAIT: Duration = Duration::from_secs(5);

/// A call that was refused because a limit is reached, or because it could not be counted.
///
/// [`Limits::check`](crate::limit::Limits::check) returns it. Its `Display` text is the message for
/// the model.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Limited {
    target: Target<'static>,
    /// The limit that is reached, or `None` if the call could not be counted.
    exceeded: Option<Box<Exceeded>>,
    wait_ms: u64,
    wait_s: u64,
}

/// A limit that is reached.
#[derive(Debug, Clone, PartialEq, Eq)]
struct Exceeded {
    bucket: String,
    policy: String,
    limit: u32,
    window_s: u64,
    scope: Scope,
}

impl Limited {
    /// The limit of a counter is reached until `until`.
    pub(super) fn exceeded(
        target: &Target<'_>,
        (rule, counter): (&Rule, &Counter),
        (until, kind): (SystemTime, LimitKind),
        now: SystemTime,
    ) -> Self {
        let wait = until.duration_since(now).unwrap_or_default();
        let wait_ms = u64::try_from(wait.as_nanos().div_ceil(1_000_000)).unwrap_or(u64::MAX);
        let mut policy = policy_name(counter.bucket(), rule);
        if counter.scope() == Scope::Network {
            policy.push_str("-network");
        }
        let window_s = counter.window().length().as_secs();
        let (policy, limit, window_s) = match kind {
            LimitKind::Window => (policy, counter.limit(), window_s),
            LimitKind::Burst => (
                policy + "-burst",
                counter.burst_limit(),
                window_s.div_ceil(PARTS.into()),
            ),
        };
        Self {
            target: target.clone().into_owned(),
            exceeded: Some(Box::new(Exceeded {
                bucket: counter.bucket().to_owned(),
                policy,
                limit,
                window_s,
                scope: counter.scope(),
            })),
            wait_ms: wait_ms.max(1),
            wait_s: wait_s(now, until),
        }
    }

    /// The call could not be counted.
    pub(super) fn unavailable(target: &Target<'_>) -> Self {
        let wait_s = STORE_WAIT.as_secs();
        Self {
            target: target.clone().into_owned(),
            exceeded: None,
            wait_ms: wait_s * 1000,
            wait_s,
        }
    }

    /// Whether the call could not be counted. Otherwise a limit is reached.
    #[must_use]
    pub const fn is_unavailable(&self) -> bool {
        self.exceeded.is_none()
    }

    /// The HTTP status: 429, or 503 if the call could not be counted.
    #[must_use]
    pub const fn http_status(&self) -> StatusCode {
        match self.exceeded {
            Some(_) => StatusCode::TOO_MANY_REQUESTS,
            None => StatusCode::SERVICE_UNAVAILABLE,
        }
    }

    /// The JSON-RPC error code.
    #[must_use]
    pub const fn code(&self, era: Era) -> i32 {
        match (era, &self.exceeded) {
            (Era::Legacy, _) => LEGACY_CODE,
            (Era::Modern, Some(_)) => EXCEEDED,
            (Era::Modern, None) => UNAVAILABLE,
        }
    }

    /// The time to wait in whole seconds, at least 1: the value of `Retry-After`.
    #[must_use]
    pub const fn retry_after_s(&self) -> u64 {
        self.wait_s
    }

    /// The `data` member of the JSON-RPC error.
    #[must_use]
    pub fn data(&self) -> Value {
        let mut data = json!({
            "retryAfterMs": self.wait_ms,
            "retryAfterSeconds": self.wait_s,
        });
        if let (Some(exceeded), Value::Object(data)) = (&self.exceeded, &mut data) {
            let mut add = |name: &str, value: Value| data.insert(name.to_owned(), value);
            add(self.target.kind(), json!(self.target.name()));
            if self.is_of_group(exceeded) {
                add("group", json!(exceeded.bucket));
            }
            add("limit", json!(exceeded.limit));
            add("windowSeconds", json!(exceeded.window_s));
            let per = match exceeded.scope {
                Scope::Client => "client",
                Scope::Network => "network",
                Scope::Total => "total",
            };
            add("per", json!(per));
        }
        data
    }

    /// Returns the error and the headers for the client.
    #[must_use]
    pub(crate) fn response(&self, era: Era) -> ErrorResponse {
        ErrorResponse {
            data: Some(self.data()),
            headers: self.headers(),
            ..ErrorResponse::new(self.http_status(), self.code(era), self.to_string())
        }
    }

    /// Returns `Retry-After` and, if a limit is reached, `RateLimit-Policy` and `RateLimit`.
    #[must_use]
    pub fn headers(&self) -> HeaderMap {
        let quota = self.exceeded.as_ref().map(|exceeded| Quota {
            name: exceeded.policy.clone(),
            calls: exceeded.limit,
            window_s: exceeded.window_s,
            remaining: 0,
            reset_s: self.wait_s,
        });
        let mut headers = Quotas(quota.into_iter().collect()).headers();
        headers.insert(RETRY_AFTER, HeaderValue::from(self.wait_s));
        headers
    }

    fn is_of_group(&self, exceeded: &Exceeded) -> bool {
        exceeded.bucket != self.target.to_string()
    }
}

impl fmt::Display for Limited {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Some(exceeded) = &self.exceeded else {
            return write!(
                f,
                "`{}` cannot be called now, because its limit cannot be checked. This call did \
                 nothing. Try again in {}.",
                self.target.name(),
                wait(self.wait_s),
            );
        };
        f.write_str("Too many calls: ")?;
        if self.is_of_group(exceeded) {
            let (name, bucket) = (self.target.name(), &exceeded.bucket);
            write!(f, "`{name}` is in the group `{bucket}`, which")?;
        } else {
            write!(f, "`{}`", self.target.name())?;
        }
        let count = match exceeded.limit {
            1 => "once".to_owned(),
            calls => format!("{calls} times"),
        };
        let clients = match exceeded.scope {
            Scope::Client => "by each client",
            Scope::Network => "by all clients of one network together",
            Scope::Total => "by all clients together",
        };
        write!(
            f,
            " can be called {count} in {} {clients}. This call did nothing. Try again in {}, not \
             before.",
            in_words(exceeded.window_s),
            wait(self.wait_s),
        )
    }
}

impl std::error::Error for Limited {}

/// A wait in words, and in seconds if the words are rounded.
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
    use crate::limit::caller::CallerKey;

    /// A refusal of a tool at 1000.25 s, by a rule of `bucket`.
    fn refused(bucket: &str, target: &Target<'_>, rule: &str, kind: LimitKind) -> Limited {
        let now = UNIX_EPOCH + Duration::from_millis(1_000_250);
        let rule: Rule = rule.parse().unwrap();
        let counter = &Counter::of_rule(bucket, &rule, &CallerKey::address(None), now)[0];
        let until = match kind {
            LimitKind::Window => counter.window().end(),
            LimitKind::Burst => counter.window().part_end(),
        };
        Limited::exceeded(target, (&rule, counter), (until, kind), now)
    }

    fn contact(rule: &str, kind: LimitKind) -> Limited {
        refused("contact", &Target::tool("contact"), rule, kind)
    }

    #[test]
    fn the_wait_is_the_same_in_headers_data_and_message() {
        let limited = contact("3/1h", LimitKind::Window);
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
    fn a_burst_is_reported_as_such() {
        let limited = contact("total:20/1d:burst=1", LimitKind::Burst);
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
    fn a_group_is_named_beside_the_target() {
        let target = Target::resource("resume://full");
        let limited = refused("resume", &target, "60/1h", LimitKind::Window);
        assert_eq!(
            limited.to_string(),
            "Too many calls: `resume://full` is in the group `resume`, which can be called 60 times \
             in 1 hour by each client. This call did nothing. Try again in 44 minutes (2600 \
             seconds), not before."
        );
        let data = limited.data();
        assert_eq!(data["resource"], "resume://full");
        assert_eq!(data["group"], "resume");
    }

    #[test]
    fn the_limit_of_a_network_is_reported_as_such() {
        let now = UNIX_EPOCH + Duration::from_millis(1_000_250);
        let rule: Rule = "3/1h".parse().unwrap();
        let address = Some("2001:db8::1".parse().unwrap());
        let counters = Counter::of_rule("contact", &rule, &CallerKey::address(address), now);
        let limits: Vec<u32> = counters.iter().map(Counter::limit).collect();
        assert_eq!(limits, [3, 12, 48]);
        let until = (counters[1].window().end(), LimitKind::Window);
        let target = Target::tool("contact");
        let limited = Limited::exceeded(&target, (&rule, &counters[1]), until, now);
        let text = limited.to_string();
        assert!(
            text.contains("12 times in 1 hour by all clients of one network together."),
            "{text}"
        );
        assert_eq!(limited.data()["per"], "network");
        assert_eq!(
            limited.headers()["ratelimit-policy"],
            r#""contact-1h-network";q=12;w=3600"#
        );
    }

    #[test]
    fn waits_are_whole_seconds_and_at_least_one() {
        let second = contact("1/1s", LimitKind::Window);
        assert_eq!(second.retry_after_s(), 1);
        assert_eq!(second.data()["retryAfterMs"], 750);
        let now = UNIX_EPOCH + Duration::from_nanos(59_999_999_999);
        let rule: Rule = "1/1m".parse().unwrap();
        let counter = &Counter::of_rule("contact", &rule, &CallerKey::address(None), now)[0];
        let limit = (UNIX_EPOCH + Duration::from_secs(60), LimitKind::Window);
        let target = Target::tool("contact");
        let last = Limited::exceeded(&target, (&rule, counter), limit, now);
        assert_eq!(last.headers()["retry-after"], "1");
        assert_eq!(last.data()["retryAfterMs"], 1);
        assert!(
            last.to_string().ends_with("in 1 second, not before."),
            "{last}"
        );
    }

    #[test]
    fn a_call_that_cannot_be_counted_discloses_nothing_about_the_store() {
        let limited = Limited::unavailable(&Target::tool("contact"));
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
            "`contact` cannot be called now, because its limit cannot be checked. This call did \
             nothing. Try again in 5 seconds."
        );
    }
}
