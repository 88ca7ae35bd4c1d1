//! How a tool runs as a task: what prepares its arguments, and its function.

use std::fmt;
use std::sync::Arc;

use serde_json::Value;

use crate::error::ToolError;
use crate::future::BoxFuture;
use crate::handler::{Bound, Rejection, ToolOutput, Unbound};
use crate::server::task_behavior::TaskSettings;
use crate::tasks::{Task, TaskFunction};

type Called = Result<ToolOutput, ToolError>;
/// A task function that gets the state.
pub(super) type Function<S> =
    dyn Fn(Task, &S, Value) -> Result<BoxFuture<'static, Called>, Rejection> + Send + Sync;

/// How a tool runs as a task, before it is bound to the server's state.
pub(super) struct TaskPart<S> {
    /// Checks the arguments of the call within the call, and returns those of the task.
    pub(super) arguments: Unbound<S, Result<Value, ToolError>>,
    pub(super) function: Box<Function<S>>,
}

/// How a tool runs as a task.
pub(crate) struct RegisteredTask {
    /// Checks the arguments of the call within the call, and returns those of the task.
    pub(crate) arguments: Bound<Result<Value, ToolError>>,
    pub(crate) function: Arc<TaskFunction>,
    pub(crate) settings: TaskSettings,
}

impl<S: Clone + Send + Sync + 'static> TaskPart<S> {
    pub(super) fn bind(self, state: &S, settings: TaskSettings) -> RegisteredTask {
        let Self {
            arguments,
            function,
        } = self;
        let (state, arguments) = (state.clone(), arguments.bind(state.clone()));
        RegisteredTask {
            arguments,
            function: Arc::new(move |task, arguments| function(task, &state, arguments)),
            settings,
        }
    }
}

impl<S> fmt::Debug for TaskPart<S> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("TaskPart")
    }
}

impl fmt::Debug for RegisteredTask {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("RegisteredTask")
            .field("settings", &self.settings)
            .finish_non_exhaustive()
    }
}
