//! A response, and what every response has: a status, headers, messages.

use std::fmt;

use bytes::Bytes;
use http::{HeaderMap, Response};
use serde_json::Value;

use super::draft::Draft;
use super::sse;
use crate::wire::logging::LoggingLevel;

/// The response to a [`TestRequest`](super::TestRequest), read to its end.
///
/// A method that reads a result panics if there is no such result, and says what came instead.
#[derive(Clone)]
#[must_use = "a response that no assertion reads proves nothing"]
pub struct TestResponse {
    status: u16,
    headers: HeaderMap,
    body: Bytes,
    /// The response message or batch; the reason if the body holds none.
    message: Result<Value, String>,
    notifications: Vec<Notification>,
    draft: Draft,
}

/// A notification that was received before the response.
#[derive(Debug, Clone, PartialEq)]
#[non_exhaustive]
pub struct Notification {
    /// The method, such as `notifications/progress`.
    pub method: String,
    /// The parameters.
    pub params: Value,
}

/// A progress notification. Specification: *Progress*.
#[derive(Debug, Clone, PartialEq)]
#[non_exhaustive]
pub struct ProgressUpdate {
    /// The progress token of the request.
    pub token: Value,
    /// How far the work is.
    pub progress: f64,
    /// The value of `progress` at the end, if the handler gave it.
    pub total: Option<f64>,
    /// A text for the user, if the handler gave one.
    pub message: Option<String>,
}

/// A log notification. Specification: *Logging*.
#[derive(Debug, Clone, PartialEq)]
#[non_exhaustive]
pub struct LogLine {
    /// The level.
    pub level: LoggingLevel,
    /// The part of the server that logs, if the handler named one.
    pub logger: Option<String>,
    /// The logged value.
    pub data: Value,
}

/// A refused request: a JSON-RPC error and the HTTP status it came with.
///
/// Returned by [`TestResponse::expect_protocol_error`].
#[derive(Debug, Clone, PartialEq)]
#[non_exhaustive]
pub struct ProtocolFailure {
    /// The HTTP status.
    pub status: u16,
    /// The JSON-RPC error code, such as -32602.
    pub code: i64,
    /// The error message.
    pub message: String,
    /// The `data` of the error; `null` if there is none.
    pub data: Value,
}

impl TestResponse {
    /// Reads a response. `id` is that of the request, `earlier` what previous rounds notified.
    pub(super) fn read(
        response: Response<Bytes>,
        id: Option<&Value>,
        draft: Draft,
        earlier: Vec<Notification>,
    ) -> Self {
        let (parts, body) = response.into_parts();
        let mut read = Self {
            status: parts.status.as_u16(),
            headers: parts.headers,
            body,
            message: Err(String::new()),
            notifications: earlier,
            draft,
        };
        read.message = read.read_body(id);
        read
    }

    /// The response as if its message had been this one.
    pub(super) fn answering(self, message: Value) -> Self {
        Self {
            message: Ok(message),
            ..self
        }
    }

    /// Keeps the notifications of the body and returns the message that ends it.
    fn read_body(&mut self, id: Option<&Value>) -> Result<Value, String> {
        let text = std::str::from_utf8(&self.body).map_err(|_| "the body is not UTF-8")?;
        let mut messages = if self.is_event_stream() {
            sse::messages(text)?
        } else if text.is_empty() {
            return Err("the body is empty".to_owned());
        } else {
            let message = serde_json::from_str(text);
            vec![message.map_err(|error| format!("the body is not JSON ({error})"))?]
        };
        let last = messages.pop().ok_or("the stream holds no message")?;
        for message in messages {
            let Some(method) = message.get("method").and_then(Value::as_str) else {
                return Err("the stream goes on after the response".to_owned());
            };
            self.notifications.push(Notification {
                method: method.to_owned(),
                params: message.get("params").cloned().unwrap_or_default(),
            });
        }
        match (id, last.get("id")) {
            (Some(sent), Some(answered)) if !answered.is_null() && sent != answered => Err(
                format!("the request has the id {sent} and the response {answered}"),
            ),
            _ => Ok(last),
        }
    }

    /// The HTTP status.
    #[must_use]
    pub const fn status(&self) -> u16 {
        self.status
    }

    /// The HTTP headers.
    #[must_use]
    pub const fn headers(&self) -> &HeaderMap {
        &self.headers
    }

    /// The value of a header, if the response has it once or more and its first value is text.
    #[must_use]
    pub fn header(&self, name: &str) -> Option<&str> {
        self.headers.get(name)?.to_str().ok()
    }

    /// The bytes of the body.
    #[must_use]
    pub const fn body(&self) -> &Bytes {
        &self.body
    }

    /// The body as text.
    #[must_use]
    pub fn body_text(&self) -> String {
        String::from_utf8_lossy(&self.body).into_owned()
    }

    /// Whether the body is declared as JSON.
    #[must_use]
    pub fn is_json(&self) -> bool {
        self.has_type("application/json")
    }

    /// Whether the body is declared as an event stream.
    #[must_use]
    pub fn is_event_stream(&self) -> bool {
        self.has_type("text/event-stream")
    }

    fn has_type(&self, media_type: &str) -> bool {
        let declared = self.header("content-type").unwrap_or_default();
        let essence = declared.split(';').next().unwrap_or_default();
        essence.trim().eq_ignore_ascii_case(media_type)
    }

    /// The JSON of the body: a JSON-RPC response, a batch of them, or a published document. Of an
    /// event stream, its last message.
    ///
    /// # Panics
    ///
    /// The body is not JSON, or not an event stream that ends with a response.
    #[must_use]
    #[track_caller]
    pub fn message(&self) -> &Value {
        match &self.message {
            Ok(message) => message,
            Err(_) => self.fail("a JSON message"),
        }
    }

