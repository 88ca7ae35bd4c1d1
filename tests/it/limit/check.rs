//! The check of a call: what is asked, what is remembered, and calls without a store.

use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::{Arc, Mutex};
use std::time::{Duration, SystemTime};

use lambda_mcp::BoxFuture;
use lambda_mcp::limit::{
    CallerKey, Counter, Decision, Limited, Limiter, Limits, MemoryLimiter, Quotas, StoreError,
    Target,
};

use super::at;

/// Counts in memory, records what it was asked, and fails on demand.
#[derive(Debug, Default)]
struct Recorder {
    memory: MemoryLimiter,
    asked: Mutex<Vec<String>>,
    state: AtomicUsize,
}

const UP: usize = 0;
const DOWN: usize = 1;
const HOT_KEY: usize = 2;
const HANGS: usize = 3;
const PANICS: usize = 4;
const PANICS_AT_ONCE: usize = 5;

impl Recorder {
    /// The counters it was asked for since the last time, as `limit/window`.
    fn asked(&self) -> Vec<String> {
        std::mem::take(&mut self.asked.lock().unwrap())
    }

    fn set(&self, state: usize) {
        self.state.store(state, Ordering::SeqCst);
    }
}

fn shown(counter: &Counter) -> String {
    let total = if counter.is_total() { "total:" } else { "" };
    let window_s = counter.window().length().as_secs();
    format!("{total}{}/{window_s}s", counter.limit())
}

impl Limiter for Recorder {
    fn count<'a>(
        &'a self,
        counters: &'a [Counter],
        now: SystemTime,
    ) -> BoxFuture<'a, Result<Decision, StoreError>> {
        let asked: Vec<String> = counters.iter().map(shown).collect();
        self.asked.lock().unwrap().push(asked.join(","));
        let error = StoreError::new("planted");
        match self.state.load(Ordering::SeqCst) {
            UP => self.memory.count(counters, now),
            HOT_KEY => Box::pin(async { Err(error.hot_key()) }),
            HANGS => Box::pin(std::future::pending()),
            PANICS => Box::pin(async { panic!("planted") }),
            PANICS_AT_ONCE => panic!("planted"),
            _ => Box::pin(async { Err(error) }),
        }
    }
}

fn limits(text: &str) -> (Limits, Arc<Recorder>) {
    let recorder = Arc::new(Recorder::default());
    let limits = Limits::new(text.parse().unwrap(), Arc::clone(&recorder));
    (limits, recorder)
}

/// A call of `contact` by a caller with a credential.
async fn call(limits: &Limits, caller: &str, seconds: f64) -> Result<Quotas, Limited> {
    let (contact, caller) = (Target::tool("contact"), CallerKey::credential(caller));
    limits.check(&contact, &caller, at(seconds)).await
}

fn header<'a>(headers: &'a http::HeaderMap, name: &str) -> &'a str {
    headers
        .get(name)
        .map_or("", |value| value.to_str().unwrap())
}

#[tokio::test]
async fn a_target_without_rules_costs_nothing() {
    let (limits, recorder) = limits("contact=1/1h");
    for _ in 0..100 {
        let caller = CallerKey::address(None);
        for target in [Target::tool("get_resume"), Target::prompt("contact")] {
            let quotas = limits.check(&target, &caller, at(0.0)).await;
            assert!(quotas.unwrap().headers().is_empty());
        }
    }
    assert_eq!(recorder.asked(), [""; 0]);
}

#[tokio::test]
async fn all_counters_of_a_call_are_asked_for_at_once() {
    let (limits, recorder) = limits("contact=total:9/1h,20/1d,3/1h");
    let quotas = call(&limits, "a", 900.0).await.unwrap();
    assert_eq!(recorder.asked(), ["3/3600s,20/86400s,total:9/3600s"]);
    let headers = quotas.headers();
    assert_eq!(
        header(&headers, "ratelimit-policy"),
        r#""contact-1h";q=3;w=3600, "contact-1d";q=20;w=86400"#
    );
    // The total is not disclosed: it depends on other clients.
    assert_eq!(
        header(&headers, "ratelimit"),
        r#""contact-1h";r=2;t=2700, "contact-1d";r=19;t=85500"#
    );
}

#[tokio::test]
async fn a_limited_caller_is_answered_from_memory_until_its_retry_time() {
    let (limits, recorder) = limits("contact=2/1h,20/1d");
    for _ in 0..2 {
        call(&limits, "a", 10.0).await.unwrap();
    }
    recorder.asked();
    let limited = call(&limits, "a", 20.0).await.unwrap_err();
    assert_eq!(limited.retry_after_s(), 3580);
    assert_eq!(recorder.asked(), ["2/3600s,20/86400s"]);
    for n in 0..1000 {
        let seconds = 21.0 + f64::from(n) * 3.5;
        let again = call(&limits, "a", seconds).await.unwrap_err();
        assert_eq!(again.http_status(), 429);
        let until = seconds + f64::from(u32::try_from(again.retry_after_s()).unwrap());
        assert!((3600.0..3601.0).contains(&until), "{until}");
    }
    assert_eq!(recorder.asked(), [""; 0]);
    // Others are not limited, and neither is this caller after its retry time.
    call(&limits, "b", 30.0).await.unwrap();
    call(&limits, "a", 3600.0).await.unwrap();
    assert_eq!(recorder.asked(), ["2/3600s,20/86400s"; 2]);
}

