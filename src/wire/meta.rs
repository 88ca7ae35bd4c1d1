//! The reserved keys of `_meta`. Specification: *Base Protocol, `_meta`*.

use serde::Deserialize;
use serde_json::value::RawValue;

/// The protocol version of a modern request.
pub(crate) const PROTOCOL_VERSION: &str = "io.modelcontextprotocol/protocolVersion";
/// The client's capabilities.
pub(crate) const CLIENT_CAPABILITIES: &str = "io.modelcontextprotocol/clientCapabilities";
/// The client's name and version.
pub(crate) const CLIENT_INFO: &str = "io.modelcontextprotocol/clientInfo";
/// The minimum level of log notifications.
pub(crate) const LOG_LEVEL: &str = "io.modelcontextprotocol/logLevel";
/// The token that progress notifications repeat.
pub(crate) const PROGRESS_TOKEN: &str = "progressToken";

/// A request's `_meta` with raw values. Duplicate keys are a deserialization error.
#[derive(Debug, Default, Deserialize)]
pub(crate) struct RequestMeta<'a> {
    /// [`PROTOCOL_VERSION`].
    #[serde(borrow, default, rename = "io.modelcontextprotocol/protocolVersion")]
    pub(crate) protocol_version: Option<&'a RawValue>,
    /// [`CLIENT_CAPABILITIES`].
    #[serde(borrow, default, rename = "io.modelcontextprotocol/clientCapabilities")]
    pub(crate) client_capabilities: Option<&'a RawValue>,
    /// [`CLIENT_INFO`].
    #[serde(borrow, default, rename = "io.modelcontextprotocol/clientInfo")]
    pub(crate) client_info: Option<&'a RawValue>,
    /// [`LOG_LEVEL`].
    #[serde(borrow, default, rename = "io.modelcontextprotocol/logLevel")]
    pub(crate) log_level: Option<&'a RawValue>,
    /// [`PROGRESS_TOKEN`].
    #[serde(borrow, default, rename = "progressToken")]
    pub(crate) progress_token: Option<&'a RawValue>,
    /// W3C Trace Context, *traceparent*.
    #[serde(borrow, default)]
    pub(crate) traceparent: Option<&'a RawValue>,
    /// W3C Trace Context, *tracestate*.
    #[serde(borrow, default)]
    pub(crate) tracestate: Option<&'a RawValue>,
    /// W3C Baggage.
    #[serde(borrow, default)]
    pub(crate) baggage: Option<&'a RawValue>,
}
