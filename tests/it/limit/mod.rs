//! Limits: one contract for every place where counts live, and the stage above them.
//!
//! - `contract`: what every `Limiter` must do, run against memory and DynamoDB
//! - `stage`: the rules of a tool, what is remembered, and life without a store
//! - `bursts`: the most that a client can get out of the shipped limits
//! - `dynamodb`, `faults`: the real client against a DynamoDB in this process, whole and broken

mod bursts;
mod contract;
mod dynamodb;
mod faults;
mod proxy;
mod stage;

use std::time::{Duration, SystemTime, UNIX_EPOCH};

use lambda_mcp::limit::{Decision, Rule};

/// The start of an hour, of a day, and of a week of 1970's counting.
const START_S: u64 = 2_945 * 7 * 86_400;

/// A moment after the start.
fn at(seconds: f64) -> SystemTime {
    UNIX_EPOCH + Duration::from_secs(START_S) + Duration::from_secs_f64(seconds)
}

/// A rule of 100 seconds: its tenths are ten seconds long.
fn rule(bucket: &str, limit: u32) -> Rule {
    Rule::new(bucket, limit, Duration::from_secs(100)).unwrap()
}

fn is_admitted(decision: &Decision) -> bool {
    matches!(decision, Decision::Admitted { .. })
}
