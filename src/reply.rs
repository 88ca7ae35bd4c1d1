//! Every HTTP response is built here, and only here.
//!
//! The stages hand over what they decided ([`IntoReply`]); this file knows statuses, content types
//! and the frame of a JSON-RPC response. CORS headers are added by [`Reply::into_response`], so
//! that no response can leave without them.

use std::convert::Infallible;
use std::pin::Pin;
use std::task::{Context, Poll};

use bytes::Bytes;
use http::header::{CACHE_CONTROL, CONTENT_TYPE, HeaderName, HeaderValue};
use http::{HeaderMap, Response, StatusCode};
use http_body::{Body, Frame, SizeHint};

use crate::error::ProtocolError;
use crate::wire::jsonrpc::{ErrorObject, RequestId};
use crate::wire::version::Era;

const JSON: HeaderValue = HeaderValue::from_static("application/json");
const EVENT_STREAM: HeaderValue = HeaderValue::from_static("text/event-stream");
const NO_STORE: HeaderValue = HeaderValue::from_static("no-store");

/// The body of a response: complete when it leaves, so that no stream can stay open.
#[derive(Debug, Default)]
pub struct ReplyBody {
    bytes: Option<Bytes>,
}

impl ReplyBody {
    /// The whole body.
    #[must_use]
    pub fn into_bytes(self) -> Bytes {
        self.bytes.unwrap_or_default()
    }
}

impl From<Bytes> for ReplyBody {
    fn from(bytes: Bytes) -> Self {
        Self {
            bytes: (!bytes.is_empty()).then_some(bytes),
        }
    }
}

impl Body for ReplyBody {
    type Data = Bytes;
    type Error = Infallible;

    fn poll_frame(
        mut self: Pin<&mut Self>,
        _cx: &mut Context<'_>,
    ) -> Poll<Option<Result<Frame<Bytes>, Infallible>>> {
        Poll::Ready(self.bytes.take().map(|bytes| Ok(Frame::data(bytes))))
    }

    fn is_end_stream(&self) -> bool {
        self.bytes.is_none()
    }

    fn size_hint(&self) -> SizeHint {
        SizeHint::with_exact(self.bytes.as_ref().map_or(0, |bytes| bytes.len() as u64))
    }
}

/// A response before the headers that all responses share.
#[derive(Debug)]
pub(crate) struct Reply {
    status: StatusCode,
    headers: HeaderMap,
    body: Bytes,
}

impl Reply {
    /// No body and no content type.
    #[must_use]
    pub(crate) fn empty(status: StatusCode) -> Self {
        Self {
            status,
            headers: HeaderMap::new(),
            body: Bytes::new(),
        }
    }

    /// A JSON body that no cache may keep.
    #[must_use]
    pub(crate) fn json(status: StatusCode, body: impl Into<Bytes>) -> Self {
        Self {
            status,
            headers: HeaderMap::new(),
            body: body.into(),
        }
        .header(CONTENT_TYPE, JSON)
        .header(CACHE_CONTROL, NO_STORE)
    }

    /// Sets a header, in place of an earlier value.
    #[must_use]
    pub(crate) fn header(mut self, name: HeaderName, value: HeaderValue) -> Self {
        self.headers.insert(name, value);
        self
    }

    /// Leaves the body out, as the answer to HEAD must.
    #[must_use]
    pub(crate) fn without_body(mut self) -> Self {
        self.body = Bytes::new();
        self
    }

    /// Writes the JSON body as the one event of an event stream, which then ends.
    #[must_use]
    pub(crate) fn into_event_stream(mut self) -> Self {
        if self.body.is_empty() {
            return self;
        }
        let mut stream = Vec::with_capacity(self.body.len() + 24);
        stream.extend_from_slice(b"event: message\ndata: ");
        stream.extend_from_slice(&self.body);
        stream.extend_from_slice(b"\n\n");
        self.body = stream.into();
        self.header(CONTENT_TYPE, EVENT_STREAM)
    }

    /// The status it will have.
    #[must_use]
    pub(crate) const fn status(&self) -> StatusCode {
        self.status
    }

    /// The response, with the headers that all responses share; its own go before them.
    #[must_use]
    pub(crate) fn into_response(self, shared: HeaderMap) -> Response<ReplyBody> {
        let mut response = Response::new(ReplyBody::from(self.body));
        *response.status_mut() = self.status;
        let headers = response.headers_mut();
        *headers = shared;
        headers.extend(self.headers);
        response
    }
}

/// Something a stage decided that becomes a response.
pub(crate) trait IntoReply {
    /// The response it becomes.
    fn into_reply(self) -> Reply;
}

/// The id an error response names.
#[derive(Debug, Clone)]
pub(crate) enum ErrorId {
    /// The request's own.
    Of(RequestId),
    /// It could not be read. JSON-RPC 2.0 wants `null` then; the modern schema wants no member.
    Unknown,
}

/// A JSON-RPC result response, as the JSON text of one message.
#[must_use]
pub(crate) fn result_message(id: &RequestId, result: &[u8]) -> Bytes {
    let id = id.as_json();
    let mut message = Vec::with_capacity(id.len() + result.len() + 36);
    message.extend_from_slice(br#"{"jsonrpc":"2.0","id":"#);
    message.extend_from_slice(id.as_bytes());
    message.extend_from_slice(br#","result":"#);
    message.extend_from_slice(result);
    message.push(b'}');
    message.into()
}

/// A JSON-RPC error response, as the JSON text of one message.
#[must_use]
pub(crate) fn error_message(id: &ErrorId, error: &ProtocolError, era: Era) -> Bytes {
    let text = error.to_string();
    let data = error.data();
    let object = ErrorObject {
        code: error.code(),
        message: &text,
        data: data.as_ref(),
    };
    let mut message = Vec::with_capacity(text.len() + 96);
    message.extend_from_slice(br#"{"jsonrpc":"2.0""#);
    match (id, era) {
        (ErrorId::Of(id), _) => {
            message.extend_from_slice(br#","id":"#);
            message.extend_from_slice(id.as_json().as_bytes());
        }
        (ErrorId::Unknown, Era::Legacy) => message.extend_from_slice(br#","id":null"#),
        (ErrorId::Unknown, Era::Modern) => {}
    }
    message.extend_from_slice(br#","error":"#);
    // Strings and a `Value` cannot fail to serialise; were it otherwise, `null` still ends the text.
    message.extend(serde_json::to_vec(&object).unwrap_or_else(|_| b"null".to_vec()));
    message.push(b'}');
    message.into()
}

/// The messages of a batch, as one JSON array.
#[must_use]
pub(crate) fn batch_message(messages: &[Bytes]) -> Bytes {
    let mut batch = Vec::with_capacity(messages.iter().map(|m| m.len() + 1).sum::<usize>() + 1);
    batch.push(b'[');
    for (index, message) in messages.iter().enumerate() {
        if index > 0 {
            batch.push(b',');
        }
        batch.extend_from_slice(message);
    }
    batch.push(b']');
    batch.into()
}
