//! The gate: what is decided by path, verb, headers and size alone, before anything is parsed.
//!
//! In this order: path (404), verb (405), preflight (204), host and origin (403), size (413),
//! content type (415), accept (406). No I/O, and no look at credentials: a 405 is a 405 whoever
//! asks. Specification: *Streamable HTTP*.

mod accept;
mod content_type;
pub(crate) mod cors;
mod host;
mod method;
mod origin;
mod path;

use http::header::ALLOW;
use http::{HeaderMap, HeaderValue, Method, StatusCode};

pub use host::{Hosts, InvalidHosts};
pub use origin::{InvalidOrigins, Origins};
pub(crate) use path::Document;

use crate::error::code;
use crate::reply::{ErrorId, ErrorResponse, IntoReply, Reply};
use crate::wire::version::Era;

/// What the gate needs to know of the deployment.
#[derive(Debug, Clone)]
pub(crate) struct Gate {
    /// The path of the MCP endpoint, such as `/mcp`.
    pub endpoint: String,
    /// Which web pages may call.
    pub origins: Origins,
    /// Which host names this server answers to.
    pub hosts: Hosts,
    /// The largest body taken, in bytes.
    pub max_body_bytes: usize,
    /// Whether clients can get a token anywhere, and are told where.
    pub names_token_issuers: bool,
}

/// What a request asks for, once it is let in.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Admitted {
    /// A browser asks whether it may call.
    Preflight,
    /// A published document.
    Document(Document),
    /// A message for the endpoint.
    Message {
        /// Whether the client reads JSON; when not, it reads event streams.
        takes_json: bool,
        /// Whether the client reads event streams.
        takes_sse: bool,
    },
}

/// Why a request is not let in.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Rejection {
    /// No such path.
    NotFound,
    /// The endpoint takes POST alone.
    MethodNotAllowed,
    /// A document takes GET and HEAD alone.
    DocumentMethodNotAllowed,
    /// The `Host` is not one of ours.
    ForbiddenHost,
    /// The `Origin` is not one of the allowed.
    ForbiddenOrigin,
    /// The body is larger than this many bytes.
    TooLarge(usize),
    /// The body is not declared as JSON.
    UnsupportedMediaType,
    /// `Accept` excludes both JSON and event streams.
    NotAcceptable,
}

/// Lets a request in, or says why not.
///
/// # Errors
///
/// The first rule that the request breaks.
pub(crate) fn admit(
    gate: &Gate,
    verb: &Method,
    path: &str,
    headers: &HeaderMap,
    body_bytes: usize,
) -> Result<Admitted, Rejection> {
    let Some(target) = path::resolve(gate, path) else {
        return Err(Rejection::NotFound);
    };
    if *verb == Method::OPTIONS {
        return Ok(Admitted::Preflight);
    }
    method::check(target, verb)?;
    if !gate.hosts.admit(headers) {
        return Err(Rejection::ForbiddenHost);
    }
    if let path::Target::Document(document) = target {
        // Public documents, for any page to read: `Origin` decides nothing here.
        return Ok(Admitted::Document(document));
    }
    if !gate.origins.admit(headers) {
        return Err(Rejection::ForbiddenOrigin);
    }
    if body_bytes > gate.max_body_bytes {
        return Err(Rejection::TooLarge(gate.max_body_bytes));
    }
    if !content_type::is_json(headers) {
        return Err(Rejection::UnsupportedMediaType);
    }
    let accept::Accepts { json, event_stream } = accept::read(headers);
    if !json && !event_stream {
        return Err(Rejection::NotAcceptable);
    }
    Ok(Admitted::Message {
        takes_json: json,
        takes_sse: event_stream,
    })
}

/// The 405 of the endpoint, to the letter: gateways in front answer with the same text.
const METHOD_NOT_ALLOWED: &[u8] =
    br#"{"jsonrpc":"2.0","error":{"code":-32000,"message":"Method not allowed."},"id":null}"#;

impl IntoReply for Rejection {
    fn into_reply(self) -> Reply {
        match self {
            Self::NotFound => refuse(StatusCode::NOT_FOUND, "There is nothing at this path."),
            Self::MethodNotAllowed => {
                Reply::json(StatusCode::METHOD_NOT_ALLOWED, METHOD_NOT_ALLOWED)
                    .header(ALLOW, HeaderValue::from_static("POST, OPTIONS"))
            }
            Self::DocumentMethodNotAllowed => {
                Reply::json(StatusCode::METHOD_NOT_ALLOWED, METHOD_NOT_ALLOWED)
                    .header(ALLOW, HeaderValue::from_static("GET, HEAD, OPTIONS"))
            }
            Self::ForbiddenHost => refuse(
                StatusCode::FORBIDDEN,
                "This server does not answer to this `Host`.",
            ),
            Self::ForbiddenOrigin => refuse(
                StatusCode::FORBIDDEN,
                "Pages of this `Origin` may not call this server.",
            ),
            Self::TooLarge(limit) => refuse(
                StatusCode::PAYLOAD_TOO_LARGE,
                &format!("The body is larger than {limit} bytes."),
            ),
            Self::UnsupportedMediaType => refuse(
                StatusCode::UNSUPPORTED_MEDIA_TYPE,
                "The body must be sent with `Content-Type: application/json`.",
            ),
            Self::NotAcceptable => refuse(
                StatusCode::NOT_ACCEPTABLE,
                "`Accept` must allow `application/json` or `text/event-stream`.",
            ),
        }
    }
}

/// An error response without an id: the message was not read.
pub(crate) fn refuse(status: StatusCode, message: &str) -> Reply {
    let error = ErrorResponse::new(status, code::INVALID_REQUEST, message);
    // In the modern era an error without an id has no such member, as here in every version.
    error.into_reply(&ErrorId::Unknown, Era::Modern)
}

const _: () = assert!(
    code::METHOD_NOT_ALLOWED == -32000,
    "the text above spells the code out"
);
