//! [`Operations`]: what an engine does for a running task.

use std::time::Duration;

use serde_json::Value;

use crate::auth::Principal;
use crate::error::ToolError;
use crate::future::BoxFuture;
use crate::tasks::step::StepCall;
use crate::wire::capabilities::ClientCapabilities;

/// Who created a task.
#[derive(Debug, Clone)]
pub(crate) struct About {
    /// The id of the task within its engine.
    pub(crate) id: String,
    pub(crate) principal: Option<Principal>,
    pub(crate) capabilities: ClientCapabilities,
}

/// The operations of an engine that records them.
///
/// An error that is not the tool's own has a [`Stop`](super::stop::Stop) as its cause.
pub(crate) trait Operations: Send {
    /// Runs a step, unless it is recorded.
    fn step(&mut self, step: StepCall) -> BoxFuture<'_, Result<Value, ToolError>>;

    /// Waits.
    fn sleep(&mut self, duration: Duration) -> BoxFuture<'_, Result<(), ToolError>>;

    /// Records what the task is doing.
    fn progress(&mut self, text: String) -> BoxFuture<'_, Result<(), ToolError>>;

    /// Puts questions and waits for all the answers, which have the order of the questions.
    fn ask(
        &mut self,
        questions: Vec<(String, Value)>,
    ) -> BoxFuture<'_, Result<Vec<Value>, ToolError>>;
}
