//! JSON-RPC 2.0 messages. Specification: *Base Protocol, Messages*.
//!
//! [`Members`] parses only the top level of a message. Its members stay raw JSON: the id is echoed
//! byte for byte, and `params` are decoded later by the method that uses them.

use std::fmt;

use serde::de::{Deserialize, Deserializer, IgnoredAny, MapAccess, Visitor};
use serde::{Serialize, Serializer};
use serde_json::value::RawValue;

/// The value of the `jsonrpc` member.
pub(crate) const VERSION: &str = "2.0";

/// A request id: a string or an integer, stored byte for byte.
#[derive(Clone)]
pub(crate) struct RequestId(Box<RawValue>);

impl RequestId {
    /// Returns the id if the value is a string or an integer without fraction and exponent.
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

    /// Returns the id as JSON.
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

/// The members of a JSON object that may be a message, as raw JSON.
#[derive(Debug, Default)]
pub(crate) struct Members<'a> {
    /// `jsonrpc`.
    pub jsonrpc: Option<&'a RawValue>,
    /// `id`. `Some` if the member is present, including `null`.
    pub id: Option<&'a RawValue>,
    /// `method`.
    pub method: Option<&'a RawValue>,
    /// `params`.
    pub params: Option<&'a RawValue>,
    /// `result` of a response.
    pub result: Option<&'a RawValue>,
    /// `error` of a response.
    pub error: Option<&'a RawValue>,
    /// The name of the first duplicate member. Two parsers could pick different values, so such a
    /// message is rejected.
    pub duplicate: Option<&'static str>,
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
                members.duplicate.get_or_insert(name);
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
    /// The error code. See [`crate::error::code`].
    pub code: i32,
    /// A one-sentence description.
    pub message: &'a str,
    /// Additional data that the specification defines for the code.
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
    fn strings_and_integers_are_ids_and_stay_byte_for_byte() {
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
    fn other_values_are_not_ids() {
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
    fn member_names_are_case_sensitive_and_duplicates_are_noticed() {
        let members: Members<'_> =
            serde_json::from_str(r#"{"id":null,"Method":"a","method":"b","x":[1,2],"method":"c"}"#)
                .unwrap();
        assert!(members.id.is_some());
        assert_eq!(members.duplicate, Some("method"));
        assert!(members.params.is_none());
    }
}
