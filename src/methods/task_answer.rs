//! Answers `tasks/get`, `tasks/update` and `tasks/cancel` to whoever created the task.

use bytes::Bytes;

use super::answer::{Failure, Outcome};
use super::context::Request;
use super::task_request::{Action, TaskRequest, unknown};
use super::{tasks_cancel, tasks_get, tasks_update};

/// Serves a request about a task, if the caller created the task.
pub(super) async fn answer(
    request: &Request<'_>,
    task: &TaskRequest<'_>,
) -> Result<(Bytes, Outcome), Failure> {
    // To anyone else the task does not exist.
    if !task.id.is_owned_by(request.context.principal) {
        return Err(unknown().into());
    }
    let result = match task.action {
        Action::Get => tasks_get::answer(request, task).await?,
        Action::Update => tasks_update::answer(request, task).await?,
        Action::Cancel => tasks_cancel::answer(request, task).await?,
    };
    Ok((result, Outcome::Ok))
}
