//! `server/discover`. Specification: *Discovery*.

use serde::Serialize;

use crate::wire::capabilities::ServerCapabilities;
use crate::wire::version::ProtocolVersion;

/// The result of `server/discover`, without the members every modern result has.
#[derive(Debug, Clone, Serialize)]
#[serde(rename_all = "camelCase")]
pub(crate) struct DiscoverResult<'a> {
    /// The versions this server speaks, newest first.
    pub supported_versions: &'a [ProtocolVersion],
    /// What this server offers.
    pub capabilities: &'a ServerCapabilities,
    /// How a model should use it.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub instructions: Option<&'a str>,
}
