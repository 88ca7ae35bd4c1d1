//! Equal calls of one caller are one task.

use std::time::Duration;

use lambda_mcp::auth::{ApiKeys, Auth};
use lambda_mcp::server::RequestStateKey;
use lambda_mcp::tasks::Tasks;
use lambda_mcp::{Args, Server, Task, ToolError, task_tool};
use schemars::JsonSchema;
use serde::Deserialize;
use serde_json::{Value, json};

use super::double::{Api, Double};
use super::{engine, key};
use crate::tasks::{Created, tasks_client};

#[derive(Deserialize, JsonSchema)]
struct Payment {
    /// Who is paid.
    to: String,
    /// Details.
    #[serde(default)]
    details: Value,
}

async fn pay(mut task: Task, Args(payment): Args<Payment>) -> Result<String, ToolError> {
    let to = payment.to.clone();
    let key: String = task
        .step("pay", |step| async move { Ok(step.idempotency_key) })
        .await?;
    Ok(format!("{key} {to} {}", payment.details))
}

fn server(tasks: Tasks, window: Duration, secret: RequestStateKey) -> Server {
    Server::builder("pay", "1")
        .tasks(tasks)
        .request_state_key(secret)
        .tool(task_tool("pay", pay).once_per(window))
        .tool(task_tool("pay_again", pay).once_per(window))
        .build()
        .unwrap()
}

/// A window that the test does not reach the end of.
const LONG: Duration = Duration::from_secs(100 * 365 * 86_400);

/// The name that a call gives its execution.
async fn name(api: &Double, server: &Server, tool: &str, arguments: Value) -> (String, Value) {
    api.starts();
    Created::by(&tasks_client(server), tool, arguments).await;
    let [start] = &api.asked(Api::Invoke)[..] else {
        panic!("one start");
    };
    let name = start.header("x-amz-durable-execution-name").to_owned();
    assert!(
        name.len() <= 64 && name.bytes().all(|b| b.is_ascii_hexdigit()),
        "{name}"
    );
    assert_eq!(start.json()["id"], name.as_str());
    (name, start.json())
}

#[tokio::test]
async fn a_repeated_call_has_the_name_and_the_payload_of_the_first() {
    let api = Double::start().await;
    let one = server(engine(&api), LONG, key());
    let nested = json!({"to": "Ada", "details": {"a": [1, {"x": 1, "y": 2}], "b": null}});
    let (first, payload) = name(&api, &one, "pay", nested.clone()).await;
    // On another instance, with members in another order.
    let other = server(engine(&api), LONG, key());
    let reordered = json!({"details": {"b": null, "a": [1, {"y": 2, "x": 1}]}, "to": "Ada"});
    let again = name(&api, &other, "pay", reordered).await;
    assert_eq!(again, (first.clone(), payload.clone()));
    assert_eq!(payload["capabilities"], json!({}), "{payload}");
    // Anything else is another task.
    let details = json!({"a": [{"x": 1, "y": 2}, 1], "b": null});
    let secret = RequestStateKey::new("another secret of thirty-two bytes").unwrap();
    let elsewhere = server(engine(&api), LONG, secret);
    for (server, tool, arguments) in [
        (
            &one,
            "pay",
            json!({"to": "Grace", "details": nested["details"]}),
        ),
        (&one, "pay", json!({"to": "Ada", "details": details})),
        (&one, "pay_again", nested.clone()),
        (&elsewhere, "pay", nested.clone()),
    ] {
        let (other, _) = name(&api, server, tool, arguments.clone()).await;
        assert_ne!(other, first, "{tool} {arguments}");
    }
}

#[tokio::test]
async fn another_window_is_another_task() {
    let api = Double::start().await;
    let hours = server(engine(&api), Duration::from_secs(3600), key());
    let days = server(engine(&api), Duration::from_secs(86_400), key());
    let call = json!({"to": "Ada"});
    let (hour, _) = name(&api, &hours, "pay", call.clone()).await;
    let (day, _) = name(&api, &days, "pay", call.clone()).await;
    assert_ne!(hour, day);
    // A window of zero is one of a second.
    let seconds = server(engine(&api), Duration::ZERO, key());
    name(&api, &seconds, "pay", call).await;
}

#[tokio::test]
async fn callers_and_tokens_are_told_apart_by_who_they_are() {
    let api = Double::start().await;
    let keys = [
        ("ada-key-1-of-32-characters-or-so", "ada", "pay"),
        ("ada-key-2-of-32-characters-or-so", "ada", "pay more"),
        ("grace-key-of-32-characters-or-so", "grace", "pay"),
    ];
    let entries = keys.map(|(secret, subject, granted)| {
        format!("{subject} {} {granted}", ApiKeys::digest(secret))
    });
    let entries: ApiKeys = entries.join(";").parse().unwrap();
    let server = Server::builder("pay", "1")
        .tasks(engine(&api))
        .request_state_key(key())
        .auth(Auth::new().verifier(entries))
        .tool(task_tool("pay", pay).once_per(LONG).requires_scope("pay"))
        .build()
        .unwrap();
    api.starts();
    let mut starts = Vec::new();
    for (secret, ..) in keys {
        let client = tasks_client(&server).bearer(secret);
        Created::by(&client, "pay", json!({"to": "Ada"})).await;
        starts.push(api.asked(Api::Invoke).remove(0).json());
    }
    assert_eq!(starts[0], starts[1]);
    assert_ne!(starts[0]["id"], starts[2]["id"]);
    assert_eq!(starts[0]["principal"], json!({"subject": "ada"}));
}

#[tokio::test]
async fn in_memory_a_repeated_call_is_the_same_task() {
    let server = server(Tasks::local(), LONG, key());
    let client = tasks_client(&server);
    let one = Created::by(&client, "pay", json!({"to": "Ada"})).await;
    let again = Created::by(&client, "pay", json!({"to": "Ada"})).await;
    let other = Created::by(&client, "pay", json!({"to": "Grace"})).await;
    let text = async |task: &Created| {
        let done = task.status("completed").await;
        done["result"]["content"][0]["text"]
            .as_str()
            .unwrap()
            .to_owned()
    };
    assert_eq!(text(&one).await, text(&again).await);
    assert_ne!(text(&one).await, text(&other).await);
}
