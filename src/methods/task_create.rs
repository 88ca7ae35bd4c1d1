//! A `tools/call` that creates a task. Specification: extension *Tasks*, *Task Creation*.

use std::collections::BTreeMap;
use std::sync::Arc;
use std::time::SystemTime;

use bytes::Bytes;
use serde_json::{Value, json};

use super::answer::Failure;
use super::context::Request;
use super::result;
use super::task_request::refused;
use super::tasks_get::detailed;
use crate::auth::Principal;
use crate::error::ProtocolError;
use crate::platform;
use crate::seal::{self, Purpose};
use crate::server::{ManyInstancesError, RegisteredTask, RegisteredTool, random_id};
use crate::tasks::{About, Start, State, TaskId, Tasks, View};
use crate::wire::capabilities::ClientCapabilities;

/// Starts the task of a tool and returns its id.
///
/// "A server MUST NOT return `CreateTaskResult` until the task is durably created."
pub(super) async fn answer(
    request: &Request<'_>,
    tasks: &Tasks,
    (tool, task): (&RegisteredTool, &RegisteredTask),
    arguments: Value,
) -> Result<Bytes, Failure> {
    let id = start(request, tasks, (tool, task), arguments).await?;
    let key = request.context.registry.settings.state_key.bytes();
    let text = id.seal(key).ok_or_else(no_key)?;
    let now = id.created_at();
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

/// Starts the task of a tool.
pub(super) async fn start(
    request: &Request<'_>,
    tasks: &Tasks,
    (tool, task): (&RegisteredTool, &RegisteredTask),
    arguments: Value,
) -> Result<TaskId, Failure> {
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
    // Claims are personal data, which a durable engine would store for days.
    let principal = context.principal.map(Principal::without_claims);
    let (arguments, about) = match task.settings.once_per {
        None => {
            let about = About {
                id: random_id().map_err(|error| {
                    tracing::error!(%error, "no randomness for the id of a task");
                    ProtocolError::Internal
                })?,
                principal,
                capabilities: request.call.client.capabilities.clone(),
            };
            (arguments, about)
        }
        Some(window) => {
            let arguments = sorted(arguments);
            let key = context.registry.settings.state_key.bytes();
            let owner = context.principal.map(Principal::id);
            let number = now
                .duration_since(SystemTime::UNIX_EPOCH)
                .unwrap_or_default();
            let number = number.as_secs() / window.as_secs().max(1);
            let call = json!([owner, name, arguments, number]).to_string();
            let about = About {
                id: seal::name(key, Purpose::TaskName, &call).ok_or_else(no_key)?,
                principal: principal.map(|principal| principal.without_scopes()),
                capabilities: ClientCapabilities::default(),
            };
            (arguments, about)
        }
    };
    let start = Start {
        tool: name.to_owned(),
        arguments,
        about,
        function: Arc::clone(&task.function),
        has_output_schema: tool.output_schema().is_some(),
        is_silent: task.settings.is_silent,
        ttl: tasks.kept_for(),
    };
    let reference = tasks.engine().start(start).await.map_err(refused)?;
    Ok(TaskId::new(
        reference,
        name,
        context.principal,
        now,
        tasks.kept_for(),
    ))
}

fn no_key() -> ProtocolError {
    tracing::error!("no key to sign the id of a task with");
    ProtocolError::Internal
}

/// The same value with the members of its objects in order: their order does not make another call.
fn sorted(value: Value) -> Value {
    match value {
        Value::Object(members) => {
            let members: BTreeMap<String, Value> = { members.into_iter() }
                .map(|(name, value)| (name, sorted(value)))
                .collect();
            Value::Object(members.into_iter().collect())
        }
        Value::Array(values) => Value::Array(values.into_iter().map(sorted).collect()),
        plain @ (Value::Null | Value::Bool(_) | Value::Number(_) | Value::String(_)) => plain,
    }
}
