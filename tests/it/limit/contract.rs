//! What every `Limiter` must do. The clock is passed in, so no test waits.

use std::sync::Arc;

use futures_util::future::join_all;
use lambda_mcp::limit::{CallerKey, Decision, LimitKind, Limiter, MemoryLimiter};

use super::{Call, allowed, call, limited};

/// An instance of a function, and the store it counts in.
pub(super) type Instance = Arc<dyn Limiter>;

/// Runs the whole contract against one store that several instances share. Each part has its own
/// buckets, so that they do not meet.
pub(super) async fn holds(instances: [Instance; 4]) {
    parallel_calls_are_allowed_exactly_up_to_the_limit(&instances).await;
    parallel_calls_never_exceed_any_of_several_limits(&instances).await;
    let [one, other, ..] = &instances;
    counts_increase_by_one_and_limited_calls_are_not_counted(one).await;
    a_limited_call_counts_in_no_counter(one, other).await;
    a_window_ends_where_the_next_begins(one, other).await;
    a_burst_ends_with_its_tenth(one, other).await;
    clocks_that_differ_share_windows_but_never_a_limit(one, other).await;
    counters_are_independent(one).await;
    many_networks_of_one_owner_share_a_higher_limit(one, other).await;
    a_reserve_is_left_for_callers_with_a_credential(one, other).await;
}

async fn count(instance: &Instance, call: &Call, seconds: f64) -> Decision {
    call.count(&**instance, seconds).await.unwrap()
}

/// 200 parallel calls, spread over the instances.
async fn in_parallel(instances: &[Instance; 4], calls: impl Fn(usize) -> Call) -> Vec<Decision> {
    let calls = (0..200).map(|n| {
        let (instance, call) = (Arc::clone(&instances[n % instances.len()]), calls(n));
        tokio::spawn(async move { count(&instance, &call, 1.0).await })
    });
    let decisions = join_all(calls).await.into_iter();
    decisions.map(Result::unwrap).collect()
}

async fn parallel_calls_are_allowed_exactly_up_to_the_limit(instances: &[Instance; 4]) {
    let rows = [
        ("parallel", "25/100s", true, 25),
        ("parallel-burst", "50/100s:burst=15", true, 15),
        ("parallel-total", "total:30/100s", false, 30),
        ("parallel-nested", "60/100s,40/200s", true, 40),
    ];
    for (bucket, rules, is_one_caller, limit) in rows {
        let decisions = in_parallel(instances, |n| {
            let caller = if is_one_caller { 0 } else { n };
            call(bucket, rules, &caller.to_string())
        });
        let decisions = decisions.await;
        let mut counts: Vec<u64> = decisions
            .iter()
            .filter_map(|decision| match decision {
                Decision::Allowed { counts } => counts.last().copied(),
                Decision::Limited { .. } => None,
            })
            .collect();
        counts.sort_unstable();
        assert_eq!(counts, (1..=limit).collect::<Vec<u64>>(), "{rules}");
    }
}

/// Fifty clients with two calls each, and a total below that. While calls are taken back, a store
/// may refuse one too many; afterwards the rest of the total is there.
async fn parallel_calls_never_exceed_any_of_several_limits(instances: &[Instance; 4]) {
    const RULES: &str = "2/100s,total:80/100s";
    let calls = |n: usize| call("parallel-several", RULES, &(n % 50).to_string());
    let decisions = in_parallel(instances, calls).await;
    let allowed = decisions.iter().filter(|d| d.is_allowed()).count();
    assert!(allowed <= 80, "{allowed}");
    let mut afterwards = 0;
    for n in 0..40 {
        let late = call("parallel-several", RULES, &format!("late {n}"));
        afterwards += usize::from(count(&instances[0], &late, 2.0).await.is_allowed());
    }
    assert_eq!(allowed + afterwards, 80);
}

async fn counts_increase_by_one_and_limited_calls_are_not_counted(one: &Instance) {
    let three = call("counts", "3/100s", "a");
    for calls in 1..=3 {
        assert_eq!(count(one, &three, 5.0).await, allowed(calls));
    }
    for _ in 0..5 {
        assert_eq!(
            count(one, &three, 6.0).await,
            limited(100.0, LimitKind::Window)
        );
    }
    // After the limit was raised, the same counter continues: with three calls, not eight.
    let five = call("counts", "5/100s", "a");
    assert_eq!(count(one, &five, 7.0).await, allowed(4));
}

async fn a_limited_call_counts_in_no_counter(one: &Instance, other: &Instance) {
    const RULES: &str = "1/100s,4/1000s,total:3/100s";
    // The client's limit is reached at once; its long window and the total stay at one.
    let client = call("nowhere", RULES, "a");
    assert!(count(one, &client, 1.0).await.is_allowed());
    for _ in 0..4 {
        let decision = count(other, &client, 1.0).await;
        assert!(matches!(decision, Decision::Limited { index: 0, .. }));
    }
    // The total's limit is reached; the clients' own windows stay as they are.
    for caller in ["b", "c"] {
        let call = call("nowhere", RULES, caller);
        assert!(count(one, &call, 2.0).await.is_allowed());
    }
    let late = call("nowhere", RULES, "d");
    for _ in 0..4 {
        let decision = count(other, &late, 3.0).await;
        assert!(matches!(decision, Decision::Limited { index: 2, .. }));
    }
    // In the next window, everything is counted from there.
    for (caller, counts) in [(&client, vec![1, 2, 1]), (&late, vec![1, 1, 2])] {
        assert_eq!(
            count(one, caller, 101.0).await,
            Decision::Allowed { counts }
        );
    }
}

