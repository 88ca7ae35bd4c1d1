//! The most calls that a client, or all of them, can get out of limits in any span of time.
//!
//! With fixed windows, a client can spend one limit at the end of a window and the next one right
//! after. The tests simulate greedy callers that start at some time of a day, and every six minutes,
//! a tenth of an hour, call until they are limited.

use std::collections::VecDeque;

use lambda_mcp::limit::{CallerKey, Limits, MemoryLimiter, Target};

use super::at;

const STEP_S: u32 = 360;
const HOUR_S: u32 = 3600;
const DAY_S: u32 = 86_400;

/// The times at which greedy callers are allowed to call, in two days from `start_s` on.
async fn allowed(rules: &str, start_s: u32, callers: u32) -> Vec<u32> {
    let limits = Limits::new(rules.parse().unwrap(), MemoryLimiter::new());
    let contact = Target::tool("contact");
    let mut moments = Vec::new();
    for step in 0..2 * DAY_S / STEP_S {
        let now_s = start_s + step * STEP_S;
        for caller in 0..callers {
            let caller = CallerKey::credential(&caller.to_string());
            let now = at(f64::from(now_s));
            while limits.check(&contact, &caller, now).await.is_ok() {
                moments.push(now_s);
            }
        }
    }
    moments
}

/// The most calls in any span of this length.
fn most_within(moments: &[u32], span_s: u32) -> usize {
    let mut within = VecDeque::new();
    let mut most = 0;
    for moment in moments {
        within.push_back(*moment);
        while within.front().is_some_and(|first| moment - first >= span_s) {
            within.pop_front();
        }
        most = most.max(within.len());
    }
    most
}

/// The most calls over all start times, for each span.
async fn worst(rules: &str, callers: u32) -> String {
    let spans = [
        ("at once", 1),
        ("in any hour", HOUR_S),
        ("in any day", DAY_S),
    ];
    let mut worst = [0; 3];
    for hour in [0, 11, 17, 23] {
        for minute in [0, 30, 54] {
            let moments = allowed(rules, hour * HOUR_S + minute * 60, callers).await;
            for (most, (_, span_s)) in worst.iter_mut().zip(spans) {
                *most = most_within(&moments, span_s).max(*most);
            }
        }
    }
    let shown = worst
        .iter()
        .zip(spans)
        .map(|(most, (span, _))| format!("{most} {span}"));
    shown.collect::<Vec<_>>().join(", ")
}

#[tokio::test]
async fn without_a_burst_limit_any_span_holds_at_most_twice_the_limit() {
    let rows = [
        ("contact=3/1h", 1, "3 at once, 6 in any hour, 75 in any day"),
        // The shipped limits: one client, and forty that act together.
        (
            "contact=3/1h,20/1d,total:100/1d",
            1,
            "3 at once, 6 in any hour, 40 in any day",
        ),
        (
            "contact=3/1h,20/1d,total:100/1d",
            40,
            "100 at once, 200 in any hour, 200 in any day",
        ),
        // A burst of a fifth of the limit helps against floods, but not over a whole window.
        (
            "contact=9/1h,total:100/1d:burst=20",
            40,
            "20 at once, 40 in any hour, 200 in any day",
        ),
        // A burst of a tenth makes the windows nearly slide.
        (
            "contact=9/1h,total:100/1d:burst=10",
            40,
            "10 at once, 20 in any hour, 110 in any day",
        ),
        (
            "contact=10/1h:burst=2",
            1,
            "2 at once, 20 in any hour, 250 in any day",
        ),
        (
            "contact=10/1h:burst=1",
            1,
            "1 at once, 10 in any hour, 240 in any day",
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
