//! The states of a task, and how it ends.

use std::sync::Arc;
use std::sync::atomic::{AtomicU32, Ordering};
use std::time::Duration;

use lambda_mcp::content::Content;
use lambda_mcp::limit::{Limits, MemoryLimiter};
use lambda_mcp::tasks::{StepError, Tasks};
use lambda_mcp::testing::TestClient;
use lambda_mcp::{Json, Server, State, Task, ToolError, ToolOutput, task_tool};
use schemars::JsonSchema;
use serde::Serialize;
use serde_json::{Map, json};
use tokio::sync::Semaphore;

use super::{Created, MODERN, capabilities, tasks_client, text};
use crate::fixtures::{assert_refused, client, conformance};

#[tokio::test]
async fn a_call_is_answered_with_a_task_and_its_result_is_polled() {
    let server = conformance();
    let client = tasks_client(&server);
    let arguments = json!({"seconds": 0, "label": "x"});
    let response = client.call("slow_compute", arguments.clone()).await;
    let created = response.result();
    let mut members: Vec<&String> = created.as_object().unwrap().keys().collect();
    members.sort();
    let expected = [
        "_meta",
        "createdAt",
        "lastUpdatedAt",
        "pollIntervalMs",
        "resultType",
        "status",
        "taskId",
        "ttlMs",
    ];
    assert_eq!(members, expected);
    assert_eq!(created["status"], "working");
    assert_eq!(created["ttlMs"], 86_400_000);
    assert_eq!(created["pollIntervalMs"], 1000);

    let task = Created::by(&client, "slow_compute", arguments.clone()).await;
    let done = task.status("completed").await;
    assert_eq!(done["statusMessage"], "Computing x");
    assert_eq!(done.get("pollIntervalMs"), None, "{done}");
    assert!(done["lastUpdatedAt"].as_str() >= done["createdAt"].as_str());
    // The result is that of the call, without the identity of the server, which the task has.
    let inline = crate::fixtures::client(&server, MODERN)
        .call("slow_compute", arguments)
        .await;
    let mut called = inline.result().clone();
    called.as_object_mut().unwrap().remove("_meta");
    assert_eq!(done["result"], called);
}

