//! What the edge tells the core about one request, besides the request itself.

use std::net::IpAddr;
use std::sync::Arc;
use std::time::Instant;

use crate::reply::ResponseLimit;

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
    /// The largest response body that the edge can send. `None` means that there is no limit.
    pub response_limit: Option<ResponseLimit>,
}

impl Invocation {
    /// The URL in front of the endpoint's path: `configured`, or that of the platform's event.
    /// `Host` and forwarding headers are never used, since clients control them.
    pub(crate) fn base_url<'a>(&'a self, configured: Option<&'a str>) -> Option<&'a str> {
        configured.or(self.base_url.as_deref())
    }
}
