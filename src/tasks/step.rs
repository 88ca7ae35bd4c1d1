//! [`Step`] and [`Retry`]: one part of a task, and how it is tried again.

use std::fmt;
use std::sync::Arc;
use std::time::Duration;

use serde_json::Value;

use crate::error::{ToolError, chain};
use crate::future::BoxFuture;

/// One attempt of a step. The body of a step gets it.
///
/// # Examples
///
/// See [`Task::step`](crate::Task::step).
#[derive(Debug, Clone, PartialEq, Eq)]
#[non_exhaustive]
pub struct Step {
    /// A text that is the same for all attempts of this step and for no other step: the id of the
    /// task, `/`, and the name of the step.
    ///
    /// Pass it to a provider as its idempotency key. If the process ends after the provider acted and
    /// before the step was recorded, the step runs again, and the provider recognizes the repetition.
    pub idempotency_key: String,
    /// The number of this attempt, from 1.
    pub attempt: u32,
}

/// Why an attempt of a step failed.
///
/// The operator `?` converts any [`std::error::Error`] into it: the step is tried again, and after the
/// last attempt the tool fails with a general message; the cause goes to the log. A [`ToolError`]
/// converts into it as well, and ends the step at once.
///
/// # Examples
///
/// ```
/// use lambda_mcp::ToolError;
/// use lambda_mcp::tasks::StepError;
///
/// fn read(status: u16) -> Result<(), StepError> {
///     match status {
///         200 => Ok(()),
///         400 => Err(ToolError::new("The address is not valid; correct it.").into()),
///         _ => Err(StepError::again(ToolError::new("The mail service cannot be reached."))),
///     }
/// }
/// assert!(read(503).is_err());
/// ```
#[derive(Debug)]
pub struct StepError {
    error: ToolError,
    is_final: bool,
}

impl StepError {
    /// The step is tried again. After the last attempt the tool fails with this error.
    #[must_use]
    pub const fn again(error: ToolError) -> Self {
        Self {
            error,
            is_final: false,
        }
    }

    /// Returns the error, and whether it ends the step.
    pub(crate) fn into_parts(self) -> (ToolError, bool) {
        (self.error, self.is_final)
    }
}

impl From<ToolError> for StepError {
    fn from(error: ToolError) -> Self {
        Self {
            error,
            is_final: true,
        }
    }
}

// Like `ToolError`, this type does not implement `Error`, so that `?` accepts any error.
impl<E: Into<Box<dyn std::error::Error + Send + Sync>>> From<E> for StepError {
    fn from(source: E) -> Self {
        Self::again(ToolError::from(source))
    }
}

/// How often and how soon a failed step is tried again.
///
/// The default is 3 attempts, 1 s and 2 s apart. Each pause is twice as long as the one before, up to
/// [`longest_pause`](Self::longest_pause).
///
/// # Examples
///
/// A provider that is down for an hour:
///
/// ```
/// use std::time::Duration;
///
/// use lambda_mcp::tasks::Retry;
///
/// let patient = Retry::attempts(20).longest_pause(Duration::from_secs(600));
/// assert!(patient.total_pause() > Duration::from_secs(3600));
/// ```
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Retry {
    attempts: u32,
    first_pause: Duration,
    longest_pause: Duration,
}

impl Default for Retry {
    fn default() -> Self {
        Self::attempts(3)
    }
}

impl Retry {
    /// Sets the number of attempts. 0 means 1: the step is not tried again.
    #[must_use]
    pub const fn attempts(attempts: u32) -> Self {
        Self {
            attempts,
            first_pause: Duration::from_secs(1),
            longest_pause: Duration::from_secs(300),
        }
    }

    /// Sets the pause after the first attempt. Defaults to 1 s.
    #[must_use]
    pub const fn first_pause(mut self, pause: Duration) -> Self {
        self.first_pause = pause;
        self
    }

    /// Sets the longest pause. Defaults to 5 minutes.
    #[must_use]
    pub const fn longest_pause(mut self, pause: Duration) -> Self {
        self.longest_pause = pause;
        self
    }

