//! What `tasks/get`, `tasks/update` and `tasks/cancel` have in common. Specification: extension *Tasks*,
//! *Protocol Errors* and *Security Considerations*.

use std::borrow::Cow;
use std::time::SystemTime;

use serde_json::value::RawValue;

use super::answer::Failure;
use super::params;
use super::tasks_busy::TasksBusy;
use crate::era::Call;
use crate::error::ProtocolError;
use crate::server::{RegisteredTool, Registry};
use crate::tasks::{EngineError, Found, TaskId, Tasks};
use crate::wire::capabilities::ClientCapabilities;
use crate::wire::tasks::TaskParams;

/// What a request does with a task.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Action {
    Get,
    Update,
    Cancel,
}

impl Action {
    /// The action of a method. `None` for the methods of other pages, and for those that the extension
    /// removed: `tasks/result` and `tasks/list`.
    pub(super) fn of(method: &str) -> Option<Self> {
        match method {
            "tasks/get" => Some(Self::Get),
            "tasks/update" => Some(Self::Update),
            "tasks/cancel" => Some(Self::Cancel),
            _ => None,
        }
    }
}

/// A request about a task.
#[derive(Debug)]
pub(crate) struct TaskRequest<'a> {
    pub(super) action: Action,
    /// The tasks of the server.
    pub(super) tasks: &'a Tasks,
    /// The tool that the task runs.
    pub(super) tool: &'a RegisteredTool,
    pub(super) id: TaskId,
    /// The id, as the client sent it.
    pub(super) text: Cow<'a, str>,
    pub(super) input_responses: Option<&'a RawValue>,
    /// The secret that signs what a client stores.
    key: &'a [u8],
}

impl<'a> TaskRequest<'a> {
    /// The task, for the engine.
    pub(super) fn found(&self) -> Found<'_> {
        let task = self.tool.task.as_ref();
        let mut found = Found::new(&self.id, self.key);
        found.is_silent = task.is_some_and(|task| task.settings.is_silent);
        found
    }

    /// Reads a request about a task. Its method is that of an [`Action`].
    ///
    /// # Errors
    ///
    /// The client did not declare the extension, or the id is not that of a task.
    pub(super) fn resolve(registry: &'a Registry, call: &Call<'a>) -> Result<Self, ProtocolError> {
        // "Servers MUST return this error for non-declaring clients issuing `tasks/get`,
        // `tasks/update`, and `tasks/cancel` requests."
        if !call.client.capabilities.supports_tasks() {
            return Err(not_declared());
        }
        let params: TaskParams<'a> = params::decode(call)?;
        let settings = &registry.settings;
        let (Some(action), Some(tasks)) = (Action::of(&call.method), &settings.tasks) else {
            return Err(unknown());
        };
        let key = settings.state_key.bytes();
        let id = TaskId::open(key, &params.task_id, SystemTime::now()).ok_or_else(unknown)?;
        let tool = registry.tool(&id.tool).ok_or_else(unknown)?;
        Ok(Self {
            action,
            tasks,
            tool,
            id,
            text: params.task_id,
            input_responses: params.input_responses,
            key,
        })
    }
}

/// The error for a client that does not declare the extension.
pub(super) fn not_declared() -> ProtocolError {
    ProtocolError::MissingClientCapability {
        required: ClientCapabilities::tasks(),
    }
}

/// The error for an id that is not that of a task of the caller: invented, altered, expired, or of
/// another caller. It does not say which.
pub(super) fn unknown() -> ProtocolError {
    ProtocolError::invalid_params("there is no such task, or it has expired; call the tool again")
}

/// What a client is told about an error of the engine.
pub(super) fn refused(error: EngineError) -> Failure {
    match error {
        EngineError::Unknown => unknown().into(),
        EngineError::Busy(wait) => TasksBusy::new(wait).into(),
        EngineError::Conflict => ProtocolError::invalid_params(
            "the same call was made before with another payload; change the arguments",
        )
        .into(),
        EngineError::TooLarge => ProtocolError::invalid_params(
            "the arguments are too large for a task, which takes 1 MB",
        )
        .into(),
        EngineError::Failed => ProtocolError::Internal.into(),
    }
}
