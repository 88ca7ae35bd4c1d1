//! The settings of the gate.

use super::host::Hosts;
use super::origin::Origins;

/// What the gate knows of the deployment.
#[derive(Debug, Clone)]
pub(crate) struct Gate {
    /// The path of the MCP endpoint, such as `/mcp`.
    pub endpoint: String,
    /// The origins whose web pages may call the server.
    pub origins: Origins,
    /// The host names that the server answers to.
    pub hosts: Hosts,
    /// The maximum size of a request body, in bytes.
    pub max_body_bytes: usize,
    /// Whether authorization servers are configured, so that their metadata is published.
    pub names_token_issuers: bool,
    /// The paths of the documents that the author publishes.
    pub documents: Vec<String>,
}
