//! `initialize`, the handshake of the legacy era. Specification: 2025-11-25, *Lifecycle*.

use serde::Serialize;

use crate::wire::capabilities::ServerCapabilities;
use crate::wire::implementation::Implementation;
use crate::wire::version::ProtocolVersion;

/// The result of `initialize`.
#[derive(Debug, Clone, Serialize)]
#[serde(rename_all = "camelCase")]
pub(crate) struct InitializeResult<'a> {
    /// The version this server will speak.
    pub protocol_version: ProtocolVersion,
    /// What this server offers.
    pub capabilities: &'a ServerCapabilities,
    /// Who this server is.
    pub server_info: Implementation,
    /// How a model should use it.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub instructions: Option<&'a str>,
}
