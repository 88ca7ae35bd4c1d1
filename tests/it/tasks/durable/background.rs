//! Clients without tasks that a task answers.

use std::time::{Duration, Instant};

use lambda_mcp::content::{Annotations, Content, Icon, ResourceContents, ResourceLink};
use lambda_mcp::protocol::ProtocolVersion;
use lambda_mcp::tasks::Tasks;
use lambda_mcp::testing::TestClient;
use lambda_mcp::{Json, Server, Task, ToolError, ToolOutput, task_tool};
use schemars::JsonSchema;
use serde::Serialize;
use serde_json::value::RawValue;
use serde_json::{Map, Value, json};

use super::double::{Api, Double, Planned};
use super::{engine, execution, key};
use crate::fixtures::{assert_refused, client, legacy_versions};
use crate::tasks::{Created, MODERN, tasks_client};

#[derive(Serialize, JsonSchema)]
struct Answer {
    /// What became of the call.
    state: String,
}

fn answer(state: &str) -> Json<Answer> {
    let state = state.to_owned();
    Json(Answer { state })
}

async fn publish(mut task: Task) -> Result<Json<Answer>, ToolError> {
    let state: String = task
        .step("publish", |_| async { Ok("done".to_owned()) })
        .await?;
    Ok(answer(&state))
}

fn server(tasks: Option<Tasks>, wait: Duration) -> Server {
    let server = Server::builder("publish", "1").request_state_key(key());
    let server = match tasks {
        Some(tasks) => server.tasks(tasks),
        None => server,
    };
    let tool = task_tool("publish", publish).background(wait, answer("accepted"));
    server.tool(tool).build().unwrap()
}

const WAIT: Duration = Duration::from_secs(2);

/// Clients of every version that do not support tasks.
fn without_tasks(server: &Server) -> Vec<TestClient> {
    let versions = [MODERN].into_iter().chain(legacy_versions());
    versions.map(|version| client(server, version)).collect()
}

/// The state in the answer of a call, as structured content or as text.
async fn state(client: &TestClient) -> Value {
    let response = client.call("publish", json!({})).await;
    assert!(!response.is_error(), "{response}");
    serde_json::from_str::<Value>(&response.text()).unwrap()["state"].clone()
}

#[tokio::test]
async fn the_result_of_a_task_that_ends_soon_is_that_of_the_call() {
    let result = json!({
        "resultType": "complete",
        "content": [{"type": "text", "text": "{\"state\":\"done\"}"}],
        "structuredContent": {"state": "done"},
    });
    for client in without_tasks(&server(None, WAIT)) {
        assert_eq!(state(&client).await, "done", "within the call");
    }
    let api = Double::start().await;
    api.starts();
    let running = Planned::ok(execution("RUNNING", json!({})));
    let ended = Planned::ok(execution(
        "SUCCEEDED",
        json!({"Result": result.to_string()}),
    ));
    for version in [MODERN].into_iter().chain(legacy_versions()) {
        let client = client(&server(Some(engine(&api)), WAIT), version);
        api.plan(Api::Get, [running.clone(), running.clone(), ended.clone()]);
        assert_eq!(state(&client).await, "done");
        assert_eq!(
            (api.asked(Api::Invoke).len(), api.asked(Api::Get).len()),
            (1, 3)
        );
    }
    // Nobody is shown what it does.
    assert!(api.asked(Api::History).is_empty());
    // A client with tasks gets one.
    let client = tasks_client(&server(Some(engine(&api)), WAIT));
    Created::by(&client, "publish", json!({})).await;
}

#[tokio::test]
async fn a_task_that_goes_on_is_answered_after_the_wait() {
    let api = Double::start().await;
    api.starts();
    api.always(Api::Get, Planned::ok(execution("RUNNING", json!({}))));
    for client in without_tasks(&server(Some(engine(&api)), WAIT)) {
        let started = Instant::now();
        assert_eq!(state(&client).await, "accepted");
        let waited = started.elapsed();
        assert!(waited > WAIT / 2 && waited < WAIT * 2, "{waited:?}");
        // The reads of an account are limited.
        let looks = api.asked(Api::Get).len();
        assert!((2..=5).contains(&looks), "{looks}");
    }
    // A task that the service does not show yet, and one that cannot be read, exist.
    for fault in [
        Planned::error(404, "ResourceNotFoundException"),
        Planned::error(429, "TooManyRequestsException"),
    ] {
        api.always(Api::Get, fault);
        let client = client(&server(Some(engine(&api)), Duration::ZERO), MODERN);
        assert_eq!(state(&client).await, "accepted");
    }
}

