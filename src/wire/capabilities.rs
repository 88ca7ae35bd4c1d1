//! What a server offers. Specification: *Discovery* and, before it, *Lifecycle*.

use serde::Serialize;

/// An object without members: a capability that needs no settings.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Serialize)]
pub(crate) struct Empty {}

/// The server's capabilities: a member is there only when its methods answer.
///
/// `listChanged` and `subscribe` are never claimed: nothing changes between two deploys, and no
/// stream is held open to tell of it.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize)]
pub(crate) struct ServerCapabilities {
    /// `tools/list` and `tools/call`.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub tools: Option<Empty>,
}
