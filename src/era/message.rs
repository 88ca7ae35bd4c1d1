//! The kind of a JSON-RPC message. Specification: *Base Protocol, Messages*.

use std::borrow::Cow;

use serde_json::value::RawValue;

use super::depth;
use crate::error::ProtocolError;
use crate::wire::jsonrpc::{self, Members, RequestId};
use crate::wire::params::{Params, string};

const BYTE_ORDER_MARK: &[u8] = "\u{feff}".as_bytes();

/// Returns the text of a body or line.
///
/// # Errors
///
/// It is not UTF-8, or nested too deeply.
pub(super) fn text(body: &[u8]) -> Result<&str, ProtocolError> {
    // RFC 8259, section 8.1: a parser may ignore a byte order mark.
    let body = body.strip_prefix(BYTE_ORDER_MARK).unwrap_or(body);
    if depth::is_too_deep(body) {
        let reason = format!("the body nests deeper than {} levels", depth::MAX_DEPTH);
        return Err(ProtocolError::invalid_request(reason));
    }
    std::str::from_utf8(body).map_err(|error| {
        let position = format!("byte {} is not UTF-8", error.valid_up_to());
        ProtocolError::Parse { position }
    })
}

/// The kind of a message.
#[derive(Debug)]
pub(super) enum Kind<'a> {
    /// A request.
    Request {
        id: RequestId,
        method: Cow<'a, str>,
        params: Option<Params<'a>>,
    },
    /// A notification.
    Notification {
        method: Cow<'a, str>,
        params: Option<Params<'a>>,
    },
    /// A response. Over HTTP this server never sends requests to clients.
    #[cfg_attr(
        not(feature = "stdio"),
        expect(dead_code, reason = "only connections have responses to the server")
    )]
    Response {
        id: RequestId,
        result: Option<&'a RawValue>,
        error: Option<&'a RawValue>,
    },
}

/// A message that is not valid JSON-RPC, and its id if it could be parsed.
pub(super) type Invalid = (Option<RequestId>, ProtocolError);

/// Determines the kind of a message, which takes its parameters.
///
/// # Errors
///
/// The message is not a valid JSON-RPC message.
pub(super) fn read<'a>(members: &mut Members<'a>) -> Result<Kind<'a>, Invalid> {
    let id = members.id.map(RequestId::parse);
    let known = id.as_ref().and_then(|id| id.as_ref().ok()).cloned();
    let known = known.filter(|_| !members.is_id_ambiguous);
    let refuse = |reason: &str| Err((known.clone(), ProtocolError::invalid_request(reason)));

    if let Some(member) = members.duplicate {
        return refuse(&format!("duplicate member `{member}`"));
    }
    if members.jsonrpc.and_then(string).as_deref() != Some(jsonrpc::VERSION) {
        return refuse("`jsonrpc` must be \"2.0\"");
    }
    if let Some(Err(invalid)) = id {
        return refuse(&format!("`id` {invalid}"));
    }
    let Some(method) = members.method else {
        let (result, error) = (members.result, members.error);
        return match known {
            Some(id) if result.is_some() || error.is_some() => {
                Ok(Kind::Response { id, result, error })
            }
            _ => refuse("`method` is missing"),
        };
    };
    let Some(method) = string(method) else {
        return refuse("`method` must be a string");
    };
    let params = members.params.take();
    Ok(match known {
        Some(id) => Kind::Request { id, method, params },
        None => Kind::Notification { method, params },
    })
}