#[tokio::test]
async fn structured_content_and_metadata_reach_the_result() {
    #[derive(Serialize, JsonSchema)]
    struct Size {
        bytes: u64,
    }
    async fn size(_task: Task) -> Json<Size> {
        Json(Size { bytes: 7 })
    }
    async fn tagged(_task: Task) -> ToolOutput {
        let meta = Map::from_iter([("example.com/tag".to_owned(), json!("t"))]);
        ToolOutput::new().content(Content::text("x")).meta(meta)
    }
    let server = Server::builder("sizes", "1")
        .tasks(Tasks::local())
        .tool(task_tool("size", size))
        .tool(task_tool("tagged", tagged))
        .build()
        .unwrap();
    let client = tasks_client(&server);
    let tools = client.tools().await;
    assert_eq!(
        tools.get("size")["outputSchema"]["required"],
        json!(["bytes"])
    );
    let done = Created::by(&client, "size", json!({}))
        .await
        .status("completed")
        .await;
    assert_eq!(done["result"]["structuredContent"], json!({"bytes": 7}));
    assert_eq!(text(&done), r#"{"bytes":7}"#);
    let done = Created::by(&client, "tagged", json!({}))
        .await
        .status("completed")
        .await;
    assert_eq!(done["result"]["_meta"], json!({"example.com/tag": "t"}));
}

#[tokio::test(start_paused = true)]
async fn a_tool_error_completes_the_task_and_a_panic_fails_it() {
    let server = conformance();
    let client = tasks_client(&server);
    let failing = Created::by(&client, "failing_job", json!({})).await;
    let done = failing.status("completed").await;
    assert_eq!(done["result"]["isError"], true);
    assert_eq!(text(&done), "The job always fails.");
    let panics = Created::by(&client, "protocol_error_job", json!({})).await;
    let failed = panics.status("failed").await;
    assert_eq!(
        failed["error"],
        json!({"code": -32603, "message": "Internal error"})
    );
    assert_eq!(failed["statusMessage"], "Internal error");
}

#[tokio::test]
async fn the_cause_of_an_error_is_not_shown() {
    async fn leak(mut task: Task) -> Result<String, ToolError> {
        let read = |_| async { Ok(std::fs::read_to_string("/nonexistent/SENTINEL")?) };
        task.step("read", read)
            .retry(lambda_mcp::tasks::Retry::attempts(1))
            .await
    }
    let server = Server::builder("leaks", "1").tasks(Tasks::local());
    let server = server.tool(task_tool("leak", leak)).build().unwrap();
    let task = Created::by(&tasks_client(&server), "leak", json!({})).await;
    let done = task.status("completed").await;
    assert_eq!(done["result"]["isError"], true);
    assert!(text(&done).contains("internal error"), "{done}");
    let shown = done.to_string();
    assert!(
        !shown.contains("SENTINEL") && !shown.contains("No such file"),
        "{shown}"
    );
}

/// Waits for a permit, then counts.
#[derive(Clone)]
struct Gate(Arc<(Semaphore, AtomicU32)>);

impl Gate {
    fn closed() -> Self {
        Self(Arc::new((Semaphore::new(0), AtomicU32::new(0))))
    }

    fn open(&self) {
        self.0.0.add_permits(100);
    }

    fn passed(&self) -> u32 {
        self.0.1.load(Ordering::SeqCst)
    }
}

async fn pass(mut task: Task, State(gate): State<Gate>) -> Result<&'static str, ToolError> {
    task.progress("Waiting at the gate").await?;
    task.step("pass", move |_| {
        let gate = gate.clone();
        async move {
            gate.0.0.acquire().await?.forget();
            gate.0.1.fetch_add(1, Ordering::SeqCst);
            Ok::<(), StepError>(())
        }
    })
    .await?;
    Ok("Passed.")
}

fn gated(tasks: Tasks) -> (Server, Gate) {
    let gate = Gate::closed();
    let server = Server::builder("gates", "1")
        .tasks(tasks)
        .state(gate.clone())
        .tool(task_tool("pass", pass))
        .build();
    (server.unwrap(), gate)
}

#[tokio::test]
async fn a_cancelled_task_stops_and_stays_cancelled() {
    let (server, gate) = gated(Tasks::local());
    let task = Created::by(&tasks_client(&server), "pass", json!({})).await;
    task.until(|task| task["statusMessage"] == "Waiting at the gate")
        .await;
    task.cancel().await;
    let cancelled = task.status("cancelled").await;
    // The work does not go on, and a second cancellation changes nothing.
    gate.open();
    task.cancel().await;
    tokio::task::yield_now().await;
    assert_eq!(task.get().await, cancelled);
    assert_eq!(gate.passed(), 0);
    assert_eq!(gate.0.0.available_permits(), 100);
}

#[tokio::test]
async fn cancelling_a_finished_task_is_acknowledged_and_changes_nothing() {
    let (server, gate) = gated(Tasks::local());
    let task = Created::by(&tasks_client(&server), "pass", json!({})).await;
    assert_eq!(task.get().await["status"], "working");
    gate.open();
    let done = task.status("completed").await;
    task.cancel().await;
    task.cancel().await;
    task.update(json!({"late": {"action": "accept"}})).await;
    assert_eq!(task.get().await, done);
    assert_eq!(gate.passed(), 1);
}

#[tokio::test]
async fn invalid_arguments_create_no_task() {
    let server = conformance();
    let response = tasks_client(&server)
        .call("slow_compute", json!({"seconds": "many"}))
        .await;
    assert!(response.is_error(), "{response}");
    assert!(
        response.text().contains("`seconds` must be an integer"),
        "{response}"
    );
}

