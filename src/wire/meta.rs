//! The keys the protocol reserves in `_meta`. Specification: *Base Protocol, `_meta`*.

use serde::Deserialize;
use serde_json::value::RawValue;

/// The version a modern request is made in.
pub(crate) const PROTOCOL_VERSION: &str = "io.modelcontextprotocol/protocolVersion";
/// What the client can do.
pub(crate) const CLIENT_CAPABILITIES: &str = "io.modelcontextprotocol/clientCapabilities";
/// Who the client is.
pub(crate) const CLIENT_INFO: &str = "io.modelcontextprotocol/clientInfo";

/// A request's `_meta`, each value still raw; repeated keys are refused on reading.
#[derive(Debug, Default, Deserialize)]
pub(crate) struct RequestMeta<'a> {
    /// [`PROTOCOL_VERSION`].
    #[serde(borrow, default, rename = "io.modelcontextprotocol/protocolVersion")]
    pub protocol_version: Option<&'a RawValue>,
    /// [`CLIENT_CAPABILITIES`].
    #[serde(borrow, default, rename = "io.modelcontextprotocol/clientCapabilities")]
    pub client_capabilities: Option<&'a RawValue>,
    /// [`CLIENT_INFO`].
    #[serde(borrow, default, rename = "io.modelcontextprotocol/clientInfo")]
    pub client_info: Option<&'a RawValue>,
}
