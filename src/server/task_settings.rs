//! The setters of [`Tool`] for tools made by [`task_tool`](crate::task_tool).

use std::time::Duration;

use crate::handler::IntoToolOutput;
use crate::server::task_behavior::Background;
use crate::server::tool::Tool;

impl<S> Tool<S> {
    /// Declares that the tool runs only as a task, never within the call. Only for tools made by
    /// [`task_tool`](crate::task_tool).
    ///
    /// Set it for a tool that takes longer than the call timeout, or that asks after a step. A client
    /// of revision 2026-07-28 that does not support tasks gets `-32021`, which names the extension; an
    /// older client gets a tool error that says so. Specification: extension *Tasks, Capability
    /// Negotiation*.
    ///
    /// # Examples
    ///
    /// ```
    /// use lambda_mcp::tasks::Tasks;
    /// use lambda_mcp::{Server, Task, task_tool};
    ///
    /// async fn export(_task: Task) -> &'static str {
    ///     "Exported."
    /// }
    ///
    /// let server = Server::builder("reports", "1.0.0")
    ///     .tasks(Tasks::local())
    ///     .tool(task_tool("export", export).requires_tasks())
    ///     .build();
    /// assert!(server.is_ok());
    /// ```
    pub fn requires_tasks(mut self) -> Self {
        self.task_settings.is_required = true;
        self
    }

    /// Declares that the task neither reports what it is doing nor asks. Only for tools made by
    /// [`task_tool`](crate::task_tool).
    ///
    /// A durable engine then reads the state of a task with one request instead of two. Reports are
    /// not recorded, and a question ends the task as `failed`, on every engine.
    ///
    /// # Examples
    ///
    /// ```
    /// use lambda_mcp::server::Tool;
    /// use lambda_mcp::{Task, task_tool};
    ///
    /// async fn import(_task: Task) -> &'static str {
    ///     "Imported."
    /// }
    ///
    /// let tool: Tool<()> = task_tool("import", import).silent();
    /// ```
    pub fn silent(mut self) -> Self {
        self.task_settings.is_silent = true;
        self
    }

    /// Declares that equal calls of one caller are one task: the same tool, the same arguments, within
    /// one window. Only for tools made by [`task_tool`](crate::task_tool).
    ///
    /// Models and clients repeat calls whose answer they did not see. The repetition then gets the task
    /// of the first call, on every instance, and its steps have the same idempotency keys. Windows are
    /// counted from 1970, in UTC, so two calls close together can lie in two of them. A window is at
    /// least a second, and no longer than the engine keeps tasks. Callers without a credential count as
    /// one.
    ///
    /// What differs between two requests of one caller is not part of the task: it knows neither the
    /// scopes of the caller nor the capabilities of the client, so it cannot ask. All instances need
    /// one [key](crate::server::ServerBuilder::request_state_key), which makes the name of the task.
    ///
    /// # Examples
    ///
    /// ```
    /// use std::time::Duration;
    ///
    /// use lambda_mcp::server::Tool;
    /// use lambda_mcp::{Task, task_tool};
    ///
    /// async fn pay(_task: Task) -> &'static str {
    ///     "Paid."
    /// }
    ///
    /// let tool: Tool<()> = task_tool("pay", pay).once_per(Duration::from_secs(600));
    /// ```
    pub fn once_per(mut self, window: Duration) -> Self {
        self.task_settings.once_per = Some(window);
        self
    }

    /// Declares that the tool always runs as a task, and how other clients are answered. Only for tools
    /// made by [`task_tool`](crate::task_tool).
    ///
    /// The call of a client without tasks starts the same task and waits for its end, at most for
    /// `wait` and within the call timeout. It gets the result, or `pending` if the task goes on. Such a
    /// task cannot ask the client. Without an [engine](crate::server::ServerBuilder::tasks) the tool
    /// runs within the call.
    ///
    /// # Examples
    ///
    /// ```
    /// use std::time::Duration;
    ///
    /// use lambda_mcp::server::Tool;
    /// use lambda_mcp::{Task, task_tool};
    ///
    /// async fn publish(_task: Task) -> &'static str {
    ///     "Published."
    /// }
    ///
    /// let tool: Tool<()> = task_tool("publish", publish)
    ///     .background(Duration::from_secs(2), "Accepted. It will be published within the hour.");
    /// ```
    pub fn background<O: IntoToolOutput>(mut self, wait: Duration, pending: O) -> Self {
        let pending = pending.into_tool_output();
        self.task_settings.background = Some(Background { wait, pending });
        self
    }
}
