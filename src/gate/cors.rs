//! The CORS headers that every response carries. Fetch standard, *CORS protocol*.

use http::header::{
    ACCESS_CONTROL_ALLOW_HEADERS, ACCESS_CONTROL_ALLOW_METHODS, ACCESS_CONTROL_ALLOW_ORIGIN,
    ACCESS_CONTROL_EXPOSE_HEADERS, ACCESS_CONTROL_MAX_AGE, ACCESS_CONTROL_REQUEST_HEADERS, ALLOW,
    ORIGIN, VARY,
};
use http::{HeaderMap, HeaderValue, StatusCode};

use super::Origins;
use crate::reply::Reply;

/// What a page may send. `Authorization` must be named: a wildcard does not cover it.
const REQUEST_HEADERS: &str = "Accept, Authorization, Content-Type, Last-Event-ID, MCP-Protocol-Version, \
     Mcp-Method, Mcp-Name, Mcp-Session-Id, traceparent, tracestate, baggage";
const EXPOSED_HEADERS: HeaderValue =
    HeaderValue::from_static("WWW-Authenticate, Retry-After, MCP-Protocol-Version");
const METHODS: HeaderValue = HeaderValue::from_static("POST, OPTIONS");
/// Two hours: the longest that browsers keep a preflight.
const MAX_AGE_S: HeaderValue = HeaderValue::from_static("7200");

/// The headers for any response to this request.
#[must_use]
pub(crate) fn headers(origins: &Origins, request: &HeaderMap) -> HeaderMap {
    let (allow_origin, varies) = origins.allow_origin(request.get(ORIGIN));
    let mut headers = HeaderMap::with_capacity(3);
    headers.insert(ACCESS_CONTROL_ALLOW_ORIGIN, allow_origin);
    headers.insert(ACCESS_CONTROL_EXPOSE_HEADERS, EXPOSED_HEADERS);
    if varies {
        headers.insert(VARY, HeaderValue::from_static("Origin"));
    }
    headers
}

/// The headers for a public document, which any page may read.
#[must_use]
pub(crate) fn public_headers() -> HeaderMap {
    [(ACCESS_CONTROL_ALLOW_ORIGIN, HeaderValue::from_static("*"))]
        .into_iter()
        .collect()
}

/// The answer to a preflight.
///
/// `Mcp-Param-*` headers depend on the tool, so those that are asked for are allowed by name.
#[must_use]
pub(crate) fn preflight(request: &HeaderMap) -> Reply {
    let mut allowed = REQUEST_HEADERS.to_owned();
    let asked = request
        .get(ACCESS_CONTROL_REQUEST_HEADERS)
        .and_then(|v| v.to_str().ok());
    for name in asked.unwrap_or_default().split(',').map(str::trim) {
        let is_param = name
            .get(..10)
            .is_some_and(|p| p.eq_ignore_ascii_case("mcp-param-"));
        if is_param && http::HeaderName::from_bytes(name.as_bytes()).is_ok() {
            allowed.push_str(", ");
            allowed.push_str(name);
        }
    }
    let allowed =
        HeaderValue::try_from(allowed).unwrap_or(HeaderValue::from_static(REQUEST_HEADERS));
    Reply::empty(StatusCode::NO_CONTENT)
        .header(ALLOW, METHODS)
        .header(ACCESS_CONTROL_ALLOW_METHODS, METHODS)
        .header(ACCESS_CONTROL_ALLOW_HEADERS, allowed)
        .header(ACCESS_CONTROL_MAX_AGE, MAX_AGE_S)
        .header(
            VARY,
            HeaderValue::from_static("Origin, Access-Control-Request-Headers"),
        )
}
