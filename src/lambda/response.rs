//! The response in the form that the front expects.

use std::borrow::Cow;
use std::convert::Infallible;
use std::pin::Pin;
use std::task::{Context, Poll, ready};

#[cfg(feature = "lambda_http")]
use base64::Engine as _;
#[cfg(feature = "lambda_http")]
use base64::engine::general_purpose::STANDARD;
use bytes::Bytes;
use futures_util::Stream;
use http::header::{Entry, HeaderValue, SET_COOKIE};
use http::response::Parts;
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
pub(crate) struct LambdaResponse {
    status_code: u16,
    /// Required by load balancers.
    #[serde(skip_serializing_if = "Option::is_none")]
    status_description: Option<String>,
    #[serde(skip_serializing_if = "Option::is_none")]
    headers: Option<Single>,
    #[serde(skip_serializing_if = "Option::is_none")]
    multi_value_headers: Option<Lists>,
    /// Of payload v2. `cargo lambda watch` answers 500 to a response without it.
    #[serde(skip_serializing_if = "Option::is_none")]
    cookies: Option<Vec<String>>,
    body: Text,
    is_base64_encoded: bool,
}

impl LambdaResponse {
    /// A response of the server. Its body is text.
    pub(crate) fn new(front: Front, response: Response<ReplyBody>) -> Self {
        let (parts, body) = response.into_parts();
        Self::of_text(front, parts, body.into_bytes().unwrap_or_default())
    }

    /// Any response. A body that is not text is encoded.
    #[cfg(feature = "lambda_http")]
    pub(crate) fn of_any(front: Front, parts: Parts, body: Bytes) -> Self {
        if std::str::from_utf8(&body).is_ok() {
            return Self::of_text(front, parts, body);
        }
        Self {
            is_base64_encoded: true,
            ..Self::of_text(front, parts, STANDARD.encode(&body).into())
        }
    }

    fn of_text(front: Front, mut parts: Parts, body: Bytes) -> Self {
        let cookies = (front == Front::V2).then(|| take_cookies(&mut parts.headers));
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
            cookies,
            body: Text(body),
            is_base64_encoded: false,
        }
    }
}

/// Takes the values of `Set-Cookie` out of the headers.
fn take_cookies(headers: &mut HeaderMap) -> Vec<String> {
    match headers.entry(SET_COOKIE) {
        Entry::Vacant(_) => Vec::new(),
        Entry::Occupied(entry) => {
            let (_, values) = entry.remove_entry_mult();
            let text = |value: HeaderValue| String::from_utf8_lossy(value.as_bytes()).into_owned();
            values.map(text).collect()
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

/// Headers as single values. Repeated ones are joined, as RFC 9110, section 5.3, allows.
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
        for name in self.0.keys() {
            let mut values = self.0.get_all(name).iter();
            let first = values.next().map_or(b"".as_slice(), HeaderValue::as_bytes);
            let mut value = String::from_utf8_lossy(first);
            for more in values {
                value += ", ";
                value += String::from_utf8_lossy(more.as_bytes());
            }
            map.serialize_entry(name.as_str(), &value)?;
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

#[cfg(test)]
#[cfg(feature = "lambda_http")]
mod tests {
    use serde_json::{Value, json};

    use super::*;

    fn written(front: Front, body: &'static [u8]) -> Value {
        let response = http::Response::builder()
            .status(201)
            .header("Set-Cookie", "a=1")
            .header("Set-Cookie", "b=2")
            .header("Vary", "Origin")
            .header("Vary", "Accept")
            .body(());
        let (parts, ()) = response.unwrap().into_parts();
        let response = LambdaResponse::of_any(front, parts, Bytes::from_static(body));
        serde_json::to_value(response).unwrap()
    }

    #[test]
    fn repeated_headers_reach_each_front() {
        let v2 = written(Front::V2, b"text");
        assert_eq!(v2["cookies"], json!(["a=1", "b=2"]));
        assert_eq!(v2["headers"], json!({"vary": "Origin, Accept"}));
        let v1 = written(Front::V1, b"text");
        assert_eq!(v1["multiValueHeaders"]["set-cookie"], json!(["a=1", "b=2"]));
        assert_eq!(v1["multiValueHeaders"]["vary"], json!(["Origin", "Accept"]));
        assert!(v1.get("cookies").is_none(), "{v1}");
        let balancer = written(Front::LoadBalancer, b"text");
        assert_eq!(balancer["statusDescription"], "201 Created");
        assert_eq!(balancer["headers"]["vary"], "Origin, Accept");
    }

    #[test]
    fn a_body_that_is_not_text_is_encoded() {
        let text = written(Front::V2, "é".as_bytes());
        assert_eq!(
            (&text["body"], &text["isBase64Encoded"]),
            (&json!("é"), &json!(false))
        );
        let binary = written(Front::V2, &[0xff, 0x00]);
        assert_eq!(
            (&binary["body"], &binary["isBase64Encoded"]),
            (&json!("/wA="), &json!(true))
        );
    }
}
