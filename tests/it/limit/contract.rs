//! What every `Limiter` must do. The clock is the caller's, so no test waits.

use std::sync::Arc;

use futures_util::future::join_all;
use lambda_mcp::limit::{Bound, CallerKey, Decision, Limiter, MemoryLimiter, Per, Rule};

use super::{at, is_admitted, rule};

/// A place where counts live, and the instances that share it.
pub(super) type Instance = Arc<dyn Limiter>;

/// Runs the whole contract against one store that several instances share. Each part has its own
/// bucket, so that they do not meet.
pub(super) async fn holds(instances: [Instance; 4]) {
    parallel_calls_admit_exactly_the_limit(&instances).await;
    let [one, other, ..] = &instances;
    counts_go_up_by_one_and_denied_calls_are_not_counted(one).await;
    a_window_ends_where_the_next_begins(one, other).await;
    a_burst_is_held_back_until_the_next_tenth(one, other).await;
    clocks_that_differ_share_windows_but_never_a_limit(one, other).await;
    counters_are_apart(one).await;
}

async fn hit(instance: &Instance, rule: &Rule, caller: &str, seconds: f64) -> Decision {
    let caller = CallerKey::subject(caller);
    instance.hit(rule, &caller, at(seconds)).await.unwrap()
}

fn denied(until_s: f64, bound: Bound) -> Decision {
    Decision::Denied {
        until: at(until_s),
        bound,
    }
}

async fn parallel_calls_admit_exactly_the_limit(instances: &[Instance; 4]) {
    let rules = [
        (rule("parallel", 25), 25),
        (rule("parallel-burst", 50).burst(15).unwrap(), 15),
        (rule("parallel-total", 30).per(Per::Total), 30),
    ];
    for (rule, limit) in &rules {
        let calls = (0..200).map(|n| {
            let instance = Arc::clone(&instances[n % instances.len()]);
            let who = match rule.counts_per() {
                Per::Client => "one".to_owned(),
                Per::Total => n.to_string(),
            };
            let rule = rule.clone();
            tokio::spawn(async move { hit(&instance, &rule, &who, 1.0).await })
        });
        let decisions: Vec<_> = join_all(calls)
            .await
            .into_iter()
            .map(Result::unwrap)
            .collect();
        let mut counts: Vec<u64> = decisions
            .iter()
            .filter_map(|decision| match decision {
                Decision::Admitted { hits } => Some(*hits),
                Decision::Denied { .. } => None,
            })
            .collect();
        counts.sort_unstable();
        assert_eq!(counts, (1..=*limit).collect::<Vec<u64>>(), "{rule}");
    }
}

async fn counts_go_up_by_one_and_denied_calls_are_not_counted(one: &Instance) {
    let three = rule("counts", 3);
    for hits in 1..=3 {
        let decision = hit(one, &three, "a", 5.0).await;
        assert_eq!(decision, Decision::Admitted { hits });
    }
    for _ in 0..5 {
        assert_eq!(
            hit(one, &three, "a", 6.0).await,
            denied(100.0, Bound::Limit)
        );
    }
    // A rule with the same counter and more room sees what was counted: three, not eight.
    let five = rule("counts", 5);
    assert_eq!(
        hit(one, &five, "a", 7.0).await,
        Decision::Admitted { hits: 4 }
    );
}

async fn a_window_ends_where_the_next_begins(one: &Instance, other: &Instance) {
    let once = rule("edges", 1);
    assert_eq!(
        hit(one, &once, "a", 0.0).await,
        Decision::Admitted { hits: 1 }
    );
    assert_eq!(
        hit(other, &once, "a", 99.999).await,
        denied(100.0, Bound::Limit)
    );
    assert_eq!(
        hit(other, &once, "a", 100.0).await,
        Decision::Admitted { hits: 1 }
    );
    assert_eq!(
        hit(one, &once, "a", 100.001).await,
        denied(200.0, Bound::Limit)
    );
    // The last moment of a window is not the first of the next.
    assert_eq!(
        hit(one, &once, "b", 99.999).await,
        Decision::Admitted { hits: 1 }
    );
    assert_eq!(
        hit(one, &once, "b", 100.0).await,
        Decision::Admitted { hits: 1 }
    );
}

async fn a_burst_is_held_back_until_the_next_tenth(one: &Instance, other: &Instance) {
    let rule = rule("bursts", 5).burst(2).unwrap();
    let steps = [
        (0.0, true, 0.0, Bound::Burst),
        (9.999, true, 0.0, Bound::Burst),
        (9.999, false, 10.0, Bound::Burst),
        (10.0, true, 0.0, Bound::Burst),
        (10.0, true, 0.0, Bound::Burst),
        (19.0, false, 20.0, Bound::Burst),
        (95.0, true, 0.0, Bound::Burst),
        // The fifth was the last of the window: what it waits for is the window, not the tenth.
        (95.0, false, 100.0, Bound::Limit),
        (100.0, true, 0.0, Bound::Burst),
        (100.0, true, 0.0, Bound::Burst),
        (100.0, false, 110.0, Bound::Burst),
    ];
    for (n, (seconds, admitted, until_s, bound)) in steps.into_iter().enumerate() {
        let decision = hit([one, other][n % 2], &rule, "a", seconds).await;
        if admitted {
            assert!(is_admitted(&decision), "step {n}: {decision:?}");
        } else {
            assert_eq!(decision, denied(until_s, bound), "step {n}");
        }
    }
}

async fn clocks_that_differ_share_windows_but_never_a_limit(one: &Instance, other: &Instance) {
    // The other instance's clock is three seconds ahead.
    let rule = rule("skew", 4);
    let mut admitted = [0, 0];
    for step in 0..24 {
        let seconds = 40.0 + 5.0 * f64::from(step);
        for (instance, skew) in [(one, 0.0), (other, 3.0)] {
            let decision = hit(instance, &rule, "a", seconds + skew).await;
            let window = usize::from(seconds + skew >= 100.0);
            admitted[window] += usize::from(is_admitted(&decision));
        }
    }
    assert_eq!(admitted, [4, 4]);
}

async fn counters_are_apart(one: &Instance) {
    let once = |bucket: &str| rule(bucket, 1);
    let longer = Rule::new("apart", 1, std::time::Duration::from_secs(200)).unwrap();
    let total = once("apart").per(Per::Total);
    let admitted = [
        (&once("apart"), "a"),
        (&once("apart"), "b"),
        (&once("apart2"), "a"),
        (&longer, "a"),
        (&total, "a"),
    ];
    for (rule, caller) in admitted {
        let decision = hit(one, rule, caller, 1.0).await;
        assert_eq!(decision, Decision::Admitted { hits: 1 }, "{rule} {caller}");
    }
    for (rule, caller) in admitted.into_iter().chain([(&total, "b")]) {
        let decision = hit(one, rule, caller, 1.0).await;
        assert!(!is_admitted(&decision), "{rule} {caller}");
    }
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn memory_keeps_the_contract() {
    let memory: Instance = Arc::new(MemoryLimiter::new());
    holds(std::array::from_fn(|_| Arc::clone(&memory))).await;
}
