//! The function's response, read as the front reads it.

use std::time::{Duration, Instant};

use base64::Engine as _;
use base64::engine::general_purpose::STANDARD as BASE64;
use bytes::Bytes;
use http::HeaderMap;
use serde_json::Value;

use super::{Front, sse};

/// The largest synchronous response that Lambda allows, in bytes.
const RESPONSE_LIMIT: usize = 6_291_556;

/// How one request ended.
pub enum Outcome {
    /// An HTTP response.
    Reply(Reply),
    /// The function reported an error instead of a response: the client gets a 502.
    FunctionError(String),
    /// The function reported that it cannot start.
    InitError(String),
    /// The program exited.
    Exited {
        /// The exit status, as text.
        status: String,
        /// The output of the program.
        logs: String,
    },
    /// No complete response came within the deadline.
    Late {
        /// The deadline that passed.
        deadline: Duration,
        /// The output of the program so far.
        logs: String,
    },
    /// The front cannot read the response.
    Malformed(String),
}

impl Outcome {
    /// The response.
    ///
    /// Panics if there is none, or if it violates the official schema.
    #[track_caller]
    pub fn reply(self) -> Reply {
        match self {
            Self::Reply(reply) => {
                assert!(
                    reply.faults.is_empty(),
                    "{}\n{reply:#?}",
                    reply.faults.join("\n")
                );
                reply
            }
            other => panic!("no response: {other:#?}"),
        }
    }
}

impl std::fmt::Debug for Outcome {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        match self {
            Self::Reply(reply) => write!(f, "{reply:?}"),
            Self::FunctionError(words) => write!(f, "a function error: {words}"),
            Self::InitError(words) => write!(f, "an error at start: {words}"),
            Self::Exited { status, logs } => write!(f, "the program ended: {status}\n{logs}"),
            Self::Late { deadline, logs } => {
                write!(f, "no complete answer within {deadline:?}\n{logs}")
            }
            Self::Malformed(words) => write!(f, "an answer that no front can use: {words}"),
        }
    }
}

/// A complete HTTP response.
#[derive(Clone)]
pub struct Reply {
    /// The HTTP status.
    pub status: u16,
    /// The headers: names in lower case, a repeated header once for each value.
    pub headers: Vec<(String, String)>,
    /// The whole body.
    pub body: Vec<u8>,
    /// The time from the request to the end of the body.
    pub elapsed: Duration,
    /// When the Runtime API received each piece of the response.
    pub arrivals: Vec<Instant>,
    /// Violations of the official schemas in the body.
    pub faults: Vec<String>,
}

impl Reply {
    /// All values of a header, joined as HTTP joins them; `None` when it is absent.
    pub fn header(&self, name: &str) -> Option<String> {
        let values: Vec<&str> = self.values(name).collect();
        (!values.is_empty()).then(|| values.join(", "))
    }

    /// Each line of a header.
    pub fn values<'a>(&'a self, name: &'a str) -> impl Iterator<Item = &'a str> {
        let named = self
            .headers
            .iter()
            .filter(move |(n, _)| n.eq_ignore_ascii_case(name));
        named.map(|(_, value)| value.as_str())
    }

    /// The body as text.
    pub fn text(&self) -> String {
        String::from_utf8_lossy(&self.body).into_owned()
    }

    /// Whether the content type is JSON.
    pub fn is_json(&self) -> bool {
        self.media_type()
            .is_some_and(|media| media == "application/json")
    }

    /// Whether the content type is an event stream.
    pub fn is_sse(&self) -> bool {
        self.media_type()
            .is_some_and(|media| media == "text/event-stream")
    }

    fn media_type(&self) -> Option<String> {
        let value = self.header("content-type")?;
        Some(value.split(';').next()?.trim().to_ascii_lowercase())
    }

    /// The body as one JSON value.
    #[track_caller]
    pub fn json(&self) -> Value {
        match serde_json::from_slice(&self.body) {
            Ok(value) => value,
            Err(error) => panic!("the body is not JSON ({error}): {self:#?}"),
        }
    }

    /// The messages of the body, which is JSON or an event stream.
    pub fn messages(&self) -> Result<Vec<Value>, String> {
        if self.body.is_empty() {
            return Ok(Vec::new());
        }
        if self.is_sse() {
            return sse::messages(&self.text());
        }
        match serde_json::from_slice(&self.body) {
            Ok(value) => Ok(vec![value]),
            Err(error) => Err(format!("the body is not JSON: {error}: {}", self.excerpt())),
        }
    }

    /// The last message of the body: the response.
    #[track_caller]
    pub fn message(&self) -> Value {
        let messages = self
            .messages()
            .unwrap_or_else(|fault| panic!("{fault}\n{self:#?}"));
        let last = messages.into_iter().next_back();
        last.unwrap_or_else(|| panic!("no message in the body: {self:#?}"))
    }

    /// The `result` of the response.
    #[track_caller]
    pub fn result(&self) -> Value {
        let message = self.message();
        assert!(message.get("result").is_some(), "no result: {self:#?}");
        message["result"].clone()
    }

