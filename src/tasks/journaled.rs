//! [`Journaled`]: the operations of a task that a [`Journal`] records.

use std::sync::Arc;
use std::time::Duration;

use serde_json::Value;

use crate::error::{ProtocolError, ToolError, chain};
use crate::future::BoxFuture;
use crate::tasks::journal::{Attempt, Journal, JournalError, JournalStep};
use crate::tasks::operations::Operations;
use crate::tasks::records::{ASK, PROGRESS, StepEnd, callback_name, step_name};
use crate::tasks::step::{StepCall, Tried};
use crate::tasks::stop::Stop;

/// The operations of a task that a journal records.
pub(crate) struct Journaled<J>(pub(crate) J);

impl<J: Journal> Journaled<J> {
    /// Records a value that is known already.
    async fn record(&mut self, name: &str, value: Value) -> Result<(), ToolError> {
        let body = move |_| -> BoxFuture<'static, Attempt> {
            let value = value.clone();
            Box::pin(std::future::ready(Attempt::Record(value)))
        };
        let step = JournalStep::new(name.to_owned(), false, body);
        self.0.step(step).await.map_err(|error| failed(&error))?;
        Ok(())
    }
}

impl<J: Journal> Operations for Journaled<J> {
    fn step(&mut self, step: StepCall) -> BoxFuture<'_, Result<Value, ToolError>> {
        Box::pin(async move {
            let name = step.name.clone();
            let is_at_most_once = step.retry.is_none();
            let step = Arc::new(step);
            let body = move |attempt| -> BoxFuture<'static, Attempt> {
                let step = Arc::clone(&step);
                Box::pin(async move {
                    match step.try_once(attempt).await {
                        Tried::Done(result) => {
                            let failed = result.as_ref().err();
                            if let Some(cause) = failed.and_then(ToolError::cause) {
                                let error = chain(cause as _);
                                tracing::error!(step = step.name, error, "a step failed");
                            }
                            Attempt::Record(StepEnd::write(result))
                        }
                        Tried::Again(pause) => Attempt::Again(pause),
                    }
                })
            };
            let recorded = self
                .0
                .step(JournalStep::new(step_name(&name), is_at_most_once, body))
                .await;
            match recorded {
                Ok(end) => StepEnd::read(end),
                Err(JournalError::Interrupted) => {
                    tracing::error!(step = name, "the process ended within a step");
                    Err(ToolError::new(format!(
                        "The process ended while the step `{name}` ran. It is not known whether the step \
                         took effect, and it is not run again."
                    )))
                }
                Err(error) => Err(failed(&error)),
            }
        })
    }

    fn sleep(&mut self, duration: Duration) -> BoxFuture<'_, Result<(), ToolError>> {
        Box::pin(async move { self.0.wait(duration).await.map_err(|error| failed(&error)) })
    }

    fn progress(&mut self, text: String) -> BoxFuture<'_, Result<(), ToolError>> {
        Box::pin(async move { self.record(PROGRESS, Value::from(text)).await })
    }

    fn ask(
        &mut self,
        questions: Vec<(String, Value)>,
    ) -> BoxFuture<'_, Result<Vec<Value>, ToolError>> {
        Box::pin(async move {
            let names = (0..questions.len()).map(callback_name).collect();
            // Recorded first: a callback that a client can answer has its question.
            let questions = serde_json::to_value(questions)?;
            self.record(ASK, questions).await?;
            self.0
                .callbacks(names)
                .await
                .map_err(|error| failed(&error))
        })
    }
}

/// A failure of the engine ends the task.
fn failed(error: &JournalError) -> ToolError {
    tracing::error!(error = chain(error), "a task cannot continue");
    Stop::from(ProtocolError::Internal).into()
}
