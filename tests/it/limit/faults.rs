//! DynamoDB broken in every way: an answer within half a second, and the documented one.

use std::sync::Arc;
use std::time::{Duration, Instant};

use lambda_mcp::limit::{
    CallerKey, Decision, DynamoDbLimiter, Limited, Limiter as _, Limits, Rules, StoreDown,
};
use tokio::net::TcpListener;

use harness::dynamodb::Store;

use super::START_S;
use super::dynamodb::limiter;
use super::proxy::{Fault, Proxy};
use super::{at, rule};

/// Whatever happens to the store, a caller hears within this.
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

/// A limiter that has had an answer before, and the proxy that it goes through.
async fn connected() -> (Proxy, DynamoDbLimiter) {
    let proxy = Proxy::start(Store::start(START_S).await.address).await;
    let limiter = limiter(proxy.address());
    let warm_up = limiter
        .hit(&rule("warm-up", 1), &CallerKey::source(None), at(0.0))
        .await;
    assert_eq!(warm_up.unwrap(), Decision::Admitted { hits: 1 });
    proxy.requests();
    (proxy, limiter)
}

async fn hit(limiter: &DynamoDbLimiter) -> Result<Decision, StoreDown> {
    limiter
        .hit(&rule("contact", 3), &CallerKey::subject("a"), at(0.0))
        .await
}

/// Hits three times: the machine may be slow, but not always when this code is.
async fn three_times(limiter: &DynamoDbLimiter) -> (Vec<Result<Decision, StoreDown>>, Duration) {
    let mut decisions = Vec::new();
    let mut fastest = Duration::MAX;
    for _ in 0..3 {
        let started = Instant::now();
        decisions.push(hit(limiter).await);
        fastest = fastest.min(started.elapsed());
    }
    (decisions, fastest)
}

#[tokio::test]
async fn a_store_that_fails_is_down_within_half_a_second() {
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
            let down = decision.unwrap_err();
            let expected = format!("the store of the limits does not answer: {reason}");
            assert_eq!(down.to_string(), expected, "{fault:?}");
            assert_eq!(down.is_hot(), reason.contains("too often"), "{fault:?}");
        }
        assert!(fastest < PROMISED, "{fault:?}: {fastest:?}");
        assert_eq!(proxy.requests(), 3 * attempts, "{fault:?}");
    }
    // Nothing of all that was counted, and once the store is back it is used at once.
    proxy.plan(&[], Fault::None);
    assert_eq!(hit(&limiter).await.unwrap(), Decision::Admitted { hits: 1 });
}

#[tokio::test]
async fn a_connection_that_broke_while_idle_costs_the_caller_nothing() {
    let (proxy, limiter) = connected().await;
    for (fault, hits) in [(Fault::Reset, 1), (Fault::Close, 2)] {
        proxy.plan(&[fault], Fault::None);
        assert_eq!(hit(&limiter).await.unwrap(), Decision::Admitted { hits });
        assert_eq!(proxy.requests(), 2);
    }
}

#[tokio::test]
async fn a_lost_reply_counts_twice_and_never_admits_too_many() {
    let (proxy, limiter) = connected().await;
    proxy.plan(&[Fault::LoseReply], Fault::None);
    assert_eq!(hit(&limiter).await.unwrap(), Decision::Admitted { hits: 2 });
    assert_eq!(proxy.requests(), 2);
    assert_eq!(hit(&limiter).await.unwrap(), Decision::Admitted { hits: 3 });
    assert!(matches!(
        hit(&limiter).await.unwrap(),
        Decision::Denied { .. }
    ));
    // All replies are lost: counted at most, not admitted.
    proxy.plan(&[], Fault::LoseReply);
    assert!(hit(&limiter).await.is_err());
}

#[tokio::test]
async fn without_a_store_at_all_the_answer_comes_as_fast() {
    let listener = TcpListener::bind("127.0.0.1:0").await.unwrap();
    let nobody = limiter(listener.local_addr().unwrap());
    drop(listener);
    let (decisions, fastest) = three_times(&nobody).await;
    for decision in decisions {
        let down = decision.unwrap_err().to_string();
        assert!(down.ends_with("no connection, or it broke"), "{down}");
    }
    assert!(fastest < PROMISED, "{fastest:?}");
}

#[tokio::test]
async fn the_first_connection_has_more_time_and_not_all_the_time() {
    let proxy = Proxy::start(Store::start(START_S).await.address).await;
    proxy.plan(&[], Fault::Hang);
    let limiter = limiter(proxy.address());
    let started = Instant::now();
    assert!(hit(&limiter).await.is_err());
    let first = started.elapsed();
    assert!(first >= Duration::from_millis(1000), "{first:?}");
    assert!(first < Duration::from_millis(1500), "{first:?}");
    // It never answered: the next decision has that time again.
    let again = Instant::now();
    assert!(hit(&limiter).await.is_err());
    assert!(again.elapsed() >= Duration::from_millis(1000));
}

#[tokio::test]
async fn callers_hear_nothing_of_what_is_broken() {
    let (proxy, limiter) = connected().await;
    proxy.plan(&[], error(400, "AccessDeniedException", ""));
    let rules = Rules::parse("closed=3/1h; open=3/1h:open").unwrap();
    let limits = Limits::new(rules, Arc::new(limiter));
    let call = async |tool| limits.check(tool, &CallerKey::source(None), at(0.0)).await;
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
