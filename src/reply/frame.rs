//! The JSON text of JSON-RPC responses. Specification: *Base Protocol, Responses*.
//!
//! The stages that refuse a request yield an [`ErrorResponse`]; only this file writes one.

use bytes::Bytes;
use http::{HeaderMap, StatusCode};
use serde_json::Value;

use super::Reply;
use super::shared_json::{SharedJson, SharedMessage};
use crate::error::ProtocolError;
use crate::wire::jsonrpc::{ErrorObject, RequestId};
use crate::wire::version::Era;

/// The `id` member of an error response.
#[derive(Debug, Clone)]
pub(crate) enum ErrorId {
    /// The id of the request.
    Of(RequestId),
    /// `null`: the id could not be read, and the version is one for which JSON-RPC 2.0 requires it.
    Null,
    /// No member: the id could not be read, and the version is 2025-11-25 or later.
    Absent,
}

/// A JSON-RPC error and the HTTP response that carries it, before either is written.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct ErrorResponse {
    /// The JSON-RPC error code.
    pub(crate) code: i32,
    /// The `message` member: one or two sentences for a person or a model.
    pub(crate) message: String,
    /// The `data` member.
    pub(crate) data: Option<Value>,
    /// The HTTP status.
    pub(crate) status: StatusCode,
    /// HTTP headers, such as `Retry-After`.
    pub(crate) headers: HeaderMap,
}

impl ErrorResponse {
    /// An error without `data` and without headers.
    #[must_use]
    pub(crate) fn new(status: StatusCode, code: i32, message: impl Into<String>) -> Self {
        Self {
            code,
            message: message.into(),
            data: None,
            status,
            headers: HeaderMap::new(),
        }
    }

    /// The response to a protocol error in an era.
    #[must_use]
    pub(crate) fn protocol(error: &ProtocolError, era: Era) -> Self {
        Self {
            data: error.data(),
            ..Self::new(error.http_status(era), error.code(era), error.to_string())
        }
    }

    /// Writes the response to the request `id`.
    #[must_use]
    pub(crate) fn into_reply(self, id: &ErrorId) -> Reply {
        let message = error_message(id, &self);
        Reply::json(self.status, message).headers(self.headers)
    }
}

/// The response with a result that many responses have.
#[must_use]
pub(crate) fn shared_result(id: &RequestId, result: &SharedJson) -> Reply {
    let message = SharedMessage::new(id.clone(), result.clone());
    Reply::shared(StatusCode::OK, message)
}

fn error_message(id: &ErrorId, error: &ErrorResponse) -> Bytes {
    let object = ErrorObject {
        code: error.code,
        message: &error.message,
        data: error.data.as_ref(),
    };
    let mut message = Vec::with_capacity(error.message.len() + 96);
    message.extend_from_slice(br#"{"jsonrpc":"2.0""#);
    match id {
        ErrorId::Of(id) => {
            message.extend_from_slice(br#","id":"#);
            message.extend_from_slice(id.as_json().as_bytes());
        }
        ErrorId::Null => message.extend_from_slice(br#","id":null"#),
        ErrorId::Absent => {}
    }
    message.extend_from_slice(br#","error":"#);
    // Strings and a `Value` always serialise. `null` keeps the text valid JSON if they did not.
    message.extend(serde_json::to_vec(&object).unwrap_or_else(|_| b"null".to_vec()));
    message.push(b'}');
    message.into()
}

/// Writes the responses to a batch as one JSON array.
#[must_use]
pub(crate) fn batch_message(messages: &[Bytes]) -> Bytes {
    let bytes = messages.iter().map(|message| message.len() + 1);
    let mut batch = Vec::with_capacity(bytes.sum::<usize>() + 1);
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

#[cfg(test)]
mod tests {
    use serde_json::json;
    use serde_json::value::RawValue;

    use super::super::shared_json::result_message;
    use super::*;

    fn id(json: &str) -> RequestId {
        let raw: Box<RawValue> = serde_json::from_str(json).unwrap();
        RequestId::parse(&raw).unwrap()
    }

    fn text(bytes: &Bytes) -> &str {
        std::str::from_utf8(bytes).unwrap()
    }

    #[test]
    fn the_id_is_echoed_byte_for_byte() {
        let message = result_message(&id(r#""a\u0041""#), b"{}");
        assert_eq!(
            text(&message),
            r#"{"jsonrpc":"2.0","id":"a\u0041","result":{}}"#
        );
    }

    #[test]
    fn an_unreadable_id_is_null_or_absent() {
        let mut error = ErrorResponse::new(StatusCode::BAD_REQUEST, -32600, "no");
        error.data = Some(json!({"a": 1}));
        let rows = [
            (ErrorId::Of(id("7")), r#""id":7,"#),
            (ErrorId::Null, r#""id":null,"#),
            (ErrorId::Absent, ""),
        ];
        for (id, member) in rows {
            let expected = format!(
                r#"{{"jsonrpc":"2.0",{member}"error":{{"code":-32600,"message":"no","data":{{"a":1}}}}}}"#
            );
            assert_eq!(text(&error_message(&id, &error)), expected);
        }
    }

    #[test]
    fn the_responses_of_a_batch_are_one_array() {
        let messages = [Bytes::from_static(b"{}"), Bytes::from_static(b"[]")];
        assert_eq!(text(&batch_message(&messages)), "[{},[]]");
        assert_eq!(text(&batch_message(&[])), "[]");
    }
}
