//! Limits: one contract for every store, and the check of a call above it.
//!
//! - `contract`: what every `Limiter` must do, run against memory and DynamoDB
//! - `check`: the rules of a call, what an instance remembers, and calls without a store
//! - `bursts`: the most calls that a client can get out of the shipped limits
//! - `dynamodb`, `faults`: the real client against a DynamoDB in this process, healthy and broken
//! - `scale`: several processes against the model of docs/scale.md

mod bursts;
mod check;
mod contract;
mod dynamodb;
mod faults;
mod proxy;
mod scale;

use std::time::{Duration, SystemTime, UNIX_EPOCH};

use lambda_mcp::limit::{CallerKey, Counter, Decision, LimitKind, Limiter, StoreError};

/// The start of an hour, of a day, and of a week, as windows are counted.
const START_S: u64 = 2_945 * 7 * 86_400;

/// A moment after the start.
fn at(seconds: f64) -> SystemTime {
    UNIX_EPOCH + Duration::from_secs(START_S) + Duration::from_secs_f64(seconds)
}

/// A call: the bucket it counts in, the rules of the bucket, and who makes it.
#[derive(Debug, Clone)]
struct Call {
    bucket: &'static str,
    rules: &'static str,
    caller: CallerKey,
}

/// A call by a caller with a credential. Rules are separated by commas. In tests, windows of 100
/// seconds are common: their tenths have ten.
fn call(bucket: &'static str, rules: &'static str, caller: &str) -> Call {
    Call {
        bucket,
        rules,
        caller: CallerKey::credential(caller),
    }
}

impl Call {
    fn counters(&self, now: SystemTime) -> Vec<Counter> {
        let rules = self.rules.split(',').map(|rule| rule.parse().unwrap());
        rules
            .flat_map(|rule| Counter::of_rule(self.bucket, &rule, &self.caller, now))
            .collect()
    }

    async fn count(&self, limiter: &dyn Limiter, seconds: f64) -> Result<Decision, StoreError> {
        let now = at(seconds);
        limiter.count(&self.counters(now), now).await
    }
}

/// The decision for a call that is the `count`-th of its window.
fn allowed(count: u64) -> Decision {
    Decision::Allowed {
        counts: vec![count],
    }
}

/// The decision for a call that its only counter limits.
fn limited(until_s: f64, kind: LimitKind) -> Decision {
    Decision::Limited {
        index: 0,
        until: at(until_s),
        kind,
    }
}
