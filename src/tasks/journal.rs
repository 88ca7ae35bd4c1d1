//! [`Journal`]: what a durable engine does for a running task.

use std::error::Error;
use std::fmt;
use std::time::Duration;

use serde_json::Value;
use thiserror::Error;

use crate::future::BoxFuture;

/// Records the operations of one running task, and returns what is recorded when the task runs again.
///
/// Implement it to run tasks on an engine of your own;
/// [`Server::run_task`](crate::Server::run_task) takes it. The package `lambda-mcp-worker` implements it for
/// AWS Lambda durable functions. The operations come one after the other and in the same order each
/// time the task runs.
///
/// # Examples
///
/// A journal that records nothing:
///
/// ```
/// use std::time::Duration;
///
/// use lambda_mcp::BoxFuture;
/// use lambda_mcp::tasks::worker::{Attempt, Journal, JournalError, JournalStep};
/// use lambda_mcp::{Server, Task, ToolError, task_tool};
/// use serde_json::{Value, json};
///
/// struct Forgetful;
///
/// impl Journal for Forgetful {
///     fn step(&mut self, step: JournalStep) -> BoxFuture<'_, Result<Value, JournalError>> {
///         Box::pin(async move {
///             for attempt in 1.. {
///                 if let Attempt::Record(value) = step.attempt(attempt).await {
///                     return Ok(value);
///                 }
///             }
///             Err(JournalError::Interrupted)
///         })
///     }
///
///     fn wait(&mut self, _: Duration) -> BoxFuture<'_, Result<(), JournalError>> {
///         Box::pin(std::future::ready(Ok(())))
///     }
///
///     fn callbacks(&mut self, names: Vec<String>) -> BoxFuture<'_, Result<Vec<Value>, JournalError>> {
///         Box::pin(async move { Err(JournalError::failed(format!("nobody answers {names:?}"))) })
///     }
/// }
///
/// async fn count(mut task: Task) -> Result<String, ToolError> {
///     let sheep: u32 = task.step("count", |_| async { Ok(7) }).await?;
///     Ok(format!("{sheep} sheep."))
/// }
///
/// # #[tokio::main(flavor = "current_thread")]
/// # async fn main() -> Result<(), Box<dyn std::error::Error>> {
/// let server = Server::builder("sheep", "1.0.0").tool(task_tool("count", count)).build()?;
/// let payload = json!({"id": "t1", "tool": "count", "arguments": {}});
/// let result = server.run_task(payload, Forgetful).await?;
/// assert!(result.get().contains("7 sheep."));
/// # Ok(())
/// # }
/// ```
pub trait Journal: Send + 'static {
    /// Returns the recorded value of a step, or makes attempts until there is one, and records it.
    ///
    /// # Errors
    ///
    /// [`Interrupted`](JournalError::Interrupted) if the step runs at most once and the process ended
    /// in it; else the engine failed.
    fn step(&mut self, step: JournalStep) -> BoxFuture<'_, Result<Value, JournalError>>;

    /// Waits, if it did not wait here before.
    ///
    /// # Errors
    ///
    /// The engine failed.
    fn wait(&mut self, duration: Duration) -> BoxFuture<'_, Result<(), JournalError>>;

    /// Opens a callback for each name, all of them before it waits, and returns what they got.
    ///
    /// # Errors
    ///
    /// The engine failed.
    fn callbacks(&mut self, names: Vec<String>) -> BoxFuture<'_, Result<Vec<Value>, JournalError>>;
}

/// The body of a step, for a journal.
type Body = dyn Fn(u32) -> BoxFuture<'static, Attempt> + Send + Sync;

/// A step that a [`Journal`] runs and records.
pub struct JournalStep {
    name: String,
    is_at_most_once: bool,
    body: Box<Body>,
}

/// What an attempt of a step yields.
#[derive(Debug, Clone, PartialEq)]
pub enum Attempt {
    /// The step is done, with or without success: record this value.
    Record(Value),
    /// Make another attempt after this time.
    Again(Duration),
}

/// Why an operation did not complete. The task fails, and the client gets an internal error.
#[derive(Debug, Error)]
#[non_exhaustive]
pub enum JournalError {
    /// The process ended within a step that runs at most once, so its outcome is unknown.
    #[error("the process ended within a step that runs at most once")]
    Interrupted,
    /// The engine failed.
    #[error("the journal of the task failed")]
    Failed(#[source] Box<dyn Error + Send + Sync>),
}

impl JournalError {
    /// The engine failed for this reason, which is logged.
    pub fn failed(source: impl Into<Box<dyn Error + Send + Sync>>) -> Self {
        Self::Failed(source.into())
    }
}

impl JournalStep {
    pub(super) fn new(
        name: String,
        is_at_most_once: bool,
        body: impl Fn(u32) -> BoxFuture<'static, Attempt> + Send + Sync + 'static,
    ) -> Self {
        Self {
            name,
            is_at_most_once,
            body: Box::new(body),
        }
    }

    /// Returns the name: 1 to 256 printable ASCII characters. Several steps can have the same one.
    #[must_use]
    pub fn name(&self) -> &str {
        &self.name
    }

    /// Returns whether an attempt must not be repeated if the process ended within it.
    #[must_use]
    pub const fn is_at_most_once(&self) -> bool {
        self.is_at_most_once
    }

    /// Makes an attempt. `attempt` counts from 1; an attempt that the end of the process interrupted can
    /// have the same number again.
    #[must_use]
    pub fn attempt(&self, attempt: u32) -> BoxFuture<'static, Attempt> {
        (self.body)(attempt)
    }
}

impl fmt::Debug for JournalStep {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("JournalStep")
            .field("name", &self.name)
            .field("is_at_most_once", &self.is_at_most_once)
            .finish_non_exhaustive()
    }
}
