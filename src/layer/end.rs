//! [`CallEnd`]: how a request ended, as a layer sees it.

use std::time::{Duration, Instant};

/// How a request ended. A layer gets it from [`Next`](super::Next) and returns it.
#[derive(Debug)]
#[must_use = "return it from the layer"]
pub struct CallEnd {
    pub(crate) outcome: Outcome,
    pub(crate) code: Option<i32>,
    pub(crate) started: Instant,
}

/// The kind of response to a request.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub enum Outcome {
    /// A result.
    Ok,
    /// The result of a tool that failed, with `isError`.
    ToolError,
    /// The client is asked for input.
    InputRequired,
    /// A task was created; the client polls for its result.
    Task,
    /// A JSON-RPC error.
    Error,
    /// A JSON-RPC error, because a rate limit is reached or cannot be checked, or because too many tasks
    /// run.
    Limited,
}

impl Outcome {
    /// Returns the word for the log: `ok`, `tool_error`, `input_required`, `task`,
    /// `error` or `limited`.
    #[must_use]
    pub const fn as_str(self) -> &'static str {
        match self {
            Self::Ok => "ok",
            Self::ToolError => "tool_error",
            Self::InputRequired => "input_required",
            Self::Task => "task",
            Self::Error => "error",
            Self::Limited => "limited",
        }
    }
}

impl CallEnd {
    /// Returns the kind of response.
    #[must_use]
    pub const fn outcome(&self) -> Outcome {
        self.outcome
    }

    /// Returns the code of the JSON-RPC error, if the response is one.
    #[must_use]
    pub const fn code(&self) -> Option<i32> {
        self.code
    }

    /// Returns the time since the first layer was called.
    #[must_use]
    pub fn duration(&self) -> Duration {
        self.started.elapsed()
    }
}
