//! How the function of a task ends. Specification: *Task Execution Errors*.
//!
//! | the function | the task |
//! | --- | --- |
//! | returns a result | `completed` |
//! | returns a [`ToolError`](crate::ToolError) | `completed`, with `isError` |
//! | cannot continue ([`Stop`]) | `failed`, with the JSON-RPC error |
//! | panics | `failed`, with `-32603` |

use std::error::Error;
use std::panic::AssertUnwindSafe;

use futures_util::FutureExt as _;
use serde::Serialize;
use serde_json::value::RawValue;
use serde_json::{Map, Value};
use thiserror::Error;

use crate::error::{ProtocolError, ToolError, chain};
use crate::handler::ToolOutput;
use crate::tasks::engine::TaskFunction;
use crate::tasks::state::End;
use crate::tasks::stop::{Stop, failure};
use crate::tasks::task::Task;
use crate::wire::content::{self, Content};
use crate::wire::tasks::TaskFailure;
use crate::wire::tools::CallToolResult;
use crate::wire::version::ProtocolVersion;

/// The largest result of a task: AWS stores 1 MB of each durable execution's result.
const MAX_RESULT_BYTES: usize = 1_000_000;
const TOO_LARGE: &str = "The result is larger than 1 MB and was not kept. Ask for less of it.";

/// Runs a task function to its end. A panic ends the task, not the process.
pub(crate) async fn run(
    (tool, has_output_schema): (&str, bool),
    function: &TaskFunction,
    task: Task,
    arguments: Value,
) -> End {
    // A function that is not async can panic before its future exists.
    let started = std::panic::catch_unwind(AssertUnwindSafe(|| function(task, arguments)));
    let output = match started {
        Ok(Ok(future)) => AssertUnwindSafe(future).catch_unwind().await,
        Ok(Err(invalid)) => {
            tracing::error!(tool, %invalid, "the arguments of a task do not have their type");
            return failed(&ProtocolError::Internal);
        }
        Err(panic) => Err(panic),
    };
    match output {
        Ok(Ok(output)) => completed(&output),
        Ok(Err(error)) => ended_by((tool, has_output_schema), &error),
        Err(_panic) => {
            tracing::error!(tool, "a task panicked");
            failed(&ProtocolError::Internal)
        }
    }
}

/// How a task ends whose function returned an error.
fn ended_by((tool, has_output_schema): (&str, bool), error: &ToolError) -> End {
    if let Some(Stop::Failed(failure)) = error.cause().and_then(|cause| stopped(cause as _)) {
        return End::Failed(failure.clone());
    }
    if let Some(cause) = error.cause() {
        tracing::error!(tool, error = chain(cause as _), "a task failed");
    }
    let structured = error.structured_content();
    let mut content = vec![Content::text(error.to_string())];
    content.extend(structured.map(|json| Content::text(json.get())));
    // What a tool sends as structured content must match its output schema.
    tool_error(&content, structured.filter(|_| !has_output_schema))
}

/// The [`Stop`] in the sources of an error.
fn stopped<'e>(error: &'e (dyn Error + 'static)) -> Option<&'e Stop> {
    std::iter::successors(Some(error), |&error| error.source())
        .find_map(|error| error.downcast_ref::<Stop>())
}

/// The error of a task that failed for a reason that clients do not see.
#[cfg_attr(
    not(feature = "durable"),
    expect(dead_code, reason = "the engine in memory has the reason")
)]
pub(crate) fn internal() -> TaskFailure {
    failure(&ProtocolError::Internal)
}

/// A task ended with a JSON-RPC error. Its text is that error as JSON: the engine stores it, and a
/// client gets it.
#[derive(Debug, Error)]
#[error("{0}")]
pub struct TaskFailed(String);

impl TaskFailed {
    /// The result of a task, for the engine that stores it.
    pub(crate) fn or_result(end: End) -> Result<Box<RawValue>, Self> {
        let failure = match end {
            End::Completed(result) => return Ok(result),
            End::Failed(failure) => failure,
            // A worker does not cancel.
            End::Cancelled => failure(&ProtocolError::Internal),
        };
        Err(Self(serde_json::to_string(&failure).unwrap_or_default()))
    }
}

/// Ends a task with a protocol error.
pub(crate) fn failed(error: &ProtocolError) -> End {
    End::Failed(failure(error))
}

/// The result as the call itself would have returned it. Only the modern era has tasks.
#[derive(Serialize)]
#[serde(rename_all = "camelCase")]
struct Completed<'a> {
    result_type: &'static str,
    #[serde(flatten)]
    result: CallToolResult<'a>,
    #[serde(rename = "_meta", skip_serializing_if = "Option::is_none")]
    meta: Option<&'a Map<String, Value>>,
}

fn completed(output: &ToolOutput) -> End {
    let blocks = output.blocks();
    let content = content::at(&blocks, ProtocolVersion::V2026_07_28);
    let result = CallToolResult {
        content: &content,
        structured_content: output.structured_content(),
        is_error: false,
    };
    let json = write(result, output.meta.as_ref());
    match json {
        Some(json) if json.get().len() > MAX_RESULT_BYTES => {
            tool_error(&[Content::text(TOO_LARGE)], None)
        }
        Some(json) => End::Completed(json),
        None => failed(&ProtocolError::Internal),
    }
}

fn tool_error(content: &[Content], structured_content: Option<&RawValue>) -> End {
    let result = CallToolResult {
        content,
        structured_content,
        is_error: true,
    };
    write(result, None).map_or_else(|| failed(&ProtocolError::Internal), End::Completed)
}

fn write(result: CallToolResult<'_>, meta: Option<&Map<String, Value>>) -> Option<Box<RawValue>> {
    let completed = Completed {
        result_type: "complete",
        result,
        meta,
    };
    let json = serde_json::value::to_raw_value(&completed);
    json.inspect_err(|error| tracing::error!(%error, "the result of a task cannot be written"))
        .ok()
}
