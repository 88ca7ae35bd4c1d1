//! [`ProtocolError`]: the request is invalid.
//!
//! Each rule has its own variant. The HTTP status depends on the variant and the era, not on the
//! code: `-32602` has status 400 if a required `_meta` key is missing, and status 200 if a method
//! rejects its parameters. Specification: *Base Protocol, Error Codes*; *Streamable HTTP*.

use http::StatusCode;
use serde_json::{Value, json};
use thiserror::Error;

use crate::error::code;
use crate::wire::capabilities::ClientCapabilities;
use crate::wire::version::{Era, ProtocolVersion};

/// A protocol error, sent to the client as a JSON-RPC error response.
#[derive(Debug, Clone, PartialEq, Eq, Error)]
pub(crate) enum ProtocolError {
    /// The body is not JSON.
    #[error("Parse error: the body is not valid JSON ({position})")]
    Parse {
        /// The position of the error, such as `line 1 column 7`.
        position: String,
    },
    /// The body is JSON, but not a valid message.
    #[error("Invalid request: {reason}")]
    InvalidRequest {
        /// What is wrong.
        reason: String,
    },
    /// `_meta` lacks a required key or has an invalid value.
    #[error("Invalid params: `_meta` {reason}")]
    InvalidMeta {
        /// The key, and what is wrong with it.
        reason: String,
    },
    /// A header is missing, malformed, or does not match the body.
    #[error("Header mismatch: {header} {reason}")]
    HeaderMismatch {
        /// The header name.
        header: String,
        /// What is wrong.
        reason: String,
    },
    /// The server requires a handshake, and the request does not show one.
    #[error(
        "Invalid request: `Mcp-Session-Id` is missing; begin with `initialize`, and send the session id of its \
         response with each request"
    )]
    NoSession,
    /// The session id has expired, or was not issued by this server.
    #[error("Session not found: it has expired or is unknown; begin again with `initialize`")]
    SessionEnded,
    /// The protocol version is not supported.
    #[error("Unsupported protocol version: {requested}")]
    UnsupportedProtocolVersion {
        /// The requested version.
        requested: String,
    },
    /// The method does not exist in this version.
    #[error("Method not found: {method}")]
    MethodNotFound {
        /// The requested method.
        method: String,
    },
    /// The parameters of a method are invalid.
    #[error("Invalid params: {reason}")]
    InvalidParams {
        /// The member, and what is wrong with it.
        reason: String,
    },
    /// The tool does not exist.
    #[error("Unknown tool: {name}")]
    UnknownTool {
        /// The requested name.
        name: String,
    },
    /// The arguments of a tool do not match its input schema. Used only in versions where this is a
    /// protocol error.
    #[error("Invalid arguments for tool `{tool}`: {reason}")]
    InvalidArguments {
        /// The tool name.
        tool: String,
        /// The argument, and what is wrong with it.
        reason: String,
    },
    /// A web page that may only read called a tool that may have an effect.
    #[error(
        "Forbidden: web pages of this `Origin` may read, but not call `{tool}` without a credential. \
         Call it with a credential, or from a client that is not a web page"
    )]
    ForbiddenOrigin {
        /// The tool name.
        tool: String,
    },
    /// The resource does not exist.
    #[error("Resource not found")]
    ResourceNotFound {
        /// The requested URI.
        uri: String,
    },
    /// The request needs a capability that the client did not declare.
    #[error("The request needs a client capability that was not declared")]
    MissingClientCapability {
        /// The missing capabilities.
        required: ClientCapabilities,
    },
    /// The handler needs input from the client, which this version cannot ask for.
    #[error("Invalid params: more input is needed, which requires protocol version 2026-07-28")]
    InputNotSupported,
    /// The handler needs input from the client of a connection, which it did not give.
    #[error("Invalid params: more input is needed, which this client did not give: {reason}")]
    NotAnswered {
        /// Why there is no answer.
        reason: String,
    },
    /// The response is larger than the edge, or the budget of a batch, allows.
    #[error("Response too large: {reason}")]
    ResponseTooLarge {
        /// The limit, and what to do.
        reason: String,
    },
    /// A handler asked what no client can be asked: a mistake of its author, whose debug builds say it.
    #[error("Internal error{}", in_debug_builds(.reason))]
    InvalidQuestion {
        /// What is wrong with the question.
        reason: String,
    },
    /// An internal failure. The log has the details; the client gets none.
    #[error("Internal error")]
    Internal,
}

