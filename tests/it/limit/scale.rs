//! The model of docs/scale.md against the real thing at small scale: processes of the shipped function
//! as instances, a dispatcher that chooses them as Lambda does, and a DynamoDB that they share.
//!
//! `tests/data/scale.json` holds waves of requests, and what the model says becomes of them:
//! `tests/gateway/test_scale.py` compares it with the model. The requests of a wave run at the same
//! time, and the next wave begins when all are answered, so no clock decides what happens.

use std::net::SocketAddr;

use harness::dynamodb::{Store, TABLE};
use harness::{Front, ServerConfig, TestServer};
use serde::Deserialize;
use serde_json::{Value, json};

use super::START_S;
use super::proxy::Proxy;

#[derive(Deserialize)]
struct Case {
    limit: u32,
    /// The callers of the requests of each wave.
    waves: Vec<Vec<u8>>,
    expected: Expected,
}

#[derive(Debug, Default, PartialEq, Deserialize)]
struct Expected {
    /// How many instances were started.
    instances: usize,
    /// The requests that were denied, for each wave.
    denied: Vec<usize>,
    /// The requests to DynamoDB, for each wave.
    writes: Vec<usize>,
}

/// The instances. The one that became idle last is used first, and a new one only if none is idle.
struct Fleet {
    limit: u32,
    store: SocketAddr,
    instances: Vec<TestServer>,
    idle: Vec<usize>,
}

impl Fleet {
    /// An instance for each request of a wave.
    fn take(&mut self, requests: usize) -> Vec<usize> {
        let mut taken = Vec::new();
        while taken.len() < requests {
            taken.push(self.idle.pop().unwrap_or_else(|| {
                self.instances.push(function(self.limit, self.store));
                self.instances.len() - 1
            }));
        }
        taken
    }

    /// Sends the requests of a wave at the same time, and returns their statuses.
    fn serve(&mut self, callers: &[u8]) -> Vec<u16> {
        let mut taken = self.take(callers.len());
        let instances = &self.instances;
        let statuses = std::thread::scope(|scope| {
            let request = |(&instance, &caller): (&usize, &u8)| {
                let instance = &instances[instance];
                scope.spawn(move || instance.invoke(Front::Rest, &event(caller)).reply().status)
            };
            let running: Vec<_> = taken.iter().zip(callers).map(request).collect();
            running
                .into_iter()
                .map(|request| request.join().unwrap())
                .collect()
        });
        taken.sort_unstable();
        self.idle.extend(taken);
        statuses
    }
}

/// An instance as it is deployed with a limit on a tool. The window ends once in a year.
fn function(limit: u32, store: SocketAddr) -> TestServer {
    ServerConfig::new("portfolio")
        .env("RATE_LIMITS", &format!("get_projects={limit}/365d"))
        .env("RATE_LIMIT_TABLE", TABLE)
        .env("AWS_ENDPOINT_URL_DYNAMODB", &format!("http://{store}"))
        .env("AWS_REGION", "eu-central-1")
        .env("AWS_ACCESS_KEY_ID", "test")
        .env("AWS_SECRET_ACCESS_KEY", "test")
        .start()
}

/// A call of the tool by the caller with this address.
fn event(caller: u8) -> Value {
    let params = json!({"name": "get_projects", "arguments": {}});
    let message = json!({"jsonrpc": "2.0", "id": 1, "method": "tools/call", "params": params});
    json!({
        "resource": "/mcp",
        "path": "/mcp",
        "httpMethod": "POST",
        "headers": {"Content-Type": "application/json"},
        "multiValueHeaders": {"Content-Type": ["application/json"]},
        "requestContext": {
            "httpMethod": "POST",
            "identity": {"sourceIp": format!("198.51.100.{caller}")},
            "path": "/prod/mcp",
            "requestId": "8476a536-e9f4-11e8-9739-2dfe598c3fcd",
            "stage": "prod",
        },
        "body": message.to_string(),
        "isBase64Encoded": false,
    })
}

#[tokio::test(flavor = "multi_thread")]
async fn instances_denials_and_writes_are_those_of_the_model() {
    let file = harness::workspace().join("tests/data/scale.json");
    let case: Case = serde_json::from_slice(&std::fs::read(file).unwrap()).unwrap();
    let store = Store::start(START_S).await;
    let proxy = Proxy::start(store.address).await;
    let mut fleet = Fleet {
        limit: case.limit,
        store: proxy.address(),
        instances: Vec::new(),
        idle: Vec::new(),
    };
    let mut seen = Expected::default();
    for wave in &case.waves {
        let statuses = tokio::task::block_in_place(|| fleet.serve(wave));
        let known = statuses.iter().all(|status| [200, 429].contains(status));
        assert!(known, "{wave:?}: {statuses:?}");
        seen.denied
            .push(statuses.iter().filter(|status| **status == 429).count());
        seen.writes.push(proxy.requests());
    }
    seen.instances = fleet.instances.len();
    assert_eq!(seen, case.expected);
}