    /// The `result` of the response, as JSON.
    ///
    /// # Panics
    ///
    /// The response is an error, or no JSON-RPC response.
    #[must_use]
    #[track_caller]
    pub fn result(&self) -> &Value {
        match self.message().get("result") {
            Some(result) => result,
            None => self.fail("a result"),
        }
    }

    /// The error of a request that was refused.
    ///
    /// This is not a tool's own failure: that is a result, see [`is_error`](Self::is_error).
    ///
    /// # Panics
    ///
    /// The response is a result, or no JSON-RPC response.
    ///
    /// # Examples
    ///
    /// ```
    /// # use lambda_mcp::{Server, testing::TestClient, tool};
    /// # use serde_json::json;
    /// # async fn hello() -> &'static str { "Hello." }
    /// # #[tokio::main(flavor = "current_thread")]
    /// # async fn main() -> Result<(), Box<dyn std::error::Error>> {
    /// # let server = Server::builder("hello", "1.0.0").tool(tool("hello", hello)).build()?;
    /// let error = TestClient::new(server)
    ///     .call("goodbye", json!({}))
    ///     .await
    ///     .expect_protocol_error();
    /// assert_eq!((error.status, error.code), (200, -32602));
    /// # Ok(())
    /// # }
    /// ```
    #[must_use]
    #[track_caller]
    pub fn expect_protocol_error(&self) -> ProtocolFailure {
        match self.failure() {
            Some(failure) => failure,
            None => self.fail("a protocol error"),
        }
    }

    fn failure(&self) -> Option<ProtocolFailure> {
        let error = self.message.as_ref().ok()?.get("error")?;
        Some(ProtocolFailure {
            status: self.status,
            code: error.get("code")?.as_i64()?,
            message: error.get("message")?.as_str()?.to_owned(),
            data: error.get("data").cloned().unwrap_or_default(),
        })
    }

    /// The notifications that were received before the response, in order. A request of several
    /// rounds has those of all rounds.
    #[must_use]
    pub fn notifications(&self) -> &[Notification] {
        &self.notifications
    }

    /// The progress notifications among them. The request must ask for them by
    /// [`progress_token`](super::TestRequest::progress_token).
    ///
    /// # Panics
    ///
    /// One of them is not what the specification says.
    #[must_use]
    #[track_caller]
    pub fn progress(&self) -> Vec<ProgressUpdate> {
        self.notified("notifications/progress", |params| {
            let message = params.get("message");
            Some(ProgressUpdate {
                token: params.get("progressToken")?.clone(),
                progress: params.get("progress")?.as_f64()?,
                total: params.get("total").and_then(Value::as_f64),
                message: message.and_then(Value::as_str).map(str::to_owned),
            })
        })
    }

    /// The log notifications among them. The client must ask for them by
    /// [`log_level`](super::TestClient::log_level).
    ///
    /// # Panics
    ///
    /// One of them is not what the specification says.
    #[must_use]
    #[track_caller]
    pub fn logs(&self) -> Vec<LogLine> {
        self.notified("notifications/message", |params| {
            let logger = params.get("logger");
            Some(LogLine {
                level: serde_json::from_value(params.get("level")?.clone()).ok()?,
                logger: logger.and_then(Value::as_str).map(str::to_owned),
                data: params.get("data")?.clone(),
            })
        })
    }

    #[track_caller]
    fn notified<T>(&self, method: &str, read: impl Fn(&Value) -> Option<T>) -> Vec<T> {
        let notifications = self.notifications.iter();
        let notifications = notifications.filter(|notification| notification.method == method);
        notifications
            .map(|notification| match read(&notification.params) {
                Some(read) => read,
                None => panic!(
                    "`{method}` with unusable parameters: {}",
                    notification.params
                ),
            })
            .collect()
    }

    pub(super) fn into_notifications(self) -> Vec<Notification> {
        self.notifications
    }

    pub(super) const fn draft(&self) -> &Draft {
        &self.draft
    }

    /// The result, if there is one.
    pub(super) fn any_result(&self) -> Option<&Value> {
        self.message.as_ref().ok()?.get("result")
    }

    /// Fails the test: something else was expected.
    #[track_caller]
    pub(super) fn fail(&self, expected: &str) -> ! {
        panic!("expected {expected}, but got {self}")
    }
}

impl fmt::Display for TestResponse {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let questions = self.questions();
        match (&self.message, self.failure()) {
            (Err(reason), _) => write!(f, "HTTP {}: {reason}", self.status)?,
            (Ok(_), Some(error)) => {
                let ProtocolFailure { code, message, .. } = &error;
                write!(
                    f,
                    "the protocol error {code} (HTTP {}): {message}",
                    self.status
                )?;
                if *code == -32603 {
                    let hint = "the cause is logged, not sent: a `tracing` subscriber shows it";
                    write!(f, "\n({hint})")?;
                }
            }
            (Ok(_), None) if !questions.is_empty() => {
                f.write_str("questions that the client has no answer for:")?;
                for question in &questions {
                    write!(f, " {question}")?;
                }
                f.write_str("\n(register answers by `TestClient::answer`)")?;
            }
            (Ok(_), None) => write!(f, "HTTP {}", self.status)?,
        }
        const MOST: usize = 2000;
        let body = self.body_text();
        match body.char_indices().nth(MOST) {
            Some((end, _)) => write!(f, "\n{}… ({} bytes)", body.split_at(end).0, body.len()),
            None => write!(f, "\n{body}"),
        }
    }
}

impl fmt::Debug for TestResponse {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        fmt::Display::fmt(self, f)
    }
}
