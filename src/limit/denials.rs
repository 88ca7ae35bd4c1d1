//! What is remembered of refusals.
//!
//! Until its retry time a denied caller stays denied, whatever else happens: an instance that
//! remembers it can say so without a write. Forgetting one costs a write and changes no answer.

use std::collections::HashMap;
use std::sync::{Mutex, PoisonError};
use std::time::{Duration, SystemTime};

use crate::limit::Bound;
use crate::limit::caller::CallerKey;
use crate::limit::rule::{Per, Rule};

const MOST: usize = 4096;

/// A refusal by a rule.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct Denial {
    pub(crate) until: SystemTime,
    pub(crate) bound: Bound,
}

/// The denied callers that an instance remembers.
#[derive(Debug, Default)]
pub(crate) struct Denials(Mutex<HashMap<Key, Denial>>);

/// A rule and whom it denies. Not the rule's place: rules of two tools may share their counters.
#[derive(Debug, PartialEq, Eq, Hash)]
struct Key {
    bucket: String,
    caller: Option<CallerKey>,
    window: Duration,
    /// A rule that shares the counters may allow more.
    calls: (u32, u32),
}

impl Denials {
    /// Whether the rule is known to deny this caller at `now`.
    pub(crate) fn find(&self, rule: &Rule, caller: &CallerKey, now: SystemTime) -> Option<Denial> {
        let denials = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        if denials.is_empty() {
            return None;
        }
        let denial = denials.get(&key(rule, caller)).copied()?;
        holds(&denial, rule.length(), now).then_some(denial)
    }

    /// Remembers a refusal, if there is room.
    pub(crate) fn remember(
        &self,
        rule: &Rule,
        caller: &CallerKey,
        denial: Denial,
        now: SystemTime,
    ) {
        let mut denials = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        if denials.len() >= MOST {
            denials.retain(|key, denial| holds(denial, key.window, now));
        }
        if denials.len() < MOST {
            denials.insert(key(rule, caller), denial);
        }
    }
}

/// No refusal is longer than its window; one that seems so tells of a clock that was set back.
fn holds(denial: &Denial, window: Duration, now: SystemTime) -> bool {
    let left = denial.until.duration_since(now);
    left.is_ok_and(|left| !left.is_zero() && left <= window)
}

fn key(rule: &Rule, caller: &CallerKey) -> Key {
    Key {
        bucket: rule.bucket().to_owned(),
        caller: (rule.counts_per() == Per::Client).then_some(*caller),
        window: rule.length(),
        calls: (rule.limit(), rule.burst_limit()),
    }
}

#[cfg(test)]
mod tests {
    use std::time::UNIX_EPOCH;

    use super::*;

    const MINUTE: Duration = Duration::from_secs(60);

    fn at(seconds: u64) -> SystemTime {
        UNIX_EPOCH + Duration::from_secs(seconds)
    }

    fn until(seconds: u64) -> Denial {
        Denial {
            until: at(seconds),
            bound: Bound::Limit,
        }
    }

    #[test]
    fn a_denial_holds_until_its_time_for_its_caller_and_rule_alone() {
        let denials = Denials::default();
        let rule = Rule::new("a", 1, MINUTE).unwrap();
        let (one, other) = (CallerKey::subject("one"), CallerKey::subject("other"));
        denials.remember(&rule, &one, until(120), at(70));
        assert_eq!(denials.find(&rule, &one, at(70)), Some(until(120)));
        assert_eq!(denials.find(&rule, &one, at(119)), Some(until(120)));
        assert_eq!(denials.find(&rule, &one, at(120)), None);
        // The clock was set back by an hour.
        assert_eq!(denials.find(&rule, &one, at(59)), None);
        assert_eq!(denials.find(&rule, &other, at(70)), None);
        for rule in [Rule::new("a", 1, MINUTE * 60), Rule::new("a", 2, MINUTE)] {
            assert_eq!(denials.find(&rule.unwrap(), &one, at(70)), None);
        }
        let total = rule.clone().per(Per::Total);
        assert_eq!(denials.find(&total, &one, at(70)), None);
        denials.remember(&total, &one, until(120), at(70));
        assert_eq!(denials.find(&total, &other, at(70)), Some(until(120)));
    }

    #[test]
    fn memory_is_bounded_and_freed_by_time() {
        let denials = Denials::default();
        let rule = Rule::new("a", 1, MINUTE).unwrap();
        let caller = |n: usize| CallerKey::subject(&n.to_string());
        for n in 0..2 * MOST {
            denials.remember(&rule, &caller(n), until(60), at(1));
        }
        assert_eq!(denials.0.lock().unwrap().len(), MOST);
        assert!(denials.find(&rule, &caller(0), at(2)).is_some());
        denials.remember(&rule, &caller(2 * MOST), until(120), at(61));
        assert_eq!(denials.0.lock().unwrap().len(), 1);
    }
}
