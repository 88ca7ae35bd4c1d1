//! Tasks: creation, polling, questions, cancellation, and who may do it.

mod cases;
mod clients;
mod durable;
mod ids;
mod lifecycle;
mod questions;
mod steps;

use std::time::Duration;

use lambda_mcp::Server;
use lambda_mcp::protocol::ProtocolVersion;
use lambda_mcp::testing::{TestClient, TestResponse};
use serde_json::{Value, json};

use crate::fixtures::client;

const MODERN: ProtocolVersion = ProtocolVersion::V2026_07_28;
const DEADLINE: Duration = Duration::from_secs(10);

/// What a client declares that supports tasks and everything that a task can ask for.
fn capabilities() -> Value {
    json!({
        "elicitation": {"form": {}, "url": {}},
        "sampling": {},
        "roots": {},
        "extensions": {"io.modelcontextprotocol/tasks": {}},
    })
}

/// A client that supports tasks.
fn tasks_client(server: &Server) -> TestClient {
    client(server, MODERN).capabilities(capabilities())
}

/// A task that a client created.
struct Created {
    client: TestClient,
    id: String,
}

impl Created {
    /// Calls a tool, which must answer with a task.
    async fn by(client: &TestClient, tool: &str, arguments: Value) -> Self {
        let response = client.call(tool, arguments).await;
        assert_eq!(response.result()["resultType"], "task", "{response}");
        let id = response.result()["taskId"].as_str().unwrap().to_owned();
        Self {
            client: client.clone(),
            id,
        }
    }

    async fn request(&self, method: &str, more: Value) -> TestResponse {
        let mut params = json!({"taskId": self.id});
        for (name, value) in more.as_object().unwrap() {
            params[name] = value.clone();
        }
        self.client.request(method, params).await
    }

    async fn get(&self) -> Value {
        let response = self.request("tasks/get", json!({})).await;
        assert_eq!(response.result()["resultType"], "complete", "{response}");
        assert_eq!(response.result()["taskId"], self.id.as_str());
        response.result().clone()
    }

    async fn cancel(&self) {
        assert_acknowledged(&self.request("tasks/cancel", json!({})).await);
    }

    async fn update(&self, answers: Value) {
        let response = self
            .request("tasks/update", json!({"inputResponses": answers}))
            .await;
        assert_acknowledged(&response);
    }

    /// Polls until `is` holds.
    async fn until(&self, is: impl Fn(&Value) -> bool) -> Value {
        let poll = async {
            let mut pause = Duration::from_millis(1);
            loop {
                let task = self.get().await;
                if is(&task) {
                    return task;
                }
                // With a paused clock, this lets the task's own timers run.
                tokio::time::sleep(pause).await;
                pause = (pause * 2).min(Duration::from_secs(5));
            }
        };
        let polled = tokio::time::timeout(DEADLINE * 1000, poll).await;
        polled.expect("the task reaches the state")
    }

    async fn status(&self, status: &str) -> Value {
        let is_ended = |task: &Value| {
            let status = task["status"].as_str().unwrap();
            ["completed", "failed", "cancelled"].contains(&status)
        };
        let task = self
            .until(|task| task["status"] == status || is_ended(task))
            .await;
        assert_eq!(task["status"], status, "{task}");
        task
    }
}

/// An acknowledgement has nothing of a task.
#[track_caller]
fn assert_acknowledged(response: &TestResponse) {
    let mut members: Vec<&String> = response.result().as_object().unwrap().keys().collect();
    members.sort();
    assert_eq!(members, ["_meta", "resultType"], "{response}");
}

/// The text of a completed task's result.
#[track_caller]
fn text(task: &Value) -> &str {
    task["result"]["content"][0]["text"].as_str().unwrap()
}
