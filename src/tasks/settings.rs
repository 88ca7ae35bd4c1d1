//! [`Tasks`]: where tasks run and how long they are kept.

use std::sync::Arc;
use std::time::Duration;

use crate::tasks::engine::Engine;
use crate::tasks::local::Local;

/// Default time that a task is kept: a day.
const TTL: Duration = Duration::from_secs(24 * 3600);

/// Where the tasks of a server run, and how long they are kept. Set by
/// [`ServerBuilder::tasks`](crate::server::ServerBuilder::tasks).
///
/// # Examples
///
/// ```
/// use std::time::Duration;
///
/// use lambda_mcp::Server;
/// use lambda_mcp::tasks::Tasks;
///
/// let tasks = Tasks::local().ttl(Duration::from_secs(3600));
/// assert!(Server::builder("reports", "1.0.0").tasks(tasks).build().is_ok());
/// ```
#[derive(Debug, Clone)]
pub struct Tasks {
    engine: Arc<dyn Engine>,
    ttl: Duration,
}

impl Tasks {
    /// Runs tasks in this process and keeps them in its memory, at most 1,000 of them.
    ///
    /// For local runs and tests. AWS Lambda stops the process after each response: the task would not
    /// continue, and another instance would not know it. So a server with such tasks does not start
    /// there, and does not create a task if it was started in a way that checks nothing.
    #[must_use]
    pub fn local() -> Self {
        Self {
            engine: Arc::new(Local::default()),
            ttl: TTL,
        }
    }

    /// Sets how long a task is kept after its creation, with its result (`ttlMs`). Defaults to 24
    /// hours. Afterwards its id is unknown, and work that still runs is stopped.
    #[must_use]
    pub const fn ttl(mut self, ttl: Duration) -> Self {
        self.ttl = ttl;
        self
    }

    /// The engine.
    pub(crate) fn engine(&self) -> &dyn Engine {
        &*self.engine
    }

    /// How long a new task is kept.
    pub(crate) const fn kept_for(&self) -> Duration {
        self.ttl
    }
}
