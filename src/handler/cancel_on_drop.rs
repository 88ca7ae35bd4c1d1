//! [`CancelOnDrop`]: a call whose future is dropped is cancelled. Specification: *Cancellation*.

use crate::handler::context::Context;

/// Cancels a call when it is dropped, unless the call ended by itself.
///
/// A host cancels a call by dropping its future: when the client closes the connection, or when it
/// sends `notifications/cancelled`.
#[derive(Debug)]
pub(crate) struct CancelOnDrop(Option<Context>);

impl CancelOnDrop {
    pub(crate) fn new(context: &Context) -> Self {
        Self(Some(context.clone()))
    }

    /// The call ended by itself.
    pub(crate) fn ended(mut self) {
        self.0 = None;
    }
}

impl Drop for CancelOnDrop {
    fn drop(&mut self) {
        if let Some(context) = self.0.take() {
            context.cancellation().cancel();
        }
    }
}

impl Context {
    /// Completes when the call is cancelled: at its deadline, when the handler panics, or when the
    /// client closes the connection, if the host notices that. Stays pending if the call ends by
    /// itself.
    ///
    /// A cancelled handler is dropped, so it needs no check of its own. Await this in tasks that the
    /// handler spawned, which are not dropped with it. On Lambda a client that closes the connection
    /// is not noticed.
    ///
    /// Specification: *Cancellation*.
    ///
    /// # Examples
    ///
    /// ```
    /// use std::time::Duration;
    ///
    /// use lambda_mcp::{Context, Server, ToolError, tool};
    ///
    /// async fn render(context: Context) -> Result<&'static str, ToolError> {
    ///     let job = tokio::spawn(async move {
    ///         tokio::select! {
    ///             () = tokio::time::sleep(Duration::from_secs(5)) => "rendered",
    ///             () = context.cancelled() => "stopped",
    ///         }
    ///     });
    ///     Ok(job.await?)
    /// }
    ///
    /// assert!(Server::builder("pages", "1.0.0").tool(tool("render", render)).build().is_ok());
    /// ```
    pub async fn cancelled(&self) {
        self.cancellation().wait().await;
    }
}
