//! The operations of a task that neither reports nor asks.

use std::time::Duration;

use serde_json::Value;

use crate::error::{ProtocolError, ToolError};
use crate::future::BoxFuture;
use crate::tasks::operations::Operations;
use crate::tasks::step::StepCall;
use crate::tasks::stop::Stop;

/// The operations of a task, which is silent or not.
pub(crate) fn operations(is_silent: bool, all: impl Operations + 'static) -> Box<dyn Operations> {
    if is_silent {
        Box::new(Silent(all))
    } else {
        Box::new(all)
    }
}

/// The operations of a task that neither reports nor asks: nobody would see it.
struct Silent<O>(O);

impl<O: Operations> Operations for Silent<O> {
    fn step(&mut self, step: StepCall) -> BoxFuture<'_, Result<Value, ToolError>> {
        self.0.step(step)
    }

    fn sleep(&mut self, duration: Duration) -> BoxFuture<'_, Result<(), ToolError>> {
        self.0.sleep(duration)
    }

    fn progress(&mut self, _: String) -> BoxFuture<'_, Result<(), ToolError>> {
        Box::pin(std::future::ready(Ok(())))
    }

    fn ask(&mut self, _: Vec<(String, Value)>) -> BoxFuture<'_, Result<Vec<Value>, ToolError>> {
        tracing::error!("a tool asks that is declared as silent");
        let error = Stop::from(ProtocolError::Internal).into();
        Box::pin(std::future::ready(Err(error)))
    }
}
