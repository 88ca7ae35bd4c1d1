//! [`TaskSettings`]: how a tool behaves as a task.

use std::time::Duration;

use crate::error::ToolError;
use crate::handler::ToolOutput;

/// How a tool behaves as a task.
#[derive(Debug, Default)]
pub(crate) struct TaskSettings {
    /// Whether it runs only as a task.
    pub(crate) is_required: bool,
    /// Whether it neither reports nor asks.
    pub(crate) is_silent: bool,
    /// The time within which equal calls of one caller are one task.
    pub(crate) once_per: Option<Duration>,
    pub(crate) background: Option<Background>,
}

/// How clients without tasks are answered by a task.
#[derive(Debug)]
pub(crate) struct Background {
    /// How long the call waits for the end of the task.
    pub(crate) wait: Duration,
    /// The answer if the task goes on.
    pub(crate) pending: Result<ToolOutput, ToolError>,
}

impl TaskSettings {
    /// Whether none is set.
    pub(super) const fn is_default(&self) -> bool {
        !self.is_required && !self.is_silent && self.once_per.is_none() && self.background.is_none()
    }
}
