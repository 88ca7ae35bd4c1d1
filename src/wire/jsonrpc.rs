//! JSON-RPC 2.0 messages. Specification: *Base Protocol, Messages*.
//!
//! [`Members`] parses the top levels of a message. Its members stay raw JSON: the id is echoed byte for
//! byte, and most [`Params`] are decoded later by the method that uses them.

use std::fmt;

use serde::de::{Deserializer as _, IgnoredAny, MapAccess, Visitor};
use serde::{Serialize, Serializer};
use serde_json::Error;
use serde_json::value::RawValue;
use thiserror::Error;

use crate::wire::number::is_whole;
use crate::wire::params::{self, Params};

/// The value of the `jsonrpc` member.
pub(crate) const VERSION: &str = "2.0";

/// Maximum length of an id as JSON, in bytes. Responses and notifications repeat it.
const MAX_ID_BYTES: usize = 1024;

/// A request id or progress token: a string or an integer, stored byte for byte.
#[derive(Clone)]
pub(crate) struct RequestId(Box<RawValue>);

/// The error for a value that is not an id. The text follows the name of the member.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Error)]
pub(crate) enum InvalidId {
    #[error("must be a string or an integer")]
    Type,
    #[error("must not be longer than {MAX_ID_BYTES} bytes")]
    TooLong,
}

impl RequestId {
    /// Parses an id. A number like `1.0` or `1e2` is an integer.
    ///
    /// # Errors
    ///
    /// The value is neither a string nor an integer, or too long.
    pub(crate) fn parse(raw: &RawValue) -> Result<Self, InvalidId> {
        let json = raw.get();
        if json.len() > MAX_ID_BYTES {
            return Err(InvalidId::TooLong);
        }
        let is_string = || serde_json::from_str::<String>(json).is_ok();
        if is_whole(json) || is_string() {
            Ok(Self(raw.to_owned()))
        } else {
            Err(InvalidId::Type)
        }
    }

    /// Returns the id as text if it is a number of usual length.
    pub(crate) fn as_number(&self) -> Option<&str> {
        const MAX_DIGITS: usize = 20;
        let json = self.as_json();
        (!json.starts_with('"') && json.len() <= MAX_DIGITS).then_some(json)
    }

    /// Returns the id as JSON.
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
    /// `params`, unless they are `null`.
    pub params: Option<Params<'a>>,
    /// `result` of a response.
    pub result: Option<&'a RawValue>,
    /// `error` of a response.
    pub error: Option<&'a RawValue>,
    /// The name of the first duplicate member. Two parsers could pick different values, so such a
    /// message is rejected.
    pub duplicate: Option<&'static str>,
    /// Whether `id` is a duplicate member.
    pub is_id_ambiguous: bool,
}

impl<'a> Members<'a> {
    /// Reads a message, and the arguments in it.
    ///
    /// # Errors
    ///
    /// It is not JSON, or not an object.
    pub(crate) fn read(message: &'a str) -> Result<Self, Error> {
        let reader = Reader(params::Reader {
            message,
            reads_arguments: true,
        });
        // Arguments that cannot be read are for the method to refuse.
        reader.read(message).or_else(|_| Self::peek(message))
    }

    /// Reads a message without the arguments in it.
    ///
    /// # Errors
    ///
    /// It is not JSON, or not an object.
    pub(crate) fn peek(message: &'a str) -> Result<Self, Error> {
        let reader = Reader(params::Reader {
            message,
            reads_arguments: false,
        });
        reader.read(message)
    }
}

/// Reads the members of a message.
struct Reader<'a>(params::Reader<'a>);

impl<'a> Reader<'a> {
    fn read(self, message: &'a str) -> Result<Members<'a>, Error> {
        let mut deserializer = serde_json::Deserializer::from_str(message);
        let members = deserializer.deserialize_map(self)?;
        deserializer.end()?;
        Ok(members)
    }
}

impl<'a> Visitor<'a> for Reader<'a> {
    type Value = Members<'a>;

    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("a JSON object")
    }

    fn visit_map<A: MapAccess<'a>>(self, mut map: A) -> Result<Self::Value, A::Error> {
        let mut members = Members::default();
        let mut has_params = false;
        while let Some(name) = map.next_key::<MemberName>()? {
            let (slot, name) = match name {
                MemberName::Jsonrpc => (&mut members.jsonrpc, "jsonrpc"),
                MemberName::Id => (&mut members.id, "id"),
                MemberName::Method => (&mut members.method, "method"),
                MemberName::Params => {
                    let params = map.next_value_seed(self.0)?;
                    if std::mem::replace(&mut has_params, true) {
                        members.duplicate.get_or_insert("params");
                    }
                    members.params = params;
                    continue;
                }
                MemberName::Result => (&mut members.result, "result"),
                MemberName::Error => (&mut members.error, "error"),
                MemberName::Other => {
                    map.next_value::<IgnoredAny>()?;
                    continue;
                }
            };
            if slot.replace(map.next_value()?).is_some() {
                members.duplicate.get_or_insert(name);
                members.is_id_ambiguous |= name == "id";
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

    fn id(json: &str) -> Result<String, InvalidId> {
        let raw: Box<RawValue> = serde_json::from_str(json).unwrap();
        RequestId::parse(&raw).map(|id| id.as_json().to_owned())
    }

    #[test]
    fn strings_and_integers_are_ids_and_stay_byte_for_byte() {
        for json in [
            "0",
            "-0",
            "1",
            "-9223372036854775808",
            "9007199254740993",
            "1.0",
            "1e3",
            r#""""#,
            r#""a\u0041""#,
        ] {
            assert_eq!(id(json).as_deref(), Ok(json));
        }
    }

    #[test]
    fn other_values_are_not_ids() {
        for json in [
            "null",
            "true",
            "1.5",
            "1e-3",
            "{}",
            "[1]",
            "18446744073709551616",
            r#""\ud800""#,
        ] {
            assert_eq!(id(json), Err(InvalidId::Type), "{json}");
        }
    }

    #[test]
    fn the_length_of_ids_is_limited() {
        let text = |length| format!("{:?}", "x".repeat(length));
        assert_eq!(id(&text(MAX_ID_BYTES - 2)), Ok(text(MAX_ID_BYTES - 2)));
        assert_eq!(id(&text(MAX_ID_BYTES - 1)), Err(InvalidId::TooLong));
        let number = format!("1.{}", "0".repeat(MAX_ID_BYTES));
        assert_eq!(id(&number), Err(InvalidId::TooLong));
    }

    #[test]
    fn member_names_are_case_sensitive_and_duplicates_are_noticed() {
        let message = r#"{"id":null,"Method":"a","method":"b","x":[1,2],"method":"c"}"#;
        let members = Members::read(message).unwrap();
        assert!(members.id.is_some());
        assert_eq!(members.duplicate, Some("method"));
        assert!(!members.is_id_ambiguous);
        assert!(members.params.is_none());
    }
}
