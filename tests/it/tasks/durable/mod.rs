//! Tasks as executions of a durable function: the real SDK client against a scripted Lambda API.
//!
//! - `double`: the API, which answers what a test planned and remembers what it was asked
//! - `mapping`: which call each method makes, and what a client gets for each state
//! - `questions`: what a task asks, read from its history, and answers
//! - `faults`: what a client gets when the API refuses, lags or breaks
//! - `names`: equal calls are one task
//! - `background`: clients without tasks
//!
//! `make test-tasks` runs the same engine against AWS's own emulator and a real worker.

mod background;
mod double;
mod faults;
mod mapping;
mod names;
mod questions;

use std::time::{Duration, SystemTime};

use base64::Engine as _;
use base64::engine::general_purpose::URL_SAFE_NO_PAD;
use lambda_mcp::Server;
use lambda_mcp::server::RequestStateKey;
use lambda_mcp::tasks::Tasks;
use lambda_mcp::testing::TestClient;
use serde_json::{Value, json};

use self::double::Double;
use super::{Created, tasks_client};
use crate::aws_http::config;
use crate::fixtures::conformance_with;

/// The function of the tasks.
const WORKER: &str = "arn:aws:lambda:eu-central-1:123456789012:function:worker:live";
/// The reference of the execution that the API started.
const EXECUTION: &str =
    "arn:aws:lambda:eu-central-1:123456789012:function:worker:7/durable-execution/n/r";
const SECRET: &str = "0123456789abcdef0123456789abcdef";

/// Where the tasks of a test run.
fn engine(api: &Double) -> Tasks {
    Tasks::durable_with_config(WORKER, config(&api.url()))
}

fn key() -> RequestStateKey {
    RequestStateKey::new(SECRET).unwrap()
}

/// The server of the suite, with tasks that run on the API.
fn server(api: &Double) -> Server {
    conformance_with(|server| server.tasks(engine(api)).request_state_key(key()))
}

/// A task whose start the API accepted.
async fn created(api: &Double, tool: &str, arguments: Value) -> Created {
    api.starts();
    Created::by(&tasks_client(&server(api)), tool, arguments).await
}

/// A task that was created some time ago, for a client of `server`.
fn aged(client: &TestClient, tool: &str, age: Duration) -> Created {
    let created = SystemTime::now() - age;
    let created = created.duration_since(SystemTime::UNIX_EPOCH).unwrap();
    let content =
        json!({"r": EXECUTION, "t": tool, "c": created.as_millis() as u64, "k": 86_400_000});
    let content = URL_SAFE_NO_PAD.encode(content.to_string());
    let key = ring::hmac::Key::new(ring::hmac::HMAC_SHA256, SECRET.as_bytes());
    let tag = ring::hmac::sign(&key, format!("taskId:{content}").as_bytes());
    Created {
        client: client.clone(),
        id: format!("{content}.{}", URL_SAFE_NO_PAD.encode(tag)),
    }
}

/// What `GetDurableExecution` says of an execution.
fn execution(status: &str, more: Value) -> Value {
    let mut execution = json!({
        "DurableExecutionArn": EXECUTION,
        "DurableExecutionName": "n",
        "FunctionArn": WORKER,
        "StartTimestamp": 1_796_000_000.5,
        "Status": status,
    });
    for (name, value) in more.as_object().unwrap() {
        execution[name] = value.clone();
    }
    execution
}
