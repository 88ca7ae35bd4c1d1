//! Rounds on AWS Lambda, where the next request can reach another instance.

use lambda_mcp::handler::{CallParts, FromCall, Rejection};
use lambda_mcp::protocol::ProtocolVersion;
use lambda_mcp::server::ManyInstancesError;
use lambda_mcp::tasks::Tasks;
use lambda_mcp::{
    AskingContext, Context, Server, ToolError, prompt, resource, resource_template, tool,
};
use serde_json::{Value, json};

use harness::messages::{request_with, send};
use harness::{Front, Outcome, ServerConfig, Version};

use super::{Asking, accept};
use crate::fixtures::{assert_refused, client};

const KEY: &str = "0123456789abcdef0123456789abcdef";

/// The server of the official suite as on AWS: many of its handlers ask.
fn on_lambda() -> ServerConfig {
    let server = ServerConfig::conformance().env("TASKS", "none");
    server.env("LAMBDA_TASK_ROOT", "/var/task")
}

#[test]
fn on_lambda_a_server_that_asks_does_not_start_without_a_shared_key() {
    let server = on_lambda().start();
    let event = json!({"version": "2.0", "rawPath": "/health"});
    let Outcome::Exited { status, logs } = server.invoke(Front::Http, &event) else {
        panic!("it started");
    };
    assert!(status.contains('1'), "{status}");
    let told = "asks its client for input, and the answer can reach another instance than the \
                question: set one key for all instances with `ServerBuilder::request_state_key`";
    assert!(logs.contains(told), "{logs}");
    // The log is JSON lines, the last message is that of `main`.
    assert!(logs.contains("\"the server cannot start\""), "{logs}");
}

#[test]
fn on_lambda_the_rounds_of_a_call_reach_different_instances() {
    let instances = [0, 1].map(|_| on_lambda().env("STATE_KEY", KEY).start());
    let ask = |instance: usize, more: Value| {
        let name = "test_input_required_result_elicitation";
        let mut params = json!({"name": name, "arguments": {}});
        for (name, value) in more.as_object().unwrap() {
            params[name] = value.clone();
        }
        let meta = json!({"io.modelcontextprotocol/clientCapabilities": {"elicitation": {}}});
        let version = Version::V2026_07_28;
        let message = request_with(version, "tools/call", params, meta);
        send(&instances[instance], version, &message).result()
    };
    let state = ask(0, json!({}))["requestState"].clone();
    let answers = json!({"user_name": accept(json!({"name": "Ada"}))});
    let result = ask(1, json!({"inputResponses": answers, "requestState": state}));
    assert_eq!(result["content"][0]["text"], "Hello, Ada!");
}

#[test]
fn an_emulator_and_a_server_that_does_not_ask_need_no_key() {
    // The harness sets `AWS_LAMBDA_FUNCTION_NAME`, as emulators do. The tool of `progress` takes a
    // `Context`.
    let progress = ServerConfig::new("progress").env("LAMBDA_TASK_ROOT", "/var/task");
    for config in [ServerConfig::conformance(), progress] {
        let server = config.start();
        assert_eq!(server.request("GET", "/health").send().status, 200);
    }
}

async fn asks(context: AskingContext) -> Result<String, ToolError> {
    Ok(context.roots("roots")?.len().to_string())
}

async fn reads(context: AskingContext) -> Result<String, lambda_mcp::handler::RequestError> {
    Ok(context.roots("roots")?.len().to_string())
}

async fn reports(context: Context) -> &'static str {
    context.progress(1.0, None, None);
    "done"
}

#[test]
fn whatever_asks_is_known_when_the_server_is_built() {
    let builder = || Server::builder("asking", "1").tool(tool("reports", reports));
    assert!(
        builder()
            .build()
            .unwrap()
            .check_for_many_instances()
            .is_ok()
    );
    let asking = [
        (builder().tool(tool("asks", asks)), "tool", "asks"),
        (builder().prompt(prompt("asks", reads)), "prompt", "asks"),
        (
            builder().resource(resource("test:asks", "asks", reads)),
            "resource",
            "test:asks",
        ),
        (
            builder().resource(resource_template("test:{+x}", "asks", reads)),
            "resource",
            "test:{+x}",
        ),
    ];
    for (builder, kind, name) in asking {
        let error = builder.build().unwrap().check_for_many_instances();
        let Err(ManyInstancesError::NoSharedKey(error)) = error else {
            panic!("{error:?}");
        };
        assert_eq!((error.kind, error.name.as_str()), (kind, name));
    }
    let key = lambda_mcp::server::RequestStateKey::new(KEY).unwrap();
    let server = builder().tool(tool("asks", asks)).request_state_key(key);
    assert!(server.build().unwrap().check_for_many_instances().is_ok());
    let server = builder().tasks(Tasks::local()).build().unwrap();
    let error = server.check_for_many_instances();
    assert_eq!(error, Err(ManyInstancesError::LocalTasks));
}

/// Parameters that contain what asks: one says so.
struct Silent(AskingContext);
struct Declared(AskingContext);

impl<S> FromCall<S> for Silent {
    fn from_call(call: &mut CallParts<'_, S>) -> Result<Self, Rejection> {
        FromCall::from_call(call).map(Self)
    }
}

impl<S> FromCall<S> for Declared {
    fn may_ask() -> bool {
        true
    }

    fn from_call(call: &mut CallParts<'_, S>) -> Result<Self, Rejection> {
        FromCall::from_call(call).map(Self)
    }
}

/// Otherwise it would be found on AWS, where the second round fails now and then.
#[tokio::test]
async fn a_parameter_that_hides_that_it_asks_fails_everywhere_alike() {
    async fn silent(Silent(context): Silent) -> Result<String, ToolError> {
        asks(context).await
    }
    async fn declared(Declared(context): Declared) -> Result<String, ToolError> {
        asks(context).await
    }
    let server = Server::builder("asking", "1")
        .tool(tool("silent", silent))
        .tool(tool("declared", declared))
        .build()
        .unwrap();
    let error = server.check_for_many_instances().unwrap_err();
    assert!(error.to_string().contains("`declared`"), "{error}");
    for version in ProtocolVersion::ALL {
        let client = client(&server, version).capabilities(json!({"roots": {}}));
        assert_refused(&client.call("silent", json!({})).await, 200, -32603);
    }
    let asking = Asking::new(&server, "tools/call", json!({"name": "declared"}));
    assert_eq!(asking.begin().await.keys(), ["roots"]);
}
