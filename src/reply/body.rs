//! [`ReplyBody`]: a complete body, or an event stream that is still being written.
//! Specification: *Streamable HTTP, Receiving Messages*.

use std::convert::Infallible;
use std::fmt;
use std::pin::Pin;
use std::task::{Context, Poll};

use bytes::Bytes;
use http_body::{Body, Frame, SizeHint};
use tokio::sync::mpsc::Receiver;

use super::shared_json::SharedMessage;
use crate::wire::one_line::one_line;

/// The future that yields the last message of a stream.
pub(super) type LastMessage = Pin<Box<dyn Future<Output = Bytes> + Send>>;

/// The body of a response of a [`Server`](crate::Server).
///
/// It is either complete, or an event stream whose frames are produced while it is read. In both
/// cases it ends: dropping it cancels the call that writes it.
///
/// # Examples
///
/// ```
/// use bytes::Bytes;
/// use lambda_mcp::Server;
///
/// # #[tokio::main(flavor = "current_thread")]
/// # async fn main() -> Result<(), Box<dyn std::error::Error>> {
/// let server = Server::builder("empty", "1.0.0").build()?;
/// let request = http::Request::get("/health").body(Bytes::new())?;
/// let response = server.handle(request).await;
/// let body = response.into_body().into_bytes();
/// assert_eq!(body.as_deref(), Some(br#"{"status":"ok"}"#.as_slice()));
/// # Ok(())
/// # }
/// ```
pub struct ReplyBody(Kind);

enum Kind {
    Complete(Option<Bytes>),
    /// A message that is put together when it is read.
    Shared(SharedMessage),
    /// Notifications as they arrive, then the response.
    Stream {
        first: Option<Bytes>,
        notifications: Receiver<Bytes>,
        work: Option<LastMessage>,
        last: Option<Bytes>,
    },
}

impl ReplyBody {
    /// Returns the whole body, or `None` if it is a stream.
    ///
    /// Bodies of [`Server::handle`](crate::Server::handle) are always complete.
    #[must_use]
    pub fn into_bytes(self) -> Option<Bytes> {
        match self.0 {
            Kind::Complete(bytes) => Some(bytes.unwrap_or_default()),
            Kind::Shared(message) => Some(message.to_bytes()),
            Kind::Stream { .. } => None,
        }
    }

    /// A message whose result many responses have.
    pub(super) const fn shared(message: SharedMessage) -> Self {
        Self(Kind::Shared(message))
    }

    /// The message whose result many responses have, if the body is one.
    #[cfg_attr(
        not(feature = "lambda"),
        expect(dead_code, reason = "only the edge to Lambda copies it by itself")
    )]
    pub(crate) const fn as_shared(&self) -> Option<&SharedMessage> {
        match &self.0 {
            Kind::Shared(message) => Some(message),
            Kind::Complete(_) | Kind::Stream { .. } => None,
        }
    }

    /// An event stream: `first`, then the messages of `notifications`, then the output of `work`.
    pub(super) const fn stream(
        first: Bytes,
        notifications: Receiver<Bytes>,
        work: LastMessage,
    ) -> Self {
        Self(Kind::Stream {
            first: Some(first),
            notifications,
            work: Some(work),
            last: None,
        })
    }
}

impl From<Bytes> for ReplyBody {
    fn from(bytes: Bytes) -> Self {
        Self(Kind::Complete((!bytes.is_empty()).then_some(bytes)))
    }
}

impl fmt::Debug for ReplyBody {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match &self.0 {
            Kind::Complete(bytes) => f.debug_tuple("Complete").field(bytes).finish(),
            Kind::Shared(message) => f.debug_tuple("Shared").field(message).finish(),
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
            Kind::Complete(bytes) => Poll::Ready(bytes.take()),
            Kind::Shared(message) => {
                let bytes = message.to_bytes();
                self.0 = Kind::Complete(None);
                Poll::Ready(Some(bytes))
            }
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
            Kind::Complete(bytes) => bytes.is_none(),
            Kind::Shared(_) => false,
            Kind::Stream { work, last, .. } => work.is_none() && last.is_none(),
        }
    }

    fn size_hint(&self) -> SizeHint {
        match &self.0 {
            Kind::Complete(bytes) => {
                SizeHint::with_exact(bytes.as_ref().map_or(0, |bytes| bytes.len() as u64))
            }
            Kind::Shared(message) => SizeHint::with_exact(message.len() as u64),
            Kind::Stream { .. } => SizeHint::default(),
        }
    }
}

/// Returns the next event. Every notification precedes the response, which ends the stream.
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
        // The work holds the sender, so the channel stays open until the work is done.
        Poll::Ready(None) | Poll::Pending => Poll::Pending,
    }
}

const EVENT: &[u8] = b"event: message\ndata: ";
const EVENT_END: &[u8] = b"\n\n";

/// Formats one server-sent event. A line break would end its `data` line.
pub(super) fn event(message: &[u8]) -> Bytes {
    [EVENT, &one_line(message), EVENT_END].concat().into()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_message_is_one_data_line() {
        let expected = b"event: message\ndata: {   \"a\": 1 }\n\n";
        assert_eq!(event(b"{\n  \"a\": 1\n}"), expected.as_slice());
    }
}
