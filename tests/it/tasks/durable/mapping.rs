//! Which call each method makes, and what a client gets for each state of an execution.

use std::time::Duration;

use lambda_mcp::{Server, Task, ToolError, task_tool};
use serde_json::{Value, json};

use super::double::{Api, Double, Planned};
use super::{EXECUTION, WORKER, aged, created, engine, execution, key, server};
use crate::fixtures::conformance;
use crate::tasks::{Created, tasks_client};

fn done(text: &str) -> String {
    json!({"resultType": "complete", "content": [{"type": "text", "text": text}]}).to_string()
}

#[tokio::test]
async fn a_call_starts_an_execution_of_the_alias() {
    let api = Double::start().await;
    let task = created(&api, "slow_compute", json!({"seconds": 1, "label": "é"})).await;
    let [start] = &api.asked(Api::Invoke)[..] else {
        panic!("one start");
    };
    assert_eq!(
        start.target,
        format!("/2015-03-31/functions/{WORKER}/invocations")
    );
    assert_eq!(start.header("x-amz-invocation-type"), "Event");
    let name = start.header("x-amz-durable-execution-name");
    assert!(
        name.len() == 32 && name.bytes().all(|b| b.is_ascii_hexdigit()),
        "{name}"
    );
    let payload = start.json();
    assert_eq!(payload["id"], name);
    assert_eq!(payload["tool"], "slow_compute");
    assert_eq!(payload["arguments"], json!({"seconds": 1, "label": "é"}));
    assert_eq!(
        payload["capabilities"]["elicitation"],
        json!({"form": {}, "url": {}})
    );
    assert_eq!(payload.get("principal"), None);
    // Nothing else is asked for the answer.
    assert!(api.asked(Api::Get).is_empty() && api.asked(Api::History).is_empty());

    api.always(
        Api::Get,
        Planned::ok(execution("SUCCEEDED", json!({"Result": done("x")}))),
    );
    task.get().await;
    let [get] = &api.asked(Api::Get)[..] else {
        panic!("one look");
    };
    assert_eq!(
        get.target,
        format!("/2025-12-01/durable-executions/{EXECUTION}")
    );
}

