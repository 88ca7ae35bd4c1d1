//! [`SharedJson`]: JSON that is part of many responses, and [`SharedMessage`]: one of these responses.

use std::sync::{Arc, OnceLock};

use bytes::Bytes;

use crate::wire::jsonrpc::RequestId;
use crate::wire::text::escape_into;

/// What is around the id and the result of a response.
const RESULT_START: &str = r#"{"jsonrpc":"2.0","id":"#;
const RESULT_MIDDLE: &str = r#","result":"#;
const RESULT_END: &str = "}";

/// Writes a JSON-RPC result response.
#[must_use]
pub(crate) fn result_message(id: &RequestId, result: &[u8]) -> Bytes {
    let id = id.as_json();
    let mut message = Vec::with_capacity(id.len() + result.len() + 36);
    message.extend_from_slice(RESULT_START.as_bytes());
    message.extend_from_slice(id.as_bytes());
    message.extend_from_slice(RESULT_MIDDLE.as_bytes());
    message.extend_from_slice(result);
    message.extend_from_slice(RESULT_END.as_bytes());
    message.into()
}

/// JSON text that many responses have, such as a list. A clone is cheap and shares everything.
#[derive(Debug, Clone)]
pub(crate) struct SharedJson(Arc<Inner>);

#[derive(Debug)]
struct Inner {
    json: Bytes,
    escaped: OnceLock<Bytes>,
}

impl SharedJson {
    pub(crate) fn new(json: Bytes) -> Self {
        Self(Arc::new(Inner {
            json,
            escaped: OnceLock::new(),
        }))
    }

    /// The JSON.
    pub(crate) fn json(&self) -> &Bytes {
        &self.0.json
    }

    /// The JSON as the inside of a JSON string, for an edge whose responses are JSON documents. It is
    /// written on the first need.
    fn escaped(&self) -> &Bytes {
        self.0.escaped.get_or_init(|| {
            let json = &self.0.json;
            let mut escaped = Vec::with_capacity(json.len() + json.len() / 4);
            escape_into(&mut escaped, std::str::from_utf8(json).unwrap_or_default());
            escaped.into()
        })
    }
}

/// A JSON-RPC response whose result many responses have. The edge copies it into its own response, so it
/// is not put together before.
#[derive(Debug, Clone)]
pub(crate) struct SharedMessage {
    id: RequestId,
    result: SharedJson,
}

impl SharedMessage {
    pub(super) const fn new(id: RequestId, result: SharedJson) -> Self {
        Self { id, result }
    }

    /// The length of the message.
    pub(super) fn len(&self) -> usize {
        let frame = RESULT_START.len() + RESULT_MIDDLE.len() + RESULT_END.len();
        frame + self.id.as_json().len() + self.result.json().len()
    }

    /// The message.
    pub(super) fn to_bytes(&self) -> Bytes {
        result_message(&self.id, self.result.json())
    }

    /// The length of the message as the inside of a JSON string, if its id has no quotes.
    #[cfg_attr(
        not(feature = "lambda"),
        expect(dead_code, reason = "only the edge to Lambda sends bodies so")
    )]
    pub(crate) fn escaped_len(&self) -> usize {
        self.len() + self.result.escaped().len() - self.result.json().len()
    }

    /// Appends the message as the inside of a JSON string.
    #[cfg_attr(
        not(feature = "lambda"),
        expect(dead_code, reason = "only the edge to Lambda sends bodies so")
    )]
    pub(crate) fn escape_into(&self, out: &mut Vec<u8>) {
        escape_into(out, RESULT_START);
        escape_into(out, self.id.as_json());
        escape_into(out, RESULT_MIDDLE);
        out.extend_from_slice(self.result.escaped());
        escape_into(out, RESULT_END);
    }
}

#[cfg(test)]
mod tests {
    use serde_json::value::RawValue;

    use super::*;

    #[test]
    fn a_message_is_the_same_in_all_its_forms() {
        let result = r#"{"a":"b\\ \u0041 \"é\""}"#;
        for id in ["7", r#""a\u0041\"é""#] {
            let raw: Box<RawValue> = serde_json::from_str(id).unwrap();
            let id = RequestId::parse(&raw).unwrap();
            let whole = result_message(&id, result.as_bytes());
            let shared = SharedMessage::new(id, SharedJson::new(result.into()));
            assert_eq!(shared.to_bytes(), whole);
            assert_eq!(shared.len(), whole.len());
            let mut escaped = Vec::new();
            shared.escape_into(&mut escaped);
            let written = serde_json::to_string(std::str::from_utf8(&whole).unwrap()).unwrap();
            assert_eq!(
                format!("\"{}\"", String::from_utf8(escaped).unwrap()),
                written
            );
        }
    }
}
