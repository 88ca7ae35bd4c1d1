//! Errors of handlers: what the model or the client reads, and what stays in the log.

use lambda_mcp::handler::{IntoRequestError, IntoToolError, NeedsInput, RequestError};
use lambda_mcp::protocol::ProtocolVersion;
use lambda_mcp::testing::{Answer, TestResponse};
use lambda_mcp::{
    Args, AskingContext, Json, Server, ToolError, ToolOutput, prompt, resource, resource_template,
    tool,
};
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use serde_json::json;
use thiserror::Error;

use crate::fixtures::{assert_refused, client};

type Boxed = Box<dyn std::error::Error + Send + Sync>;

/// The error type of an author: one variant speaks to the model, one does not, one asks the user.
#[derive(Debug, Error)]
enum OrderError {
    #[error("order {0} does not exist; call `find_orders` for the numbers")]
    Unknown(u32),
    #[error("SENTINEL: the database failed")]
    Database(#[from] std::io::Error),
    #[error(transparent)]
    Ask(#[from] NeedsInput),
}

impl IntoToolError for OrderError {
    fn into_tool_error(self) -> ToolError {
        match self {
            Self::Unknown(number) => {
                let data = json!({"code": "unknown_order", "number": number});
                ToolError::new(self.to_string()).structured(&data)
            }
            Self::Database(_) | Self::Ask(_) => self.into(),
        }
    }
}

impl IntoRequestError for OrderError {
    fn into_request_error(self) -> RequestError {
        match self {
            Self::Unknown(_) => RequestError::invalid(self.to_string()),
            Self::Database(_) | Self::Ask(_) => self.into(),
        }
    }
}

async fn unknown() -> Result<String, OrderError> {
    Err(OrderError::Unknown(7))
}

async fn broken() -> Result<String, OrderError> {
    Ok(std::fs::read_to_string("/nonexistent/SENTINEL")?)
}

async fn boxed() -> Result<String, Boxed> {
    Ok(std::fs::read_to_string("/nonexistent/SENTINEL")?)
}

async fn any() -> anyhow::Result<String> {
    use anyhow::Context as _;
    std::fs::read_to_string("/nonexistent/SENTINEL").context("SENTINEL: no orders")
}

/// `?` on `anyhow::Error` and on a box, in a function that fails with a `ToolError`.
async fn mixed() -> Result<String, ToolError> {
    if let Err(error) = boxed().await {
        drop(ToolError::from(error));
    }
    Ok(any().await?)
}

fn assert_is_internal(response: &TestResponse) {
    assert!(response.is_error(), "{response}");
    assert!(response.text().contains("internal error"), "{response}");
    assert!(!response.body_text().contains("SENTINEL"), "{response}");
}

#[tokio::test]
async fn an_error_type_decides_which_variants_the_model_reads() {
    let server = Server::builder("orders", "1.0.0")
        .tool(tool("unknown", unknown))
        .tool(tool("broken", broken))
        .tool(tool("boxed", boxed))
        .tool(tool("any", any))
        .tool(tool("mixed", mixed))
        .build()
        .unwrap();
    for version in ProtocolVersion::ALL {
        let client = client(&server, version);
        let response = client.call("unknown", json!({})).await;
        assert!(response.is_error(), "{response}");
        let content = &response.result()["content"];
        assert!(
            content[0]["text"]
                .as_str()
                .unwrap()
                .contains("`find_orders`"),
            "{response}"
        );
        let data = json!({"code": "unknown_order", "number": 7});
        assert_eq!(content[1]["text"], data.to_string(), "{response}");
        let structured = response.result().get("structuredContent");
        let is_structured = version >= ProtocolVersion::V2025_06_18;
        assert_eq!(structured, is_structured.then_some(&data), "{response}");
        for name in ["broken", "boxed", "any", "mixed"] {
            assert_is_internal(&client.call(name, json!({})).await);
        }
    }
}

#[derive(Serialize, JsonSchema)]
struct Order {
    number: u32,
}

#[tokio::test]
async fn a_failure_does_not_break_the_output_schema_of_its_tool() {
    async fn order() -> Result<Json<Order>, OrderError> {
        Err(OrderError::Unknown(7))
    }
    async fn written() -> Result<ToolOutput, OrderError> {
        Err(OrderError::Unknown(7))
    }
    let schema = json!({"type": "object", "properties": {"number": {"type": "integer"}}});
    let server = Server::builder("orders", "1.0.0")
        .tool(tool("order", order))
        .tool(tool("written", written).output_schema(schema))
        .build()
        .unwrap();
    for version in ProtocolVersion::ALL {
        for name in ["order", "written"] {
            let response = client(&server, version).call(name, json!({})).await;
            assert!(response.is_error(), "{response}");
            assert!(
                response.result().get("structuredContent").is_none(),
                "{response}"
            );
            let text = &response.result()["content"][1]["text"];
            assert_eq!(text, r#"{"code":"unknown_order","number":7}"#, "{response}");
        }
    }
}

#[tokio::test]
async fn structured_content_that_is_no_json_is_an_internal_error() {
    async fn fails() -> Result<String, ToolError> {
        let no_json = std::collections::BTreeMap::from([(vec![1], 1)]);
        Err(ToolError::new("for the model").structured(&no_json))
    }
    let server = Server::builder("orders", "1.0.0")
        .tool(tool("fails", fails))
        .build()
        .unwrap();
    let client = client(&server, ProtocolVersion::V2026_07_28);
    assert_is_internal(&client.call("fails", json!({})).await);
}

#[derive(Deserialize, JsonSchema)]
struct Consent {
    #[expect(dead_code, reason = "only that there is an answer matters")]
    agreed: bool,
}

type Asked<E> = Result<&'static str, E>;

fn ask(context: &AskingContext) -> Result<(), NeedsInput> {
    context
        .elicit::<Consent>("consent", "Do you agree?")
        .map(drop)
}

async fn asks_own(context: AskingContext) -> Asked<OrderError> {
    ask(&context)?;
    Ok("done")
}

async fn asks_boxed(context: AskingContext) -> Asked<Boxed> {
    ask(&context)?;
    Ok("done")
}

async fn asks_anyhow(context: AskingContext) -> anyhow::Result<&'static str> {
    use anyhow::Context as _;
    ask(&context)?;
    ask(&context).context("a context around it")?;
    Ok("done")
}

async fn asks_converted(context: AskingContext) -> Asked<ToolError> {
    let asked: anyhow::Result<()> = ask(&context).map_err(anyhow::Error::from);
    asked?;
    Ok("done")
}

async fn asks_request(context: AskingContext) -> Asked<RequestError> {
    let asked: anyhow::Result<()> = ask(&context).map_err(anyhow::Error::from);
    asked?;
    Ok("done")
}

#[tokio::test]
async fn a_question_inside_any_error_type_is_asked() {
    let server = Server::builder("asking", "1.0.0")
        .tool(tool("own", asks_own))
        .tool(tool("boxed", asks_boxed))
        .tool(tool("anyhow", asks_anyhow))
        .tool(tool("converted", asks_converted))
        .prompt(prompt("own", asks_own))
        .prompt(prompt("request", asks_request))
        .resource(resource("ask:own", "own", asks_own))
        .resource(resource("ask:anyhow", "anyhow", asks_anyhow))
        .build()
        .unwrap();
    let client = client(&server, ProtocolVersion::V2026_07_28)
        .answer("consent", Answer::accept(json!({"agreed": true})));
    for name in ["own", "boxed", "anyhow", "converted"] {
        let response = client.call(name, json!({})).await;
        assert!(!response.is_error(), "{name}: {response}");
        assert_eq!(response.text(), "done", "{name}");
    }
    for name in ["own", "request"] {
        let response = client.prompt(name, json!({})).await;
        assert!(
            response.result()["messages"].is_array(),
            "{name}: {response}"
        );
    }
    for uri in ["ask:own", "ask:anyhow"] {
        let response = client.read(uri).await;
        assert_eq!(response.result()["contents"][0]["text"], "done", "{uri}");
    }
}

/// An error type of one's own that keeps only the text of its sources is the first thing one writes.
#[tokio::test]
async fn a_question_is_asked_although_the_error_hides_it() {
    async fn hides(context: AskingContext) -> Asked<ToolError> {
        ask(&context).map_err(|error| ToolError::new(error.to_string()))?;
        Ok("done")
    }
    async fn goes_on(context: AskingContext) -> Asked<ToolError> {
        Ok(if ask(&context).is_ok() {
            "asked"
        } else {
            "not asked"
        })
    }
    let server = Server::builder("asking", "1.0.0")
        .tool(tool("hides", hides))
        .tool(tool("goes_on", goes_on))
        .build()
        .unwrap();
    let agreeing = client(&server, ProtocolVersion::V2026_07_28)
        .answer("consent", Answer::accept(json!({"agreed": true})));
    assert_eq!(agreeing.call("hides", json!({})).await.text(), "done");
    // Who has a result does not wait for the answer.
    assert_eq!(
        agreeing.call("goes_on", json!({})).await.text(),
        "not asked"
    );
    // A client that cannot be asked gets the words of the author.
    for version in ProtocolVersion::ALL {
        let response = client(&server, version).call("hides", json!({})).await;
        assert!(response.is_error(), "{version}: {response}");
        assert_eq!(response.text(), "input from the client is required first");
    }
}

#[derive(Deserialize, JsonSchema)]
struct Number {
    #[expect(dead_code, reason = "the handler fails before")]
    number: u32,
}

async fn order(_: Args<Number>) -> Result<String, OrderError> {
    Err(OrderError::Unknown(7))
}

async fn numbers() -> Result<Vec<String>, OrderError> {
    std::fs::read_to_string("/nonexistent/SENTINEL")?;
    Ok(Vec::new())
}

async fn no_numbers() -> Result<Vec<String>, RequestError> {
    Err(RequestError::not_found())
}

#[tokio::test]
async fn resources_prompts_and_completions_fail_with_errors_of_an_author() {
    let server = Server::builder("orders", "1.0.0")
        .resource(resource("orders:unknown", "unknown", unknown))
        .resource(resource("orders:broken", "broken", broken))
        .resource(resource("orders:any", "any", any))
        .resource(
            resource_template("orders://{number}", "order", order).complete("number", numbers),
        )
        .prompt(prompt("unknown", unknown))
        .prompt(prompt("boxed", boxed))
        .prompt(prompt("order", order).complete("number", no_numbers))
        .build()
        .unwrap();
    for version in ProtocolVersion::ALL {
        let client = client(&server, version);
        for request in [
            client.read("orders:unknown"),
            client.read("orders://7"),
            client.prompt("unknown", json!({})),
            client.prompt("order", json!({"number": "7"})),
        ] {
            let response = request.await;
            let error = assert_refused(&response, 200, -32602);
            assert!(error.message.contains("`find_orders`"), "{response}");
        }
        for request in [
            client.read("orders:broken"),
            client.read("orders:any"),
            client.prompt("boxed", json!({})),
            client.complete_resource("orders://{number}", "number", ""),
        ] {
            let response = request.await;
            assert_refused(&response, 200, -32603);
            assert!(!response.body_text().contains("SENTINEL"), "{response}");
        }
        let none = client.complete_prompt("order", "number", "").await;
        assert_eq!(none.result()["completion"]["values"], json!([]), "{none}");
    }
}