/// What an execution is, what it has besides, and what the task is then.
type End = (&'static str, Value, Value);

fn internal(message: &str) -> Value {
    json!({"status": "failed", "error": {"code": -32603, "message": message}})
}

fn error(message: &str) -> Value {
    json!({"Error": {"ErrorMessage": message, "ErrorType": "t"}})
}

fn result(text: &str) -> Value {
    json!({"Result": text})
}

/// How the worker ends an execution.
fn ends() -> Vec<End> {
    let content = json!([{"type": "text", "text": "x"}]);
    let completed = json!({"content": content, "resultType": "complete"});
    let refused = json!({"content": [], "resultType": "complete", "isError": true});
    let lacking = json!({"code": -32021, "message": "m", "data": {"requiredCapabilities": {}}});
    vec![
        (
            "SUCCEEDED",
            result(&done("x")),
            json!({"status": "completed", "result": completed}),
        ),
        (
            "SUCCEEDED",
            result(&refused.to_string()),
            json!({"status": "completed", "result": refused}),
        ),
        (
            "FAILED",
            error(&lacking.to_string()),
            json!({"status": "failed", "error": lacking}),
        ),
    ]
}

/// Ends that the worker did not write. What they say is not shown.
fn other_ends() -> Vec<End> {
    let unknown = internal("Internal error");
    let timed_out = internal("The task took longer than it may, and was stopped.");
    vec![
        ("STOPPED", json!({}), json!({"status": "cancelled"})),
        ("TIMED_OUT", json!({}), timed_out),
        ("FAILED", error("SENTINEL"), unknown.clone()),
        ("FAILED", error(r#"{"code":"SENTINEL"}"#), unknown.clone()),
        ("FAILED", json!({}), unknown.clone()),
        ("SUCCEEDED", result("[1]"), unknown.clone()),
        ("SUCCEEDED", result("{SENTINEL"), unknown.clone()),
        ("SUCCEEDED", json!({}), unknown.clone()),
        ("SENTINEL", json!({}), unknown),
    ]
}

#[tokio::test]
async fn each_state_of_an_execution_is_one_of_the_task() {
    for (status, mut more, expected) in ends().into_iter().chain(other_ends()) {
        let api = Double::start().await;
        let task = created(&api, "slow_compute", json!({"seconds": 1})).await;
        more["EndTimestamp"] = json!(1_896_000_001);
        api.always(Api::Get, Planned::ok(execution(status, more.clone())));
        let got = task.get().await;
        for (name, value) in expected.as_object().unwrap() {
            assert_eq!(&got[name], value, "{status} {more}: {got}");
        }
        assert_eq!(got["lastUpdatedAt"], "2030-01-30T10:40:01.000Z", "{got}");
        assert!(!got.to_string().contains("SENTINEL"), "{got}");
        assert_eq!(got.get("pollIntervalMs"), None);
        // An end is no reason to read the history.
        assert!(api.asked(Api::History).is_empty());
    }
}

#[tokio::test]
async fn a_cancellation_stops_the_execution() {
    let api = Double::start().await;
    let task = created(&api, "slow_compute", json!({"seconds": 1})).await;
    let stopped = Planned::ok(json!({"StopTimestamp": 1_796_000_009}));
    api.always(Api::Stop, stopped.clone());
    task.cancel().await;
    task.cancel().await;
    let stops = api.asked(Api::Stop);
    assert_eq!(stops.len(), 2);
    assert_eq!(
        stops[0].target,
        format!("/2025-12-01/durable-executions/{EXECUTION}/stop")
    );
    // Whether an execution has ended is acknowledged alike, however the API says it.
    api.always(
        Api::Stop,
        Planned::error(400, "InvalidParameterValueException"),
    );
    task.cancel().await;
}

#[tokio::test]
async fn a_state_is_read_once_in_a_second() {
    let api = Double::start().await;
    let task = created(&api, "slow_compute", json!({"seconds": 1})).await;
    api.always(Api::Get, Planned::ok(execution("RUNNING", json!({}))));
    api.always(Api::History, Planned::ok(json!({"Events": []})));
    for _ in 0..20 {
        assert_eq!(task.get().await["status"], "working");
    }
    assert_eq!(
        (api.asked(Api::Get).len(), api.asked(Api::History).len()),
        (1, 1)
    );
    // What this client changes is read again.
    api.always(
        Api::Stop,
        Planned::ok(json!({"StopTimestamp": 1_796_000_009})),
    );
    task.cancel().await;
    api.always(Api::Get, Planned::ok(execution("STOPPED", json!({}))));
    assert_eq!(task.get().await["status"], "cancelled");
    assert_eq!(api.asked(Api::Get).len(), 1);
}

#[tokio::test]
async fn clients_are_told_to_poll_less_as_a_task_gets_older() {
    let api = Double::start().await;
    api.always(Api::Get, Planned::ok(execution("RUNNING", json!({}))));
    api.always(Api::History, Planned::ok(json!({"Events": []})));
    let client = tasks_client(&server(&api));
    for (age_s, interval_ms) in [
        (0, 1000),
        (9, 1000),
        (50, 5000),
        (400, 30_000),
        (80_000, 30_000),
    ] {
        let task = aged(&client, "slow_compute", Duration::from_secs(age_s));
        let polled = task.get().await["pollIntervalMs"].as_u64().unwrap();
        // The time of the test itself adds to the age.
        assert!(
            (interval_ms..interval_ms + 500).contains(&polled),
            "{age_s} s: {polled}"
        );
    }
}

#[tokio::test]
async fn the_history_of_a_silent_tool_is_not_read() {
    async fn quiet(mut task: Task) -> Result<&'static str, ToolError> {
        task.progress("Working").await?;
        Ok("Done.")
    }
    let api = Double::start().await;
    api.starts();
    api.always(Api::Get, Planned::ok(execution("RUNNING", json!({}))));
    let server = Server::builder("quiet", "1")
        .tasks(engine(&api))
        .request_state_key(key())
        .tool(task_tool("quiet", quiet).silent())
        .build()
        .unwrap();
    let task = Created::by(&tasks_client(&server), "quiet", json!({})).await;
    assert_eq!(task.get().await["status"], "working");
    assert!(api.asked(Api::History).is_empty());
}

#[tokio::test]
async fn nothing_is_asked_for_other_requests() {
    let api = Double::start().await;
    let client = tasks_client(&server(&api));
    assert!(!client.tools().await.names().is_empty());
    assert_eq!(client.discover().await.status(), 200);
    let greeted = client.call("greet", json!({"name": "Ada"})).await;
    assert_eq!(greeted.text(), "Hello, Ada!");
    // An id that this server did not sign is not looked up, and neither is one of another engine.
    let foreign = Created::by(&tasks_client(&conformance()), "multi_input", json!({})).await;
    for id in ["invented", &foreign.id] {
        let response = client.request("tasks/get", json!({"taskId": id})).await;
        crate::fixtures::assert_refused(&response, 200, -32602);
    }
    for operation in [
        Api::Invoke,
        Api::Get,
        Api::History,
        Api::Callback,
        Api::Stop,
    ] {
        assert!(api.asked(operation).is_empty(), "{operation:?}");
    }
}

/// On each engine: a tool that would never be seen asking must not wait for an answer.
#[tokio::test]
async fn a_silent_tool_that_asks_fails_and_its_reports_are_dropped() {
    use lambda_mcp::handler::Question;
    use lambda_mcp::tasks::Tasks;
    async fn rude(mut task: Task) -> Result<String, ToolError> {
        task.progress("Working").await?;
        Ok(format!("{:?}", task.ask(Question::roots("roots")).await?))
    }
    async fn quiet(mut task: Task) -> Result<&'static str, ToolError> {
        task.progress("Working").await?;
        Ok("Done.")
    }
    let server = Server::builder("rude", "1")
        .tasks(Tasks::local())
        .tool(task_tool("rude", rude).silent())
        .tool(task_tool("quiet", quiet).silent())
        .build()
        .unwrap();
    let client = tasks_client(&server);
    let failed = Created::by(&client, "rude", json!({})).await;
    let failed = failed.status("failed").await;
    assert_eq!(failed["error"]["code"], -32603, "{failed}");
    let done = Created::by(&client, "quiet", json!({})).await;
    let done = done.status("completed").await;
    assert_eq!(done.get("statusMessage"), None, "{done}");
}
