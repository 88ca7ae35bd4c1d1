//! Several invocations at once in one process, as on Lambda Managed Instances.

use std::collections::HashMap;

use harness::messages::call;
use harness::{ServerConfig, TestServer, Version};
use serde_json::{Value, json};

/// The default maximum of Lambda Managed Instances for one vCPU.
const CALLS: usize = 64;

fn text(server: &TestServer, tool: &str, version: Version) -> String {
    let reply = call(server, version, tool, json!({}));
    let text = reply.json()["result"]["content"][0]["text"].clone();
    text.as_str()
        .unwrap_or_else(|| panic!("{reply:?}"))
        .to_owned()
}

#[test]
fn sixty_four_calls_in_flight_do_not_mix() {
    let count = CALLS.to_string();
    let server = ServerConfig::new("concurrent")
        .env("CALLS", &count)
        .env("AWS_LAMBDA_MAX_CONCURRENCY", &count)
        .start();
    // No call ends before all have begun.
    let texts: Vec<(String, String)> = std::thread::scope(|scope| {
        let calls: Vec<_> = (0..CALLS)
            .map(|number| {
                let server = &server;
                scope.spawn(move || {
                    let tool = format!("meet_{number}");
                    let version = [Version::V2026_07_28, Version::V2025_06_18][number % 2];
                    let text = text(server, &tool, version);
                    (tool, text)
                })
            })
            .collect();
        calls.into_iter().map(|call| call.join().unwrap()).collect()
    });
    let mut request_ids = HashMap::new();
    for (tool, text) in &texts {
        let (name, request_id) = text.split_once(' ').unwrap();
        assert_eq!(name, tool);
        assert_eq!(
            request_ids.insert(request_id, tool.as_str()),
            None,
            "{text}"
        );
    }
    let log = server.finish();
    let lines = log
        .lines()
        .map(|line| serde_json::from_str(line).expect(line));
    let requests: Vec<Value> = lines
        .filter(|line: &Value| line["message"] == "request")
        .collect();
    assert_eq!(requests.len(), CALLS, "{log}");
    for line in requests {
        let request_id = line["request_id"].as_str().unwrap();
        assert_eq!(
            request_ids.remove(request_id),
            line["tool"].as_str(),
            "{line}"
        );
    }
}

#[test]
fn nothing_is_logged_at_the_start_whatever_the_concurrency_is() {
    // `cargo lambda watch` sets it to 1.
    for concurrency in [None, Some("1"), Some("4")] {
        let mut server = ServerConfig::new("cases");
        if let Some(concurrency) = concurrency {
            server = server.env("AWS_LAMBDA_MAX_CONCURRENCY", concurrency);
        }
        let server = server.start();
        assert_eq!(server.request("GET", "/health").send().status, 200);
        let log = server.finish();
        let lines: Vec<&str> = log.lines().collect();
        assert!(
            matches!(lines.as_slice(), [only] if only.contains("/health") || only.contains("\"request\"")),
            "{concurrency:?}: {log}"
        );
    }
}
