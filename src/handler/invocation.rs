//! [`Invocation`]: what the platform knows of one request besides the request itself.

use std::net::IpAddr;
use std::sync::{Arc, Mutex, PoisonError};
use std::time::Instant;

use http::Extensions;

use crate::auth::Authorizer;
use crate::reply::ResponseLimit;
use crate::request_headers::AllHeaders;

/// What is known if no edge says anything.
static NOTHING: Invocation = Invocation {
    request_id: None,
    deadline: None,
    source_ip: None,
    base_url: None,
    stage: None,
    authorizer: None,
    response_limit: None,
    hides_clients: false,
    output_faults: None,
    all_headers: None,
};

/// What the platform knows of one request, in the extensions of the `http::Request`.
///
/// The Lambda edge fills it in, from members of the event that only the gateway writes. Set it when you
/// call [`Server::handle`](crate::Server::handle) yourself; all fields are optional. A handler reads it
/// with [`Context::invocation`](crate::Context::invocation).
///
/// # Examples
///
/// ```
/// use std::net::{IpAddr, Ipv4Addr};
///
/// use bytes::Bytes;
/// use lambda_mcp::server::Invocation;
///
/// let mut invocation = Invocation::default();
/// invocation.source_ip = Some(IpAddr::V4(Ipv4Addr::new(192, 0, 2, 1)));
///
/// let mut request = http::Request::post("/mcp").body(Bytes::new())?;
/// request.extensions_mut().insert(invocation);
/// # Ok::<(), http::Error>(())
/// ```
#[derive(Debug, Clone, Default)]
#[non_exhaustive]
pub struct Invocation {
    /// The platform's id of the request. It is logged and available as
    /// [`Context::request_id`](crate::Context::request_id).
    pub request_id: Option<Arc<str>>,
    /// When the platform stops waiting for the response. Calls stop before.
    pub deadline: Option<Instant>,
    /// The client's address as the platform reports it. Limits for callers without a credential
    /// count by it; callers without an address count as one.
    pub source_ip: Option<IpAddr>,
    /// The public URL in front of the endpoint's path, without a slash at its end. Published
    /// documents use it unless
    /// [`public_url`](crate::server::ServerBuilder::public_url) is set.
    pub base_url: Option<String>,
    /// The stage of API Gateway, such as `prod`. `$default` in an HTTP API or Function URL without
    /// named stages.
    pub stage: Option<String>,
    /// What the authorizer of the gateway found out about the caller.
    pub authorizer: Option<Authorizer>,
    /// The largest response body that the edge can send. `None` means that there is no limit.
    pub response_limit: Option<ResponseLimit>,
    /// Whether the platform has many clients and does not tell their addresses, so that no limit can
    /// count by address.
    pub(crate) hides_clients: bool,
    /// Where results that do not match their output schema are reported, if anyone listens.
    pub(crate) output_faults: Option<OutputFaults>,
    /// All headers of the request, if its own map has only those that the library reads.
    pub(crate) all_headers: Option<AllHeaders>,
}

/// What is wrong with results, in words: for the test client, which fails the test.
#[derive(Debug, Clone, Default)]
pub(crate) struct OutputFaults(Arc<Mutex<Vec<String>>>);

impl OutputFaults {
    /// Reports a fault.
    pub(crate) fn push(&self, fault: String) {
        let mut faults = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        faults.push(fault);
    }

    /// Takes the faults that were reported.
    pub(crate) fn take(&self) -> Vec<String> {
        std::mem::take(&mut self.0.lock().unwrap_or_else(PoisonError::into_inner))
    }
}

impl Invocation {
    /// The one in the extensions of a request.
    pub(crate) fn of(extensions: &Extensions) -> &Self {
        extensions.get().unwrap_or(&NOTHING)
    }

    /// The URL in front of the endpoint's path: `configured`, or that of the platform's event.
    /// `Host` and forwarding headers are never used, since clients control them.
    pub(crate) fn base_url<'a>(&'a self, configured: Option<&'a str>) -> Option<&'a str> {
        configured.or(self.base_url.as_deref())
    }
}