#[tokio::test]
async fn a_result_that_is_too_large_is_replaced_by_advice() {
    async fn large(_task: Task) -> String {
        "x".repeat(1_000_001)
    }
    let server = Server::builder("large", "1").tasks(Tasks::local());
    let server = server.tool(task_tool("large", large)).build().unwrap();
    let task = Created::by(&tasks_client(&server), "large", json!({})).await;
    let done = task.status("completed").await;
    assert_eq!(done["result"]["isError"], true);
    assert!(text(&done).contains("Ask for less"), "{done}");
}

#[tokio::test]
async fn a_task_is_kept_as_long_as_it_says() {
    let (server, gate) = gated(Tasks::local().ttl(Duration::ZERO));
    let expired = Created::by(&tasks_client(&server), "pass", json!({})).await;
    let response = expired.request("tasks/get", json!({})).await;
    assert_refused(&response, 200, -32602);
    gate.open();
    let (server, _) = gated(Tasks::local().ttl(Duration::from_secs(90)));
    let task = Created::by(&tasks_client(&server), "pass", json!({})).await;
    assert_eq!(task.get().await["ttlMs"], 90_000);
}

#[tokio::test]
async fn the_work_of_an_expired_task_is_stopped() {
    let (server, gate) = gated(Tasks::local().ttl(Duration::ZERO));
    let client = tasks_client(&server);
    Created::by(&client, "pass", json!({})).await;
    tokio::task::yield_now().await;
    // The next task makes room: it stops the first one, which holds the gate no longer.
    Created::by(&client, "pass", json!({})).await;
    gate.0.0.add_permits(1);
    for _ in 0..10 {
        tokio::task::yield_now().await;
    }
    assert_eq!(gate.passed(), 1);
}

#[tokio::test]
async fn a_full_engine_asks_to_come_back_later() {
    let (server, gate) = gated(Tasks::local());
    // Without the judgement of each message, for speed.
    let client = TestClient::new(server).capabilities(capabilities());
    for number in 0..1000 {
        let response = client.call("pass", json!({})).await;
        assert_eq!(
            response.result()["resultType"],
            "task",
            "{number}: {response}"
        );
    }
    let response = client.call("pass", json!({})).await;
    let error = assert_refused(&response, 429, 429);
    assert_eq!(error.data["retryAfterSeconds"], 10);
    assert_eq!(response.header("retry-after"), Some("10"));
    gate.open();
}

#[tokio::test]
async fn a_call_counts_against_its_limit_and_polling_does_not() {
    let gate = Gate::closed();
    let limits = Limits::new("pass=1/365d".parse().unwrap(), MemoryLimiter::new());
    let server = Server::builder("gates", "1")
        .tasks(Tasks::local())
        .limits(limits)
        .state(gate.clone())
        .tool(task_tool("pass", pass))
        .build()
        .unwrap();
    let client = tasks_client(&server);
    let task = Created::by(&client, "pass", json!({})).await;
    for _ in 0..5 {
        task.get().await;
    }
    assert_refused(&client.call("pass", json!({})).await, 429, 429);
    gate.open();
    task.status("completed").await;
}

#[tokio::test]
async fn tasks_run_side_by_side() {
    let (server, gate) = gated(Tasks::local());
    let client = tasks_client(&server);
    let first = Created::by(&client, "pass", json!({})).await;
    let second = Created::by(&client, "pass", json!({})).await;
    assert_ne!(first.id, second.id);
    first.cancel().await;
    gate.open();
    first.status("cancelled").await;
    second.status("completed").await;
}

#[tokio::test]
async fn a_client_of_another_instance_does_not_find_the_task() {
    let (server, _) = gated(Tasks::local());
    let (other, _) = gated(Tasks::local());
    let task = Created::by(&tasks_client(&server), "pass", json!({})).await;
    let elsewhere = client(&other, MODERN).capabilities(capabilities());
    let response = elsewhere
        .request("tasks/get", json!({"taskId": task.id}))
        .await;
    assert_refused(&response, 200, -32602);
}
