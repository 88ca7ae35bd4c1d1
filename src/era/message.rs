//! The kind of a JSON-RPC message. Specification: *Base Protocol, Messages*.

use std::borrow::Cow;

use serde_json::value::RawValue;

use super::envelope::string;
use crate::error::ProtocolError;
use crate::wire::jsonrpc::{self, Members, RequestId};

/// The kind of a message.
#[derive(Debug)]
pub(super) enum Kind<'a> {
    /// A request.
    Request {
        id: RequestId,
        method: Cow<'a, str>,
        params: Option<&'a RawValue>,
    },
    /// A notification.
    Notification {
        method: Cow<'a, str>,
        params: Option<&'a RawValue>,
    },
    /// A response. This server never sends requests to clients.
    Response,
}

/// A message that is not valid JSON-RPC, and its id if it could be parsed.
pub(super) type Invalid = (Option<RequestId>, ProtocolError);

/// Determines the kind of a message.
///
/// # Errors
///
/// The message is not a valid JSON-RPC message.
pub(super) fn read<'a>(members: &Members<'a>) -> Result<Kind<'a>, Invalid> {
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
        return if known.is_some() && (members.result.is_some() || members.error.is_some()) {
            Ok(Kind::Response)
        } else {
            refuse("`method` is missing")
        };
    };
    let Some(method) = string(method) else {
        return refuse("`method` must be a string");
    };
    // Some clients send `null` for absent parameters.
    let params = members.params.filter(|params| params.get() != "null");
    Ok(match known {
        Some(id) => Kind::Request { id, method, params },
        None => Kind::Notification { method, params },
    })
}
