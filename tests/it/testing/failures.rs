//! The panics by which the client fails a test.

use std::panic::{AssertUnwindSafe, catch_unwind};

use lambda_mcp::protocol::ProtocolVersion;
use lambda_mcp::testing::{TestRequest, TestResponse};
use serde::Deserialize;
use serde_json::json;

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
