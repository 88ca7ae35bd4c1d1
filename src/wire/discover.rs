//! `server/discover`. Specification: *Discovery*.

use serde::Serialize;

use crate::wire::capabilities::ServerCapabilities;
use crate::wire::version::ProtocolVersion;

/// The result of `server/discover`, without the members that all modern results share.
#[derive(Debug, Clone, Serialize)]
#[serde(rename_all = "camelCase")]
pub(crate) struct DiscoverResult<'a> {
    /// The supported versions, newest first.
    pub supported_versions: &'a [ProtocolVersion],
    /// The server's capabilities.
    pub capabilities: &'a ServerCapabilities,
    /// Instructions for the model.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub instructions: Option<&'a str>,
}
