//! `tasks/get`. Specification: extension *Tasks*, *Task Polling*.

use std::time::SystemTime;

use bytes::Bytes;

use super::answer::Failure;
use super::context::Request;
use super::output_schema;
use super::result;
use super::task_request::{TaskRequest, refused};
use crate::tasks::{End, State, TaskId, View, poll_interval};
use crate::wire::tasks::{DetailedTask, TaskStatus};
use crate::wire::timestamp::rfc3339;

/// Returns the state of a task.
pub(super) async fn answer(
    request: &Request<'_>,
    task: &TaskRequest<'_>,
) -> Result<Bytes, Failure> {
    let view = task.tasks.engine().get(&task.found()).await;
    let view = view.map_err(refused)?;
    if let State::Ended(End::Completed(result)) = &view.state {
        output_schema::check_task(request, task.tool, result)?;
    }
    let detailed = detailed(&task.id, &task.text, &view, SystemTime::now());
    Ok(result::complete(request.result(), &detailed)?)
}

/// A task as the client sees it. `text` is its id.
pub(super) fn detailed<'a>(
    id: &TaskId,
    text: &'a str,
    view: &'a View,
    now: SystemTime,
) -> DetailedTask<'a> {
    let interval = poll_interval(id.age(now)).as_millis();
    let task = DetailedTask {
        task_id: text,
        status: TaskStatus::Working,
        status_message: view.message.as_deref(),
        created_at: rfc3339(id.created_at()),
        last_updated_at: rfc3339(view.updated_at.max(id.created_at())),
        ttl_ms: id.ttl_ms(),
        poll_interval_ms: None,
        input_requests: None,
        result: None,
        error: None,
    };
    let poll_interval_ms = u64::try_from(interval).ok();
    match &view.state {
        State::Working => DetailedTask {
            poll_interval_ms,
            ..task
        },
        State::InputRequired(open) => DetailedTask {
            status: TaskStatus::InputRequired,
            input_requests: Some(open),
            poll_interval_ms,
            ..task
        },
        State::Ended(End::Completed(result)) => DetailedTask {
            status: TaskStatus::Completed,
            result: Some(result),
            ..task
        },
        State::Ended(End::Failed(error)) => DetailedTask {
            status: TaskStatus::Failed,
            // "SHOULD include a `statusMessage` field with diagnostic information".
            status_message: Some(&error.message),
            error: Some(error),
            ..task
        },
        State::Ended(End::Cancelled) => DetailedTask {
            status: TaskStatus::Cancelled,
            ..task
        },
    }
}
