//! Every HTTP response is built here, and only here.
//!
//! The stages hand over what they decided ([`IntoReply`]); this file knows statuses, content types
//! and the frame of a JSON-RPC response. CORS headers are added by [`Reply::into_response`], so
//! that no response can leave without them.

use std::convert::Infallible;
use std::fmt;
use std::pin::Pin;
use std::task::{Context, Poll};

use bytes::Bytes;
use http::header::{CACHE_CONTROL, CONTENT_TYPE, HeaderName, HeaderValue};
use http::{HeaderMap, Response, StatusCode};
use http_body::{Body, Frame, SizeHint};
use tokio::sync::mpsc::Receiver;

use crate::error::ProtocolError;
use crate::wire::jsonrpc::{ErrorObject, RequestId};
use crate::wire::version::Era;

const JSON: HeaderValue = HeaderValue::from_static("application/json");
const EVENT_STREAM: HeaderValue = HeaderValue::from_static("text/event-stream");
/// Proxies must not hold events back. Specification: *Streamable HTTP, Receiving Messages*.
const X_ACCEL_BUFFERING: HeaderName = HeaderName::from_static("x-accel-buffering");
const NO: HeaderValue = HeaderValue::from_static("no");
const NO_STORE: HeaderValue = HeaderValue::from_static("no-store");

/// A future on the heap that gives the last message of a stream.
type LastMessage = Pin<Box<dyn Future<Output = Bytes> + Send>>;

/// The body of a response. It ends: with its bytes, or with the work that writes it.
pub struct ReplyBody(Kind);

enum Kind {
    Whole(Option<Bytes>),
    /// Notifications as they come, then the response.
    Stream {
        first: Option<Bytes>,
        notifications: Receiver<Bytes>,
        work: Option<LastMessage>,
        last: Option<Bytes>,
    },
}

impl ReplyBody {
    /// The whole body, if it is complete; a body that is still written has none yet.
    #[must_use]
    pub fn into_bytes(self) -> Option<Bytes> {
        match self.0 {
            Kind::Whole(bytes) => Some(bytes.unwrap_or_default()),
            Kind::Stream { .. } => None,
        }
    }
}

impl From<Bytes> for ReplyBody {
    fn from(bytes: Bytes) -> Self {
        Self(Kind::Whole((!bytes.is_empty()).then_some(bytes)))
    }
}

impl fmt::Debug for ReplyBody {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match &self.0 {
            Kind::Whole(bytes) => f.debug_tuple("Whole").field(bytes).finish(),
            Kind::Stream { .. } => f.write_str("Stream"),
        }
    }
}

impl Body for ReplyBody {
    type Data = Bytes;
    type Error = Infallible;

    fn poll_frame(
        mut self: Pin<&mut Self>,
        cx: &mut Context<'_>,
    ) -> Poll<Option<Result<Frame<Bytes>, Infallible>>> {
        let bytes = match &mut self.0 {
            Kind::Whole(bytes) => Poll::Ready(bytes.take()),
            Kind::Stream {
                first,
                notifications,
                work,
                last,
            } => poll_stream(first, notifications, work, last, cx),
        };
        bytes.map(|bytes| bytes.map(|bytes| Ok(Frame::data(bytes))))
    }

    fn is_end_stream(&self) -> bool {
        match &self.0 {
            Kind::Whole(bytes) => bytes.is_none(),
            Kind::Stream { work, last, .. } => work.is_none() && last.is_none(),
        }
    }

    fn size_hint(&self) -> SizeHint {
        match &self.0 {
            Kind::Whole(bytes) => {
                SizeHint::with_exact(bytes.as_ref().map_or(0, |bytes| bytes.len() as u64))
            }
            Kind::Stream { .. } => SizeHint::default(),
        }
    }
}

/// The next event: all notifications come before the response, which ends the stream.
fn poll_stream(
    first: &mut Option<Bytes>,
    notifications: &mut Receiver<Bytes>,
    work: &mut Option<LastMessage>,
    last: &mut Option<Bytes>,
    cx: &mut Context<'_>,
) -> Poll<Option<Bytes>> {
    if let Some(first) = first.take() {
        return Poll::Ready(Some(event(&first)));
    }
    if let Some(running) = work
        && let Poll::Ready(message) = running.as_mut().poll(cx)
    {
        *work = None;
        *last = Some(message);
    }
    match notifications.poll_recv(cx) {
        Poll::Ready(Some(notification)) => Poll::Ready(Some(event(&notification))),
        Poll::Ready(None) | Poll::Pending if work.is_none() => {
            Poll::Ready(last.take().map(|message| event(&message)))
        }
        // The work holds the sending end, so the channel does not close before it is done.
        Poll::Ready(None) | Poll::Pending => Poll::Pending,
    }
}

/// One server-sent event. JSON text has no line breaks, so it is one line of data.
fn event(message: &[u8]) -> Bytes {
    let mut event = Vec::with_capacity(message.len() + 24);
    write_event(&mut event, message);
    event.into()
}

fn write_event(stream: &mut Vec<u8>, message: &[u8]) {
    stream.extend_from_slice(b"event: message\ndata: ");
    stream.extend_from_slice(message);
    stream.extend_from_slice(b"\n\n");
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

    /// Sets several headers, in place of earlier values.
    #[must_use]
    pub(crate) fn headers(mut self, headers: HeaderMap) -> Self {
        self.headers.extend(headers);
        self
    }

    /// Leaves the body out, as the answer to HEAD must.
    #[must_use]
    pub(crate) fn without_body(mut self) -> Self {
        self.body = Bytes::new();
        self
    }

    /// Writes the JSON body as the last event of an event stream, after the notifications.
    #[must_use]
    pub(crate) fn into_event_stream(mut self, notifications: &[Bytes]) -> Self {
        if self.body.is_empty() {
            return self;
        }
        let mut stream = Vec::with_capacity(self.body.len() + 24);
        for notification in notifications {
            write_event(&mut stream, notification);
        }
        write_event(&mut stream, &self.body);
        self.body = stream.into();
        self.header(CONTENT_TYPE, EVENT_STREAM)
            .header(X_ACCEL_BUFFERING, NO)
    }

    /// The body alone.
    #[must_use]
    pub(crate) fn into_body(self) -> Bytes {
        self.body
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

/// An event stream that is still written: `first`, what else comes, and the message that `work`
/// ends with.
#[must_use]
pub(crate) fn streaming(
    shared: HeaderMap,
    first: Bytes,
    notifications: Receiver<Bytes>,
    work: LastMessage,
) -> Response<ReplyBody> {
    let mut response = Reply::empty(StatusCode::OK)
        .header(CONTENT_TYPE, EVENT_STREAM)
        .header(CACHE_CONTROL, NO_STORE)
        .header(X_ACCEL_BUFFERING, NO)
        .into_response(shared);
    *response.body_mut() = ReplyBody(Kind::Stream {
        first: Some(first),
        notifications,
        work: Some(work),
        last: None,
    });
    response
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
        code: error.code(era),
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
