//! The client, as a request describes it.

use serde::Deserialize;

use crate::wire::capabilities::ClientCapabilities;
use crate::wire::jsonrpc::RequestId;
use crate::wire::logging::LoggingLevel;

/// The client of a request.
#[derive(Debug, Clone, Default)]
pub(crate) struct Client {
    /// The client's name and version.
    pub(crate) info: Option<ClientInfo>,
    /// The client's capabilities.
    pub(crate) capabilities: ClientCapabilities,
    /// The token that progress notifications repeat. `None` means that none are sent.
    pub(crate) progress_token: Option<RequestId>,
    /// The minimum level of log notifications. `None` means that none are sent.
    pub(crate) log_level: Option<LoggingLevel>,
    /// The trace that the request belongs to.
    pub(crate) trace: Trace,
}

/// The trace context of a message, as the client sent it.
#[derive(Debug, Clone, Default)]
pub(crate) struct Trace {
    /// W3C Trace Context, *traceparent*.
    pub(crate) traceparent: Option<String>,
    /// W3C Trace Context, *tracestate*.
    pub(crate) tracestate: Option<String>,
    /// W3C Baggage.
    pub(crate) baggage: Option<String>,
}

/// A client's name and version. They are not verified.
#[derive(Debug, Clone, PartialEq, Eq, Deserialize)]
#[non_exhaustive]
pub struct ClientInfo {
    /// The client's name.
    pub name: String,
    /// The client's version.
    pub version: String,
}
