//! `tasks/update`. Specification: extension *Tasks*, *Task Update Requests*.

use bytes::Bytes;
use serde_json::value::RawValue;
use serde_json::{Map, Value};

use super::answer::Failure;
use super::context::Request;
use super::result;
use super::task_request::{TaskRequest, refused};
use crate::error::ProtocolError;
use crate::json::Document;
use crate::wire::tasks::Acknowledgement;

/// Delivers answers to the questions of a task.
///
/// "A server SHOULD ignore any `inputResponses` responses mapped to a key that is not currently
/// outstanding for the task."
pub(super) async fn answer(
    request: &Request<'_>,
    task: &TaskRequest<'_>,
) -> Result<Bytes, Failure> {
    let answers = answers(task.input_responses)?;
    let engine = task.tasks.engine();
    engine
        .answer(&task.found(), answers)
        .await
        .map_err(refused)?;
    Ok(result::complete(request.result(), &Acknowledgement {})?)
}

fn answers(raw: Option<&RawValue>) -> Result<Map<String, Value>, ProtocolError> {
    match raw.map(|raw| Document::parse_object(raw.get())) {
        Some(Some(answers)) => Ok(answers),
        Some(None) => Err(ProtocolError::invalid_params(
            "`inputResponses` must be an object of answers",
        )),
        None => Err(ProtocolError::invalid_params(
            "`inputResponses` is missing; send the answers by their keys",
        )),
    }
}
