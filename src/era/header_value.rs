//! Header values: plain ASCII, or Base64 between two markers. Specification: *Streamable HTTP, Value
//! Encoding*.

use std::borrow::Cow;

use base64::Engine as _;
use base64::engine::general_purpose::STANDARD;
use http::HeaderMap;

use crate::wire::header;

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

/// Returns the value of a header that clients may repeat. If the same value is repeated, on several
/// lines or separated by commas, it counts once.
pub(super) fn repeatable<'h>(
    headers: &'h HeaderMap,
    name: &str,
) -> Result<Option<Cow<'h, str>>, InvalidHeader> {
    let Some(value) = plain(headers, name)? else {
        return Ok(None);
    };
    let Some((first, _)) = value.split_once(',') else {
        return Ok(Some(value));
    };
    let first = first.trim();
    if value.split(',').all(|part| part.trim() == first) {
        Ok(Some(Cow::Owned(first.to_owned())))
    } else {
        Err(InvalidHeader::Contradiction)
    }
}

/// Returns the value of a header. A repeated header has the values of all lines, joined with commas.
pub(super) fn plain<'h>(
    headers: &'h HeaderMap,
    name: &str,
) -> Result<Option<Cow<'h, str>>, InvalidHeader> {
    header::value(headers, name).map_err(|header::InvalidCharacters| InvalidHeader::Characters)
}

/// Returns the value of a header like [`plain`], decoded if it is Base64 between the markers.
pub(super) fn decoded<'h>(
    headers: &'h HeaderMap,
    name: &str,
) -> Result<Option<Cow<'h, str>>, InvalidHeader> {
    plain(headers, name)?.map(decode).transpose()
}

/// Decodes a value between the markers. Returns any other value unchanged.
fn decode(text: Cow<'_, str>) -> Result<Cow<'_, str>, InvalidHeader> {
    let Some(encoded) = text
        .strip_prefix(PREFIX)
        .and_then(|rest| rest.strip_suffix(SUFFIX))
    else {
        return Ok(text);
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
    use http::HeaderValue;
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
            assert_eq!(decode(value.into()).as_deref(), Ok(expected), "{value}");
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
                decode(format!("=?base64?{value}?=").into()),
                Err(InvalidHeader::Base64),
                "{value}"
            );
        }
    }

    #[test]
    fn equal_values_count_once_and_different_values_are_an_error() {
        let read = |lines: &[&[u8]]| {
            repeatable(&headers(lines), "mcp-name").map(|value| value.map(Cow::into_owned))
        };
        let once = Ok(Some("a".to_owned()));
        for lines in [&[b"a".as_slice(), b"a"][..], &[b"a, a"], &[b"a,a", b" a "]] {
            assert_eq!(read(lines), once, "{lines:?}");
        }
        for lines in [
            &[b"a".as_slice(), b"b"][..],
            &[b"a, b"],
            &[b"a", b""],
            &[b"a,"],
        ] {
            assert_eq!(read(lines), Err(InvalidHeader::Contradiction), "{lines:?}");
        }
        assert_eq!(read(&[]), Ok(None));
        assert_eq!(read(&[b""]), Ok(Some(String::new())));
        assert_eq!(
            decoded(&headers(&["é".as_bytes()]), "mcp-name"),
            Err(InvalidHeader::Characters)
        );
    }

    #[test]
    fn a_repeated_value_is_not_the_single_value() {
        let encoded = b"=?base64?SGVsbG8=?=".as_slice();
        let read = |lines: &[&[u8]]| {
            decoded(&headers(lines), "mcp-name").map(|value| value.map(Cow::into_owned))
        };
        assert_eq!(read(&[b"a", b"a"]), Ok(Some("a,a".to_owned())));
        assert_eq!(read(&[b"a, b"]), Ok(Some("a, b".to_owned())));
        assert_eq!(read(&[encoded]), Ok(Some("Hello".to_owned())));
        assert_eq!(read(&[encoded, encoded]), Err(InvalidHeader::Base64));
    }

    proptest! {
        #[test]
        fn encoded_values_round_trip(text in ".*") {
            let encoded = format!("{PREFIX}{}{SUFFIX}", STANDARD.encode(&text));
            let read = decode(encoded.into());
            prop_assert_eq!(read.as_deref(), Ok(text.as_str()));
        }

        #[test]
        fn no_value_panics(bytes in proptest::collection::vec(any::<u8>(), 0..64)) {
            if let Ok(value) = HeaderValue::from_bytes(&bytes) {
                let headers: HeaderMap = [(http::HeaderName::from_static("mcp-name"), value)].into_iter().collect();
                let _ = (repeatable(&headers, "mcp-name"), decoded(&headers, "mcp-name"));
            }
        }
    }
}
