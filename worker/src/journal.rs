//! [`Durably`]: the journal of a task in the checkpoints of a durable execution.

use std::time::Duration;

use aws_durable_execution_sdk as sdk;
use lambda_mcp::BoxFuture;
use lambda_mcp::tasks::worker::{Attempt, Journal, JournalError, JournalStep};
use serde_json::Value;

/// How long a callback waits for its answer: as long as an execution can run.
const ANSWER: Duration = Duration::from_secs(365 * 86_400);
/// The name of waits.
const WAIT: &str = "mcp.sleep";

/// The journal of a task in the checkpoints of a durable execution.
pub(crate) struct Durably {
    context: sdk::DurableContext,
}

impl Durably {
    pub(crate) fn new(context: sdk::DurableContext) -> Self {
        Self { context }
    }
}

/// An attempt failed, and another one follows after this time.
#[derive(Debug)]
struct Again(Duration);

impl std::fmt::Display for Again {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(f, "another attempt follows after {:?}", self.0)
    }
}

impl std::error::Error for Again {}

/// What follows a failed attempt. An attempt that ends a step never fails for the SDK: its end is
/// recorded as a value, with the error of the tool in it.
fn decide(error: &sdk::StepError, _attempt: u32) -> sdk::RetryDecision {
    let mut cause = std::error::Error::source(error);
    while let Some(found) = cause {
        if let Some(Again(delay)) = found.downcast_ref::<Again>() {
            return sdk::RetryDecision::Retry { delay: *delay };
        }
        cause = found.source();
    }
    // The process ended within a step that runs at most once.
    sdk::RetryDecision::Stop
}

impl Journal for Durably {
    fn step(&mut self, step: JournalStep) -> BoxFuture<'_, Result<Value, JournalError>> {
        Box::pin(async move {
            let name = step.name().to_owned();
            let is_at_most_once = step.is_at_most_once();
            let semantics = if is_at_most_once {
                sdk::StepSemantics::AtMostOncePerRetry
            } else {
                sdk::StepSemantics::AtLeastOncePerRetry
            };
            let body = move |attempt: sdk::StepContext| {
                let attempt = step.attempt(attempt.attempt());
                async move {
                    match attempt.await {
                        Attempt::Record(value) => Ok(value),
                        Attempt::Again(pause) => Err(sdk::BoxError::from(Again(pause))),
                    }
                }
            };
            let recorded = self.context.step(body).name(name).semantics(semantics);
            recorded.retry_strategy(decide).await.map_err(|error| {
                let is_of_the_step = matches!(error.kind(), sdk::OperationErrorKind::Step(_));
                if is_at_most_once && is_of_the_step {
                    JournalError::Interrupted
                } else {
                    JournalError::failed(error)
                }
            })
        })
    }

    fn wait(&mut self, duration: Duration) -> BoxFuture<'_, Result<(), JournalError>> {
        // Waits are whole seconds, at least one.
        let seconds = duration.as_secs() + u64::from(duration.subsec_nanos() > 0);
        Box::pin(async move {
            if seconds == 0 {
                return Ok(());
            }
            let wait = self.context.wait(Duration::from_secs(seconds)).name(WAIT);
            wait.await.map_err(JournalError::failed)
        })
    }

    fn callbacks(&mut self, names: Vec<String>) -> BoxFuture<'_, Result<Vec<Value>, JournalError>> {
        Box::pin(async move {
            let mut open = Vec::new();
            for name in names {
                let callback = self.context.create_callback::<Value>();
                let callback = callback.name(name).timeout(ANSWER).await;
                open.push(callback.map_err(JournalError::failed)?);
            }
            let mut answers = Vec::new();
            for callback in open {
                answers.push(callback.result().await.map_err(JournalError::failed)?);
            }
            Ok(answers)
        })
    }
}
