//! The kind of a JSON-RPC message. Specification: *Base Protocol, Messages*.

use std::borrow::Cow;

use serde_json::value::RawValue;

use crate::error::ProtocolError;
use crate::reply::ErrorId;
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

/// Determines the kind of a message. An error includes the id if it could be parsed.
pub(super) fn read<'a>(members: &Members<'a>) -> Result<Kind<'a>, (ErrorId, ProtocolError)> {
    let id = members.id.and_then(RequestId::new);
    let error_id = id.clone().map_or(ErrorId::Unknown, ErrorId::Of);
    let refuse = |reason: &str| Err((error_id.clone(), ProtocolError::invalid_request(reason)));

    if let Some(member) = members.duplicate {
        return refuse(&format!("duplicate member `{member}`"));
    }
    if members.jsonrpc.and_then(string).as_deref() != Some(jsonrpc::VERSION) {
        return refuse("`jsonrpc` must be \"2.0\"");
    }
    if members.id.is_some() && id.is_none() {
        return refuse("`id` must be a string or an integer");
    }
    let Some(method) = members.method else {
        return if id.is_some() && (members.result.is_some() || members.error.is_some()) {
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
    Ok(match id {
        Some(id) => Kind::Request { id, method, params },
        None => Kind::Notification { method, params },
    })
}

fn string(raw: &RawValue) -> Option<Cow<'_, str>> {
    // serde borrows a `Cow` only in a field with `borrow`.
    #[derive(serde::Deserialize)]
    struct Borrowed<'a>(#[serde(borrow)] Cow<'a, str>);
    serde_json::from_str::<Borrowed<'_>>(raw.get())
        .ok()
        .map(|Borrowed(text)| text)
}
