//! The stage: what is asked, in which order, what is remembered, and life without a store.

use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::{Arc, Mutex};
use std::time::SystemTime;

use futures_util::FutureExt as _;
use futures_util::future::BoxFuture;
use lambda_mcp::limit::{
    Allowed, CallerKey, Decision, Limited, Limiter, Limits, MemoryLimiter, Rule, Rules, StoreDown,
};

use super::at;

/// Counts in memory, notes what it was asked, and is down on demand.
#[derive(Debug, Default)]
struct Watched {
    memory: MemoryLimiter,
    asked: Mutex<Vec<String>>,
    down: AtomicUsize,
}

const UP: usize = 0;
const DOWN: usize = 1;
const HOT: usize = 2;

impl Watched {
    fn asked(&self) -> Vec<String> {
        std::mem::take(&mut self.asked.lock().unwrap())
    }
}

impl Limiter for Watched {
    fn hit<'a>(
        &'a self,
        rule: &'a Rule,
        caller: &'a CallerKey,
        now: SystemTime,
    ) -> BoxFuture<'a, Result<Decision, StoreDown>> {
        self.asked.lock().unwrap().push(rule.to_string());
        let down = StoreDown::new("planted");
        match self.down.load(Ordering::SeqCst) {
            UP => self.memory.hit(rule, caller, now),
            HOT => async { Err(down.hot()) }.boxed(),
            _ => async { Err(down) }.boxed(),
        }
    }
}

fn limits(text: &str) -> (Limits, Arc<Watched>) {
    let watched = Arc::new(Watched::default());
    let limiter: Arc<dyn Limiter> = Arc::<Watched>::clone(&watched);
    (Limits::new(Rules::parse(text).unwrap(), limiter), watched)
}

/// A call of `contact` by a caller.
async fn call(limits: &Limits, caller: &str, seconds: f64) -> Result<Allowed, Limited> {
    limits
        .check("contact", &CallerKey::subject(caller), at(seconds))
        .await
}

fn header<'a>(headers: &'a http::HeaderMap, name: &str) -> &'a str {
    headers
        .get(name)
        .map_or("", |value| value.to_str().unwrap())
}

#[tokio::test]
async fn a_tool_without_rules_costs_nothing() {
    let (limits, watched) = limits("contact=1/1h");
    for _ in 0..100 {
        let allowed = limits
            .check("get_resume", &CallerKey::source(None), at(0.0))
            .await;
        assert!(allowed.unwrap().headers().is_empty());
    }
    assert_eq!(watched.asked(), [""; 0]);
}

#[tokio::test]
async fn each_clients_rules_come_before_the_total_and_short_windows_before_long_ones() {
    let (limits, watched) = limits("contact=total:9/1h,20/1d,3/1h");
    let allowed = call(&limits, "a", 900.0).await.unwrap();
    assert_eq!(watched.asked(), ["3/1h", "20/1d", "total:9/1h"]);
    let headers = allowed.headers();
    assert_eq!(
        header(&headers, "ratelimit-policy"),
        r#""contact-1h";q=3;w=3600, "contact-1d";q=20;w=86400"#
    );
    // Of the total, a client learns nothing: it would tell of other clients.
    assert_eq!(
        header(&headers, "ratelimit"),
        r#""contact-1h";r=2;t=2700, "contact-1d";r=19;t=85500"#
    );
}

#[tokio::test]
async fn a_denied_caller_is_answered_from_memory_until_its_retry_time() {
    let (limits, watched) = limits("contact=2/1h,20/1d");
    for _ in 0..2 {
        call(&limits, "a", 10.0).await.unwrap();
    }
    watched.asked();
    let denied = call(&limits, "a", 20.0).await.unwrap_err();
    assert_eq!(denied.retry_after_s(), 3580);
    assert_eq!(watched.asked(), ["2/1h"]);
    for n in 0..1000 {
        let seconds = 21.0 + f64::from(n) * 3.5;
        let again = call(&limits, "a", seconds).await.unwrap_err();
        assert_eq!(again.http_status(), 429);
        let until = seconds + f64::from(u32::try_from(again.retry_after_s()).unwrap());
        assert!((3600.0..3601.0).contains(&until), "{until}");
    }
    assert_eq!(watched.asked(), [""; 0]);
    // Others are not denied, and neither is it once its time has come.
    call(&limits, "b", 30.0).await.unwrap();
    call(&limits, "a", 3600.0).await.unwrap();
    assert_eq!(watched.asked(), ["2/1h", "20/1d", "2/1h", "20/1d"]);
}

