//! The shipped function in several processes at once, which share nothing but the table.

use std::net::SocketAddr;

use serde_json::json;

use harness::dynamodb::{Store, TABLE};
use harness::messages::{request, with_headers};
use harness::{ServerConfig, Version};

/// When the table begins to count; the function has the clock of the machine.
const NOW_S: u64 = 2_945 * 7 * 86_400;
const PROCESSES: u32 = 4;
const CALLS_EACH: u32 = 50;
const LIMIT: usize = 25;

/// A process of the function as it is deployed: its table and its credentials come from the
/// environment, and its own client is built on the first call that counts.
fn function(store: SocketAddr, outbox: &str) -> ServerConfig {
    ServerConfig::new("portfolio")
        .env("CONTACT_PROVIDER", "log")
        .env("CONTACT_OUTBOX", outbox)
        .env("CONTACT_AUTH", "none")
        .env("RATE_LIMITS", &format!("contact={LIMIT}/365d"))
        .env("RATE_LIMIT_TABLE", TABLE)
        .env("AWS_ENDPOINT_URL_DYNAMODB", &format!("http://{store}"))
        .env("AWS_REGION", "eu-central-1")
        .env("AWS_ACCESS_KEY_ID", "test")
        .env("AWS_SECRET_ACCESS_KEY", "test")
}

/// The statuses of one process's calls, one after the other.
fn calls(store: SocketAddr, process: u32) -> Vec<u16> {
    let name = format!("processes-{}-{process}.jsonl", std::process::id());
    let outbox = std::env::temp_dir().join(name);
    let server = function(store, &outbox.to_string_lossy()).start();
    let statuses = (0..CALLS_EACH).map(|call| {
        let arguments = json!({"brief": format!("{process}/{call}"), "contact": "ada@example.org"});
        let params = json!({"name": "contact", "arguments": arguments});
        let message = request(Version::V2025_11_25, "tools/call", params);
        with_headers(&server, Version::V2025_11_25, &message)
            .send()
            .status
    });
    let statuses = statuses.collect();
    drop(server);
    let _gone = std::fs::remove_file(outbox);
    statuses
}

#[tokio::test(flavor = "multi_thread")]
async fn two_hundred_calls_of_four_processes_admit_exactly_the_limit() {
    let store = Store::start(NOW_S).await;
    let address = store.address;
    let processes =
        (0..PROCESSES).map(|process| tokio::task::spawn_blocking(move || calls(address, process)));
    let mut statuses = Vec::new();
    for process in processes.collect::<Vec<_>>() {
        statuses.extend(process.await.unwrap());
    }
    let admitted = statuses.iter().filter(|status| **status == 200).count();
    let denied = statuses.iter().filter(|status| **status == 429).count();
    assert_eq!((admitted, admitted + denied), (LIMIT, 200), "{statuses:?}");
}
