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

mod engine;
pub(crate) mod handler;
mod id;
mod inline;
mod local;
mod names;
mod operations;
mod outcome;
mod questions;
mod settings;
mod state;
mod step;
mod step_future;
mod stop;
pub(crate) mod task;

pub(crate) use self::engine::{EngineError, Start, TaskFunction};
pub use self::handler::TaskHandler;
pub(crate) use self::id::TaskId;
pub(crate) use self::operations::About;
pub use self::questions::Questions;
pub use self::settings::Tasks;
pub(crate) use self::state::{End, State, View, poll_interval};
pub use self::step::{Retry, Step, StepError};
pub use self::step_future::StepFuture;
pub(crate) use self::task::Task;
