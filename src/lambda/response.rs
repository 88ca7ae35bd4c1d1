//! The response in the form that the front expects.

use std::borrow::Cow;
use std::convert::Infallible;
use std::pin::Pin;
use std::task::{Context, Poll, ready};

use bytes::Bytes;
use futures_util::Stream;
use http::{HeaderMap, Response};
use http_body::Body as _;
use lambda_runtime::{MetadataPrelude, StreamResponse};
use serde::ser::{SerializeMap, SerializeSeq};
use serde::{Serialize, Serializer};

use super::event::Front;
use crate::reply::ReplyBody;

/// A response for API Gateway, a Function URL or a load balancer.
#[derive(Debug, Serialize)]
#[serde(rename_all = "camelCase")]
pub(super) struct LambdaResponse {
    status_code: u16,
    /// Required by load balancers.
    #[serde(skip_serializing_if = "Option::is_none")]
    status_description: Option<String>,
    #[serde(skip_serializing_if = "Option::is_none")]
    headers: Option<Single>,
    #[serde(skip_serializing_if = "Option::is_none")]
    multi_value_headers: Option<Lists>,
    /// Always empty. `cargo lambda watch` answers 500 to a response of payload v2 without it.
    #[serde(skip_serializing_if = "Option::is_none")]
    cookies: Option<[&'static str; 0]>,
    body: Text,
    is_base64_encoded: bool,
}

impl LambdaResponse {
    pub(super) fn new(front: Front, response: Response<ReplyBody>) -> Self {
        let (parts, body) = response.into_parts();
        let (single, lists) = match front {
            Front::V1 => (None, Some(Lists(parts.headers))),
            Front::V2 => (Some(Single(parts.headers)), None),
            Front::LoadBalancer => (
                Some(Single(parts.headers.clone())),
                Some(Lists(parts.headers)),
            ),
        };
        let status = parts.status;
        Self {
            status_code: status.as_u16(),
            status_description: (front == Front::LoadBalancer).then(|| status.to_string()),
            headers: single,
            multi_value_headers: lists,
            cookies: (front == Front::V2).then_some([]),
            body: Text(body.into_bytes().unwrap_or_default()),
            is_base64_encoded: false,
        }
    }
}

/// A response as a stream: a prelude with status and headers, then the body as it is produced.
pub(super) fn streamed(response: Response<ReplyBody>) -> StreamResponse<Frames> {
    let (parts, body) = response.into_parts();
    StreamResponse {
        metadata_prelude: MetadataPrelude {
            status_code: parts.status,
            headers: parts.headers,
            cookies: Vec::new(),
        },
        stream: Frames(body),
    }
}

/// The frames of a body.
pub(super) struct Frames(ReplyBody);

impl Stream for Frames {
    type Item = Result<Bytes, Infallible>;

    fn poll_next(mut self: Pin<&mut Self>, cx: &mut Context<'_>) -> Poll<Option<Self::Item>> {
        let frame = ready!(Pin::new(&mut self.0).poll_frame(cx));
        // Bodies have data frames only. A trailer would end the stream.
        Poll::Ready(frame.and_then(|Ok(frame)| frame.into_data().ok()).map(Ok))
    }
}

/// Headers as single values. The server sends no header more than once.
#[derive(Debug)]
struct Single(HeaderMap);

/// Headers as lists of values.
#[derive(Debug)]
struct Lists(HeaderMap);

/// A body. JSON and event streams are always UTF-8.
#[derive(Debug)]
struct Text(Bytes);

impl Serialize for Single {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        let mut map = serializer.serialize_map(Some(self.0.keys_len()))?;
        for (name, value) in &self.0 {
            map.serialize_entry(name.as_str(), &String::from_utf8_lossy(value.as_bytes()))?;
        }
        map.end()
    }
}

impl Serialize for Lists {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        let mut map = serializer.serialize_map(Some(self.0.keys_len()))?;
        for name in self.0.keys() {
            map.serialize_entry(name.as_str(), &List(&self.0, name))?;
        }
        map.end()
    }
}

struct List<'a>(&'a HeaderMap, &'a http::HeaderName);

impl Serialize for List<'_> {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        let mut list = serializer.serialize_seq(None)?;
        for value in self.0.get_all(self.1) {
            list.serialize_element(&String::from_utf8_lossy(value.as_bytes()))?;
        }
        list.end()
    }
}

impl Serialize for Text {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        let text: Cow<'_, str> = String::from_utf8_lossy(&self.0);
        serializer.serialize_str(&text)
    }
}