#[tokio::test]
async fn a_known_denial_by_a_long_window_spares_the_short_one() {
    let (limits, watched) = limits("contact=3/1h,4/1d");
    for hour in [0.0, 0.0, 0.0, 3600.0] {
        call(&limits, "a", hour).await.unwrap();
    }
    watched.asked();
    let denied = call(&limits, "a", 3601.0).await.unwrap_err();
    assert_eq!(denied.retry_after_s(), 86_400 - 3601);
    assert_eq!(watched.asked(), ["3/1h", "4/1d"]);
    let again = call(&limits, "a", 7200.0).await.unwrap_err();
    assert_eq!(again.retry_after_s(), 86_400 - 7200);
    assert_eq!(watched.asked(), [""; 0]);
}

#[tokio::test]
async fn one_clients_refusals_use_up_nothing_of_the_total() {
    let (limits, _) = limits("contact=1/1h,total:3/1h");
    for caller in ["a", "a", "a", "b", "b", "c"] {
        let _ = call(&limits, caller, 1.0).await;
    }
    // Three clients had a call each: the total is used up by those, and not before.
    let denied = call(&limits, "d", 2.0).await.unwrap_err();
    assert_eq!(
        denied.to_string(),
        "Too many calls: `contact` can be called 3 times in 1 hour by all clients together. This \
         call did nothing. Try again in 60 minutes (3598 seconds), not before."
    );
}

#[tokio::test]
async fn a_closed_rule_refuses_what_cannot_be_counted() {
    let (limits, watched) = limits("contact=3/1h");
    watched.down.store(DOWN, Ordering::SeqCst);
    let refused = call(&limits, "a", 0.0).await.unwrap_err();
    assert!(refused.is_unavailable());
    assert_eq!(refused.http_status(), 503);
    assert_eq!(header(&refused.headers(), "retry-after"), "5");
    // That is not remembered: the next call asks again.
    watched.down.store(UP, Ordering::SeqCst);
    call(&limits, "a", 1.0).await.unwrap();
    assert_eq!(watched.asked(), ["3/1h", "3/1h"]);
}

#[tokio::test]
async fn an_open_rule_admits_a_tenth_of_its_limit_without_a_store() {
    let (limits, watched) = limits("contact=25/1h:open");
    watched.down.store(DOWN, Ordering::SeqCst);
    for caller in ["a", "b"] {
        for _ in 0..3 {
            let allowed = call(&limits, caller, 0.0).await.unwrap();
            assert!(
                allowed.headers().is_empty(),
                "nothing is known of the count"
            );
        }
        assert!(
            call(&limits, caller, 0.0)
                .await
                .unwrap_err()
                .is_unavailable()
        );
    }
    // The counter itself is written too often: whoever does that must not gain by it.
    watched.down.store(HOT, Ordering::SeqCst);
    assert!(call(&limits, "c", 0.0).await.unwrap_err().is_unavailable());
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn parallel_calls_through_the_stage_admit_exactly_the_limit() {
    let (limits, _) = limits("contact=20/1h:burst=10,total:1000/1d");
    let limits = Arc::new(limits);
    let calls = (0..200).map(|_| {
        let limits = Arc::clone(&limits);
        tokio::spawn(async move { call(&limits, "a", 1.0).await.is_ok() })
    });
    let admitted = futures_util::future::join_all(calls).await;
    assert_eq!(
        admitted
            .into_iter()
            .filter(|a| *a.as_ref().unwrap())
            .count(),
        10
    );
}
