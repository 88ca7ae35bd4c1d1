//! Runs the tasks of a [`lambda_mcp::Server`] as an AWS Lambda durable function: the worker.
//!
//! The MCP function starts executions of the worker with
//! `lambda_mcp::tasks::Tasks::durable`; the worker runs the same task functions. Make a second program
//! that builds the same server, and give it to [`run`]:
//!
//! ```no_run
//! use lambda_mcp::tasks::Tasks;
//! use lambda_mcp::{Server, Task, ToolError, task_tool};
//!
//! async fn export(mut task: Task) -> Result<String, ToolError> {
//!     let lines: u32 = task.step("read", |_| async { Ok(3) }).await?;
//!     Ok(format!("{lines} lines are exported."))
//! }
//!
//! #[tokio::main(flavor = "current_thread")]
//! async fn main() -> Result<(), lambda_mcp_worker::Error> {
//!     // The worker starts no tasks, so its own engine is never used.
//!     let server = Server::builder("reports", "1.0.0")
//!         .tasks(Tasks::local())
//!         .tool(task_tool("export", export).requires_tasks())
//!         .build()?;
//!     lambda_mcp_worker::run(server).await
//! }
//! ```
//!
//! The package is apart from `lambda-mcp` because the SDK of durable functions is a preview (0.1.0) that
//! brings a TLS stack of its own. The MCP function does not contain it.
//!
//! # A known fault of the SDK
//!
//! `aws-durable-execution-sdk` 0.1.0 fails the whole execution when a checkpoint is refused because of
//! a stale token, as after an invocation that ran longer than its timeout
//! (<https://github.com/aws/aws-durable-execution-sdk-rust/issues/66>). The task is then `failed` with an
//! internal error. Give the worker a timeout that its longest step does not reach.

mod journal;

use aws_durable_execution_sdk as sdk;
use lambda_mcp::{Server, aws};
use serde_json::Value;
use serde_json::value::RawValue;

use self::journal::Durably;

/// Why the worker ended.
pub type Error = lambda_runtime::Error;

/// Serves invocations until the platform ends the process.
///
/// # Errors
///
/// The Lambda runtime failed.
pub async fn run(server: Server) -> Result<(), Error> {
    let options = sdk::Options::builder()
        .sdk_config(aws::config().await)
        .build()?;
    sdk::run_with_options(handler(server), options).await
}

/// The handler of the durable function: it runs the task of a payload.
///
/// [`run`] uses it. Tests give it to the `LocalRunner` of the SDK.
pub fn handler(
    server: Server,
) -> impl Fn(Value, sdk::DurableContext) -> BoxedTask + Send + Sync + 'static {
    move |payload, context| {
        let server = server.clone();
        Box::pin(async move {
            let result = server.run_task(payload, Durably::new(context)).await;
            result.map_err(sdk::BoxError::from)
        })
    }
}

/// The future of a task: its result as JSON, or the error that ended it.
pub type BoxedTask =
    std::pin::Pin<Box<dyn Future<Output = Result<Box<RawValue>, sdk::BoxError>> + Send>>;
