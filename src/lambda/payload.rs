//! [`Payload`]: the bytes of an event, as the Runtime API sent them.
//!
//! The runtime decodes the payload of an invocation into the type that the handler takes. To take JSON
//! text, it would scan the whole event and copy it, and this library would then read it once more.

use std::cell::Cell;
use std::task::{Context, Poll};

use bytes::Bytes;
use lambda_runtime::tower::Layer;
use lambda_runtime::{LambdaInvocation, Service};
use serde::de::IgnoredAny;
use serde::{Deserialize, Deserializer};
use serde_json::value::RawValue;

use super::event::{self, Parts};

thread_local! {
    /// The bytes of the invocation that the runtime is decoding on this thread.
    static DECODED: Cell<Option<Bytes>> = const { Cell::new(None) };
}

/// The bytes of an event.
#[derive(Debug)]
pub(super) struct Payload(Bytes);

impl Payload {
    /// The event.
    pub(super) const fn bytes(&self) -> &Bytes {
        &self.0
    }

    /// Takes the body out of a large event.
    pub(super) fn parts(self) -> (Self, Option<String>) {
        match self.as_str().and_then(event::parts) {
            Some(Parts { rest, body }) => (Self(rest.into()), Some(body)),
            None => (self, None),
        }
    }

    /// The event as text. `None` if it is not UTF-8, and thus not JSON.
    pub(super) fn as_str(&self) -> Option<&str> {
        std::str::from_utf8(&self.0).ok()
    }
}

/// Takes the bytes that [`KeepPayload`] keeps, or else reads the JSON that it gets.
impl<'de> Deserialize<'de> for Payload {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        if let Some(bytes) = DECODED.take() {
            IgnoredAny::deserialize(deserializer)?;
            return Ok(Self(bytes));
        }
        let json = Box::<RawValue>::deserialize(deserializer)?;
        Ok(Self(String::from(Box::<str>::from(json)).into()))
    }
}

/// Keeps the bytes of each invocation for [`Payload`].
#[derive(Debug, Clone, Copy)]
pub(super) struct KeepPayload;

impl<S> Layer<S> for KeepPayload {
    type Service = Keeping<S>;

    fn layer(&self, inner: S) -> Keeping<S> {
        Keeping(inner)
    }
}

/// The service that decodes invocations, with their bytes at hand.
#[derive(Debug, Clone)]
pub(super) struct Keeping<S>(S);

impl<S: Service<LambdaInvocation>> Service<LambdaInvocation> for Keeping<S> {
    type Response = S::Response;
    type Error = S::Error;
    type Future = S::Future;

    fn poll_ready(&mut self, cx: &mut Context<'_>) -> Poll<Result<(), S::Error>> {
        self.0.poll_ready(cx)
    }

    fn call(&mut self, mut invocation: LambdaInvocation) -> S::Future {
        let body = std::mem::replace(&mut invocation.body, Bytes::from_static(b"null"));
        DECODED.set(Some(body));
        let responding = self.0.call(invocation);
        // The runtime decodes within `call`. If it did so later, it would find `null`, and never the
        // bytes of another invocation.
        DECODED.take();
        responding
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn without_kept_bytes_the_json_is_read() {
        let read = |json: &str| serde_json::from_str::<Payload>(json);
        assert_eq!(
            read(r#"{"a": [1]}"#).unwrap().as_str(),
            Some(r#"{"a": [1]}"#)
        );
        assert!(read("{").is_err());
        DECODED.set(Some(Bytes::from_static(b"kept")));
        assert_eq!(read("null").unwrap().as_str(), Some("kept"));
        assert_eq!(
            read("null").unwrap().as_str(),
            Some("null"),
            "they are taken once"
        );
        DECODED.set(Some(Bytes::from_static(b"\xff")));
        assert_eq!(read("null").unwrap().as_str(), None);
    }
}
