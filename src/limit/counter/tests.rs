//! Tests of counters and decisions.

use std::time::UNIX_EPOCH;

use proptest::prelude::*;

use super::*;
use crate::limit::window::wait_s;

fn at_ms(ms: u64) -> SystemTime {
    UNIX_EPOCH + Duration::from_millis(ms)
}

fn counter(rule: &Rule, now: SystemTime) -> Counter {
    let mut counters = Counter::of_rule("a", rule, &CallerKey::credential("x"), now);
    assert_eq!(counters.len(), 1);
    counters.remove(0)
}

#[test]
fn keys_differ_wherever_the_counters_must() {
    let now = UNIX_EPOCH + Duration::from_secs(1_000_000);
    let key = |bucket: &str, rule: &str, caller: &str| {
        let (rule, caller) = (rule.parse().unwrap(), CallerKey::credential(caller));
        Counter::of_rule(bucket, &rule, &caller, now)[0].key()
    };
    let keys = [
        key("tool", "1/1m", "a#b"),
        key("tool#a", "1/1m", "b"),
        key("tool", "1/1m", "total"),
        key("tool", "total:1/1m", "a#b"),
        key("tool", "1/1h", "a#b"),
        key("4:tool", "1/1m", "a#b"),
    ];
    for (index, key) in keys.iter().enumerate() {
        assert!(!keys[index + 1..].contains(key), "{key}");
        assert!(!key.contains("a#b#"), "{key}");
    }
    assert_eq!(key("tool", "total:1/1m", "x"), "rl#4:tool#total#60#16666");
    assert_eq!(
        key("tool", "2/1m:burst=1", "x"),
        key("tool", "1/1m", "x"),
        "a changed limit keeps its counter"
    );
}

#[test]
fn the_longest_wait_of_all_counters_decides() {
    let now = at_ms(0);
    let counters = ["3/1h", "20/1d", "total:2/1h:burst=1"]
        .map(|rule: &str| counter(&rule.parse().unwrap(), now));
    let decide = |counts: [(u64, u64); 3]| {
        let counts = counts.map(|(window, part)| Count { window, part });
        Decision::new(&counters, &counts)
    };
    let limited = |index, until_s: u64, kind| Decision::Limited {
        index,
        until: at_ms(until_s * 1000),
        kind,
    };
    assert_eq!(
        decide([(2, 2), (19, 19), (1, 0)]),
        Decision::Allowed {
            counts: vec![3, 20, 2]
        }
    );
    assert_eq!(
        decide([(3, 0), (0, 0), (0, 0)]),
        limited(0, 3600, LimitKind::Window)
    );
    assert_eq!(
        decide([(0, 0), (0, 0), (1, 1)]),
        limited(2, 360, LimitKind::Burst)
    );
    assert_eq!(
        decide([(3, 3), (20, 20), (2, 1)]),
        limited(1, 86_400, LimitKind::Window)
    );
    // A store that returns too few counts.
    let none = Decision::new(&counters, &[]);
    assert_eq!(none, Decision::Allowed { counts: vec![1; 3] });
}

#[test]
fn an_outage_leaves_a_tenth_of_the_limit_and_at_least_one() {
    for (rule, limit, burst_limit) in [
        ("25/1h", 3, 3),
        ("25/1h:burst=2", 3, 2),
        ("9/1h", 1, 1),
        ("100/1h:burst=50", 10, 10),
    ] {
        let counter = counter(&rule.parse().unwrap(), at_ms(0)).during_outage();
        let limits = (counter.limit(), counter.burst_limit());
        assert_eq!(limits, (limit, burst_limit), "{rule}");
    }
}

/// The model: all allowed moments in one list, counted again for each call.
#[derive(Default)]
struct Model(Vec<u64>);

impl Model {
    fn allows(&mut self, rule: &Rule, ms: u64) -> bool {
        let window_ms = u64::try_from(rule.window().as_millis()).unwrap();
        let same = |length_ms: u64| {
            let start = ms - ms % length_ms;
            self.0
                .iter()
                .filter(|hit| (start..start + length_ms).contains(*hit))
                .count()
        };
        let allows = same(window_ms) < rule.limit() as usize
            && same(window_ms / 10) < rule.burst_limit() as usize;
        if allows {
            self.0.push(ms);
        }
        allows
    }
}

/// What a store does with the numbers of a window.
#[derive(Default)]
struct Store(Vec<(u64, u8)>);

impl Store {
    fn count(&mut self, rule: &Rule, now: SystemTime) -> Decision {
        let counter = counter(rule, now);
        let (number, part) = (counter.window().number(), counter.window().part());
        let in_window = self.0.iter().filter(|(counted, _)| *counted == number);
        let in_part = in_window.clone().filter(|(_, counted)| *counted == part);
        let count = Count {
            part: in_part.count() as u64,
            window: in_window.count() as u64,
        };
        let decision = Decision::new(&[counter], &[count]);
        if decision.is_allowed() {
            self.0.push((number, part));
        }
        decision
    }
}

proptest! {
    #[test]
    fn decisions_equal_those_of_a_plain_count(
        window_s in 1_u64..50,
        limit in 1_u32..12,
        burst in 1_u32..12,
        start_ms in 0_u64..2_000_000,
        steps in prop::collection::vec(0_u64..9_000, 1..120),
    ) {
        let rule = Rule::new(limit, Duration::from_secs(window_s)).unwrap();
        let rule = rule.burst(burst.min(limit)).unwrap();
        let (mut model, mut store) = (Model::default(), Store::default());
        let mut ms = start_ms;
        for step in steps {
            ms += step;
            let allowed = model.allows(&rule, ms);
            match store.count(&rule, at_ms(ms)) {
                Decision::Allowed { .. } => prop_assert!(allowed, "at {ms}"),
                Decision::Limited { until, .. } => {
                    prop_assert!(!allowed, "at {ms}");
                    prop_assert!(until > at_ms(ms));
                    // A moment before `until`, still limited; at `until`, allowed.
                    let until_ms = u64::try_from(
                        until.duration_since(UNIX_EPOCH).unwrap().as_millis()
                    ).unwrap();
                    let mut early = Model(model.0.clone());
                    prop_assert!(!early.allows(&rule, until_ms - 1), "early at {ms}");
                    let mut in_time = Model(model.0.clone());
                    prop_assert!(in_time.allows(&rule, until_ms), "in time at {ms}");
                    // After the seconds that `Retry-After` names, it is not too early.
                    let waited = at_ms(ms) + Duration::from_secs(wait_s(at_ms(ms), until));
                    prop_assert!(waited >= until);
                }
            }
        }
    }
}
