//! A task function that runs within the call, for clients that cannot poll a task.
//!
//! Steps run here and now, with their pauses; progress goes to the response stream; questions are put
//! as in any other handler: the call ends, and the function runs again from its start with the answer.
//! So a question can be put only before the first step: a step before it would run again.

use std::time::Duration;

use serde_json::Value;

use crate::error::ToolError;
use crate::handler::Context;
use crate::tasks::questions::sealed::Questions;
use crate::tasks::step::StepCall;
use crate::wire::capabilities::ClientCapabilities;

/// The operations of a task within a call.
#[derive(Debug)]
pub(super) struct Inline {
    context: Context,
    /// How many progress notifications were sent.
    reports: u32,
    /// Whether a step ran.
    has_effects: bool,
}

impl Inline {
    pub(super) const fn new(context: Context) -> Self {
        Self {
            context,
            reports: 0,
            has_effects: false,
        }
    }

    pub(super) async fn step(&mut self, step: StepCall) -> Result<Value, ToolError> {
        self.has_effects = true;
        step.run().await
    }

    pub(super) async fn sleep(&self, duration: Duration) {
        tokio::time::sleep(duration).await;
    }

    pub(super) fn progress(&mut self, text: &str) {
        self.reports += 1;
        let done = f64::from(self.reports);
        self.context.progress(done, None, Some(text));
    }

    pub(super) fn ask<Q: Questions>(&self, questions: &Q) -> Result<Q::Answers, ToolError> {
        let answers = questions.put(&self.context).map_err(|needs_input| {
            if self.has_effects {
                // Asked now, the steps before the question would run twice. Only a task keeps them.
                let tasks = ClientCapabilities::tasks();
                self.context.with_asks(|asks| asks.lack(tasks))
            } else {
                needs_input
            }
        })?;
        Ok(answers)
    }
}