async fn a_window_ends_where_the_next_begins(one: &Instance, other: &Instance) {
    let [a, b] = ["a", "b"].map(|caller| call("edges", "1/100s", caller));
    let full = |until_s| limited(until_s, LimitKind::Window);
    assert_eq!(count(one, &a, 0.0).await, allowed(1));
    assert_eq!(count(other, &a, 99.999).await, full(100.0));
    assert_eq!(count(other, &a, 100.0).await, allowed(1));
    assert_eq!(count(one, &a, 100.001).await, full(200.0));
    // The last moment of a window is not the first of the next.
    assert_eq!(count(one, &b, 99.999).await, allowed(1));
    assert_eq!(count(one, &b, 100.0).await, allowed(1));
}

async fn a_burst_ends_with_its_tenth(one: &Instance, other: &Instance) {
    use LimitKind::{Burst, Window};
    let steps = [
        (0.0, Ok(1)),
        (9.999, Ok(2)),
        (9.999, Err((10.0, Burst))),
        (10.0, Ok(3)),
        (10.0, Ok(4)),
        (19.0, Err((20.0, Burst))),
        (95.0, Ok(5)),
        // The fifth was the last of the window, so the window has to end, not the tenth.
        (95.0, Err((100.0, Window))),
        (100.0, Ok(1)),
        (100.0, Ok(2)),
        (100.0, Err((110.0, Burst))),
    ];
    let call = call("bursts", "5/100s:burst=2", "a");
    for (n, (seconds, expected)) in steps.into_iter().enumerate() {
        let decision = count([one, other][n % 2], &call, seconds).await;
        let expected = match expected {
            Ok(calls) => allowed(calls),
            Err((until_s, kind)) => limited(until_s, kind),
        };
        assert_eq!(decision, expected, "step {n}");
    }
}

async fn clocks_that_differ_share_windows_but_never_a_limit(one: &Instance, other: &Instance) {
    // The other instance's clock is three seconds ahead.
    let call = call("skew", "4/100s", "a");
    let mut allowed = [0, 0];
    for step in 0..24 {
        let seconds = 40.0 + 5.0 * f64::from(step);
        for (instance, skew) in [(one, 0.0), (other, 3.0)] {
            let decision = count(instance, &call, seconds + skew).await;
            let window = usize::from(seconds + skew >= 100.0);
            allowed[window] += usize::from(decision.is_allowed());
        }
    }
    assert_eq!(allowed, [4, 4]);
}

async fn counters_are_independent(one: &Instance) {
    let calls = [
        call("apart", "1/100s", "a"),
        call("apart", "1/100s", "b"),
        call("apart2", "1/100s", "a"),
        call("apart", "1/200s", "a"),
        call("apart", "total:1/100s", "a"),
    ];
    for call in &calls {
        assert_eq!(count(one, call, 1.0).await, allowed(1), "{call:?}");
    }
    for call in calls.iter().chain([&call("apart", "total:1/100s", "b")]) {
        assert!(!count(one, call, 1.0).await.is_allowed(), "{call:?}");
    }
}

/// Two calls for each /64 network, 8 for a /56 and 32 for a /48.
async fn many_networks_of_one_owner_share_a_higher_limit(one: &Instance, other: &Instance) {
    let from = |address: String| Call {
        bucket: "networks",
        rules: "2/100s",
        caller: CallerKey::address(Some(address.parse().unwrap())),
    };
    let owner = |n: usize| from(format!("2001:db8:1:{n:x}::1"));
    assert_eq!(owner(0).counters(super::at(0.0)).len(), 3);
    // The third call of a /64 network is counted nowhere.
    for (call, index) in [(1, None), (2, None), (3, Some(0))] {
        let decision = count(one, &owner(0), 1.0).await;
        assert_eq!(limited_by(&decision), index, "call {call}");
    }
    let mut allowed = 2;
    for n in 0..24 {
        let decision = count([one, other][n % 2], &owner(1 + n / 2), 1.0).await;
        match limited_by(&decision) {
            None => allowed += 1,
            by => assert_eq!(by, Some(1), "{n}"),
        }
    }
    assert_eq!(allowed, 8);
    // Other networks of the same /56 are limited, the next /56 is not, up to the limit of the /48.
    for n in 0..40 {
        let address = format!("2001:db8:1:{:x}::1", 0x100 + n * 0x80);
        let decision = count(one, &from(address), 1.0).await;
        let expected = (n >= 24).then_some(2);
        assert_eq!(limited_by(&decision), expected, "{n}");
    }
    let elsewhere = from("2001:db8:2::1".to_owned());
    assert!(count(one, &elsewhere, 1.0).await.is_allowed());
}

/// The counter that limits a call.
fn limited_by(decision: &Decision) -> Option<usize> {
    match decision {
        Decision::Allowed { .. } => None,
        Decision::Limited { index, .. } => Some(*index),
    }
}

async fn a_reserve_is_left_for_callers_with_a_credential(one: &Instance, other: &Instance) {
    const RULES: &str = "total:3/100s:reserve=1";
    let anonymous = Call {
        caller: CallerKey::address(Some("198.51.100.7".parse().unwrap())),
        ..call("reserve", RULES, "")
    };
    let known = call("reserve", RULES, "a");
    assert_eq!(count(one, &anonymous, 1.0).await, allowed(1));
    assert_eq!(count(other, &anonymous, 1.0).await, allowed(2));
    let full = limited(100.0, LimitKind::Window);
    assert_eq!(count(one, &anonymous, 1.0).await, full);
    assert_eq!(count(other, &known, 1.0).await, allowed(3));
    assert_eq!(count(one, &known, 1.0).await, full);
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn memory_keeps_the_contract() {
    let memory: Instance = Arc::new(MemoryLimiter::new());
    holds(std::array::from_fn(|_| Arc::clone(&memory))).await;
}