#[tokio::test]
async fn the_wait_ends_before_the_call_does() {
    let api = Double::start().await;
    api.starts();
    api.always(Api::Get, Planned::ok(execution("RUNNING", json!({}))));
    let tool = task_tool("publish", publish).background(WAIT * 100, answer("accepted"));
    let server = Server::builder("publish", "1")
        .request_state_key(key())
        .call_timeout(Duration::from_secs(2))
        .tasks(engine(&api))
        .tool(tool)
        .build()
        .unwrap();
    assert_eq!(state(&client(&server, MODERN)).await, "accepted");
}

#[tokio::test]
async fn each_end_of_the_task_is_one_of_the_call() {
    let api = Double::start().await;
    api.starts();
    // Each on an instance of its own: an end is remembered for a second.
    let call = async |status: &str, more: Value| {
        api.always(Api::Get, Planned::ok(execution(status, more)));
        let client = client(&server(Some(engine(&api)), WAIT), MODERN);
        client.call("publish", json!({})).await
    };
    let failed =
        r#"{"resultType":"complete","content":[{"type":"text","text":"No."}],"isError":true}"#;
    let response = call("SUCCEEDED", json!({"Result": failed})).await;
    assert!(response.is_error());
    assert_eq!(response.text(), "No.");
    let response = call("STOPPED", json!({})).await;
    assert!(response.is_error(), "{response}");
    assert!(response.text().contains("cancelled"), "{response}");
    for status in ["FAILED", "TIMED_OUT"] {
        assert_refused(&call(status, json!({})).await, 200, -32603);
    }
    // No task was started.
    api.always(Api::Invoke, Planned::error(429, "TooManyRequestsException"));
    assert_refused(&call("RUNNING", json!({})).await, 429, 429);
}

/// A result with all that only some versions define.
async fn media(_task: Task) -> Result<ToolOutput, ToolError> {
    let tag = || Map::from_iter([("example.com/tag".to_owned(), json!("t"))]);
    let mut link = ResourceLink::new("file:///a", "a");
    link.icons.push(Icon::new("https://example.com/a.png"));
    let contents = ResourceContents::text("file:///a", "text/plain", "A").meta(tag());
    let pieces = [
        Content::text("x"),
        Content::audio(b"a", "audio/wav"),
        link.into(),
        contents.into(),
    ];
    let hints = || Annotations::new().priority(0.5).last_modified("2026-01-12");
    let mut output = ToolOutput::new().meta(tag());
    for piece in pieces {
        output = output.content(piece.meta(tag()).annotations(hints()));
    }
    // Not an object, and a number that cannot be held.
    let number = serde_json::from_str::<Box<RawValue>>("[12345678901234567890123]").unwrap();
    output.structured(&number)
}

fn media_server(tasks: Tasks) -> Server {
    let tool = task_tool("media", media).background(WAIT, "accepted");
    let server = Server::builder("media", "1").request_state_key(key());
    server.tasks(tasks).tool(tool).build().unwrap()
}

#[tokio::test]
async fn a_result_has_what_the_version_of_the_client_knows() {
    let server = media_server(Tasks::local());
    let direct = Server::builder("media", "1")
        .tool(task_tool("media", media))
        .build()
        .unwrap();
    for (client, direct) in without_tasks(&server).iter().zip(without_tasks(&direct)) {
        let response = client.call("media", json!({})).await;
        let inline = direct.call("media", json!({})).await;
        assert_eq!(response.body_text(), inline.body_text());
    }
}

#[tokio::test]
async fn a_result_that_is_none_of_a_tool_is_an_error() {
    let api = Double::start().await;
    api.starts();
    for result in [json!([]), json!({"isError": true})] {
        let ended = execution("SUCCEEDED", json!({"Result": result.to_string()}));
        api.always(Api::Get, Planned::ok(ended));
        for version in [ProtocolVersion::V2025_11_25, ProtocolVersion::V2025_06_18] {
            let client = client(&media_server(engine(&api)), version);
            assert_refused(&client.call("media", json!({})).await, 200, -32603);
        }
    }
}