    /// Returns the pause after attempt number `attempt` (from 1), or `None` if it was the last one.
    #[must_use]
    pub fn pause_after(&self, attempt: u32) -> Option<Duration> {
        if attempt >= self.attempts {
            return None;
        }
        let doublings = attempt.saturating_sub(1).min(31);
        let pause = self.first_pause.saturating_mul(1 << doublings);
        Some(pause.min(self.longest_pause))
    }

    /// Returns the sum of all pauses.
    #[must_use]
    pub fn total_pause(&self) -> Duration {
        let pauses = (1..self.attempts).map_while(|attempt| self.pause_after(attempt));
        pauses.fold(Duration::ZERO, Duration::saturating_add)
    }
}

/// The body of a step, with its type erased.
pub(crate) type StepBody =
    dyn Fn(Step) -> BoxFuture<'static, Result<Value, StepError>> + Send + Sync;

/// A step that an engine runs and records.
pub(crate) struct StepCall {
    /// The name, unique within the task.
    pub(crate) name: String,
    /// The idempotency key.
    pub(crate) key: String,
    pub(crate) body: Arc<StepBody>,
    /// How it is tried again. `None`: it runs at most once, even if the process ends in between.
    pub(crate) retry: Option<Retry>,
}

/// What an attempt of a step yields.
#[derive(Debug)]
pub(crate) enum Tried {
    /// The end of the step.
    Done(Result<Value, ToolError>),
    /// Another attempt follows after this time.
    Again(Duration),
}

impl fmt::Debug for StepCall {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("StepCall")
            .field("name", &self.name)
            .field("retry", &self.retry)
            .finish_non_exhaustive()
    }
}

impl StepCall {
    /// Runs one attempt.
    pub(crate) fn attempt(&self, attempt: u32) -> BoxFuture<'static, Result<Value, StepError>> {
        (self.body)(Step {
            idempotency_key: self.key.clone(),
            attempt,
        })
    }

    /// Makes one attempt, and decides whether there is another. The causes of errors are logged.
    pub(crate) async fn try_once(&self, attempt: u32) -> Tried {
        let (error, is_final) = match self.attempt(attempt).await {
            Ok(value) => return Tried::Done(Ok(value)),
            Err(error) => error.into_parts(),
        };
        let retry = self.retry.unwrap_or(Retry::attempts(1));
        let Some(pause) = retry.pause_after(attempt).filter(|_| !is_final) else {
            return Tried::Done(Err(error));
        };
        let cause = error.cause().map(|cause| chain(cause as _));
        tracing::warn!(step = self.name, attempt, cause, "a step is tried again");
        Tried::Again(pause)
    }

    /// Runs the step in this process, with its pauses.
    pub(crate) async fn run(&self) -> Result<Value, ToolError> {
        let mut attempt = 1;
        loop {
            match self.try_once(attempt).await {
                Tried::Done(result) => return result,
                Tried::Again(pause) => tokio::time::sleep(pause).await,
            }
            attempt += 1;
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn pauses_double_up_to_the_longest() {
        let seconds = |retry: Retry| -> Vec<u64> {
            let pauses = (1..10).map_while(|attempt| retry.pause_after(attempt));
            pauses.map(|pause| pause.as_secs()).collect()
        };
        assert_eq!(seconds(Retry::default()), [1, 2]);
        let capped = Retry::attempts(5).longest_pause(Duration::from_secs(3));
        assert_eq!(seconds(capped), [1, 2, 3, 3]);
        assert_eq!(capped.total_pause(), Duration::from_secs(9));
        assert_eq!(seconds(Retry::attempts(0)), [0; 0]);
        assert_eq!(seconds(Retry::attempts(1)), [0; 0]);
        let many = Retry::attempts(u32::MAX).longest_pause(Duration::MAX);
        assert!(many.pause_after(u32::MAX - 1).is_some());
    }
}
