//! [`Rejection`]: a request that the gate does not admit, and its response.

use http::header::{ACCEPT_ENCODING, ALLOW};
use http::{HeaderValue, StatusCode};

use crate::error::code;
use crate::reply::{ErrorId, ErrorResponse, IntoReply, Reply};

/// The reason why the gate rejects a request.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Rejection {
    /// The path does not exist.
    NotFound,
    /// The endpoint accepts POST only.
    MethodNotAllowed,
    /// A document accepts GET and HEAD only.
    DocumentMethodNotAllowed,
    /// The `Host` is not allowed.
    ForbiddenHost,
    /// The `Origin` is not allowed.
    ForbiddenOrigin,
    /// The body is larger than this number of bytes.
    TooLarge(usize),
    /// The body ended before it was complete.
    BrokenBody,
    /// The body did not arrive in time.
    SlowBody,
    /// The body is compressed.
    UnsupportedEncoding,
    /// The body is not declared as JSON.
    UnsupportedMediaType,
    /// `Accept` excludes both JSON and event streams.
    NotAcceptable,
}

/// The body of a 405 on the endpoint. The API gateway sends exactly the same text.
const METHOD_NOT_ALLOWED: &[u8] =
    br#"{"jsonrpc":"2.0","error":{"code":-32000,"message":"Method not allowed."},"id":null}"#;

const _: () = assert!(
    code::METHOD_NOT_ALLOWED == -32000,
    "the text above contains the code"
);

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
                "This server does not accept requests for this `Host`.",
            ),
            Self::ForbiddenOrigin => refuse(
                StatusCode::FORBIDDEN,
                "Web pages of this `Origin` may not call this server.",
            ),
            Self::TooLarge(limit) => refuse(
                StatusCode::PAYLOAD_TOO_LARGE,
                &format!("The request body must not exceed {limit} bytes."),
            ),
            Self::BrokenBody => refuse(
                StatusCode::BAD_REQUEST,
                "The request body is not complete; send the request again.",
            ),
            Self::SlowBody => refuse(
                StatusCode::REQUEST_TIMEOUT,
                "The request body did not arrive in time; send the request again.",
            ),
            // RFC 7694, section 3: the header tells clients that the coding is the reason.
            Self::UnsupportedEncoding => refuse(
                StatusCode::UNSUPPORTED_MEDIA_TYPE,
                "The request body must not be compressed: omit `Content-Encoding`.",
            )
            .header(ACCEPT_ENCODING, HeaderValue::from_static("identity")),
            Self::UnsupportedMediaType => refuse(
                StatusCode::UNSUPPORTED_MEDIA_TYPE,
                "The request must have one header `Content-Type: application/json`.",
            ),
            Self::NotAcceptable => refuse(
                StatusCode::NOT_ACCEPTABLE,
                "`Accept` must include `application/json` or `text/event-stream`.",
            ),
        }
    }
}

/// Creates an error response without an id, for a request whose body was not read.
pub(crate) fn refuse(status: StatusCode, message: &str) -> Reply {
    let error = ErrorResponse::new(status, code::INVALID_REQUEST, message);
    error.into_reply(&ErrorId::Absent)
}
