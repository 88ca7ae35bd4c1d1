//! The first look at a line of a connection: what concerns the connection itself.
//!
//! Everything else about the line is checked when it is served. Specification: *stdio*;
//! *Cancellation*.

use serde::Deserialize;
use serde_json::value::RawValue;

use super::connection::{INITIALIZE, Speaks};
use super::envelope::{Envelope, ParamsHead};
use super::message::{self, Kind, text};
use crate::wire::jsonrpc::{Members, RequestId};
use crate::wire::params::Params;

/// What a line is, as far as its connection is concerned.
#[derive(Debug)]
pub(crate) enum Sent<'a> {
    /// A request.
    Request {
        id: RequestId,
        /// Whether it is `initialize`, which is answered before the next line is read.
        is_initialize: bool,
    },
    /// `notifications/cancelled` for the request with this id.
    Cancelled(RequestId),
    /// A response to a request of the server.
    Response(Response<'a>),
    /// A batch: the responses in it.
    Batch(Vec<Response<'a>>),
    /// Another notification, or no message.
    Other,
}

/// A response of the client.
#[derive(Debug)]
pub(crate) struct Response<'a> {
    pub(crate) id: RequestId,
    pub(crate) result: Option<&'a RawValue>,
    pub(crate) error: Option<&'a RawValue>,
}

const CANCELLED: &str = "notifications/cancelled";

/// Looks at a line, and decides the era of the connection if it is the first request.
pub(crate) fn peek<'a>(speaks: &mut Speaks, line: &'a [u8]) -> Sent<'a> {
    let Ok(line) = text(line) else {
        return Sent::Other;
    };
    if line.trim_ascii_start().starts_with('[') {
        return Sent::Batch(batch(speaks, line));
    }
    let Some(kind) = kind(line) else {
        return Sent::Other;
    };
    match kind {
        Kind::Request { id, method, params } => {
            decide(speaks, params.as_ref());
            Sent::Request {
                id,
                is_initialize: method == INITIALIZE,
            }
        }
        Kind::Notification { method, params } if method == CANCELLED => {
            cancelled(params.as_ref()).map_or(Sent::Other, Sent::Cancelled)
        }
        Kind::Notification { .. } => Sent::Other,
        Kind::Response { id, result, error } => Sent::Response(Response { id, result, error }),
    }
}

fn kind(message: &str) -> Option<Kind<'_>> {
    message::read(&mut Members::peek(message).ok()?).ok()
}

/// The envelope of a request. `None` if it cannot be read, so that it decides nothing.
fn envelope<'a>(params: Option<&Params<'a>>) -> Option<Envelope<'a>> {
    let params = ParamsHead::read(params, None).ok()?;
    Envelope::read(params.meta, None).ok()
}

fn cancelled(params: Option<&Params<'_>>) -> Option<RequestId> {
    #[derive(Deserialize)]
    #[serde(rename_all = "camelCase")]
    struct Cancelled<'a> {
        #[serde(borrow)]
        request_id: &'a RawValue,
    }
    let params: Cancelled<'_> = serde_json::from_str(params?.raw()?.get()).ok()?;
    RequestId::parse(params.request_id).ok()
}

/// Decides the era by a request. One whose envelope cannot be read decides nothing.
fn decide(speaks: &mut Speaks, params: Option<&Params<'_>>) {
    if let Some(envelope) = envelope(params) {
        *speaks = std::mem::take(speaks).after(envelope.version.as_deref());
    }
}

/// Decides the era by the requests of a batch, and returns its responses.
fn batch<'a>(speaks: &mut Speaks, batch: &'a str) -> Vec<Response<'a>> {
    let elements: Vec<&RawValue> = serde_json::from_str(batch).unwrap_or_default();
    let mut responses = Vec::new();
    for element in elements {
        match kind(element.get()) {
            Some(Kind::Request { params, .. }) => decide(speaks, params.as_ref()),
            Some(Kind::Response { id, result, error }) => {
                responses.push(Response { id, result, error });
            }
            Some(Kind::Notification { .. }) | None => {}
        }
    }
    responses
}
