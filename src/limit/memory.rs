//! Counts in memory: exact for one process, unknown to all others.
//!
//! For local runs and tests. On Lambda every instance has a memory of its own, so limits kept here
//! hold as many times over as there are instances.

use std::collections::HashMap;
use std::sync::{Mutex, PoisonError};
use std::time::SystemTime;

use futures_util::FutureExt as _;
use futures_util::future::ready;

use crate::future::BoxFuture;
use crate::limit::caller::CallerKey;
use crate::limit::rule::Rule;
use crate::limit::window::{PARTS, Window};
use crate::limit::{Decision, Limiter, StoreDown};

/// Some megabytes.
const MOST_COUNTERS: usize = 20_000;

/// A [`Limiter`] that counts in the memory of this process.
#[derive(Debug)]
pub struct MemoryLimiter {
    counters: Mutex<HashMap<String, Counter>>,
    most: usize,
}

#[derive(Debug)]
struct Counter {
    window: Window,
    hits: u64,
    parts: [u64; PARTS as usize],
}

impl MemoryLimiter {
    /// Counts from zero.
    #[must_use]
    pub fn new() -> Self {
        Self::holding(MOST_COUNTERS)
    }

    pub(crate) fn holding(most: usize) -> Self {
        Self {
            counters: Mutex::default(),
            most,
        }
    }

    fn count(
        &self,
        rule: &Rule,
        caller: &CallerKey,
        now: SystemTime,
    ) -> Result<Decision, StoreDown> {
        let window = rule.window(now);
        let key = rule.counter_key(caller, &window);
        // Counters change in whole steps, so a panic elsewhere leaves them usable.
        let mut counters = self.counters.lock().unwrap_or_else(PoisonError::into_inner);
        if counters.len() >= self.most && !counters.contains_key(&key) {
            counters.retain(|_, counter| counter.window.end() > now);
            if counters.len() >= self.most {
                return Err(StoreDown::new("the memory for counters is full"));
            }
        }
        let counter = counters.entry(key).or_insert_with(|| Counter {
            window,
            hits: 0,
            parts: [0; PARTS as usize],
        });
        let Some(part_hits) = counter.parts.get_mut(usize::from(window.part())) else {
            return Err(StoreDown::new("a window has ten parts"));
        };
        let decision = window.decide(rule, counter.hits, *part_hits);
        if let Decision::Admitted { hits } = decision {
            counter.hits = hits;
            *part_hits += 1;
        }
        Ok(decision)
    }
}

impl Default for MemoryLimiter {
    fn default() -> Self {
        Self::new()
    }
}

impl Limiter for MemoryLimiter {
    fn hit<'a>(
        &'a self,
        rule: &'a Rule,
        caller: &'a CallerKey,
        now: SystemTime,
    ) -> BoxFuture<'a, Result<Decision, StoreDown>> {
        ready(self.count(rule, caller, now)).boxed()
    }
}

#[cfg(test)]
mod tests {
    use std::time::{Duration, UNIX_EPOCH};

    use super::*;

    #[test]
    fn a_full_memory_lets_nobody_past_and_is_free_again_with_the_next_window() {
        let limiter = MemoryLimiter::holding(2);
        let rule = Rule::new("a", 5, Duration::from_secs(60)).unwrap();
        let hit = |who: &str, at_s| {
            let now = UNIX_EPOCH + Duration::from_secs(at_s);
            limiter.count(&rule, &CallerKey::subject(who), now)
        };
        assert_eq!(hit("one", 0).unwrap(), Decision::Admitted { hits: 1 });
        assert_eq!(hit("two", 1).unwrap(), Decision::Admitted { hits: 1 });
        assert!(hit("three", 2).is_err());
        assert_eq!(hit("one", 3).unwrap(), Decision::Admitted { hits: 2 });
        assert_eq!(hit("three", 60).unwrap(), Decision::Admitted { hits: 1 });
    }
}
