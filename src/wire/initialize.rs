//! `initialize`, the handshake of the legacy era. Specification: 2025-11-25, *Lifecycle*.

use serde::Serialize;

use crate::wire::capabilities::ServerCapabilities;
use crate::wire::implementation::Implementation;
use crate::wire::version::ProtocolVersion;

/// The result of `initialize`.
#[derive(Debug, Clone, Serialize)]
#[serde(rename_all = "camelCase")]
pub(crate) struct InitializeResult<'a> {
    /// The negotiated version.
    pub protocol_version: ProtocolVersion,
    /// The server's capabilities.
    pub capabilities: &'a ServerCapabilities,
    /// The server's identity.
    pub server_info: Implementation,
    /// Instructions for the model.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub instructions: Option<&'a str>,
}
