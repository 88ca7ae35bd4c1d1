//! `tasks/cancel`. Specification: extension *Tasks*, *Task Cancellation*.

use bytes::Bytes;

use super::answer::Failure;
use super::context::Request;
use super::result;
use super::task_request::{TaskRequest, refused};
use crate::wire::tasks::Acknowledgement;

/// Cancels a task. A task that has ended is acknowledged as well, and stays as it is.
pub(super) async fn answer(
    request: &Request<'_>,
    task: &TaskRequest<'_>,
) -> Result<Bytes, Failure> {
    let engine = task.tasks.engine();
    engine.cancel(&task.found()).await.map_err(refused)?;
    Ok(result::complete(request.result(), &Acknowledgement {})?)
}
