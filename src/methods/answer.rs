//! [`Answer`]: the outcome of a method, for the response and for the log.

use bytes::Bytes;
use http::HeaderMap;

use crate::error::ProtocolError;
use crate::layer;
use crate::limit::Limited;
use crate::methods::tasks_busy::TasksBusy;
use crate::reply::{ErrorResponse, SharedJson};
use crate::wire::version::Era;

/// The outcome of a method.
#[derive(Debug)]
pub(crate) struct Answer {
    /// The `result` member as JSON, or why there is none.
    pub(crate) result: Result<Bytes, Failure>,
    /// The kind of result.
    pub(crate) outcome: Outcome,
    /// HTTP headers of the response, such as `RateLimit`.
    pub(crate) headers: HeaderMap,
    /// The result, if many responses have it.
    pub(crate) shared: Option<SharedJson>,
}

/// The kind of result.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Outcome {
    /// The request succeeded.
    Ok,
    /// The tool failed: the result has `isError`.
    ToolError,
    /// The client is asked for input: the result is an `InputRequiredResult`.
    InputRequired,
    /// A task was created: the result is a `CreateTaskResult`.
    Task,
}

impl Answer {
    /// The kind of response, as the log names it, and the code of the error if it is one.
    pub(crate) const fn outcome(&self, era: Era) -> (layer::Outcome, Option<i32>) {
        match (&self.result, self.outcome) {
            (Ok(_), Outcome::Ok) => (layer::Outcome::Ok, None),
            (Ok(_), Outcome::ToolError) => (layer::Outcome::ToolError, None),
            (Ok(_), Outcome::InputRequired) => (layer::Outcome::InputRequired, None),
            (Ok(_), Outcome::Task) => (layer::Outcome::Task, None),
            (Err(Failure::Protocol(error)), _) => (layer::Outcome::Error, Some(error.code(era))),
            (Err(Failure::Limited(limited)), _) => {
                (layer::Outcome::Limited, Some(limited.code(era)))
            }
            (Err(Failure::TasksBusy(_)), _) => (layer::Outcome::Limited, Some(TasksBusy::code())),
        }
    }
}

/// Why there is no result.
#[derive(Debug)]
pub(crate) enum Failure {
    /// A protocol error.
    Protocol(ProtocolError),
    /// A rate limit is reached, or cannot be checked.
    Limited(Limited),
    /// No task can be started or read now.
    TasksBusy(TasksBusy),
}

impl Failure {
    /// The error and the headers that a client gets.
    pub(crate) fn response(&self, era: Era) -> ErrorResponse {
        match self {
            Self::Protocol(error) => ErrorResponse::protocol(error, era),
            Self::Limited(limited) => limited.response(era),
            Self::TasksBusy(busy) => busy.response(),
        }
    }
}

impl From<TasksBusy> for Failure {
    fn from(busy: TasksBusy) -> Self {
        Self::TasksBusy(busy)
    }
}

impl From<Limited> for Failure {
    fn from(limited: Limited) -> Self {
        Self::Limited(limited)
    }
}

impl From<ProtocolError> for Failure {
    fn from(error: ProtocolError) -> Self {
        Self::Protocol(error)
    }
}

impl From<ProtocolError> for Answer {
    fn from(error: ProtocolError) -> Self {
        Err::<(Bytes, Outcome), _>(Failure::Protocol(error)).into()
    }
}

impl From<Result<(Bytes, Outcome), Failure>> for Answer {
    fn from(done: Result<(Bytes, Outcome), Failure>) -> Self {
        let (result, outcome) = match done {
            Ok((result, outcome)) => (Ok(result), outcome),
            Err(failure) => (Err(failure), Outcome::Ok),
        };
        Self {
            result,
            outcome,
            headers: HeaderMap::new(),
            shared: None,
        }
    }
}

/// A result as JSON: that of one call, or one that many responses have.
#[derive(Debug)]
pub(super) enum ResultJson {
    Own(Bytes),
    Shared(SharedJson),
}

impl From<Bytes> for ResultJson {
    fn from(json: Bytes) -> Self {
        Self::Own(json)
    }
}

impl From<SharedJson> for ResultJson {
    fn from(json: SharedJson) -> Self {
        Self::Shared(json)
    }
}

impl From<Result<(ResultJson, Outcome), Failure>> for Answer {
    fn from(done: Result<(ResultJson, Outcome), Failure>) -> Self {
        match done {
            Ok((ResultJson::Own(json), outcome)) => Ok::<_, Failure>((json, outcome)).into(),
            Ok((ResultJson::Shared(shared), outcome)) => Self {
                outcome,
                ..Ok::<_, ProtocolError>(shared).into()
            },
            Err(failure) => Err::<(Bytes, Outcome), _>(failure).into(),
        }
    }
}

impl From<Result<Bytes, ProtocolError>> for Answer {
    fn from(result: Result<Bytes, ProtocolError>) -> Self {
        let done = result.map(|result| (result, Outcome::Ok));
        done.map_err(Failure::from).into()
    }
}

impl From<Result<SharedJson, ProtocolError>> for Answer {
    fn from(result: Result<SharedJson, ProtocolError>) -> Self {
        match result {
            Ok(shared) => Self {
                shared: Some(shared.clone()),
                ..Ok(shared.json().clone()).into()
            },
            Err(error) => error.into(),
        }
    }
}
