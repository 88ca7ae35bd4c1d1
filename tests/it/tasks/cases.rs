//! The cases of the table whose steps need the id of a task that an earlier step created.

use serde_json::{Value, json};

use harness::messages::request_with;
use harness::{Reply, ServerConfig, TestServer, Version};

use super::capabilities;

/// The server of the cases, as a program behind an emulated Runtime API.
fn server() -> TestServer {
    ServerConfig::new("cases").start()
}

fn send(server: &TestServer, credential: Option<&str>, method: &str, params: Value) -> Reply {
    let meta = json!({"io.modelcontextprotocol/clientCapabilities": capabilities()});
    let message = request_with(Version::V2026_07_28, method, params, meta);
    let mut request = server.post(&message).modern_headers();
    if let Some(credential) = credential {
        request = request.header("Authorization", &format!("Bearer {credential}"));
    }
    request.send()
}

fn create(server: &TestServer, n: u32) -> String {
    let params = json!({"name": "demo_slow", "arguments": {"n": n}});
    let reply = send(server, Some(ADA), "tools/call", params);
    let result = reply.result();
    assert_eq!(
        (reply.status, &result["resultType"]),
        (200, &json!("task")),
        "{reply:#?}"
    );
    result["taskId"].as_str().unwrap().to_owned()
}

fn get(server: &TestServer, id: &str) -> Value {
    let reply = send(server, Some(ADA), "tasks/get", json!({"taskId": id}));
    assert_eq!(reply.status, 200, "{reply:#?}");
    reply.result()
}

fn ended(server: &TestServer, id: &str) -> Value {
    let deadline = std::time::Instant::now() + super::DEADLINE;
    loop {
        let task = get(server, id);
        if task["status"] != "working" {
            return task;
        }
        assert!(std::time::Instant::now() < deadline, "{task}");
    }
}

const ADA: &str = "test-key-valid";
const GRACE: &str = "test-key-B";

/// Case `task-create-and-get`.
#[test]
fn a_task_is_found_right_after_its_creation() {
    let server = server();
    for _ in 0..20 {
        let id = create(&server, 1);
        assert_eq!(get(&server, &id)["resultType"], "complete");
    }
}

/// Case `task-unknown-or-foreign`. An anonymous caller is asked for a credential.
#[test]
fn an_unknown_and_a_foreign_task_look_alike() {
    let server = server();
    let id = create(&server, 1);
    let dead = "00000000-0000-4000-8000-00000000dead";
    let unknown = send(&server, Some(ADA), "tasks/get", json!({"taskId": dead}));
    let foreign = send(&server, Some(GRACE), "tasks/get", json!({"taskId": id}));
    let cancel = send(&server, Some(GRACE), "tasks/cancel", json!({"taskId": id}));
    let errors = [&unknown, &foreign, &cancel].map(|reply| reply.message()["error"].clone());
    assert_eq!(errors[0]["code"], -32602);
    assert!(errors.iter().all(|error| *error == errors[0]), "{errors:?}");
    let anonymous = send(&server, None, "tasks/get", json!({"taskId": id}));
    assert_eq!(anonymous.status, 401, "{anonymous:#?}");
    assert_eq!(ended(&server, &id)["status"], "completed");
}

/// Case `task-error-mapping`.
#[test]
fn a_tool_error_is_a_result_and_a_panic_is_an_error() {
    let server = server();
    let failed = ended(&server, &create(&server, 13));
    assert_eq!(
        (&failed["status"], &failed["result"]["isError"]),
        (&json!("completed"), &json!(true))
    );
    assert_eq!(failed.get("error"), None);
    let panicked = ended(&server, &create(&server, 666));
    assert_eq!(
        (&panicked["status"], &panicked["error"]["code"]),
        (&json!("failed"), &json!(-32603))
    );
    assert_eq!(panicked.get("result"), None);
    let log = server.finish();
    // The words of a panic are for the log alone.
    assert!(!panicked.to_string().contains("SENTINEL"), "{panicked}");
    assert!(log.contains("a task panicked"), "{log}");
}

/// A function whose tasks would end with its process does not start on AWS.
#[test]
fn tasks_in_memory_are_refused_on_lambda() {
    let on_lambda = || ServerConfig::new("cases").env("LAMBDA_TASK_ROOT", "/var/task");
    let edges = ["lambda_mcp::lambda_http", "lambda_http"];
    let handlers = edges.map(|edge| on_lambda().env("EDGE", edge));
    for config in [on_lambda()].into_iter().chain(handlers) {
        let server = config.start();
        let log = server.logs().clone();
        let deadline = std::time::Instant::now() + super::DEADLINE;
        while !log
            .text()
            .contains("use another engine than `Tasks::local`")
        {
            assert!(std::time::Instant::now() < deadline, "{}", log.text());
            std::thread::yield_now();
        }
    }
    // A service of the author's own is not checked at start. It serves everything but tasks.
    let server = on_lambda().env("EDGE", "into_service").start();
    let call = json!({"name": "demo_slow", "arguments": {"n": 1}});
    let refused = send(&server, Some(ADA), "tools/call", call);
    assert_eq!(refused.json()["error"]["code"], -32603, "{refused:#?}");
    let log = server.finish();
    assert!(log.contains("no task is created"), "{log}");
}

/// The log line of a request names the tool, and has neither the id nor the answers.
#[test]
fn the_log_names_the_tool_of_a_task() {
    let server = server();
    let id = create(&server, 1);
    let answers =
        json!({"taskId": id, "inputResponses": {"SENTINEL-KEY": {"a": "SENTINEL-ANSWER"}}});
    send(&server, Some(ADA), "tasks/update", answers);
    send(&server, Some(ADA), "tasks/get", json!({"taskId": id}));
    let log = server.finish();
    let lines = log
        .lines()
        .map(|line| serde_json::from_str::<Value>(line).unwrap());
    let lines: Vec<Value> = lines.filter(|line| line["method"].is_string()).collect();
    let column = |name: &str| {
        lines
            .iter()
            .map(|line| line[name].clone())
            .collect::<Vec<_>>()
    };
    assert_eq!(
        column("method"),
        ["tools/call", "tasks/update", "tasks/get"]
    );
    assert_eq!(column("outcome"), ["task", "ok", "ok"]);
    assert_eq!(column("tool"), ["demo_slow"; 3]);
    assert!(!log.contains("SENTINEL") && !log.contains(&id), "{log}");
}
