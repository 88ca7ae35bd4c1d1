//! The example `report`: a task that asks its user.

use std::time::{Duration, Instant};

use serde_json::{Value, json};

use harness::messages::{call, request_with, send};
use harness::{ServerConfig, Version};

#[test]
fn report_asks_in_the_middle_and_publishes() {
    let server = ServerConfig::new("report").start();
    let version = Version::V2026_07_28;
    let tasks = json!({"io.modelcontextprotocol/tasks": {}});
    let capabilities = json!({"elicitation": {}, "extensions": tasks});
    let meta = json!({"io.modelcontextprotocol/clientCapabilities": capabilities});
    let ask = |method: &str, params: Value| {
        let message = request_with(version, method, params, meta.clone());
        send(&server, version, &message).result()
    };
    let export = json!({"name": "export_report", "arguments": {"year": 2025}});
    let id = ask("tools/call", export)["taskId"].clone();
    let deadline = Instant::now() + Duration::from_secs(20);
    let mut messages = Vec::new();
    let mut until = |status: &str| {
        loop {
            let task = ask("tasks/get", json!({"taskId": id}));
            messages.push(task["statusMessage"].clone());
            if task["status"] == status {
                return task;
            }
            assert!(Instant::now() < deadline, "{task}");
        }
    };
    let asked = until("input_required");
    let question = &asked["inputRequests"]["approval"]["params"];
    assert_eq!(question["message"], "Publish 250 bookings of 2025?");
    let answer = json!({"action": "accept", "content": {"publish": true}});
    let answers = json!({"taskId": id, "inputResponses": {"approval": answer}});
    ask("tasks/update", answers);
    let report = until("completed")["result"]["structuredContent"].clone();
    assert_eq!(report["bookings"], 250);
    assert!(
        report["url"].as_str().unwrap().ends_with("/publish"),
        "{report}"
    );
    assert!(
        messages.contains(&json!("Reading quarter 4 of 2025")),
        "{messages:?}"
    );
    // A client without tasks is told what it needs.
    let reply = call(&server, version, "export_report", json!({"year": 2025}));
    assert_eq!((reply.status, reply.error_code()), (400, -32021));
}
