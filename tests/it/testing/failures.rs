//! The panics by which the client fails a test.

use std::panic::{AssertUnwindSafe, catch_unwind};

use bytes::Bytes;
use futures_util::FutureExt as _;
use lambda_mcp::content::Content;
use lambda_mcp::protocol::ProtocolVersion;
use lambda_mcp::testing::{TestRequest, TestResponse};
use lambda_mcp::{Server, ToolError, ToolOutput, tool};
use serde::Deserialize;
use serde_json::{Value, json};

use crate::fixtures::{client, conformance};

#[derive(Debug, Deserialize)]
#[expect(dead_code, reason = "no response fits it")]
struct Sum {
    sum: i64,
}

/// The words of the panic of a test that uses a response in the wrong way.
async fn panic_of<T>(request: TestRequest, read: impl FnOnce(TestResponse) -> T) -> String {
    let response = request.await;
    let read = AssertUnwindSafe(|| read(response));
    let Err(panic) = catch_unwind(read) else {
        panic!("it did not panic");
    };
    panic.downcast_ref::<String>().unwrap().clone()
}

#[tokio::test]
async fn a_failure_says_what_came_instead() {
    let client = client(&conformance(), ProtocolVersion::V2026_07_28)
        .capabilities(json!({"elicitation": {}}));
    let call = |tool: &str| client.call(tool, json!({}));

    let words = panic_of(call("no_such_tool"), |response| response.text()).await;
    assert_says(&words, "expected a result with text");
    assert_says(&words, "the protocol error -32602 (HTTP 200)");
    assert_says(&words, "no_such_tool");

    let asking = call("test_input_required_result_elicitation");
    let words = panic_of(asking, |response| response.text()).await;
    assert_says(
        &words,
        r#"`user_name` (elicitation/create: "What is your name?")"#,
    );
    assert_says(&words, "`TestClient::answer`");

    let accepted = client.notify("notifications/x", json!({}));
    let words = panic_of(accepted, |response| response.message().clone()).await;
    let expected = "expected a JSON message, but got HTTP 202: the body is empty";
    assert_says(&words, expected);

    let failing = client.read("test://files/broken");
    let words = panic_of(failing, |response| response.text()).await;
    assert_says(&words, "the protocol error -32603");
    assert_says(&words, "a `tracing` subscriber shows it");
}

#[tokio::test]
async fn a_result_of_another_kind_is_shown() {
    let client = client(&conformance(), ProtocolVersion::V2026_07_28);
    let call = |tool: &str| client.call(tool, json!({}));
    let text = "This is a simple text response";

    let error = |response: TestResponse| response.expect_protocol_error();
    let words = panic_of(call("test_simple_text"), error).await;
    assert_says(&words, "expected a protocol error");
    assert_says(&words, text);

    let structured = |response: TestResponse| response.structured::<Sum>();
    let words = panic_of(call("test_simple_text"), structured).await;
    assert_says(&words, "expected structured content");
    assert_says(&words, text);
    let words = panic_of(call("test_declared_fields"), structured).await;
    assert_says(&words, "that fits `it::testing::failures::Sum`");
    assert_says(&words, "missing field `sum`");

    let contents = |response: TestResponse| response.contents().to_vec();
    let words = panic_of(call("test_simple_text"), contents).await;
    assert_says(&words, "expected a result with `contents`");
}

#[track_caller]
fn assert_says(words: &str, part: &str) {
    assert!(words.contains(part), "{part:?} is not in {words}");
}

/// What a tool returns that does not keep to its schema, and what a test reads.
#[tokio::test]
#[expect(clippy::too_many_lines, reason = "a table")]
async fn a_result_that_breaks_its_output_schema_fails_the_test() {
    let schema = json!({
        "type": "object",
        "properties": {
            "days": {"type": "array", "items": {"type": "object", "properties": {"celsius": {"type": "number"}}}},
            "place": {"type": "string"},
        },
        "required": ["days"],
    });
    let rows = [
        (
            Some(json!({"days": [{"celsius": 20.5}, {"celsius": "warm"}]})),
            "the result of tool `weather` does not match its output schema: `days[1].celsius` must \
             be a number, not a string",
        ),
        (
            Some(json!({"days": [], "place": null})),
            "the result of tool `weather` does not match its output schema: `place` must be a \
             string, not null",
        ),
        (
            Some(json!({})),
            "the result of tool `weather` does not match its output schema: `days` is required",
        ),
        (
            Some(json!([1])),
            "the result of tool `weather` does not match its output schema: the structured \
             content must be an object, not an array",
        ),
        (
            None,
            "tool `weather` declares an output schema, but its result has no structured content",
        ),
    ];
    for (structured, expected) in rows {
        let weather = move || {
            let output = match &structured {
                Some(value) => ToolOutput::new().structured(value),
                None => Ok(ToolOutput::new().content(Content::text("It is warm."))),
            };
            async move { output }
        };
        let tool = tool("weather", weather).output_schema(schema.clone());
        let server = Server::builder("weather", "1").tool(tool).build().unwrap();
        for version in ProtocolVersion::ALL {
            let call = client(&server, version).call("weather", json!({}));
            let Err(panic) = AssertUnwindSafe(call.into_future()).catch_unwind().await else {
                panic!("{version}: it passed");
            };
            assert_eq!(
                panic.downcast_ref::<String>().unwrap(),
                expected,
                "{version}"
            );
        }
        // Other callers get an internal error in debug builds, which tells them nothing.
        let message = json!({"jsonrpc": "2.0", "id": 1, "method": "tools/call", "params": {"name": "weather"}});
        let request = http::Request::post("/mcp")
            .header("Content-Type", "application/json")
            .body(Bytes::from(message.to_string()))
            .unwrap();
        let body = server
            .handle(request)
            .await
            .into_body()
            .into_bytes()
            .unwrap();
        let response: Value = serde_json::from_slice(&body).unwrap();
        assert_eq!(
            response["error"],
            json!({"code": -32603, "message": "Internal error"})
        );
    }
}

#[tokio::test]
async fn a_tool_error_and_a_schema_of_other_keywords_are_no_breach() {
    let fails = || async { Err::<ToolOutput, _>(ToolError::new("It is dark.")) };
    let schema = json!({"type": "object", "properties": {"a": {"type": "array", "unevaluatedItems": false}}});
    let unknown = || async { ToolOutput::new().structured(&json!({"a": []})) };
    let server = Server::builder("weather", "1")
        .tool(tool("fails", fails).output_schema(json!({"type": "object", "required": ["x"]})))
        .tool(tool("unknown", unknown).output_schema(schema))
        .build()
        .unwrap();
    for version in ProtocolVersion::ALL {
        let client = client(&server, version);
        let failed = client.call("fails", json!({})).await;
        assert_eq!(failed.result()["isError"], true, "{failed}");
        assert_eq!(
            client.call("unknown", json!({})).await.text(),
            r#"{"a":[]}"#
        );
    }
}
