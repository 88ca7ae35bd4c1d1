//! The CORS headers of all responses. Fetch standard, *CORS protocol*.

use http::header::{
    ACCESS_CONTROL_ALLOW_HEADERS, ACCESS_CONTROL_ALLOW_METHODS, ACCESS_CONTROL_ALLOW_ORIGIN,
    ACCESS_CONTROL_EXPOSE_HEADERS, ACCESS_CONTROL_MAX_AGE, ACCESS_CONTROL_REQUEST_HEADERS, ALLOW,
    VARY,
};
use http::{HeaderMap, HeaderValue, StatusCode};

use super::origin::Origins;
use crate::reply::Reply;
use crate::wire::header;

/// The allowed request headers. A wildcard would not include `Authorization`.
const REQUEST_HEADERS: &str = "Accept, Authorization, Content-Type, If-None-Match, Last-Event-ID, \
     MCP-Protocol-Version, Mcp-Method, Mcp-Name, Mcp-Session-Id, traceparent, tracestate, baggage";
const EXPOSED_HEADERS: HeaderValue =
    HeaderValue::from_static("WWW-Authenticate, Retry-After, MCP-Protocol-Version");
/// The same, for the response with a session id.
pub(crate) const EXPOSED_WITH_SESSION: HeaderValue =
    HeaderValue::from_static("WWW-Authenticate, Retry-After, MCP-Protocol-Version, Mcp-Session-Id");
const METHODS: HeaderValue = HeaderValue::from_static("POST, OPTIONS");
const DOCUMENT_METHODS: HeaderValue = HeaderValue::from_static("GET, HEAD, OPTIONS");
/// What the draft extension *Server Cards* requires of documents.
const DOCUMENT_HEADERS: HeaderValue = HeaderValue::from_static("Content-Type, If-None-Match");
/// Two hours, the longest time that browsers cache a preflight.
const MAX_AGE_S: HeaderValue = HeaderValue::from_static("7200");

/// Returns the CORS headers of a response to this request.
#[must_use]
pub(crate) fn headers(origins: &Origins, request: &HeaderMap) -> HeaderMap {
    let (allow_origin, varies) = origins.allow_origin(request);
    // Room for what the response adds.
    let mut headers = HeaderMap::with_capacity(6);
    headers.insert(ACCESS_CONTROL_ALLOW_ORIGIN, allow_origin);
    headers.insert(ACCESS_CONTROL_EXPOSE_HEADERS, EXPOSED_HEADERS);
    if varies {
        headers.insert(VARY, HeaderValue::from_static("Origin"));
    }
    headers
}

/// Returns the CORS headers of a public document, which any page may read.
#[must_use]
pub(crate) fn public_headers() -> HeaderMap {
    let headers = [
        (ACCESS_CONTROL_ALLOW_ORIGIN, HeaderValue::from_static("*")),
        (ACCESS_CONTROL_ALLOW_METHODS, DOCUMENT_METHODS),
        (ACCESS_CONTROL_ALLOW_HEADERS, DOCUMENT_HEADERS),
        (
            ACCESS_CONTROL_EXPOSE_HEADERS,
            HeaderValue::from_static("ETag"),
        ),
    ];
    headers.into_iter().collect()
}

/// Returns the response to a preflight for a document.
#[must_use]
pub(crate) fn document_preflight() -> Reply {
    Reply::empty(StatusCode::NO_CONTENT)
        .header(ALLOW, DOCUMENT_METHODS)
        .header(ACCESS_CONTROL_MAX_AGE, MAX_AGE_S)
}

/// Returns the response to a preflight.
///
/// `Mcp-Param-*` headers depend on the tool, so all that the page asks for are allowed.
#[must_use]
pub(crate) fn preflight(request: &HeaderMap) -> Reply {
    let mut allowed = REQUEST_HEADERS.to_owned();
    let requested = header::value(request, ACCESS_CONTROL_REQUEST_HEADERS);
    let requested = requested.ok().flatten().unwrap_or_default();
    for name in requested.split(',').map(str::trim) {
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
