//! Tasks. Specification: extension *Tasks* (`io.modelcontextprotocol/tasks`).

use std::borrow::Cow;

use serde::{Deserialize, Serialize};
use serde_json::value::RawValue;
use serde_json::{Map, Value};

/// The status of a task. Specification: *Task Status*.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize)]
#[serde(rename_all = "snake_case")]
pub(crate) enum TaskStatus {
    /// The tool runs.
    Working,
    /// The tool waits for input from the client.
    InputRequired,
    /// There is a result, possibly with `isError`.
    Completed,
    /// The call ended with a JSON-RPC error.
    Failed,
    /// The client cancelled it.
    Cancelled,
}

/// A task with the members of its status. Specification: *Task Creation*, *Task Polling*.
#[derive(Debug, Serialize)]
#[serde(rename_all = "camelCase")]
pub(crate) struct DetailedTask<'a> {
    /// The id.
    pub(crate) task_id: &'a str,
    /// The status.
    pub(crate) status: TaskStatus,
    /// What the task is doing, or why it failed.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(crate) status_message: Option<&'a str>,
    /// When it was created, in RFC 3339.
    pub(crate) created_at: String,
    /// When it last changed, in RFC 3339.
    pub(crate) last_updated_at: String,
    /// How long it is kept, from its creation.
    pub(crate) ttl_ms: u64,
    /// How long the client should wait before it asks again. Absent once the task has ended.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(crate) poll_interval_ms: Option<u64>,
    /// The open questions, by key.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(crate) input_requests: Option<&'a Map<String, Value>>,
    /// The result of the call.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(crate) result: Option<&'a RawValue>,
    /// The error that ended the call.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(crate) error: Option<&'a TaskFailure>,
}

/// The JSON-RPC error that ended a task.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub(crate) struct TaskFailure {
    /// The code.
    pub(crate) code: i32,
    /// The message.
    pub(crate) message: String,
    /// More about the error, if the specification defines it.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub(crate) data: Option<Value>,
}

/// The result of `tasks/update` and `tasks/cancel`: an empty acknowledgement.
#[derive(Debug, Serialize)]
pub(crate) struct Acknowledgement {}

/// The parameters of `tasks/get`, `tasks/update` and `tasks/cancel`.
#[derive(Debug, Deserialize)]
#[serde(rename_all = "camelCase")]
pub(crate) struct TaskParams<'a> {
    /// The id of the task.
    #[serde(borrow)]
    pub(crate) task_id: Cow<'a, str>,
    /// The answers to open questions, for `tasks/update`.
    #[serde(borrow, default)]
    pub(crate) input_responses: Option<&'a RawValue>,
}
