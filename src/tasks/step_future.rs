//! [`StepFuture`]: a step before it runs.

use std::fmt;
use std::future::{Future, IntoFuture};
use std::marker::PhantomData;
use std::sync::Arc;

use serde::Serialize;
use serde::de::DeserializeOwned;
use serde_json::Value;

use crate::error::ToolError;
use crate::future::BoxFuture;
use crate::tasks::step::{Retry, Step, StepBody, StepError};

/// Runs steps of erased type: a task.
pub(super) trait RunStep: Send {
    /// Runs a step. `retry`: `None` if it runs at most once.
    fn run_step<'a>(
        &'a mut self,
        name: &'a str,
        body: Arc<StepBody>,
        retry: Option<Retry>,
    ) -> BoxFuture<'a, Result<Value, ToolError>>;
}

/// A step that is about to run. It runs by `.await`. Made by
/// [`Task::step`](crate::Task::step).
#[must_use = "a step runs by `.await`"]
pub struct StepFuture<'t, T> {
    task: &'t mut dyn RunStep,
    name: &'t str,
    body: Arc<StepBody>,
    retry: Option<Retry>,
    result: PhantomData<fn() -> T>,
}

impl<'t, T: Serialize + DeserializeOwned + 't> StepFuture<'t, T> {
    /// `retry`: `None` for a step that runs at most once.
    pub(super) fn new<F, Fut>(
        task: &'t mut dyn RunStep,
        name: &'t str,
        body: F,
        retry: Option<Retry>,
    ) -> Self
    where
        F: Fn(Step) -> Fut + Send + Sync + 'static,
        Fut: Future<Output = Result<T, StepError>> + Send + 'static,
    {
        let body = move |step| -> BoxFuture<'static, Result<Value, StepError>> {
            let attempt = body(step);
            Box::pin(async move {
                let value = serde_json::to_value(attempt.await?);
                // Another attempt would yield the same type.
                value.map_err(|error| ToolError::from(error).into())
            })
        };
        Self {
            task,
            name,
            body: Arc::new(body),
            retry,
            result: PhantomData,
        }
    }

    /// Sets how often and how soon the step is tried again. Ignored for
    /// [`step_once`](crate::Task::step_once).
    pub fn retry(mut self, retry: Retry) -> Self {
        self.retry = self.retry.map(|_| retry);
        self
    }
}

impl<'t, T: DeserializeOwned + 't> IntoFuture for StepFuture<'t, T> {
    type Output = Result<T, ToolError>;
    type IntoFuture = BoxFuture<'t, Self::Output>;

    fn into_future(self) -> Self::IntoFuture {
        Box::pin(async move {
            let value = self.task.run_step(self.name, self.body, self.retry).await?;
            Ok(serde_json::from_value(value)?)
        })
    }
}

impl<T> fmt::Debug for StepFuture<'_, T> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("StepFuture")
            .field("name", &self.name)
            .field("retry", &self.retry)
            .finish_non_exhaustive()
    }
}
