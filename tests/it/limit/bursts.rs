//! The most that a client, or all of them, can get out of limits in any span of time.
//!
//! Fixed windows let a client spend one limit at the end of a window and the next right after. How
//! much that is, is found by trying: greedy callers that begin at any minute of a day.

use std::collections::VecDeque;
use std::fmt::Write as _;
use std::sync::Arc;

use lambda_mcp::{CallerKey, Limits, MemoryLimiter, Rules};

use super::at;

const MINUTE_S: u32 = 60;
const HOUR_S: u32 = 3600;
const DAY_S: u32 = 86_400;

/// The minutes at which greedy callers get a call through, from the minute `start` on.
async fn admitted(rules: &str, start: u32, callers: u32) -> Vec<u32> {
    let limits = Limits::new(Rules::parse(rules).unwrap(), Arc::new(MemoryLimiter::new()));
    let mut minutes = Vec::new();
    for minute in start..start + 2 * DAY_S / MINUTE_S {
        for caller in 0..callers {
            let caller = CallerKey::subject(&caller.to_string());
            let now = at(f64::from(minute * MINUTE_S));
            while limits.check("contact", &caller, now).await.is_ok() {
                minutes.push(minute);
            }
        }
    }
    minutes
}

/// The most calls in any span of this length.
fn most_within(minutes: &[u32], span_s: u32) -> usize {
    let mut within = VecDeque::new();
    let mut most = 0;
    for minute in minutes {
        within.push_back(*minute);
        while within
            .front()
            .is_some_and(|first| (minute - first) * MINUTE_S >= span_s)
        {
            within.pop_front();
        }
        most = most.max(within.len());
    }
    most
}

/// The worst of all starts, for some spans.
async fn worst(rules: &str, callers: u32) -> String {
    let spans = [("minute", MINUTE_S), ("hour", HOUR_S), ("day", DAY_S)];
    let mut worst = [0; 3];
    for hour in 0..24 {
        for minute in [0, 30, 53, 54, 59] {
            let minutes = admitted(rules, hour * 60 + minute, callers).await;
            for (most, (_, span_s)) in worst.iter_mut().zip(spans) {
                *most = most_within(&minutes, span_s).max(*most);
            }
        }
    }
    let mut text = String::new();
    for (most, (span, _)) in worst.iter().zip(spans) {
        write!(text, "{most} in any {span}, ").unwrap();
    }
    text.trim_end_matches(", ").to_owned()
}

#[tokio::test]
async fn the_worst_bursts_are_twice_the_limit_and_less_with_a_cap() {
    let rows = [
        (
            "contact=3/1h",
            1,
            "3 in any minute, 6 in any hour, 75 in any day",
        ),
        // The shipped limits: one client, and forty that act together.
        (
            "contact=3/1h,20/1d,total:100/1d",
            1,
            "3 in any minute, 6 in any hour, 40 in any day",
        ),
        (
            "contact=3/1h,20/1d,total:100/1d",
            40,
            "100 in any minute, 200 in any hour, 200 in any day",
        ),
        (
            "contact=3/1h,20/1d,total:100/1d:burst=20",
            40,
            "20 in any minute, 40 in any hour, 120 in any day",
        ),
        // At two a tenth, six calls take three tenths: a burst of one limit, not of two.
        (
            "contact=10/1h:burst=2",
            1,
            "2 in any minute, 20 in any hour, 250 in any day",
        ),
        (
            "contact=10/1h:burst=1",
            1,
            "1 in any minute, 11 in any hour, 241 in any day",
        ),
    ];
    for (rules, callers, expected) in rows {
        assert_eq!(
            worst(rules, callers).await,
            expected,
            "{rules} by {callers}"
        );
    }
}
