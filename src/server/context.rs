//! What a handler may know of the request it serves.

use std::net::IpAddr;
use std::sync::Arc;
use std::time::{Duration, Instant};

use crate::era::ClientInfo;
use crate::wire::version::ProtocolVersion;

/// What the edge knows of one request: it goes into the request's extensions.
#[derive(Debug, Clone, Default)]
#[non_exhaustive]
pub struct Invocation {
    /// The platform's id of this request.
    pub request_id: Option<Arc<str>>,
    /// When the platform stops waiting for the answer.
    pub deadline: Option<Instant>,
    /// The address the platform saw the request come from.
    pub source_ip: Option<IpAddr>,
    /// The URL in front of the endpoint's path, as the platform's own event tells it.
    pub base_url: Option<String>,
}

/// The request a handler serves. Take it as a parameter where it is needed.
#[derive(Debug, Clone)]
pub struct Context {
    version: ProtocolVersion,
    client: Option<ClientInfo>,
    invocation: Invocation,
    deadline: Instant,
}

impl Context {
    pub(crate) const fn new(
        version: ProtocolVersion,
        client: Option<ClientInfo>,
        invocation: Invocation,
        deadline: Instant,
    ) -> Self {
        Self {
            version,
            client,
            invocation,
            deadline,
        }
    }

    /// The protocol version of the request.
    #[must_use]
    pub const fn protocol_version(&self) -> ProtocolVersion {
        self.version
    }

    /// The client's own name, if it gave one. It proves nothing.
    #[must_use]
    pub fn client_name(&self) -> Option<&str> {
        self.client.as_ref().map(|client| client.name.as_str())
    }

    /// The platform's id of the request, for finding it in the logs.
    #[must_use]
    pub fn request_id(&self) -> Option<&str> {
        self.invocation.request_id.as_deref()
    }

    /// The address the platform saw the request come from.
    #[must_use]
    pub const fn source_ip(&self) -> Option<IpAddr> {
        self.invocation.source_ip
    }

    /// The time left before the call is given up.
    #[must_use]
    pub fn time_left(&self) -> Duration {
        self.deadline.saturating_duration_since(Instant::now())
    }
}
