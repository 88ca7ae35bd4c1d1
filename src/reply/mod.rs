//! Every HTTP response is built here, and only here.
//!
//! Stages return what they decided; this module adds status, content type and the JSON-RPC frame.
//! [`Reply::into_response`] adds the CORS headers, so no response lacks them.

mod body;
mod frame;
mod shared_json;
mod size;

use bytes::Bytes;
use http::header::{CACHE_CONTROL, CONTENT_TYPE, HeaderName, HeaderValue};
use http::{HeaderMap, Response, StatusCode};
use tokio::sync::mpsc::Receiver;

pub use self::body::ReplyBody;
use self::body::{LastMessage, event};
pub(crate) use self::frame::{ErrorId, ErrorResponse, batch_message, shared_result};
pub(crate) use self::shared_json::{SharedJson, SharedMessage, result_message};
pub(crate) use self::size::Budget;
pub use self::size::ResponseLimit;

const JSON: HeaderValue = HeaderValue::from_static("application/json");
const EVENT_STREAM: HeaderValue = HeaderValue::from_static("text/event-stream");
/// Tells proxies not to buffer events. Specification: *Streamable HTTP, Receiving Messages*.
const X_ACCEL_BUFFERING: HeaderName = HeaderName::from_static("x-accel-buffering");
const NO: HeaderValue = HeaderValue::from_static("no");
const NO_STORE: HeaderValue = HeaderValue::from_static("no-store");

/// A response without the headers that all responses share.
#[derive(Debug)]
pub(crate) struct Reply {
    status: StatusCode,
    headers: HeaderMap,
    body: Content,
}

/// The body of a reply.
#[derive(Debug)]
enum Content {
    Own(Bytes),
    Shared(SharedMessage),
}

impl Content {
    fn into_bytes(self) -> Bytes {
        match self {
            Self::Own(bytes) => bytes,
            Self::Shared(message) => message.to_bytes(),
        }
    }
}

impl Reply {
    /// A response without a body.
    #[must_use]
    pub(crate) fn empty(status: StatusCode) -> Self {
        Self {
            status,
            headers: HeaderMap::new(),
            body: Content::Own(Bytes::new()),
        }
    }

    /// A JSON body with `Cache-Control: no-store`.
    #[must_use]
    pub(crate) fn json(status: StatusCode, body: impl Into<Bytes>) -> Self {
        Self::of(status, Content::Own(body.into()))
    }

    /// The same with a message whose result many responses have.
    #[must_use]
    fn shared(status: StatusCode, message: SharedMessage) -> Self {
        Self::of(status, Content::Shared(message))
    }

    fn of(status: StatusCode, body: Content) -> Self {
        Self {
            status,
            headers: HeaderMap::new(),
            body,
        }
        .header(CONTENT_TYPE, JSON)
        .header(CACHE_CONTROL, NO_STORE)
    }

    /// Sets a header and replaces an earlier value.
    #[must_use]
    pub(crate) fn header(mut self, name: HeaderName, value: HeaderValue) -> Self {
        self.headers.insert(name, value);
        self
    }

    /// Sets headers and replaces earlier values.
    #[must_use]
    pub(crate) fn headers(mut self, headers: HeaderMap) -> Self {
        self.headers.extend(headers);
        self
    }

    /// Removes the body, as a response to HEAD requires.
    #[must_use]
    pub(crate) fn without_body(mut self) -> Self {
        self.body = Content::Own(Bytes::new());
        self
    }

    /// Turns the JSON body into the last event of an event stream, after the notifications.
    ///
    /// Notifications that would exceed the limit are left out: their delivery is not guaranteed.
    #[must_use]
    pub(crate) fn into_event_stream(
        mut self,
        notifications: &[Bytes],
        limit: Option<ResponseLimit>,
    ) -> Self {
        if self.body_len() == 0 {
            return self;
        }
        let last = event(&self.body());
        let mut budget = Budget::new(limit);
        let mut stream = Vec::with_capacity(last.len());
        if budget.take(&last) {
            for notification in notifications.iter().map(|message| event(message)) {
                if budget.take(&notification) {
                    stream.extend_from_slice(&notification);
                }
            }
        }
        stream.extend_from_slice(&last);
        self.body = Content::Own(stream.into());
        self.header(CONTENT_TYPE, EVENT_STREAM)
            .header(X_ACCEL_BUFFERING, NO)
    }

    /// Returns the body alone.
    #[must_use]
    pub(crate) fn into_body(self) -> Bytes {
        self.body.into_bytes()
    }

    /// The body.
    #[must_use]
    pub(crate) fn body(&self) -> Bytes {
        match &self.body {
            Content::Own(bytes) => bytes.clone(),
            Content::Shared(message) => message.to_bytes(),
        }
    }

    /// The length of the body.
    #[must_use]
    pub(crate) fn body_len(&self) -> usize {
        match &self.body {
            Content::Own(bytes) => bytes.len(),
            Content::Shared(message) => message.len(),
        }
    }

    /// The headers that only this response has.
    #[must_use]
    pub(crate) const fn header_map(&self) -> &HeaderMap {
        &self.headers
    }

    /// The HTTP status.
    #[must_use]
    pub(crate) const fn status(&self) -> StatusCode {
        self.status
    }

    /// Builds the response. A header of the reply replaces the shared one of the same name.
    #[must_use]
    pub(crate) fn into_response(self, shared: HeaderMap) -> Response<ReplyBody> {
        let body = match self.body {
            Content::Own(bytes) => ReplyBody::from(bytes),
            Content::Shared(message) => ReplyBody::shared(message),
        };
        let mut response = Response::new(body);
        *response.status_mut() = self.status;
        let headers = response.headers_mut();
        *headers = shared;
        headers.extend(self.headers);
        response
    }
}

/// Builds an event stream that is still being written: `first`, then the remaining notifications,
/// then the message that `work` yields.
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
    *response.body_mut() = ReplyBody::stream(first, notifications, work);
    response
}

/// A decision of a stage that becomes a response.
pub(crate) trait IntoReply {
    /// Returns the response.
    fn into_reply(self) -> Reply;
}
