//! Header values: plain ASCII, or Base64 between two markers. Specification: *Streamable HTTP, Value
//! Encoding*.

use std::borrow::Cow;

use base64::Engine as _;
use base64::engine::general_purpose::STANDARD;
use http::{HeaderMap, HeaderValue};

/// The markers. They are case-sensitive.
const PREFIX: &str = "=?base64?";
const SUFFIX: &str = "?=";

/// The reason why a header is malformed.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum InvalidHeader {
    /// It contains characters other than visible ASCII, space and tab.
    Characters,
    /// It is repeated with different values.
    Contradiction,
    /// The text between the markers is not Base64 of UTF-8.
    Base64,
}

impl InvalidHeader {
    /// Returns the reason, for an error message that starts with the name of the header.
    pub(super) const fn reason(self) -> &'static str {
        match self {
            Self::Characters => "header contains characters other than visible ASCII",
            Self::Contradiction => "header is repeated with different values",
            Self::Base64 => "header does not have valid Base64 of UTF-8 text between its markers",
        }
    }
}

/// Returns the value of a header. If the same value is repeated, on several lines or separated by
/// commas, it counts once.
pub(super) fn single<'h>(
    headers: &'h HeaderMap,
    name: &str,
) -> Result<Option<&'h str>, InvalidHeader> {
    let mut found = None;
    for value in headers.get_all(name) {
        for part in text(value)?.split(',').map(str::trim) {
            if found.is_some_and(|earlier| earlier != part) {
                return Err(InvalidHeader::Contradiction);
            }
            found = Some(part);
        }
    }
    Ok(found)
}

/// Returns the decoded value of a header whose value can contain commas.
pub(super) fn decoded<'h>(
    headers: &'h HeaderMap,
    name: &str,
) -> Result<Option<Cow<'h, str>>, InvalidHeader> {
    let mut found: Option<&str> = None;
    for value in headers.get_all(name) {
        let text = text(value)?;
        if found.is_some_and(|earlier| earlier != text) {
            return Err(InvalidHeader::Contradiction);
        }
        found = Some(text);
    }
    found.map(decode).transpose()
}

fn text(value: &HeaderValue) -> Result<&str, InvalidHeader> {
    // `to_str` accepts only visible ASCII, space and tab.
    value
        .to_str()
        .map(str::trim)
        .map_err(|_| InvalidHeader::Characters)
}

/// Decodes a value between the markers. Returns any other value unchanged.
fn decode(text: &str) -> Result<Cow<'_, str>, InvalidHeader> {
    let Some(encoded) = text
        .strip_prefix(PREFIX)
        .and_then(|rest| rest.strip_suffix(SUFFIX))
    else {
        return Ok(Cow::Borrowed(text));
    };
    let bytes = STANDARD
        .decode(encoded)
        .map_err(|_| InvalidHeader::Base64)?;
    String::from_utf8(bytes)
        .map(Cow::Owned)
        .map_err(|_| InvalidHeader::Base64)
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    fn headers(values: &[&[u8]]) -> HeaderMap {
        let name = http::HeaderName::from_static("mcp-name");
        values
            .iter()
            .map(|v| (name.clone(), HeaderValue::from_bytes(v).unwrap()))
            .collect()
    }

    #[test]
    fn plain_values_are_unchanged_and_encoded_values_are_decoded() {
        let cases = [
            ("us-west1", "us-west1"),
            ("a, b", "a, b"),
            ("=?base64?SGVsbG8sIOS4lueVjA==?=", "Hello, 世界"),
            ("=?base64?IHBhZGRlZCA=?=", " padded "),
            ("=?base64?bGluZTEKbGluZTI=?=", "line1\nline2"),
            ("=?base64?PT9iYXNlNjQ/bGl0ZXJhbD89?=", "=?base64?literal?="),
            ("=?base64??=", ""),
            ("=?BASE64?SGVsbG8=?=", "=?BASE64?SGVsbG8=?="),
            ("=?base64?", "=?base64?"),
        ];
        for (value, expected) in cases {
            assert_eq!(decode(value).as_deref(), Ok(expected), "{value}");
        }
    }

    #[test]
    fn invalid_base64_is_an_error() {
        for value in [
            "ZGVtb19yZWFk=",
            "ZGVt b19yZWFk",
            "_-__",
            "/////w==",
            "Z",
            "ZGVtb19yZWE",
        ] {
            assert_eq!(
                decode(&format!("=?base64?{value}?=")),
                Err(InvalidHeader::Base64),
                "{value}"
            );
        }
    }

    #[test]
    fn equal_values_count_once_and_different_values_are_an_error() {
        assert_eq!(single(&headers(&[b"a", b"a"]), "mcp-name"), Ok(Some("a")));
        assert_eq!(single(&headers(&[b"a, a"]), "mcp-name"), Ok(Some("a")));
        assert_eq!(
            single(&headers(&[b"a, b"]), "mcp-name"),
            Err(InvalidHeader::Contradiction)
        );
        assert_eq!(
            single(&headers(&[b"a", b"b"]), "mcp-name"),
            Err(InvalidHeader::Contradiction)
        );
        assert_eq!(single(&headers(&[]), "mcp-name"), Ok(None));
        assert_eq!(
            decoded(&headers(&["é".as_bytes()]), "mcp-name"),
            Err(InvalidHeader::Characters)
        );
    }

    proptest! {
        #[test]
        fn encoded_values_round_trip(text in ".*") {
            let encoded = format!("{PREFIX}{}{SUFFIX}", STANDARD.encode(&text));
            let read = decode(&encoded);
            prop_assert_eq!(read.as_deref(), Ok(text.as_str()));
        }

        #[test]
        fn no_value_panics(bytes in proptest::collection::vec(any::<u8>(), 0..64)) {
            if let Ok(value) = HeaderValue::from_bytes(&bytes) {
                let headers: HeaderMap = [(http::HeaderName::from_static("mcp-name"), value)].into_iter().collect();
                let _ = (single(&headers, "mcp-name"), decoded(&headers, "mcp-name"));
            }
        }
    }
}
