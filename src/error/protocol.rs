//! [`ProtocolError`]: the request is wrong.
//!
//! One variant a rule. The HTTP status belongs to the variant and the era, not to the code: the
//! same `-32602` is a 400 when the envelope lacks a key and rides on a 200 when a method refused
//! its parameters. Specification: *Base Protocol, Error Codes*; *Streamable HTTP*.

use http::StatusCode;
use serde_json::{Value, json};
use thiserror::Error;

use crate::error::code;
use crate::wire::capabilities::ClientCapabilities;
use crate::wire::version::{Era, ProtocolVersion};

/// An error of the protocol, answered as a JSON-RPC `error`.
#[derive(Debug, Clone, PartialEq, Eq, Error)]
#[non_exhaustive]
pub(crate) enum ProtocolError {
    /// The body is not JSON.
    #[error("Parse error: the body is not valid JSON ({position})")]
    Parse {
        /// Where reading stopped, such as `line 1 column 7`.
        position: String,
    },
    /// The body is JSON, but not a message this server takes.
    #[error("Invalid request: {reason}")]
    InvalidRequest {
        /// What is wrong with it.
        reason: String,
    },
    /// The envelope in `_meta` lacks a key or has a wrong value.
    #[error("Invalid params: `_meta` {reason}")]
    InvalidMeta {
        /// Which key, and what is wrong with it.
        reason: String,
    },
    /// A header is missing, unreadable, or says something else than the body.
    #[error("Header mismatch: {header} {reason}")]
    HeaderMismatch {
        /// The header's name.
        header: String,
        /// What is wrong with it.
        reason: String,
    },
    /// The version is not served.
    #[error("Unsupported protocol version: {requested}")]
    UnsupportedProtocolVersion {
        /// The version the client asked for.
        requested: String,
    },
    /// No such method, or not in this version.
    #[error("Method not found: {method}")]
    MethodNotFound {
        /// The method the client asked for.
        method: String,
    },
    /// A method's parameters do not fit.
    #[error("Invalid params: {reason}")]
    InvalidParams {
        /// Which member, and what is wrong with it.
        reason: String,
    },
    /// No such tool.
    #[error("Unknown tool: {name}")]
    UnknownTool {
        /// The name the client asked for.
        name: String,
    },
    /// A tool's arguments do not fit its input schema; only where the version wants an error here.
    #[error("Invalid arguments for tool `{tool}`: {reason}")]
    InvalidArguments {
        /// The tool's name.
        tool: String,
        /// Which argument, and what is wrong with it.
        reason: String,
    },
    /// No such resource.
    #[error("Resource not found")]
    ResourceNotFound {
        /// The URI the client asked for.
        uri: String,
    },
    /// The client cannot do what serving the request takes.
    #[error("The request takes a client capability that was not declared")]
    MissingClientCapability {
        /// What it would have to declare.
        required: ClientCapabilities,
    },
    /// The request has to be answered with a question, which the version has no way to put.
    #[error(
        "Invalid params: more input is needed, for which protocol version 2026-07-28 is needed"
    )]
    CannotAsk,
    /// Something broke here. The log has the details; the client gets none.
    #[error("Internal error")]
    Internal,
}

impl ProtocolError {
    /// The JSON-RPC error code; one rule has another in each era.
    #[must_use]
    pub(crate) const fn code(&self, era: Era) -> i32 {
        match self {
            Self::ResourceNotFound { .. } => match era {
                Era::Modern => code::INVALID_PARAMS,
                Era::Legacy => code::RESOURCE_NOT_FOUND,
            },
            Self::MissingClientCapability { .. } => code::MISSING_CLIENT_CAPABILITY,
            Self::Parse { .. } => code::PARSE_ERROR,
            Self::InvalidRequest { .. } => code::INVALID_REQUEST,
            Self::HeaderMismatch { .. } => code::HEADER_MISMATCH,
            Self::UnsupportedProtocolVersion { .. } => code::UNSUPPORTED_PROTOCOL_VERSION,
            Self::MethodNotFound { .. } => code::METHOD_NOT_FOUND,
            Self::InvalidMeta { .. }
            | Self::InvalidParams { .. }
            | Self::UnknownTool { .. }
            | Self::InvalidArguments { .. }
            | Self::CannotAsk => code::INVALID_PARAMS,
            Self::Internal => code::INTERNAL_ERROR,
        }
    }

    /// The HTTP status it is sent with.
    ///
    /// A legacy client reads 404 as the loss of its session, so an unknown method is 404 in the
    /// modern era only.
    #[must_use]
    pub(crate) const fn http_status(&self, era: Era) -> StatusCode {
        match (self, era) {
            (
                Self::Parse { .. }
                | Self::InvalidRequest { .. }
                | Self::HeaderMismatch { .. }
                | Self::InvalidMeta { .. }
                | Self::MissingClientCapability { .. }
                | Self::UnsupportedProtocolVersion { .. },
                _,
            ) => StatusCode::BAD_REQUEST,
            (Self::MethodNotFound { .. }, Era::Modern) => StatusCode::NOT_FOUND,
            (Self::MethodNotFound { .. }, Era::Legacy)
            | (
                Self::InvalidParams { .. }
                | Self::UnknownTool { .. }
                | Self::InvalidArguments { .. }
                | Self::ResourceNotFound { .. }
                | Self::CannotAsk
                | Self::Internal,
                _,
            ) => StatusCode::OK,
        }
    }

    /// The error's `data`, where the specification defines one.
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
            | Self::InvalidMeta { .. }
            | Self::HeaderMismatch { .. }
            | Self::MethodNotFound { .. }
            | Self::InvalidParams { .. }
            | Self::UnknownTool { .. }
            | Self::InvalidArguments { .. }
            | Self::CannotAsk
            | Self::Internal => None,
        }
    }

    pub(crate) fn invalid_request(reason: impl Into<String>) -> Self {
        Self::InvalidRequest {
            reason: reason.into(),
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

/// A client's text inside an error message: cut, so that an echo stays short.
pub(crate) fn excerpt(text: &str) -> String {
    const LONGEST: usize = 80;
    let mut cut: String = text.chars().take(LONGEST).collect();
    if cut.len() < text.len() {
        cut.push('…');
    }
    cut
}
