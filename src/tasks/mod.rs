//! Tasks: tools that take longer than a request. Specification: extension *Tasks*
//! (`io.modelcontextprotocol/tasks`).
//!
//! A client that supports tasks gets a task id in place of a result, and polls it with `tasks/get`. In
//! the meantime the tool can say what it is doing, and ask the user. Write such a tool with
//! [`task_tool`](crate::task_tool), whose function works on a [`Task`], and choose where
//! tasks run with [`Tasks`].
//!
//! | the client | gets |
//! | --- | --- |
//! | revision 2026-07-28, declares the extension | a task |
//! | revision 2026-07-28, does not declare it | the result: the same function runs within the call |
//! | the same, and the tool [requires tasks](crate::server::Tool::requires_tasks) | `-32021`, which names the extension |
//! | an older revision | the result; or advice, if the tool requires tasks |

#[cfg(feature = "durable")]
mod durable;
mod engine;
pub(crate) mod handler;
mod id;
mod inline;
mod journal;
mod journaled;
mod local;
mod names;
mod operations;
mod outcome;
mod payload;
mod questions;
mod records;
mod settings;
mod silent;
mod state;
mod step;
mod step_future;
mod stop;
pub(crate) mod task;

/// What runs tasks outside of this process: the journal of an engine that records them.
///
/// A worker calls [`Server::run_task`](crate::Server::run_task) with the payload that
/// [`Tasks::durable`] sent, and with a [`Journal`](worker::Journal).
pub mod worker {
    pub use super::journal::{Attempt, Journal, JournalError, JournalStep};
    pub use super::outcome::TaskFailed;
}

pub(crate) use self::engine::{EngineError, Found, Start, TaskFunction};
pub use self::handler::TaskHandler;
pub(crate) use self::id::TaskId;
pub(crate) use self::journaled::Journaled;
pub(crate) use self::operations::About;
pub(crate) use self::outcome::{failed, run};
pub(crate) use self::payload::Payload;
pub use self::questions::Questions;
pub use self::settings::Tasks;
pub(crate) use self::silent::operations;
pub(crate) use self::state::{End, State, View, poll_interval};
pub use self::step::{Retry, Step, StepError};
pub use self::step_future::StepFuture;
pub(crate) use self::task::Task;
