//! The real client against a DynamoDB in this process: the contract, the items, and the requests.

use std::net::SocketAddr;
use std::sync::Arc;
use std::time::Duration;

use aws_sdk_dynamodb::Client;
use harness::dynamodb::{Store, TABLE, create_table};
use lambda_mcp::limit::{CallerKey, Decision, DynamoDbLimiter, LimitKind, Limits, Target};

use super::contract::{self, Instance};
use super::proxy::Proxy;
use super::{Call, START_S, allowed, at, call, limited};
use crate::aws_http::config;

/// A limiter as one instance has it: with its own client and connections.
pub(super) fn limiter(store: SocketAddr) -> DynamoDbLimiter {
    DynamoDbLimiter::with_config(TABLE, config(&format!("http://{store}")))
}

/// Instances without a tight timeout: real ones do not get fifty calls at once.
fn instances(table: &str, url: &str) -> [Instance; 4] {
    std::array::from_fn(|_| {
        let limiter = DynamoDbLimiter::with_config(table, config(url));
        let instance: Instance = Arc::new(limiter.decision_timeout(Duration::from_secs(60)));
        instance
    })
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn dynamodb_keeps_the_contract() {
    let store = Store::start(START_S).await;
    contract::holds(instances(TABLE, &format!("http://{}", store.address))).await;
}

/// The contract with another DynamoDB emulator, at `MOTO_URL`.
///
/// `moto[server]` from `PyPI` does not lock an item during an update, and returns one count for two
/// parallel calls. Serve it with `threaded=False`.
#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
#[ignore = "needs a DynamoDB at MOTO_URL, such as moto's"]
async fn the_dynamodb_at_moto_url_keeps_the_contract() {
    let url = std::env::var("MOTO_URL").expect("MOTO_URL is the URL of a DynamoDB");
    let table = format!("limits-{}", std::process::id());
    create_table(&Client::new(&config(&url)), &table).await;
    contract::holds(instances(&table, &url)).await;
}

/// The decision of a call that must get one.
async fn count(limiter: &DynamoDbLimiter, call: &Call, seconds: f64) -> Decision {
    call.count(limiter, seconds).await.unwrap()
}

#[tokio::test]
async fn a_call_is_one_request_per_item_and_a_remembered_limit_none() {
    let proxy = Proxy::start(Store::start(START_S).await.address).await;
    let rules = "contact=3/1h,20/1d,total:100/1d".parse().unwrap();
    let limits = Limits::new(rules, limiter(proxy.address()));
    let caller = CallerKey::address(None);
    let check = async |tool: &str, seconds| {
        let tool = Target::tool(tool);
        limits.check(&tool, &caller, at(seconds)).await.is_ok()
    };

    assert!(check("get_resume", 0.0).await);
    assert_eq!(
        proxy.connections(),
        0,
        "nothing is connected before it is needed"
    );

    for _ in 0..3 {
        assert!(check("contact", 1.0).await);
        assert_eq!(proxy.requests(), 2, "the client's windows, and the total");
    }
    assert!(!check("contact", 2.0).await);
    assert_eq!(proxy.requests(), 3, "and the total taken back");
    for n in 0..200 {
        assert!(!check("contact", 3.0 + f64::from(n)).await);
    }
    assert_eq!(proxy.requests(), 0);
    assert!(check("contact", 3600.0).await);
    assert_eq!(proxy.requests(), 2);
}

#[tokio::test]
async fn the_windows_of_a_client_share_an_item_without_its_address() {
    let store = Store::start(START_S).await;
    let limiter = limiter(store.address);
    let caller = CallerKey::address(Some("198.51.100.7".parse().unwrap()));
    let call = |rules| Call {
        caller,
        ..call("contact", rules, "")
    };
    for seconds in [0.0, 1.0, 2.0, 99.0] {
        count(&limiter, &call("4/100s:burst=2"), seconds).await;
    }
    for seconds in [0.0, 3600.0] {
        count(&limiter, &call("3/1h,20/1d,total:100/1d"), seconds).await;
    }
    let (number, day) = (START_S / 100, START_S / 86_400);
    let (kept, day_kept) = (START_S + 100 + 3600, START_S + 2 * 86_400);
    assert_eq!(
        store.items().await,
        [
            format!("expires_at={kept} hits=3 pk=rl#7:contact#{caller}#100#{number} s0=2 s9=1"),
            format!(
                "expires_at={day_kept} h3600.0=1 h3600.1=1 hits=2 \
                 pk=rl#7:contact#{caller}#86400#{day}"
            ),
            format!("expires_at={day_kept} hits=2 pk=rl#7:contact#total#86400#{day}"),
        ]
    );
    assert!(!caller.to_string().contains("198"));
}

#[tokio::test]
async fn counters_that_are_deleted_late_change_nothing() {
    let store = Store::start(START_S).await;
    let limiter = limiter(store.address);
    let once = call("contact", "1/100s", "a");
    let count = async |seconds| count(&limiter, &once, seconds).await;
    let full = limited(400_100.0, LimitKind::Window);
    assert_eq!(count(0.0).await, allowed(1));
    // Days later the first counter is still there: DynamoDB deletes when it has time.
    assert_eq!(count(400_000.0).await, allowed(1));
    assert_eq!(count(400_001.0).await, full);
    assert_eq!(store.items().await.len(), 2);
    // The first is deleted within the window of the second.
    assert_eq!(store.sweep_at(START_S + 400_050), 1);
    assert_eq!(count(400_051.0).await, full);
    // The second is deleted an hour after its window, not earlier.
    assert_eq!(store.sweep_at(START_S + 400_100 + 3599), 0);
    assert_eq!(store.sweep_at(START_S + 400_100 + 3602), 1);
    assert_eq!(store.items().await, [""; 0]);
}
