//! A `tools/call` of a client without tasks that a task answers.

use std::time::{Duration, Instant};

use bytes::Bytes;
use serde_json::Value;
use serde_json::value::RawValue;

use super::answer::{Failure, Outcome};
use super::context::Request;
use super::output_schema;
use super::result;
use super::task_create;
use super::task_request::refused;
use crate::error::{ProtocolError, ToolError};
use crate::handler::ToolOutput;
use crate::server::{RegisteredTask, RegisteredTool};
use crate::tasks::{End, EngineError, Found, State, Tasks};
use crate::wire::reduction;
use crate::wire::tools::WrittenToolResult;

/// The first pause between two looks at the task. Each is as much longer.
const PAUSE: Duration = Duration::from_millis(250);
/// The time that is kept for the answer, before the call is stopped.
const ANSWER: Duration = Duration::from_secs(1);

/// How a call ended that a task answers.
pub(super) enum Answered<'a> {
    /// The task has ended: the result of the call.
    Ended(Bytes, Outcome),
    /// The task was cancelled.
    Cancelled,
    /// The task goes on.
    Pending(&'a Result<ToolOutput, ToolError>),
}

/// Starts the task of a tool and waits for its end, for as long as the tool says.
pub(super) async fn answer<'a>(
    request: &Request<'_>,
    tasks: &Tasks,
    (tool, task): (&RegisteredTool, &'a RegisteredTask),
    arguments: Value,
) -> Result<Answered<'a>, Failure> {
    let Some(background) = &task.settings.background else {
        return Err(ProtocolError::Internal.into());
    };
    let now = Instant::now();
    let left = request.context.deadline().saturating_duration_since(now);
    let end = now + background.wait.min(left.saturating_sub(ANSWER));
    let id = task_create::start(request, tasks, (tool, task), arguments).await?;
    let mut found = Found::new(&id, request.context.registry.settings.state_key.bytes());
    // Nobody is shown reports and questions.
    (found.is_silent, found.may_be_recent) = (true, false);
    let mut pause = PAUSE;
    loop {
        let view = tasks.engine().get(&found).await;
        match view.map(|view| view.state) {
            Ok(State::Ended(End::Completed(result))) => {
                output_schema::check_task(request, tool, &result)?;
                return ended(request, &result);
            }
            Ok(State::Ended(End::Failed(_))) => return Err(ProtocolError::Internal.into()),
            Ok(State::Ended(End::Cancelled)) => return Ok(Answered::Cancelled),
            Ok(State::Working | State::InputRequired(_)) => {}
            // The task exists, so the caller must not be told to call again.
            Err(error) => tracing::warn!(?error, "the state of a new task cannot be read"),
        }
        if Instant::now() + pause > end {
            return Ok(Answered::Pending(&background.pending));
        }
        tokio::time::sleep(pause).await;
        pause += PAUSE;
    }
}

/// Writes the result of a task for the version of the request. It was written for the newest one.
fn ended<'a>(request: &Request<'_>, result: &RawValue) -> Result<Answered<'a>, Failure> {
    let version = request.call.version;
    let read = |error: serde_json::Error| {
        tracing::error!(%error, "the result of a task is not one of a tool");
        refused(EngineError::Failed)
    };
    let result: WrittenToolResult<'_> = serde_json::from_str(result.get()).map_err(read)?;
    let reduced = reduction::written(result.content, version).map_err(read)?;
    let result = WrittenToolResult {
        content: reduced.as_deref().unwrap_or(result.content),
        structured_content: { result.structured_content }
            .and_then(|json| reduction::structured(json, version)),
        ..result
    };
    let outcome = if result.is_error {
        Outcome::ToolError
    } else {
        Outcome::Ok
    };
    let shape = request.result().meta(result.meta.as_ref());
    let written = result::complete(shape, &result)?;
    Ok(Answered::Ended(written, outcome))
}