impl ProtocolError {
    /// Returns the JSON-RPC error code, which can depend on the era.
    #[must_use]
    pub(crate) const fn code(&self, era: Era) -> i32 {
        match self {
            Self::ResourceNotFound { .. } => match era {
                Era::Modern => code::INVALID_PARAMS,
                Era::Legacy => code::RESOURCE_NOT_FOUND,
            },
            Self::MissingClientCapability { .. } => code::MISSING_CLIENT_CAPABILITY,
            Self::Parse { .. } => code::PARSE_ERROR,
            Self::InvalidRequest { .. }
            | Self::ForbiddenOrigin { .. }
            | Self::NoSession
            | Self::SessionEnded => code::INVALID_REQUEST,
            Self::HeaderMismatch { .. } => code::HEADER_MISMATCH,
            Self::UnsupportedProtocolVersion { .. } => code::UNSUPPORTED_PROTOCOL_VERSION,
            Self::MethodNotFound { .. } => code::METHOD_NOT_FOUND,
            Self::InvalidMeta { .. }
            | Self::InvalidParams { .. }
            | Self::UnknownTool { .. }
            | Self::InvalidArguments { .. }
            | Self::InputNotSupported
            | Self::NotAnswered { .. } => code::INVALID_PARAMS,
            Self::ResponseTooLarge { .. } | Self::InvalidQuestion { .. } | Self::Internal => {
                code::INTERNAL_ERROR
            }
        }
    }

    /// Returns the HTTP status of the response.
    ///
    /// An unknown method has status 404 in the modern era only: legacy clients take a 404 for the
    /// loss of their session.
    #[must_use]
    pub(crate) const fn http_status(&self, era: Era) -> StatusCode {
        match (self, era) {
            (
                Self::Parse { .. }
                | Self::InvalidRequest { .. }
                | Self::NoSession
                | Self::HeaderMismatch { .. }
                | Self::InvalidMeta { .. }
                | Self::MissingClientCapability { .. }
                | Self::UnsupportedProtocolVersion { .. },
                _,
            ) => StatusCode::BAD_REQUEST,
            (Self::ForbiddenOrigin { .. }, _) => StatusCode::FORBIDDEN,
            (Self::MethodNotFound { .. }, Era::Modern) | (Self::SessionEnded, _) => {
                StatusCode::NOT_FOUND
            }
            (Self::MethodNotFound { .. }, Era::Legacy)
            | (
                Self::InvalidParams { .. }
                | Self::UnknownTool { .. }
                | Self::InvalidArguments { .. }
                | Self::ResourceNotFound { .. }
                | Self::InputNotSupported
                | Self::NotAnswered { .. }
                | Self::ResponseTooLarge { .. }
                | Self::InvalidQuestion { .. }
                | Self::Internal,
                _,
            ) => StatusCode::OK,
        }
    }

    /// Returns the `data` of the error, if the specification defines it.
    #[must_use]
    pub(crate) fn data(&self) -> Option<Value> {
        match self {
            Self::UnsupportedProtocolVersion { requested } => Some(json!({
                "supported": ProtocolVersion::ALL,
                "requested": requested,
            })),
            Self::ResourceNotFound { uri } => Some(json!({ "uri": uri })),
            Self::MissingClientCapability { required } => {
                Some(json!({ "requiredCapabilities": required }))
            }
            Self::Parse { .. }
            | Self::InvalidRequest { .. }
            | Self::NoSession
            | Self::SessionEnded
            | Self::InvalidMeta { .. }
            | Self::HeaderMismatch { .. }
            | Self::MethodNotFound { .. }
            | Self::InvalidParams { .. }
            | Self::UnknownTool { .. }
            | Self::InvalidArguments { .. }
            | Self::ForbiddenOrigin { .. }
            | Self::InputNotSupported
            | Self::NotAnswered { .. }
            | Self::ResponseTooLarge { .. }
            | Self::InvalidQuestion { .. }
            | Self::Internal => None,
        }
    }

    pub(crate) fn invalid_request(reason: impl Into<String>) -> Self {
        Self::InvalidRequest {
            reason: reason.into(),
        }
    }

    pub(crate) fn response_too_large(reason: impl Into<String>) -> Self {
        Self::ResponseTooLarge {
            reason: reason.into(),
        }
    }

    pub(crate) fn forbidden_origin(tool: &str) -> Self {
        Self::ForbiddenOrigin {
            tool: tool.to_owned(),
        }
    }

    pub(crate) fn invalid_params(reason: impl Into<String>) -> Self {
        Self::InvalidParams {
            reason: reason.into(),
        }
    }

    pub(crate) fn invalid_meta(reason: impl Into<String>) -> Self {
        Self::InvalidMeta {
            reason: reason.into(),
        }
    }

    pub(crate) fn header_mismatch(header: &str, reason: impl Into<String>) -> Self {
        Self::HeaderMismatch {
            header: header.to_owned(),
            reason: reason.into(),
        }
    }
}

/// Details for the author of a server, who runs a debug build. A release build tells clients nothing.
fn in_debug_builds(reason: &str) -> String {
    if cfg!(debug_assertions) {
        format!(": {reason}")
    } else {
        String::new()
    }
}

/// Shortens a text of the client for use in an error message.
pub(crate) fn excerpt(text: &str) -> String {
    const MAX_CHARS: usize = 80;
    let mut cut: String = text.chars().take(MAX_CHARS).collect();
    if cut.len() < text.len() {
        cut.push('…');
    }
    cut
}
