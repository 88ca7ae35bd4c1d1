//! [`Tasks`]: where tasks run and how long they are kept.

use std::sync::Arc;
use std::time::Duration;

#[cfg(feature = "durable")]
use crate::tasks::durable::Durable;
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
        Self::of(Local::default())
    }

    /// Runs tasks as executions of an AWS Lambda durable function, the worker.
    ///
    /// `function` is the ARN of the worker with an alias or a version, such as
    /// `arn:aws:lambda:eu-central-1:123456789012:function:reports-worker:live`. The worker runs the same task
    /// functions; the package `lambda-mcp-worker` makes one of a [`Server`](crate::Server). Region and
    /// credentials are those of the environment. Nothing is connected before the first task.
    ///
    /// The [`ttl`](Self::ttl) must not be longer than the worker keeps an execution, and all instances
    /// need one [key](crate::server::ServerBuilder::request_state_key).
    ///
    /// # Examples
    ///
    /// ```
    /// use lambda_mcp::tasks::Tasks;
    ///
    /// let worker = "arn:aws:lambda:eu-central-1:123456789012:function:reports-worker:live";
    /// let tasks = Tasks::durable(worker);
    /// # let _ = tasks;
    /// ```
    #[cfg(feature = "durable")]
    #[cfg_attr(docsrs, doc(cfg(feature = "durable")))]
    #[must_use]
    pub fn durable(function: impl Into<String>) -> Self {
        Self::of(Durable::new(function.into(), None))
    }

    /// Runs tasks as [`durable`](Self::durable) does, with this configuration. It must have an HTTP
    /// client. Its retries and timeouts are ignored.
    #[cfg(feature = "durable")]
    #[cfg_attr(docsrs, doc(cfg(feature = "durable")))]
    #[must_use]
    pub fn durable_with_config(function: impl Into<String>, config: aws_config::SdkConfig) -> Self {
        Self::of(Durable::new(function.into(), Some(config)))
    }

    fn of(engine: impl Engine + 'static) -> Self {
        Self {
            engine: Arc::new(engine),
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
