//! [`WrittenJson`]: JSON text that a serializer of `serde_json` writes as it is.

use std::sync::OnceLock;

use serde::ser::SerializeStruct as _;
use serde::{Serialize, Serializer};
use serde_json::value::RawValue;

/// JSON text.
///
/// `RawValue` is the type for this, but to make one of a text means to parse the text. So this type
/// serializes as `RawValue` does, which `serde_json` recognizes by a name. The name is not part of its
/// documentation: if a version does not know it, the text is parsed.
#[derive(Debug)]
pub(crate) struct WrittenJson(String);

/// The name by which `serde_json` recognizes a `RawValue`.
const RAW_VALUE: &str = "$serde_json::private::RawValue";

impl WrittenJson {
    /// `json` is JSON text in UTF-8.
    pub(crate) fn new(json: Vec<u8>) -> Self {
        Self(
            String::from_utf8(json)
                .unwrap_or_else(|error| String::from_utf8_lossy(error.as_bytes()).into_owned()),
        )
    }
}

/// Text that is written as `RawValue` writes its own.
struct ByName<'a>(&'a str);

impl Serialize for ByName<'_> {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        let mut raw = serializer.serialize_struct(RAW_VALUE, 1)?;
        raw.serialize_field(RAW_VALUE, self.0)?;
        raw.end()
    }
}

/// Whether `serde_json` knows the name.
fn is_known() -> bool {
    static IS_KNOWN: OnceLock<bool> = OnceLock::new();
    *IS_KNOWN.get_or_init(|| serde_json::to_vec(&ByName("[1]")).is_ok_and(|json| json == b"[1]"))
}

impl Serialize for WrittenJson {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        if is_known() {
            return ByName(&self.0).serialize(serializer);
        }
        let raw: Result<&RawValue, _> = serde_json::from_str(&self.0);
        raw.map_err(serde::ser::Error::custom)?
            .serialize(serializer)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn json_is_written_as_it_is() {
        assert!(is_known());
        let json = br#"{"a": "\u0041", "b":[ 1 ]}"#;
        let written = WrittenJson::new(json.to_vec());
        assert_eq!(serde_json::to_vec(&written).unwrap(), json);
        assert_eq!(serde_json::to_value(&written).unwrap()["a"], "A");
    }
}
