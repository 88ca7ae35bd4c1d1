//! [`Engine`]: what runs tasks and remembers them.

use std::fmt;
use std::sync::Arc;
use std::time::Duration;

use serde_json::{Map, Value};

use crate::error::ToolError;
use crate::future::BoxFuture;
use crate::handler::{Rejection, ToolOutput};
use crate::tasks::id::TaskId;
use crate::tasks::operations::About;
use crate::tasks::state::View;
use crate::tasks::task::Task;

/// A task function that is bound to the server's state.
pub(crate) type TaskFunction = dyn Fn(Task, Value) -> Result<BoxFuture<'static, Result<ToolOutput, ToolError>>, Rejection>
    + Send
    + Sync;

/// A task that is to be started.
pub(crate) struct Start {
    /// The name of the tool.
    pub(crate) tool: String,
    /// The arguments of the task function.
    pub(crate) arguments: Value,
    /// The id of the task within its engine, and who creates it.
    pub(crate) about: About,
    /// The function, for an engine that runs it in this process.
    pub(crate) function: Arc<TaskFunction>,
    /// Whether the tool declares the form of its structured content.
    pub(crate) has_output_schema: bool,
    /// Whether the task neither reports nor asks.
    pub(crate) is_silent: bool,
    /// How long the task is kept.
    pub(crate) ttl: Duration,
}

impl fmt::Debug for Start {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Start")
            .field("tool", &self.tool)
            .finish_non_exhaustive()
    }
}

/// A task that a client asks about.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Found<'a> {
    pub(crate) id: &'a TaskId,
    /// The secret that signs what a client stores.
    #[cfg_attr(
        not(feature = "durable"),
        expect(dead_code, reason = "the engine in memory signs nothing")
    )]
    pub(crate) key: &'a [u8],
    /// Whether the tool neither reports nor asks.
    pub(crate) is_silent: bool,
    /// Whether a state of a second ago will do.
    pub(crate) may_be_recent: bool,
}

impl<'a> Found<'a> {
    pub(crate) const fn new(id: &'a TaskId, key: &'a [u8]) -> Self {
        Self {
            id,
            key,
            is_silent: false,
            may_be_recent: true,
        }
    }
}

/// Why an engine did not do what it was asked.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum EngineError {
    /// There is no such task.
    Unknown,
    /// A task of this name exists, with other arguments.
    #[cfg_attr(
        not(feature = "durable"),
        expect(dead_code, reason = "only a durable engine keeps names")
    )]
    Conflict,
    /// The arguments are too large for the engine.
    #[cfg_attr(
        not(feature = "durable"),
        expect(dead_code, reason = "the engine in memory takes everything")
    )]
    TooLarge,
    /// The engine failed, which is logged.
    Failed,
    /// The engine accepts no more now. Another attempt after this time may succeed.
    Busy(Duration),
}

/// Runs tasks and remembers them.
pub(crate) trait Engine: fmt::Debug + Send + Sync {
    /// Starts a task and returns its reference, by which [`get`](Self::get) finds it at once. If a task
    /// of this id exists, it is that one.
    fn start(&self, start: Start) -> BoxFuture<'_, Result<String, EngineError>>;

    /// Returns the state of a task.
    fn get<'a>(&'a self, task: &'a Found<'a>) -> BoxFuture<'a, Result<View, EngineError>>;

    /// Delivers answers to questions. Answers that no question waits for are ignored.
    fn answer<'a>(
        &'a self,
        task: &'a Found<'a>,
        answers: Map<String, Value>,
    ) -> BoxFuture<'a, Result<(), EngineError>>;

    /// Cancels a task. A task that has ended stays as it is.
    fn cancel<'a>(&'a self, task: &'a Found<'a>) -> BoxFuture<'a, Result<(), EngineError>>;

    /// Whether tasks end with this process.
    fn is_local(&self) -> bool;
}
