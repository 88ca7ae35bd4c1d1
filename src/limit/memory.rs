//! [`MemoryLimiter`]: counts in the memory of one process.

use std::sync::{Mutex, PoisonError};
use std::time::{Duration, SystemTime};

use crate::future::BoxFuture;
use crate::limit::counter::{Count, Counter, Decision};
use crate::limit::expiring_map::ExpiringMap;
use crate::limit::limiter::{Limiter, StoreError};
use crate::limit::window::PARTS;

/// The default capacity: some 20 MB.
const CAPACITY: usize = 100_000;
/// Counters are kept this long after their window, for threads whose time is slightly behind.
const GRACE: Duration = Duration::from_secs(60);

/// A [`Limiter`] that counts in the memory of this process.
///
/// Use it for local runs, for tests, and for servers that run as one process. On Lambda, every
/// instance has its own memory, so a limit holds per instance only.
///
/// It counts a call in all counters or in none. It keeps up to 100,000 counters by default; calls
/// that need another one fail with a [`StoreError`] until a window ends.
///
/// # Examples
///
/// ```
/// use lambda_mcp::limit::{Limits, MemoryLimiter};
///
/// let limits = Limits::new("search=60/1m".parse()?, MemoryLimiter::new());
/// # assert!(!limits.rules().is_empty());
/// # Ok::<(), lambda_mcp::limit::InvalidRules>(())
/// ```
#[derive(Debug)]
pub struct MemoryLimiter(Mutex<ExpiringMap<Counts>>);

/// The calls of a counter.
#[derive(Debug, Clone, Copy, Default)]
struct Counts {
    window: u64,
    parts: [u32; PARTS as usize],
}

impl MemoryLimiter {
    /// Starts with no calls counted.
    #[must_use]
    pub fn new() -> Self {
        Self::with_capacity(CAPACITY)
    }

    /// Starts with no calls counted, and keeps up to `counters` counters.
    #[must_use]
    pub fn with_capacity(counters: usize) -> Self {
        Self(Mutex::new(ExpiringMap::new(counters)))
    }

    fn count_now(&self, counters: &[Counter], now: SystemTime) -> Result<Decision, StoreError> {
        // A panic elsewhere leaves whole counts, so a poisoned lock is usable.
        let mut map = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        map.expire(now);
        let keys: Vec<String> = counters.iter().map(Counter::key).collect();
        let part = |counter: &Counter| usize::from(counter.window().part());
        let read = |(counter, key): (&Counter, &String)| {
            let counts = map.get(key).copied().unwrap_or_default();
            Count {
                window: counts.window,
                part: counts
                    .parts
                    .get(part(counter))
                    .copied()
                    .map_or(0, u64::from),
            }
        };
        let counts: Vec<Count> = counters.iter().zip(&keys).map(read).collect();
        let decision = Decision::new(counters, &counts);
        if !decision.is_allowed() {
            return Ok(decision);
        }
        let missing = keys.iter().filter(|key| map.get(key).is_none()).count();
        if !map.has_room_for(missing) {
            return Err(StoreError::new("the memory for counters is full"));
        }
        for (counter, key) in counters.iter().zip(&keys) {
            if map.get(key).is_none() {
                map.insert(key, Counts::default(), counter.window().end() + GRACE);
            }
            if let Some(counts) = map.get_mut(key)
                && let Some(part) = counts.parts.get_mut(part(counter))
            {
                counts.window += 1;
                *part += 1;
            }
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
    fn count<'a>(
        &'a self,
        counters: &'a [Counter],
        now: SystemTime,
    ) -> BoxFuture<'a, Result<Decision, StoreError>> {
        Box::pin(std::future::ready(self.count_now(counters, now)))
    }
}

#[cfg(test)]
mod tests {
    use std::time::{Instant, UNIX_EPOCH};

    use super::*;
    use crate::limit::caller::CallerKey;

    fn at(seconds: u64) -> SystemTime {
        UNIX_EPOCH + Duration::from_secs(seconds)
    }

    fn count(
        limiter: &MemoryLimiter,
        rules: &[&str],
        caller: &str,
        now: SystemTime,
    ) -> Result<bool, StoreError> {
        let caller = CallerKey::credential(caller);
        let counters: Vec<Counter> = rules
            .iter()
            .flat_map(|rule| Counter::of_rule("a", &rule.parse().unwrap(), &caller, now))
            .collect();
        let decision = limiter.count_now(&counters, now)?;
        Ok(decision.is_allowed())
    }

    #[test]
    fn a_full_memory_allows_no_new_caller_until_a_window_has_ended() {
        let limiter = MemoryLimiter::with_capacity(2);
        let call = |caller, seconds| count(&limiter, &["2/1m"], caller, at(seconds));
        assert!(call("one", 0).unwrap());
        assert!(call("two", 1).unwrap());
        assert!(call("three", 2).is_err());
        assert!(call("one", 3).unwrap());
        assert!(!call("one", 4).unwrap());
        assert!(call("three", 120).unwrap());
    }

    #[test]
    fn a_limited_call_is_counted_nowhere() {
        let limiter = MemoryLimiter::new();
        let both = ["5/1h", "total:1/1d"];
        assert!(count(&limiter, &both, "one", at(0)).unwrap());
        for _ in 0..9 {
            assert!(!count(&limiter, &both, "one", at(1)).unwrap());
        }
        // Four of the five calls are left.
        for n in 0..5 {
            let is_allowed = count(&limiter, &["5/1h"], "one", at(2)).unwrap();
            assert_eq!(is_allowed, n < 4, "{n}");
        }
    }

    /// The cost of a new caller does not depend on the number of known ones. A walk over the map
    /// took 200 times as long for 20,000 callers as for 100.
    #[test]
    fn a_new_caller_costs_the_same_whatever_the_number_of_callers() {
        let cost = |callers: u32| {
            let limiter = MemoryLimiter::with_capacity(callers as usize);
            for n in 0..callers {
                count(&limiter, &["5/1h"], &n.to_string(), at(1)).unwrap();
            }
            let fastest = (0..20).map(|_| {
                let started = Instant::now();
                for n in 0..50 {
                    let full = count(&limiter, &["5/1h"], &format!("new {n}"), at(2));
                    assert!(full.is_err());
                }
                started.elapsed()
            });
            fastest.min().unwrap()
        };
        let (few, many) = (cost(100), cost(20_000));
        assert!(many < few * 20, "{few:?} and {many:?}");
    }
}
