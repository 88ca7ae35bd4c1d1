//! Tasks that the client polls to their end.

use std::panic::AssertUnwindSafe;
use std::time::Duration;

use futures_util::FutureExt as _;
use lambda_mcp::handler::{Elicited, Question};
use lambda_mcp::tasks::Tasks;
use lambda_mcp::testing::{Answer, TestClient, TestResponse};
use lambda_mcp::{Server, Task, ToolError, ToolOutput, task_tool, tool};
use schemars::JsonSchema;
use serde::Deserialize;
use serde_json::json;

#[derive(Deserialize, JsonSchema)]
struct Size {
    meters: u32,
}

/// Waits for hours, then asks two questions at once, and a third.
async fn order(mut task: Task) -> Result<String, ToolError> {
    task.sleep(Duration::from_secs(5 * 3600)).await?;
    let size = |key| Question::form::<Size>(key, "How long?");
    let asked = task.ask_all((size("table"), size("bench"))).await?;
    let (Elicited::Accept(table), Elicited::Accept(bench)) = asked else {
        return Err(ToolError::new("Nothing was ordered."));
    };
    let roots = task.ask(Question::roots("roots")).await?;
    Ok(format!(
        "{} and {} m for {}",
        table.meters, bench.meters, roots[0].uri
    ))
}

async fn panics(_task: Task) -> &'static str {
    panic!("planted")
}

async fn wrong(_task: Task) -> Result<ToolOutput, ToolError> {
    ToolOutput::new().structured(&json!({"days": "many"}))
}

async fn direct() -> &'static str {
    "At once."
}

fn test_client() -> TestClient {
    let schema = json!({"type": "object", "properties": {"days": {"type": "integer"}}});
    let server = Server::builder("orders", "1.0.0")
        .tasks(Tasks::local())
        .tool(task_tool("order", order).requires_tasks())
        .tool(task_tool("panics", panics))
        .tool(task_tool("wrong", wrong).output_schema(schema))
        .tool(tool("direct", direct))
        .build()
        .unwrap();
    TestClient::new(server).supports_tasks()
}

async fn finished(client: &TestClient, tool: &str) -> TestResponse {
    client.finish(&client.call(tool, json!({})).await).await
}

/// The words of the panic by which a test fails.
async fn failure(future: impl Future<Output = TestResponse>) -> String {
    match AssertUnwindSafe(future).catch_unwind().await {
        Ok(response) => panic!("it passed: {response}"),
        Err(panic) => panic.downcast_ref::<String>().unwrap().clone(),
    }
}

#[tokio::test(start_paused = true)]
async fn a_task_is_polled_and_answered_until_it_has_a_result() {
    let meters = |meters: u32| Answer::accept(json!({ "meters": meters }));
    let client = test_client()
        .answer("table", meters(2))
        .roots(["file:///a"]);
    let task = client
        .call("order", json!({}))
        .answer("bench", meters(1))
        .await;
    let response = client.finish(&task).await;
    assert_eq!(response.text(), "2 and 1 m for file:///a");
    assert!(!response.is_error());

    let declining = test_client()
        .on_elicit(|_| Answer::decline())
        .roots(["file:///a"]);
    let response = finished(&declining, "order").await;
    assert!(response.is_error());
    assert_eq!(response.text(), "Nothing was ordered.");
}

#[tokio::test(start_paused = true)]
async fn a_task_that_fails_is_a_protocol_error() {
    let response = finished(&test_client(), "panics").await;
    assert_eq!(response.expect_protocol_error().code, -32603);
    // The client shows forms, but has no directories to name.
    let client = test_client().on_elicit(|_| Answer::accept(json!({"meters": 1})));
    let response = finished(&client, "order").await;
    assert_eq!(response.expect_protocol_error().code, -32021);
}

#[tokio::test(start_paused = true)]
async fn what_a_test_did_not_expect_of_a_task_fails_it() {
    let client = test_client();
    let told = failure(finished(&client, "direct")).await;
    assert!(told.starts_with("expected a new task, but got"), "{told}");

    let asking = client.clone().capabilities(json!({
        "elicitation": {}, "roots": {}, "extensions": {"io.modelcontextprotocol/tasks": {}},
    }));
    let told = failure(finished(&asking, "order")).await;
    assert!(told.contains("no answer for: `table`"), "{told}");

    let task = client.call("panics", json!({})).await;
    let id = task.result()["taskId"].clone();
    let cancelled = client.request("tasks/cancel", json!({"taskId": id})).await;
    assert_eq!(cancelled.status(), 200);
    let told = failure(client.finish(&task)).await;
    assert!(told.contains("cancelled"), "{told}");
}

/// Clients refuse a result that its output schema does not allow, also that of a task.
#[tokio::test]
async fn the_result_of_a_task_must_match_the_output_schema_of_its_tool() {
    let told = failure(finished(&test_client(), "wrong")).await;
    let expected = "the result of tool `wrong` does not match its output schema: `days` must be an \
                    integer, not a string";
    assert_eq!(told, expected);
}
