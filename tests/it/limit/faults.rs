//! DynamoDB with every kind of fault: the documented answer, within half a second.

use std::time::{Duration, Instant};

use lambda_mcp::limit::{
    CallerKey, Decision, DynamoDbLimiter, Limited, Limits, StoreError, Target,
};
use tokio::net::TcpListener;

use harness::dynamodb::Store;

use super::START_S;
use super::dynamodb::limiter;
use super::proxy::{Fault, Proxy};
use super::{Call, allowed, at, call};

/// The time within which a caller gets an answer, whatever the store does.
const PROMISED: Duration = Duration::from_millis(500);

fn error(status: u16, kind: &str, rest: &str) -> Fault {
    let kind = format!("com.amazonaws.dynamodb.v20120810#{kind}");
    let body = format!(r#"{{"__type":"{kind}","message":"planted-message"{rest}}}"#);
    Fault::Answer(status, body)
}

fn throttled(limit: &str) -> Fault {
    let reasons = format!(
        r#","throttlingReasons":[{{"reason":"TableWrite{limit}","resource":"arn:planted"}}]"#
    );
    error(400, "ThrottlingException", &reasons)
}

/// A limiter that has a connection, and the proxy that it goes through.
async fn connected() -> (Proxy, DynamoDbLimiter) {
    let proxy = Proxy::start(Store::start(START_S).await.address).await;
    let limiter = limiter(proxy.address());
    let warm_up = call("warm-up", "1/100s", "a").count(&limiter, 0.0).await;
    assert_eq!(warm_up.unwrap(), allowed(1));
    proxy.requests();
    (proxy, limiter)
}

fn contact() -> Call {
    call("contact", "3/100s", "a")
}

async fn count(limiter: &DynamoDbLimiter) -> Result<Decision, StoreError> {
    contact().count(limiter, 0.0).await
}

/// Counts three times, and returns the shortest time: a busy machine may be slow once.
async fn three_times(limiter: &DynamoDbLimiter) -> (Vec<Result<Decision, StoreError>>, Duration) {
    let mut decisions = Vec::new();
    let mut fastest = Duration::MAX;
    for _ in 0..3 {
        let started = Instant::now();
        decisions.push(count(limiter).await);
        fastest = fastest.min(started.elapsed());
    }
    (decisions, fastest)
}

#[tokio::test]
async fn a_fault_is_an_error_within_half_a_second() {
    let rows = [
        (
            throttled("ProvisionedThroughputExceeded"),
            1,
            "it throttles",
        ),
        (
            error(400, "ProvisionedThroughputExceededException", ""),
            1,
            "it throttles",
        ),
        (error(400, "RequestLimitExceeded", ""), 1, "it throttles"),
        (
            throttled("KeyRangeThroughputExceeded"),
            1,
            "this counter is written too often",
        ),
        (error(500, "InternalServerError", ""), 1, "it refuses"),
        (error(400, "AccessDeniedException", ""), 1, "it refuses"),
        (error(400, "ResourceNotFoundException", ""), 1, "it refuses"),
        (
            Fault::Answer(503, "<html>planted</html>".into()),
            1,
            "its answer cannot be read",
        ),
        (
            Fault::Answer(200, "<html>".into()),
            1,
            "its answer cannot be read",
        ),
        (
            Fault::Answer(200, "{}".into()),
            1,
            "its answer has no count",
        ),
        (Fault::Hang, 1, "no answer in time"),
        // A second attempt, on a new connection.
        (Fault::Reset, 2, "no connection, or it broke"),
        (Fault::Close, 2, "no connection, or it broke"),
    ];
    let (proxy, limiter) = connected().await;
    for (fault, attempts, reason) in rows {
        proxy.plan(&[], fault.clone());
        let (decisions, fastest) = three_times(&limiter).await;
        for decision in decisions {
            let failed = decision.unwrap_err();
            let expected = format!("the store of the limits failed: {reason}");
            assert_eq!(failed.to_string(), expected, "{fault:?}");
            assert_eq!(
                failed.is_hot_key(),
                reason.contains("too often"),
                "{fault:?}"
            );
        }
        assert!(fastest < PROMISED, "{fault:?}: {fastest:?}");
        assert_eq!(proxy.requests(), 3 * attempts, "{fault:?}");
    }
    // None of these calls was counted, and the store is used again as soon as it answers.
    proxy.plan(&[], Fault::None);
    assert_eq!(count(&limiter).await.unwrap(), allowed(1));
}

#[tokio::test]
async fn a_connection_that_broke_while_idle_costs_the_caller_nothing() {
    let (proxy, limiter) = connected().await;
    for (fault, calls) in [(Fault::Reset, 1), (Fault::Close, 2)] {
        proxy.plan(&[fault], Fault::None);
        assert_eq!(count(&limiter).await.unwrap(), allowed(calls));
        assert_eq!(proxy.requests(), 2);
    }
}

#[tokio::test]
async fn a_lost_reply_counts_twice_and_never_allows_too_many() {
    let (proxy, limiter) = connected().await;
    proxy.plan(&[Fault::LoseReply], Fault::None);
    assert_eq!(count(&limiter).await.unwrap(), allowed(2));
    assert_eq!(proxy.requests(), 2);
    assert_eq!(count(&limiter).await.unwrap(), allowed(3));
    assert!(matches!(
        count(&limiter).await.unwrap(),
        Decision::Limited { .. }
    ));
    // All replies are lost: the call may be counted, but is not allowed.
    proxy.plan(&[], Fault::LoseReply);
    assert!(count(&limiter).await.is_err());
}

#[tokio::test]
async fn without_a_store_the_error_comes_as_fast() {
    let listener = TcpListener::bind("127.0.0.1:0").await.unwrap();
    let nobody = limiter(listener.local_addr().unwrap());
    drop(listener);
    let (decisions, fastest) = three_times(&nobody).await;
    for decision in decisions {
        let failed = decision.unwrap_err().to_string();
        assert!(failed.ends_with("no connection, or it broke"), "{failed}");
    }
    assert!(fastest < PROMISED, "{fastest:?}");
}

#[tokio::test]
async fn the_first_connection_has_more_time_but_not_unlimited_time() {
    let proxy = Proxy::start(Store::start(START_S).await.address).await;
    proxy.plan(&[], Fault::Hang);
    let limiter = limiter(proxy.address());
    let started = Instant::now();
    assert!(count(&limiter).await.is_err());
    let first = started.elapsed();
    assert!(first >= Duration::from_millis(1000), "{first:?}");
    assert!(first < Duration::from_millis(1500), "{first:?}");
    // There is still no connection, so the next decision has the same time.
    let again = Instant::now();
    assert!(count(&limiter).await.is_err());
    assert!(again.elapsed() >= Duration::from_millis(1000));
}

#[tokio::test]
async fn errors_of_the_store_are_not_disclosed_to_callers() {
    let (proxy, limiter) = connected().await;
    proxy.plan(&[], error(400, "AccessDeniedException", ""));
    let rules = "closed=3/1h; open=3/1h:open".parse().unwrap();
    let limits = Limits::new(rules, limiter);
    let call = async |tool: &str| {
        let (tool, caller) = (Target::tool(tool), CallerKey::address(None));
        limits.check(&tool, &caller, at(0.0)).await
    };
    let refused: Limited = call("closed").await.unwrap_err();
    assert_eq!(refused.http_status(), 503);
    for text in [refused.to_string(), refused.data().to_string()] {
        assert!(
            !text.contains("planted") && !text.contains("Access"),
            "{text}"
        );
    }
    assert!(call("open").await.is_ok());
    assert_eq!(call("open").await.unwrap_err().http_status(), 503);
}

/// A call that its client's limit refuses, and whose total then cannot be taken back, stays counted
/// in the total: too strict by one, never too generous.
#[tokio::test]
async fn a_call_that_cannot_be_taken_back_stays_counted() {
    let (proxy, limiter) = connected().await;
    let call = |caller| call("both", "1/100s,total:3/100s", caller);
    let allowed = async |caller| {
        let decision = call(caller).count(&limiter, 0.0).await;
        decision.unwrap().is_allowed()
    };
    assert!(allowed("a").await);
    let lost = error(500, "InternalServerError", "");
    proxy.plan(&[Fault::None, Fault::None, lost], Fault::None);
    assert!(!allowed("a").await);
    assert!(allowed("b").await);
    assert!(!allowed("c").await, "the total counts a, a and b");
}
