//! What a test reads from results, lists and notifications.

use lambda_mcp::protocol::{LoggingLevel, ProtocolVersion};
use lambda_mcp::{Args, Json, Server, ToolError, tool};
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use serde_json::json;

use crate::fixtures::{client, conformance, conformance_with};

#[derive(Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
struct Sum {
    sum: i64,
}

#[derive(Serialize, Deserialize, JsonSchema)]
struct Add {
    a: i64,
    b: i64,
}

async fn add(Args(Add { a, b }): Args<Add>) -> Result<Json<Sum>, ToolError> {
    let sum = a.checked_add(b);
    let sum = sum.ok_or_else(|| ToolError::new("the sum is too large; use smaller numbers"))?;
    Ok(Json(Sum { sum }))
}

#[tokio::test]
async fn results_are_read_by_type() {
    let server = Server::builder("sums", "1")
        .tool(tool("add", add))
        .build()
        .unwrap();
    for version in ProtocolVersion::ALL {
        let client = client(&server, version);
        // Arguments are anything that can be written as JSON.
        let result = client.call("add", Add { a: 1, b: 2 }).await;
        assert!(!result.is_error());
        assert_eq!(result.text(), "{\"sum\":3}");
        assert_eq!(result.content()[0]["type"], "text");
        if version > ProtocolVersion::V2025_03_26 {
            assert_eq!(result.structured::<Sum>(), Sum { sum: 3 });
        }
        let failed = client.call("add", Add { a: i64::MAX, b: 1 }).await;
        assert!(failed.is_error());
        assert!(failed.text().contains("use smaller numbers"));
    }
}

#[tokio::test]
async fn resources_prompts_and_completion_are_read() {
    for version in ProtocolVersion::ALL {
        let client = client(&conformance(), version);
        let text = client.read("test://static-text").await;
        assert_eq!(
            text.text(),
            "This is the content of the static text resource."
        );
        assert_eq!(text.contents().len(), 1);
        let image = client.read("test://static-binary").await;
        assert!(image.bytes().starts_with(b"\x89PNG"));
        let prompt = client.prompt("test_simple_prompt", json!({})).await;
        assert_eq!(prompt.text(), "This is a simple prompt for testing.");
        assert_eq!(prompt.messages()[0]["role"], "user");
        let suggested = client
            .complete_prompt("test_prompt_with_arguments", "arg1", "test")
            .await
            .completion();
        assert_eq!(suggested.values, ["Testimony", "test", "latest"]);
        assert_eq!((suggested.total, suggested.has_more), (Some(3), false));
        let suggested = client
            .complete_resource("test://template/{id}/data", "id", "99")
            .await;
        assert_eq!(suggested.completion().values.len(), 19);
    }
}

#[tokio::test]
async fn lists_are_read_to_their_last_page() {
    let server = conformance_with(|server| server.page_size(2));
    for version in ProtocolVersion::ALL {
        let client = client(&server, version);
        let prompts = client.prompts().await;
        assert!(prompts.page_sizes().len() > 1);
        assert_eq!(prompts.names()[0], "test_simple_prompt");
        assert_eq!(
            prompts.iter().count(),
            prompts.page_sizes().iter().sum::<usize>()
        );
        assert_eq!(
            prompts.get("test_prompt_with_arguments")["arguments"][0]["name"],
            "arg1"
        );
        assert!(client.tools().await.names().contains(&"test_simple_text"));
        assert!(
            client
                .resources()
                .await
                .names()
                .contains(&"test://static-text")
        );
        let templates = client.resource_templates().await;
        assert_eq!(templates.names()[0], "test://template/{id}/data");
    }
}

#[tokio::test]
async fn notifications_are_received_with_the_result() {
    for version in ProtocolVersion::ALL {
        for is_streaming in [false, true] {
            let client = client(&conformance(), version);
            let client = if is_streaming {
                client.streaming()
            } else {
                client
            };
            let call = client.call("test_tool_with_progress", json!({}));
            let result = call.progress_token("t").await;
            let steps: Vec<f64> = result.progress().iter().map(|step| step.progress).collect();
            assert_eq!(steps, [0.0, 50.0, 100.0]);
            assert_eq!(result.progress()[0].token, "t");
            assert_eq!(result.text(), "The work is done.");
            assert!(result.logs().is_empty());
        }
    }
    let client = client(&conformance(), ProtocolVersion::V2026_07_28).log_level(LoggingLevel::Info);
    let logs = client
        .call("test_tool_with_logging", json!({}))
        .await
        .logs();
    assert_eq!((logs.len(), logs[0].level), (3, LoggingLevel::Info));
    assert_eq!(logs[0].data, "Tool execution started");
    assert_eq!(logs[0].logger.as_deref(), Some("test"));
}
