//! What a request says of its client.

use serde::Deserialize;

use crate::wire::capabilities::ClientCapabilities;
use crate::wire::jsonrpc::RequestId;
use crate::wire::logging::LoggingLevel;

/// The client of one request, as the request describes it.
#[derive(Debug, Clone, Default)]
pub(crate) struct Client {
    /// Who it says it is.
    pub(crate) info: Option<ClientInfo>,
    /// What it can do.
    pub(crate) capabilities: ClientCapabilities,
    /// What progress notifications must repeat; without it, none are wanted.
    pub(crate) progress_token: Option<RequestId>,
    /// The least severe log notification it wants; without it, none are wanted.
    pub(crate) log_level: Option<LoggingLevel>,
    /// The trace the request is part of.
    pub(crate) trace: Trace,
}

/// A client's name and version, as it gives them itself. They prove nothing.
#[derive(Debug, Clone, PartialEq, Eq, Deserialize)]
#[non_exhaustive]
pub struct ClientInfo {
    /// Its name.
    pub name: String,
    /// Its version.
    #[serde(default)]
    pub version: Option<String>,
}

/// W3C Trace Context and Baggage, passed on to the log as they came.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub(crate) struct Trace {
    pub(crate) traceparent: Option<String>,
    pub(crate) tracestate: Option<String>,
    pub(crate) baggage: Option<String>,
}
