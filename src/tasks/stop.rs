//! [`Stop`]: why a task ended before its function returned.

use thiserror::Error;

use crate::error::ProtocolError;
use crate::wire::tasks::TaskFailure;
use crate::wire::version::Era;

/// Why a task ended before its function returned.
///
/// It travels as the cause of a [`ToolError`](crate::ToolError), so that a function passes it on with
/// `?`, as it does with any other error.
#[derive(Debug, Clone, PartialEq, Eq, Error)]
pub(crate) enum Stop {
    /// The task ends with a JSON-RPC error.
    #[error("the task cannot continue: {}", .0.message)]
    Failed(TaskFailure),
}

impl From<ProtocolError> for Stop {
    fn from(error: ProtocolError) -> Self {
        Self::Failed(failure(&error))
    }
}

/// A protocol error as a failed task has it. Only the modern era has tasks.
pub(crate) fn failure(error: &ProtocolError) -> TaskFailure {
    TaskFailure {
        code: error.code(Era::Modern),
        message: error.to_string(),
        data: error.data(),
    }
}
