//! What the edge tells the core about one request, besides the request itself.

use std::net::IpAddr;
use std::sync::Arc;
use std::time::Instant;

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
