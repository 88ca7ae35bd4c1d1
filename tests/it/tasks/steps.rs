//! Steps: attempts, idempotency keys, and errors that end them.

use std::sync::{Arc, Mutex};
use std::time::Duration;

use lambda_mcp::tasks::{Retry, Step, StepError, Tasks};
use lambda_mcp::{Args, Server, State, Task, ToolError, task_tool};
use schemars::JsonSchema;
use serde::Deserialize;
use serde_json::{Value, json};

use super::{Created, MODERN, tasks_client, text};
use crate::fixtures::client;

/// The attempts of all steps.
type Attempts = Arc<Mutex<Vec<Step>>>;

#[derive(Clone, Deserialize, JsonSchema)]
struct Send {
    /// How often the provider fails first.
    fails: u32,
    /// How it fails.
    how: How,
    /// Whether the step runs at most once.
    #[serde(default)]
    once: bool,
    /// How many messages are sent.
    #[serde(default = "one")]
    messages: u32,
}

const fn one() -> u32 {
    1
}

#[derive(Clone, Copy, Deserialize, JsonSchema)]
#[serde(rename_all = "lowercase")]
enum How {
    /// With a cause.
    Cause,
    /// With words, and may be tried again.
    Again,
    /// With words, for good.
    Final,
}

async fn send(
    mut task: Task,
    State(attempts): State<Attempts>,
    Args(arguments): Args<Send>,
) -> Result<String, ToolError> {
    let Send {
        fails,
        how,
        once,
        messages,
    } = arguments;
    let mut sent = Vec::new();
    for _ in 0..messages {
        let attempts = Arc::clone(&attempts);
        let body = move |step: Step| {
            attempts.lock().unwrap().push(step.clone());
            async move {
                match how {
                    _ if step.attempt > fails => Ok(step.attempt),
                    How::Cause => Err(std::io::Error::other("SENTINEL").into()),
                    How::Again => Err(StepError::again(ToolError::new("The provider is down."))),
                    How::Final => Err(ToolError::new("The address is not valid.").into()),
                }
            }
        };
        let step = if once {
            task.step_once("send", body)
        } else {
            task.step("send", body)
        };
        sent.push(
            step.retry(Retry::attempts(4).first_pause(Duration::from_secs(60)))
                .await?,
        );
    }
    Ok(format!("Sent in attempts {sent:?}."))
}

fn server() -> (Server, Attempts) {
    let attempts = Attempts::default();
    let server = Server::builder("mail", "1")
        .tasks(Tasks::local())
        .call_timeout(Duration::from_secs(3600))
        .state(Arc::clone(&attempts))
        .tool(task_tool("send", send))
        .build();
    (server.unwrap(), attempts)
}

async fn done(arguments: Value) -> (Value, Vec<Step>) {
    let (server, attempts) = server();
    let task = Created::by(&tasks_client(&server), "send", arguments).await;
    let done = task.status("completed").await;
    let attempts = attempts.lock().unwrap().clone();
    (done, attempts)
}

#[tokio::test(start_paused = true)]
async fn a_step_is_tried_again_with_the_same_key() {
    let started = tokio::time::Instant::now();
    let (task, attempts) = done(json!({"fails": 3, "how": "cause"})).await;
    assert_eq!(text(&task), "Sent in attempts [4].");
    let numbers: Vec<u32> = attempts.iter().map(|step| step.attempt).collect();
    assert_eq!(numbers, [1, 2, 3, 4]);
    let key = &attempts[0].idempotency_key;
    assert!(key.ends_with("/send"), "{key}");
    assert!(attempts.iter().all(|step| step.idempotency_key == *key));
    // 60 s, 120 s and 240 s lie between the attempts.
    assert_eq!(started.elapsed().as_secs() / 60, 7);
}

#[tokio::test(start_paused = true)]
async fn the_last_error_is_that_of_the_tool() {
    let (task, attempts) = done(json!({"fails": 9, "how": "again"})).await;
    assert_eq!((attempts.len(), text(&task)), (4, "The provider is down."));
    let (task, attempts) = done(json!({"fails": 9, "how": "cause"})).await;
    assert_eq!(attempts.len(), 4);
    assert!(text(&task).contains("internal error") && !text(&task).contains("SENTINEL"));
    let (task, attempts) = done(json!({"fails": 9, "how": "final"})).await;
    assert_eq!(
        (attempts.len(), text(&task)),
        (1, "The address is not valid.")
    );
}

#[tokio::test(start_paused = true)]
async fn a_step_that_runs_once_is_not_tried_again() {
    let (task, attempts) = done(json!({"fails": 1, "how": "again", "once": true})).await;
    assert_eq!((attempts.len(), text(&task)), (1, "The provider is down."));
}

#[tokio::test]
async fn steps_of_one_name_and_other_tasks_have_other_keys() {
    let (server, attempts) = server();
    let client = tasks_client(&server);
    for _ in 0..2 {
        let arguments = json!({"fails": 0, "how": "final", "messages": 3});
        Created::by(&client, "send", arguments)
            .await
            .status("completed")
            .await;
    }
    let attempts = attempts.lock().unwrap();
    let mut keys: Vec<&str> = attempts.iter().map(|step| &*step.idempotency_key).collect();
    assert_eq!(keys.len(), 6);
    let endings: Vec<&str> = keys
        .iter()
        .map(|key| key.split_once('/').unwrap().1)
        .collect();
    assert_eq!(
        endings,
        ["send", "send#2", "send#3", "send", "send#2", "send#3"]
    );
    keys.sort_unstable();
    keys.dedup();
    assert_eq!(keys.len(), 6);
}

#[tokio::test(start_paused = true)]
async fn within_a_call_steps_run_alike() {
    let (server, attempts) = server();
    let client = client(&server, MODERN);
    let response = client
        .call("send", json!({"fails": 2, "how": "cause"}))
        .await;
    assert_eq!(response.text(), "Sent in attempts [3].");
    assert_eq!(attempts.lock().unwrap().len(), 3);
    let response = client
        .call("send", json!({"fails": 9, "how": "final"}))
        .await;
    assert!(response.is_error());
    assert_eq!(response.text(), "The address is not valid.");
}
