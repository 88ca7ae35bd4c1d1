//! The real client against a DynamoDB in this process: the contract, and what a decision costs.

use std::net::SocketAddr;
use std::sync::Arc;
use std::time::Duration;

use aws_sdk_dynamodb::Client;
use harness::dynamodb::{Store, TABLE, config, create_table};
use lambda_mcp::limit::{
    Bound, CallerKey, Decision, DynamoDbLimiter, Limiter as _, Limits, Per, Rule, Rules,
};

use super::contract::{self, Instance};
use super::proxy::Proxy;
use super::{START_S, at, rule};

/// A limiter as one function process has it: with a client and connections of its own.
pub(super) fn limiter(store: SocketAddr) -> DynamoDbLimiter {
    DynamoDbLimiter::with_config(TABLE, config(&format!("http://{store}")))
}

/// Instances with all the time they want: fifty calls at once is not what one of them meets.
fn instances(table: &str, url: &str) -> [Instance; 4] {
    std::array::from_fn(|_| {
        let limiter = DynamoDbLimiter::with_config(table, config(url));
        let instance: Instance = Arc::new(limiter.longest_decision(Duration::from_secs(60)));
        instance
    })
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn dynamodb_keeps_the_contract() {
    let store = Store::start(START_S).await;
    contract::holds(instances(TABLE, &format!("http://{}", store.address))).await;
}

/// A second opinion: another DynamoDB stand-in, reached at `MOTO_URL`.
///
/// `moto[server]` from `PyPI` keeps no lock around an update, and tells two parallel ones the same
/// count; served with `threaded=False` it does one after the other.
#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
#[ignore = "wants a DynamoDB at MOTO_URL, such as moto's"]
async fn the_dynamodb_at_moto_url_keeps_the_contract() {
    let url = std::env::var("MOTO_URL").expect("MOTO_URL is the URL of a DynamoDB");
    let table = format!("limits-{}", std::process::id());
    create_table(&Client::new(&config(&url)), &table).await;
    contract::holds(instances(&table, &url)).await;
}

#[tokio::test]
async fn one_decision_is_one_request_and_a_remembered_denial_is_none() {
    let proxy = Proxy::start(Store::start(START_S).await.address).await;
    let rules = Rules::parse("contact=3/1h,20/1d,total:100/1d").unwrap();
    let limits = Limits::new(rules, Arc::new(limiter(proxy.address())));
    let caller = CallerKey::source(None);
    let call = async |seconds| limits.check("contact", &caller, at(seconds)).await.is_ok();

    assert!(limits.check("get_resume", &caller, at(0.0)).await.is_ok());
    assert_eq!(
        proxy.connections(),
        0,
        "nothing is opened before it is needed"
    );

    for _ in 0..3 {
        assert!(call(1.0).await);
        assert_eq!(proxy.requests(), 3, "one for each rule");
    }
    assert!(!call(2.0).await);
    assert_eq!(proxy.requests(), 1, "the first rule denies");
    for n in 0..200 {
        assert!(!call(3.0 + f64::from(n)).await);
    }
    assert_eq!(proxy.requests(), 0);
    assert_eq!(proxy.connections(), 1);
    assert!(call(3600.0).await);
    assert_eq!(proxy.requests(), 3);
}

#[tokio::test]
async fn an_item_has_counts_and_an_expiry_and_no_address() {
    let store = Store::start(START_S).await;
    let limiter = limiter(store.address);
    let rule = rule("contact", 4).burst(2).unwrap();
    let caller = CallerKey::source(Some("198.51.100.7".parse().unwrap()));
    for seconds in [0.0, 1.0, 2.0, 99.0] {
        limiter.hit(&rule, &caller, at(seconds)).await.unwrap();
    }
    let total = Rule::new("contact", 4, Duration::from_secs(86_400)).unwrap();
    limiter
        .hit(&total.per(Per::Total), &caller, at(0.0))
        .await
        .unwrap();
    let (number, day) = (START_S / 100, START_S / 86_400);
    let (kept, day_kept) = (START_S + 100 + 3600, START_S + 2 * 86_400);
    assert_eq!(
        store.items().await,
        [
            format!("expires_at={kept} hits=3 pk=rl#7:contact#{caller}#100#{number} s0=2 s9=1"),
            format!("expires_at={day_kept} hits=1 pk=rl#7:contact#total#86400#{day} s0=1"),
        ]
    );
    assert!(!caller.to_string().contains("198"));
}

#[tokio::test]
async fn counters_that_are_deleted_late_change_nothing() {
    let store = Store::start(START_S).await;
    let limiter = limiter(store.address);
    let once = rule("contact", 1);
    let caller = CallerKey::subject("a");
    let hit = async |seconds| limiter.hit(&once, &caller, at(seconds)).await.unwrap();
    let denied = |until_s| Decision::Denied {
        until: at(until_s),
        bound: Bound::Limit,
    };
    assert_eq!(hit(0.0).await, Decision::Admitted { hits: 1 });
    // Days later the first counter is still there: DynamoDB deletes when it pleases.
    assert_eq!(hit(400_000.0).await, Decision::Admitted { hits: 1 });
    assert_eq!(hit(400_001.0).await, denied(400_100.0));
    assert_eq!(store.items().await.len(), 2);
    // The first is deleted in the midst of the second's window.
    assert_eq!(store.sweep_at(START_S + 400_050), 1);
    assert_eq!(hit(400_051.0).await, denied(400_100.0));
    // An hour after its end the second goes, and not before.
    assert_eq!(store.sweep_at(START_S + 400_100 + 3599), 0);
    assert_eq!(store.sweep_at(START_S + 400_100 + 3602), 1);
    assert_eq!(store.items().await, [""; 0]);
}
