//! Windows against a plain model that counts moments.

use proptest::prelude::*;

use super::*;
use crate::limit::rule::Rule;

fn at_ms(ms: u64) -> SystemTime {
    UNIX_EPOCH + Duration::from_millis(ms)
}

#[test]
fn edges_belong_to_what_begins() {
    let hour = Duration::from_secs(3600);
    let rows = [
        (0, 0, 0),
        (359_999, 0, 0),
        (360_000, 0, 1),
        (3_599_999, 0, 9),
        (3_600_000, 1, 0),
        (7_199_999, 1, 9),
    ];
    for (ms, number, part) in rows {
        let window = Window::at(hour, at_ms(ms));
        assert_eq!((window.number(), window.part()), (number, part), "{ms}");
    }
    let last = Window::at(hour, at_ms(3_599_999));
    assert_eq!(last.end(), at_ms(3_600_000));
    assert_eq!(last.part_end(), at_ms(3_600_000));
    assert_eq!(last.expires_at_s(), 7200);
}

#[test]
fn a_clock_before_1970_and_one_at_the_end_of_time_do_no_harm() {
    let before = UNIX_EPOCH - Duration::from_secs(5);
    assert_eq!(Window::at(Duration::from_secs(60), before).number(), 0);
    let late = at_ms(u64::MAX / 2);
    for length_s in [1, 60, 366 * 86_400] {
        let window = Window::at(Duration::from_secs(length_s), late);
        assert!(window.end() > late && window.part_end() > late);
    }
}

#[test]
fn waits_are_rounded_up_to_whole_seconds() {
    let rows = [
        (0, 1000, 1),
        (0, 1001, 2),
        (0, 1, 1),
        (0, 0, 1),
        (5, 0, 1),
        (1, 60_000, 60),
    ];
    for (now, until, seconds) in rows {
        assert_eq!(
            wait_s(at_ms(now), at_ms(until)),
            seconds,
            "{now} to {until}"
        );
    }
}

/// The model: all admitted moments in one list, counted afresh for each call.
#[derive(Default)]
struct Model(Vec<u64>);

impl Model {
    fn admits(&mut self, rule: &Rule, ms: u64) -> bool {
        let window_ms = u64::try_from(rule.length().as_millis()).unwrap();
        let same = |length_ms: u64| {
            let start = ms - ms % length_ms;
            self.0
                .iter()
                .filter(|hit| (start..start + length_ms).contains(*hit))
                .count()
        };
        let admits = same(window_ms) < rule.limit() as usize
            && same(window_ms / 10) < rule.burst_limit() as usize;
        if admits {
            self.0.push(ms);
        }
        admits
    }
}

/// What a store does with a window's counters: three numbers, found by the window's number.
#[derive(Default)]
struct Store(Vec<(u64, u8)>);

impl Store {
    fn hit(&mut self, rule: &Rule, now: SystemTime) -> Decision {
        let window = rule.window(now);
        let hits = self
            .0
            .iter()
            .filter(|(number, _)| *number == window.number());
        let part_hits = hits
            .clone()
            .filter(|(_, part)| *part == window.part())
            .count();
        let decision = window.decide(rule, hits.count() as u64, part_hits as u64);
        if matches!(decision, Decision::Admitted { .. }) {
            self.0.push((window.number(), window.part()));
        }
        decision
    }
}

proptest! {
    #[test]
    fn decisions_are_those_of_a_plain_count(
        window_s in 1_u64..50,
        limit in 1_u32..12,
        burst in 1_u32..12,
        start_ms in 0_u64..2_000_000,
        steps in prop::collection::vec(0_u64..9_000, 1..120),
    ) {
        let rule = Rule::new("a", limit, Duration::from_secs(window_s)).unwrap();
        let rule = rule.burst(burst.min(limit)).unwrap();
        let (mut model, mut store) = (Model::default(), Store::default());
        let mut ms = start_ms;
        for step in steps {
            ms += step;
            let admitted = model.admits(&rule, ms);
            match store.hit(&rule, at_ms(ms)) {
                Decision::Admitted { .. } => prop_assert!(admitted, "at {ms}"),
                Decision::Denied { until, .. } => {
                    prop_assert!(!admitted, "at {ms}");
                    prop_assert!(until > at_ms(ms));
                    // One moment before, still denied; at that moment, admitted.
                    let until_ms = u64::try_from(
                        until.duration_since(UNIX_EPOCH).unwrap().as_millis()
                    ).unwrap();
                    let mut early = Model(model.0.clone());
                    prop_assert!(!early.admits(&rule, until_ms - 1), "early at {ms}");
                    let mut in_time = Model(model.0.clone());
                    prop_assert!(in_time.admits(&rule, until_ms), "in time at {ms}");
                    // After the seconds that `Retry-After` names, it is not too early.
                    let waited = at_ms(ms) + Duration::from_secs(wait_s(at_ms(ms), until));
                    prop_assert!(waited >= until);
                }
            }
        }
    }

    #[test]
    fn a_moment_lies_in_its_window(window_s in 1_u64..100_000, ms in 0_u64..4_000_000_000_000) {
        let length = Duration::from_secs(window_s);
        let window = Window::at(length, at_ms(ms));
        let (start, now) = (window.end() - length, at_ms(ms));
        prop_assert!(start <= now && now < window.end());
        let part = length / 10;
        prop_assert_eq!(start + part * (u32::from(window.part()) + 1), window.part_end());
        prop_assert!(window.part_end() - part <= now && now < window.part_end());
        let kept_until = UNIX_EPOCH + Duration::from_secs(window.expires_at_s());
        prop_assert!(kept_until >= window.end() + length.max(Duration::from_secs(3600)));
    }
}
