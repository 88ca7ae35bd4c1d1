//! JSON-RPC 2.0 messages. Specification: *Base Protocol, Messages*.
//!
//! [`Members`] reads a message shallowly: its members stay raw JSON, so that the id can be echoed
//! byte for byte and `params` are decoded only by the method they are for.

use std::fmt;

use serde::de::{Deserialize, Deserializer, IgnoredAny, MapAccess, Visitor};
use serde::{Serialize, Serializer};
use serde_json::value::RawValue;

/// The `jsonrpc` member every message carries.
pub(crate) const VERSION: &str = "2.0";

/// A request's id: a string or an integer, kept as the client wrote it.
#[derive(Clone)]
pub(crate) struct RequestId(Box<RawValue>);

impl RequestId {
    /// Takes an id that is a string or an integer; anything else is not an id of this protocol.
    ///
    /// Numbers must be written as plain digits: what has a fraction or an exponent could not be
    /// echoed without a reading of its value, and value and text must stay the same.
    #[must_use]
    pub(crate) fn new(raw: &RawValue) -> Option<Self> {
        let text = raw.get();
        let is_string = text.starts_with('"') && serde_json::from_str::<String>(text).is_ok();
        let digits = text.strip_prefix('-').unwrap_or(text);
        let is_integer = !digits.is_empty()
            && digits.bytes().all(|b| b.is_ascii_digit())
            && (text.parse::<i64>().is_ok() || text.parse::<u64>().is_ok());
        (is_string || is_integer).then(|| Self(raw.to_owned()))
    }

    /// The id's JSON text.
    #[must_use]
    pub(crate) fn as_json(&self) -> &str {
        self.0.get()
    }
}

impl fmt::Debug for RequestId {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.as_json())
    }
}

impl Serialize for RequestId {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        self.0.serialize(serializer)
    }
}

/// The members of one JSON object that is meant to be a message, each as raw JSON.
#[derive(Debug, Default)]
pub(crate) struct Members<'a> {
    /// `jsonrpc`.
    pub jsonrpc: Option<&'a RawValue>,
    /// `id`; present and `null` is not the same as absent.
    pub id: Option<&'a RawValue>,
    /// `method`.
    pub method: Option<&'a RawValue>,
    /// `params`.
    pub params: Option<&'a RawValue>,
    /// `result`, in a response.
    pub result: Option<&'a RawValue>,
    /// `error`, in a response.
    pub error: Option<&'a RawValue>,
    /// The first member that stood twice. Two readers could take different ones, so the message
    /// is refused.
    pub repeated: Option<&'static str>,
}

impl<'de> Deserialize<'de> for Members<'de> {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        deserializer.deserialize_map(MembersVisitor)
    }
}

struct MembersVisitor;

impl<'de> Visitor<'de> for MembersVisitor {
    type Value = Members<'de>;

    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("a JSON object")
    }

    fn visit_map<A: MapAccess<'de>>(self, mut map: A) -> Result<Self::Value, A::Error> {
        let mut members = Members::default();
        while let Some(name) = map.next_key::<MemberName>()? {
            let (slot, name) = match name {
                MemberName::Jsonrpc => (&mut members.jsonrpc, "jsonrpc"),
                MemberName::Id => (&mut members.id, "id"),
                MemberName::Method => (&mut members.method, "method"),
                MemberName::Params => (&mut members.params, "params"),
                MemberName::Result => (&mut members.result, "result"),
                MemberName::Error => (&mut members.error, "error"),
                MemberName::Other => {
                    map.next_value::<IgnoredAny>()?;
                    continue;
                }
            };
            if slot.replace(map.next_value()?).is_some() {
                members.repeated.get_or_insert(name);
            }
        }
        Ok(members)
    }
}

#[derive(serde::Deserialize)]
#[serde(field_identifier, rename_all = "lowercase")]
enum MemberName {
    Jsonrpc,
    Id,
    Method,
    Params,
    Result,
    Error,
    #[serde(other)]
    Other,
}

/// The `error` member of an error response.
#[derive(Debug, Serialize)]
pub(crate) struct ErrorObject<'a> {
    /// The kind of error; see [`crate::error::code`].
    pub code: i32,
    /// One sentence for a person.
    pub message: &'a str,
    /// More for a program, where the specification defines it.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub data: Option<&'a serde_json::Value>,
}

#[cfg(test)]
mod tests {
    use super::*;

    fn id(json: &str) -> Option<String> {
        let raw: Box<RawValue> = serde_json::from_str(json).unwrap();
        RequestId::new(&raw).map(|id| id.as_json().to_owned())
    }

    #[test]
    fn strings_and_integers_are_ids_and_keep_their_text() {
        for json in [
            "0",
            "-0",
            "1",
            "-9223372036854775808",
            "9007199254740993",
            r#""""#,
            r#""a\u0041""#,
        ] {
            assert_eq!(id(json).as_deref(), Some(json));
        }
    }

    #[test]
    fn other_values_are_no_ids() {
        for json in [
            "null",
            "true",
            "1.0",
            "1e3",
            "{}",
            "[1]",
            "18446744073709551616",
            r#""\ud800""#,
        ] {
            assert_eq!(id(json), None, "{json}");
        }
    }

    #[test]
    fn members_are_told_apart_by_case_and_repetition_is_seen() {
        let members: Members<'_> =
            serde_json::from_str(r#"{"id":null,"Method":"a","method":"b","x":[1,2],"method":"c"}"#)
                .unwrap();
        assert!(members.id.is_some());
        assert_eq!(members.repeated, Some("method"));
        assert!(members.params.is_none());
    }
}
