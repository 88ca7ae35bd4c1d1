//! The response in the form that the front expects.
//!
//! It is written as JSON at once, in one pass over the body. The runtime then copies the text.

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
use http::header::{HeaderName, HeaderValue, SET_COOKIE};
use http::response::Parts;
use http::{HeaderMap, Response};
use http_body::Body as _;
use lambda_runtime::{MetadataPrelude, StreamResponse};
use serde::{Serialize, Serializer};

use super::event::Front;
use crate::reply::{ReplyBody, SharedMessage};
use crate::wire::text::quote_into;
use crate::wire::written_json::WrittenJson;

/// Room for the status and the headers of a response.
const HEAD_BYTES: usize = 768;

/// A response for API Gateway, a Function URL or a load balancer.
#[derive(Debug)]
pub(crate) struct LambdaResponse(WrittenJson);

impl LambdaResponse {
    /// A response of the server. Its body is text.
    pub(crate) fn new(front: Front, response: Response<ReplyBody>) -> Self {
        let (parts, body) = response.into_parts();
        if let Some(message) = body.as_shared() {
            return Self(written(front, &parts, Body::Shared(message)));
        }
        let body = body.into_bytes().unwrap_or_default();
        Self(written(front, &parts, Body::Text(&text(&body))))
    }

    /// Any response. A body that is not text is encoded.
    #[cfg(feature = "lambda_http")]
    pub(crate) fn of_any(front: Front, parts: &Parts, body: &[u8]) -> Self {
        Self(match std::str::from_utf8(body) {
            Ok(body) => written(front, parts, Body::Text(body)),
            Err(_) => written(front, parts, Body::Base64(&STANDARD.encode(body))),
        })
    }
}

impl Serialize for LambdaResponse {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        self.0.serialize(serializer)
    }
}

/// Bytes as text. JSON, event streams and header values of this library are always UTF-8.
fn text(bytes: &[u8]) -> Cow<'_, str> {
    match std::str::from_utf8(bytes) {
        Ok(text) => Cow::Borrowed(text),
        Err(_) => String::from_utf8_lossy(bytes),
    }
}

/// The body of a response.
#[derive(Debug, Clone, Copy)]
enum Body<'a> {
    Text(&'a str),
    /// A message that is stored as the inside of a JSON string.
    Shared(&'a SharedMessage),
    /// Bytes that are not text.
    #[cfg_attr(
        not(feature = "lambda_http"),
        expect(dead_code, reason = "the bodies of a `Server` are text")
    )]
    Base64(&'a str),
}

impl Body<'_> {
    fn len(self) -> usize {
        match self {
            Self::Text(text) | Self::Base64(text) => text.len(),
            Self::Shared(message) => message.escaped_len(),
        }
    }
}

/// Writes a response.
fn written(front: Front, parts: &Parts, body: Body<'_>) -> WrittenJson {
    let headers = &parts.headers;
    let mut json = Vec::with_capacity(HEAD_BYTES + body.len() + body.len() / 4);
    json.extend_from_slice(br#"{"statusCode":"#);
    json.extend_from_slice(parts.status.as_str().as_bytes());
    if front == Front::LoadBalancer {
        // Required by load balancers.
        json.extend_from_slice(br#","statusDescription":"#);
        quote_into(&mut json, &parts.status.to_string());
    }
    if front != Front::V1 {
        let is_cookie = |name: &HeaderName| front == Front::V2 && *name == SET_COOKIE;
        json.extend_from_slice(br#","headers":{"#);
        members(&mut json, headers, |name| !is_cookie(name), joined);
    }
    if front != Front::V2 {
        json.extend_from_slice(br#","multiValueHeaders":{"#);
        members(&mut json, headers, |_| true, listed);
    }
    if front == Front::V2 {
        // `cargo lambda watch` answers 500 to a response without it.
        json.extend_from_slice(br#","cookies":"#);
        listed(&mut json, headers, &SET_COOKIE);
    }
    json.extend_from_slice(br#","body":"#);
    match body {
        Body::Text(text) | Body::Base64(text) => quote_into(&mut json, text),
        Body::Shared(message) => {
            json.push(b'"');
            message.escape_into(&mut json);
            json.push(b'"');
        }
    }
    let is_base64: &[u8] = match body {
        Body::Base64(_) => b"true",
        Body::Text(_) | Body::Shared(_) => b"false",
    };
    json.extend_from_slice(br#","isBase64Encoded":"#);
    json.extend_from_slice(is_base64);
    json.push(b'}');
    WrittenJson::new(json)
}

/// Writes the headers that `is_wanted` as the members of an object, and its end.
fn members(
    json: &mut Vec<u8>,
    headers: &HeaderMap,
    is_wanted: impl Fn(&HeaderName) -> bool,
    value: impl Fn(&mut Vec<u8>, &HeaderMap, &HeaderName),
) {
    let mut is_first = true;
    for name in headers.keys().filter(|name| is_wanted(name)) {
        if !std::mem::take(&mut is_first) {
            json.push(b',');
        }
        quote_into(json, name.as_str());
        json.push(b':');
        value(json, headers, name);
    }
    json.push(b'}');
}

/// Writes a header as one value. Repeated ones are joined, as RFC 9110, section 5.3, allows.
fn joined(json: &mut Vec<u8>, headers: &HeaderMap, name: &HeaderName) {
    let mut values = headers.get_all(name).iter().map(HeaderValue::as_bytes);
    let mut value = text(values.next().unwrap_or_default());
    for more in values {
        value += ", ";
        value += text(more);
    }
    quote_into(json, &value);
}

/// Writes a header as a list of values.
fn listed(json: &mut Vec<u8>, headers: &HeaderMap, name: &HeaderName) {
    json.push(b'[');
    for (index, value) in headers.get_all(name).iter().enumerate() {
        if index > 0 {
            json.push(b',');
        }
        quote_into(json, &text(value.as_bytes()));
    }
    json.push(b']');
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
        let response = LambdaResponse::of_any(front, &parts, body);
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