#[tokio::test]
async fn a_call_that_a_long_window_limits_does_not_count_in_a_short_one() {
    let (limits, recorder) = limits("contact=3/1h,4/1d");
    for hour in [0.0, 0.0, 0.0, 3600.0] {
        call(&limits, "a", hour).await.unwrap();
    }
    recorder.asked();
    let limited = call(&limits, "a", 3601.0).await.unwrap_err();
    assert_eq!(limited.retry_after_s(), 86_400 - 3601);
    assert_eq!(recorder.asked(), ["3/3600s,4/86400s"]);
    let again = call(&limits, "a", 7200.0).await.unwrap_err();
    assert_eq!(again.retry_after_s(), 86_400 - 7200);
    assert_eq!(recorder.asked(), [""; 0]);
}

#[tokio::test]
async fn a_call_that_a_clients_limit_refuses_does_not_count_in_the_total() {
    let (limits, _) = limits("contact=1/1h,total:3/1h");
    for caller in ["a", "a", "a", "b", "b", "c"] {
        let _ = call(&limits, caller, 1.0).await;
    }
    // Three clients made one call each, and these are the three of the total.
    let limited = call(&limits, "d", 2.0).await.unwrap_err();
    assert_eq!(
        limited.to_string(),
        "Too many calls: `contact` can be called 3 times in 1 hour by all clients together. This \
         call did nothing. Try again in 60 minutes (3598 seconds), not before."
    );
}

#[tokio::test]
async fn a_closed_rule_refuses_calls_that_cannot_be_counted() {
    let (limits, recorder) = limits("contact=3/1h");
    recorder.set(DOWN);
    let refused = call(&limits, "a", 0.0).await.unwrap_err();
    assert!(refused.is_unavailable());
    assert_eq!(refused.http_status(), 503);
    assert_eq!(header(&refused.headers(), "retry-after"), "5");
    // It is not remembered: the next call asks again.
    recorder.set(UP);
    call(&limits, "a", 1.0).await.unwrap();
    assert_eq!(recorder.asked(), ["3/3600s"; 2]);
}

#[tokio::test]
async fn an_open_rule_allows_a_tenth_of_its_limit_without_a_store() {
    let (limits, recorder) = limits("contact=25/1h:open");
    recorder.set(DOWN);
    for caller in ["a", "b"] {
        for _ in 0..3 {
            let quotas = call(&limits, caller, 0.0).await.unwrap();
            assert!(quotas.headers().is_empty(), "the count is unknown");
        }
        assert!(
            call(&limits, caller, 0.0)
                .await
                .unwrap_err()
                .is_unavailable()
        );
    }
    // A client that writes a counter too often must not get past it.
    recorder.set(HOT_KEY);
    assert!(call(&limits, "c", 0.0).await.unwrap_err().is_unavailable());
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn parallel_calls_are_allowed_exactly_up_to_the_limit() {
    let (limits, _) = limits("contact=20/1h:burst=10,total:1000/1d");
    let limits = Arc::new(limits);
    let calls = (0..200).map(|_| {
        let limits = Arc::clone(&limits);
        tokio::spawn(async move { call(&limits, "a", 1.0).await.is_ok() })
    });
    let allowed = futures_util::future::join_all(calls).await;
    let allowed = allowed.into_iter().filter(|call| *call.as_ref().unwrap());
    assert_eq!(allowed.count(), 10);
}

/// One closed rule of a call is enough to refuse it.
#[tokio::test]
async fn a_call_with_a_closed_rule_is_refused_without_a_store() {
    let (limits, recorder) = limits("contact=25/1h:open,total:100/1d");
    recorder.set(DOWN);
    assert!(call(&limits, "a", 0.0).await.unwrap_err().is_unavailable());
}

#[tokio::test(start_paused = true)]
async fn a_store_that_hangs_or_panics_counts_as_failed() {
    let (limits, recorder) = limits("contact=3/1h");
    for state in [HANGS, PANICS, PANICS_AT_ONCE] {
        recorder.set(state);
        let started = tokio::time::Instant::now();
        let refused = call(&limits, "a", 0.0).await.unwrap_err();
        assert!(refused.is_unavailable(), "{state}");
        assert!(started.elapsed() <= Duration::from_millis(2001), "{state}");
    }
    let limits = limits.store_timeout(Duration::from_millis(100));
    recorder.set(HANGS);
    let started = tokio::time::Instant::now();
    call(&limits, "a", 0.0).await.unwrap_err();
    assert!(started.elapsed() <= Duration::from_millis(101));
    recorder.set(UP);
    call(&limits, "a", 0.0).await.unwrap();
}

#[tokio::test]
async fn a_group_shares_its_limit_over_tools_resources_and_prompts() {
    let text = "resume[get_resume,resource:resume://*,prompt:assess_fit]=3/1h; get_resume=2/1h";
    let (limits, recorder) = limits(text);
    let check = async |target: Target<'_>| {
        let caller = CallerKey::credential("a");
        limits.check(&target, &caller, at(0.0)).await
    };
    let targets = [
        Target::tool("get_resume"),
        Target::resource("resume://work/{index}"),
        Target::prompt("assess_fit"),
    ];
    for target in &targets {
        check(target.clone()).await.unwrap();
    }
    for target in targets {
        let limited = check(target).await.unwrap_err();
        assert_eq!(limited.data()["group"], "resume");
    }
    // A call counts in every group that includes it.
    assert_eq!(recorder.asked()[0], "3/3600s,2/3600s");
    check(Target::tool("get_projects")).await.unwrap();
}
