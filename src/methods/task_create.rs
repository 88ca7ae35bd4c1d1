//! A `tools/call` that creates a task. Specification: extension *Tasks*, *Task Creation*.

use std::sync::Arc;
use std::time::SystemTime;

use bytes::Bytes;
use serde_json::Value;

use super::answer::Failure;
use super::context::Request;
use super::result;
use super::task_request::refused;
use super::tasks_get::detailed;
use crate::error::ProtocolError;
use crate::platform;
use crate::server::{ManyInstancesError, RegisteredTask, RegisteredTool, random_id};
use crate::tasks::{About, Start, State, TaskId, Tasks, View};

/// Starts the task of a tool and returns its id.
///
/// "A server MUST NOT return `CreateTaskResult` until the task is durably created."
pub(super) async fn answer(
    request: &Request<'_>,
    tasks: &Tasks,
    (tool, task): (&RegisteredTool, &RegisteredTask),
    arguments: Value,
) -> Result<Bytes, Failure> {
    let context = request.context;
    let name = tool.spec.name.as_str();
    // The ways to serve that the library knows refuse this at start. A server in a `tower` service of
    // the author's own is told here, before a client waits for a task that nobody runs.
    if tasks.engine().is_local() && platform::is_on_lambda() {
        let error = ManyInstancesError::LocalTasks;
        tracing::error!(tool = name, %error, "no task is created");
        return Err(ProtocolError::Internal.into());
    }
    let now = SystemTime::now();
    let id = random_id().map_err(|error| {
        tracing::error!(%error, "no randomness for the id of a task");
        ProtocolError::Internal
    })?;
    let start = Start {
        tool: name.to_owned(),
        arguments,
        about: About {
            id,
            principal: context.principal.cloned(),
            capabilities: request.call.client.capabilities.clone(),
        },
        function: Arc::clone(&task.function),
        has_output_schema: tool.spec.output_schema.is_some(),
        ttl: tasks.kept_for(),
    };
    let reference = tasks.engine().start(start).await.map_err(refused)?;
    let id = TaskId::new(reference, name, context.principal, now, tasks.kept_for());
    let Some(text) = id.seal(context.registry.settings.state_key.bytes()) else {
        tracing::error!("no key to seal the id of a task with");
        return Err(ProtocolError::Internal.into());
    };
    let view = View {
        state: State::Working,
        message: None,
        updated_at: now,
    };
    Ok(result::task(
        request.result(),
        &detailed(&id, &text, &view, now),
    )?)
}
