//! The task of a worker: a task function, run outside of a request.

use serde_json::Value;
use serde_json::value::RawValue;

use super::Server;
use crate::error::ProtocolError;
use crate::tasks::worker::{Journal, TaskFailed};
use crate::tasks::{self, End, Journaled, Payload, Task};

impl Server {
    /// Runs the task that an engine was given, with a journal that records its operations.
    ///
    /// For workers: `payload` is what the engine sent to the worker. The tool of the task must be one of
    /// this server. The result is that of the call, as JSON; a tool that failed returns one as well.
    ///
    /// # Errors
    ///
    /// The task ended with a JSON-RPC error, because the function panicked, asked what the client does
    /// not support, or cannot continue.
    ///
    /// # Examples
    ///
    /// See [`Journal`].
    pub async fn run_task(
        &self,
        payload: Value,
        journal: impl Journal,
    ) -> Result<Box<RawValue>, TaskFailed> {
        TaskFailed::or_result(self.task_end(payload, journal).await)
    }

    async fn task_end(&self, payload: Value, journal: impl Journal) -> End {
        let payload: Payload = match serde_json::from_value(payload) {
            Ok(payload) => payload,
            Err(error) => {
                tracing::error!(%error, "the payload of a task cannot be read");
                return tasks::failed(&ProtocolError::Internal);
            }
        };
        let tool = self.registry().tool(&payload.tool);
        let Some((tool, task)) = tool.and_then(|tool| Some((tool, tool.task.as_ref()?))) else {
            tracing::error!(
                tool = payload.tool,
                "the worker has no such tool with a task"
            );
            return tasks::failed(&ProtocolError::Internal);
        };
        let about = payload.about();
        let running = Task::recorded(
            about,
            tasks::operations(task.settings.is_silent, Journaled(journal)),
        );
        let named = (tool.spec.name.as_str(), tool.output_schema().is_some());
        tasks::run(named, &*task.function, running, payload.arguments).await
    }
}
