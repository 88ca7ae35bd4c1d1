//! From a [`ServerBuilder`] to a [`Server`], and what a server needs to run in several instances.

use std::sync::Arc;

use serde_json::Value;

use super::{Inner, Server};
use crate::documents;
use crate::methods::Prepared;
use crate::server::{BuildError, InvalidRegistryName, ManyInstancesError, ServerBuilder};

impl Server {
    /// Checks that the server can run as several instances that share nothing but its configuration.
    ///
    /// [`run`](crate::run) and the handler of the feature `lambda_http` call it on AWS Lambda. Call it at
    /// start on any other platform where the next request of a client can reach another instance.
    ///
    /// # Errors
    ///
    /// - A handler [asks its client](crate::AskingContext), and no
    ///   [`request_state_key`](ServerBuilder::request_state_key) is set. The message names both.
    /// - Tasks run [in memory](crate::tasks::Tasks::local).
    ///
    /// # Examples
    ///
    /// ```
    /// use lambda_mcp::server::ManyInstancesError;
    /// use lambda_mcp::{AskingContext, Server, ToolError, tool};
    ///
    /// async fn projects(context: AskingContext) -> Result<String, ToolError> {
    ///     Ok(format!("{} projects", context.roots("roots")?.len()))
    /// }
    ///
    /// let server = Server::builder("files", "1.0.0").tool(tool("projects", projects)).build()?;
    /// let error = server.check_for_many_instances().unwrap_err();
    /// assert!(matches!(error, ManyInstancesError::NoSharedKey(_)));
    /// assert!(error.to_string().contains("`projects`"));
    /// # Ok::<(), lambda_mcp::server::BuildError>(())
    /// ```
    pub fn check_for_many_instances(&self) -> Result<(), ManyInstancesError> {
        self.0.registry.check_for_many_instances()
    }

    /// Returns the entry of the server in the MCP registry, the file `server.json`, for a server that is
    /// reached at `public_url`, such as `https://mcp.example.com`.
    ///
    /// Name, version and texts are those of `server/discover`; texts that are too long for the registry
    /// are cut. A name without a slash gets the host in front, in reverse order.
    ///
    /// # Errors
    ///
    /// The server has no name in the form of the registry, and the URL has no domain to make one of.
    ///
    /// # Examples
    ///
    /// ```
    /// use lambda_mcp::Server;
    ///
    /// # fn main() -> Result<(), Box<dyn std::error::Error>> {
    /// let server = Server::builder("weather", "1.2.0").description("Forecasts.").build()?;
    /// let entry = server.registry_entry("https://mcp.example.com")?;
    /// assert_eq!(entry["name"], "com.example.mcp/weather");
    /// assert_eq!(entry["remotes"][0]["url"], "https://mcp.example.com/mcp");
    /// # Ok(())
    /// # }
    /// ```
    pub fn registry_entry(&self, public_url: &str) -> Result<Value, InvalidRegistryName> {
        documents::registry_entry(&self.0.registry.settings, public_url)
    }
}

impl<S: Clone + Send + Sync + 'static> ServerBuilder<S> {
    /// Checks all definitions and builds the server.
    ///
    /// # Errors
    ///
    /// The first definition that is invalid.
    ///
    /// # Examples
    ///
    /// ```
    /// use lambda_mcp::server::BuildError;
    /// use lambda_mcp::{Server, tool};
    ///
    /// async fn roll() -> &'static str {
    ///     "4"
    /// }
    ///
    /// let server = Server::builder("dice", "1.0.0")
    ///     .tool(tool("roll", roll))
    ///     .tool(tool("roll", roll))
    ///     .build();
    /// assert!(matches!(server, Err(BuildError::DuplicateTool { .. })));
    /// ```
    pub fn build(self) -> Result<Server, BuildError> {
        let registry = self.finish()?;
        let prepared = Prepared::new(&registry).map_err(|_| BuildError::Unwritable)?;
        Ok(Server(Arc::new(Inner { registry, prepared })))
    }
}
