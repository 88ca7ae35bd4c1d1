//! A cache of limits that are reached.
//!
//! A caller that is limited stays limited until its retry time. An instance that remembers it
//! answers without asking the store. A lost entry costs one request to the store and changes no
//! answer.

use std::sync::{Mutex, PoisonError};
use std::time::{Duration, SystemTime};

use crate::limit::counter::{Counter, LimitKind};
use crate::limit::expiring_map::ExpiringMap;

const CAPACITY: usize = 4096;

/// A limit that is reached: until when, and which.
pub(super) type Reached = (SystemTime, LimitKind);

/// The longest time that an exhausted limit of several clients is remembered. A store that takes back
/// limited calls may report it exhausted for a moment only.
const MAX_SHARED_AGE: Duration = Duration::from_secs(60);

/// The limits that an instance knows to be reached.
#[derive(Debug)]
pub(super) struct LimitedCache(Mutex<ExpiringMap<Cached>>);

#[derive(Debug, Clone, Copy)]
struct Cached {
    reached: Reached,
    since: SystemTime,
}

impl LimitedCache {
    pub(super) fn new() -> Self {
        Self(Mutex::new(ExpiringMap::new(CAPACITY)))
    }

    /// Returns the first counter whose limit is known to be reached, with the longest wait.
    pub(super) fn find(&self, counters: &[Counter], now: SystemTime) -> Option<(usize, Reached)> {
        let cache = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        if cache.is_empty() {
            return None;
        }
        let reached = counters.iter().enumerate().filter_map(|(index, counter)| {
            let cached = cache.get(&key(counter))?;
            cached
                .is_current(counter, now)
                .then_some((index, cached.reached))
        });
        reached.max_by_key(|(_, (until, _))| *until)
    }

    /// Remembers that the limit of a counter is reached, if there is room.
    pub(super) fn insert(&self, counter: &Counter, reached: Reached, now: SystemTime) {
        let mut cache = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        cache.expire(now);
        let since = now;
        cache.insert(&key(counter), Cached { reached, since }, reached.0);
    }
}

impl Cached {
    fn is_current(&self, counter: &Counter, now: SystemTime) -> bool {
        let (until, _) = self.reached;
        let left = until.duration_since(now).unwrap_or_default();
        let age = now.duration_since(self.since).unwrap_or_default();
        // A limit is never reached for longer than its window: then the clock was set back.
        let is_possible = !left.is_zero() && left <= counter.window().length();
        is_possible && !(counter.is_shared() && age >= MAX_SHARED_AGE)
    }
}

/// The counter and its limits: another caller, such as one with a credential, may have more.
fn key(counter: &Counter) -> String {
    let (key, limit, burst) = (counter.key(), counter.limit(), counter.burst_limit());
    format!("{key}#{limit}#{burst}")
}

#[cfg(test)]
mod tests {
    use std::time::UNIX_EPOCH;

    use super::*;
    use crate::limit::caller::CallerKey;

    fn at(seconds: u64) -> SystemTime {
        UNIX_EPOCH + Duration::from_secs(seconds)
    }

    fn until(seconds: u64) -> Reached {
        (at(seconds), LimitKind::Window)
    }

    fn counter(rule: &str, caller: &str, now: SystemTime) -> Vec<Counter> {
        let rule = rule.parse().unwrap();
        Counter::of_rule("a", &rule, &CallerKey::credential(caller), now)
    }

    #[test]
    fn a_reached_limit_is_known_until_its_time_for_its_counter_alone() {
        let cache = LimitedCache::new();
        let find = |rule, caller, now| {
            let found = cache.find(&counter(rule, caller, now), now);
            found.map(|(_, reached)| reached)
        };
        let one = &counter("1/1m", "one", at(70))[0];
        cache.insert(one, until(120), at(70));
        assert_eq!(find("1/1m", "one", at(70)), Some(until(120)));
        assert_eq!(find("1/1m", "one", at(119)), Some(until(120)));
        assert_eq!(find("1/1m", "one", at(120)), None);
        assert_eq!(find("1/1m", "other", at(70)), None);
        for rule in ["1/1h", "2/1m", "2/1m:burst=1", "total:1/1m"] {
            assert_eq!(find(rule, "one", at(70)), None, "{rule}");
        }
        let total = &counter("total:1/1m", "one", at(70))[0];
        cache.insert(total, until(120), at(70));
        assert_eq!(find("total:1/1m", "other", at(70)), Some(until(120)));
    }

    #[test]
    fn a_clock_that_was_set_back_limits_nobody() {
        let cache = LimitedCache::new();
        let counters = counter("1/1m", "one", at(70));
        cache.insert(&counters[0], until(120), at(70));
        assert!(cache.find(&counters, at(60)).is_some());
        assert!(cache.find(&counters, at(59)).is_none());
    }

    #[test]
    fn an_exhausted_total_is_asked_for_again_after_a_minute() {
        let cache = LimitedCache::new();
        let counters = counter("total:1/1d", "one", at(100));
        cache.insert(&counters[0], until(86_400), at(100));
        assert!(cache.find(&counters, at(159)).is_some());
        assert!(cache.find(&counters, at(160)).is_none());
    }

    #[test]
    fn the_longest_wait_is_found() {
        let cache = LimitedCache::new();
        let counters: Vec<Counter> = ["1/1m", "2/1h", "3/1d"]
            .iter()
            .flat_map(|rule| counter(rule, "one", at(0)))
            .collect();
        cache.insert(&counters[0], until(60), at(0));
        cache.insert(&counters[1], until(3600), at(0));
        assert_eq!(cache.find(&counters, at(1)), Some((1, until(3600))));
    }

    #[test]
    fn memory_is_bounded_and_freed_at_expiry() {
        let cache = LimitedCache::new();
        let one = |n: usize, now| counter("1/1m", &n.to_string(), now).remove(0);
        for n in 0..2 * CAPACITY {
            cache.insert(&one(n, at(1)), until(60), at(1));
        }
        assert_eq!(cache.0.lock().unwrap().len(), CAPACITY);
        assert!(cache.find(&[one(0, at(2))], at(2)).is_some());
        cache.insert(&one(2 * CAPACITY, at(61)), until(120), at(61));
        assert_eq!(cache.0.lock().unwrap().len(), 1);
    }
}