    /// The `error.code` of the response.
    #[track_caller]
    pub fn error_code(&self) -> i64 {
        let message = self.message();
        message["error"]["code"]
            .as_i64()
            .unwrap_or_else(|| panic!("no error code: {self:#?}"))
    }

    fn excerpt(&self) -> String {
        let text = self.text();
        let cut: String = text.chars().take(1500).collect();
        if cut.len() < text.len() {
            format!("{cut}… ({} bytes)", text.len())
        } else {
            cut
        }
    }

    /// Reads the response that the function posted to `…/response`.
    pub fn read(
        front: Front,
        headers: &HeaderMap,
        body: &Bytes,
        elapsed: Duration,
    ) -> Result<Self, String> {
        let mode = headers.get("lambda-runtime-function-response-mode");
        let (status, headers, body) = if mode.is_some_and(|mode| mode == "streaming") {
            streamed(body)?
        } else {
            buffered(front, body)?
        };
        Ok(Self {
            status,
            headers,
            body,
            elapsed,
            arrivals: Vec::new(),
            faults: Vec::new(),
        })
    }
}

impl std::fmt::Debug for Reply {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        writeln!(f, "HTTP {} after {:?}", self.status, self.elapsed)?;
        for (name, value) in &self.headers {
            writeln!(f, "{name}: {value}")?;
        }
        write!(f, "\n{}", self.excerpt())
    }
}

type Parts = (u16, Vec<(String, String)>, Vec<u8>);

/// The JSON form: a status, headers and the body as text or Base64.
fn buffered(front: Front, bytes: &[u8]) -> Result<Parts, String> {
    if bytes.len() > RESPONSE_LIMIT {
        return Err(format!(
            "{} bytes are more than Lambda lets through",
            bytes.len()
        ));
    }
    let response: Value = serde_json::from_slice(bytes).map_err(|e| format!("no JSON: {e}"))?;
    let status = status(&response)?;
    let mut headers = Vec::new();
    if front.reads_version_2() {
        single_headers(&response, &mut headers)?;
        for cookie in response["cookies"].as_array().into_iter().flatten() {
            headers.push(("set-cookie".to_owned(), text(cookie)?));
        }
    } else {
        multi_headers(&response, &mut headers)?;
        let mut single = Vec::new();
        single_headers(&response, &mut single)?;
        // A gateway keeps the multi-value form where both name a header.
        single.retain(|(name, _)| headers.iter().all(|(other, _)| other != name));
        if front == Front::Alb && !single.is_empty() {
            return Err(format!(
                "a load balancer drops the single-value headers {single:?}"
            ));
        }
        headers.extend(single);
    }
    let body = match &response["body"] {
        Value::Null => Vec::new(),
        Value::String(text) if response["isBase64Encoded"] == true => BASE64
            .decode(text)
            .map_err(|error| format!("the body is no Base64: {error}"))?,
        Value::String(text) => text.clone().into_bytes(),
        other => return Err(format!("`body` is neither text nor null: {other}")),
    };
    Ok((status, headers, body))
}

/// The streamed form: a JSON prelude, eight NUL bytes, the body.
fn streamed(bytes: &[u8]) -> Result<Parts, String> {
    let end = bytes.windows(8).position(|window| window == [0; 8]);
    let end = end.ok_or("the stream has no end of its prelude")?;
    let prelude: Value = serde_json::from_slice(&bytes[..end])
        .map_err(|e| format!("the prelude is no JSON: {e}"))?;
    let mut headers = Vec::new();
    single_headers(&prelude, &mut headers)?;
    let body = bytes[end + 8..].to_vec();
    if String::from_utf8_lossy(&body).contains("Lambda-Runtime-Function-Error-Type:") {
        return Err(format!(
            "the stream broke off: {}",
            String::from_utf8_lossy(&body)
        ));
    }
    Ok((status(&prelude)?, headers, body))
}

fn status(response: &Value) -> Result<u16, String> {
    let status = response["statusCode"]
        .as_u64()
        .and_then(|status| u16::try_from(status).ok());
    status
        .filter(|status| (200..600).contains(status))
        .ok_or_else(|| format!("no final status: {}", response["statusCode"]))
}

fn single_headers(response: &Value, into: &mut Vec<(String, String)>) -> Result<(), String> {
    for (name, value) in response["headers"].as_object().into_iter().flatten() {
        into.push((name.to_ascii_lowercase(), text(value)?));
    }
    Ok(())
}

fn multi_headers(response: &Value, into: &mut Vec<(String, String)>) -> Result<(), String> {
    for (name, values) in response["multiValueHeaders"]
        .as_object()
        .into_iter()
        .flatten()
    {
        for value in values
            .as_array()
            .ok_or_else(|| format!("`{name}` is no list"))?
        {
            into.push((name.to_ascii_lowercase(), text(value)?));
        }
    }
    Ok(())
}

fn text(value: &Value) -> Result<String, String> {
    value
        .as_str()
        .map(str::to_owned)
        .ok_or_else(|| format!("a header value is no text: {value}"))
}
