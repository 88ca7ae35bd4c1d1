//! Text in a header: plain ASCII, or Base64 between two markers. Specification: *Streamable HTTP,
//! Value Encoding*.

use std::borrow::Cow;

use base64::Engine as _;
use base64::engine::general_purpose::STANDARD;
use http::{HeaderMap, HeaderValue};

/// The markers, exactly so: another case is another text.
const PREFIX: &str = "=?base64?";
const SUFFIX: &str = "?=";

/// Why a header cannot be read.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum InvalidHeader {
    /// It has bytes outside visible ASCII, space and tab.
    Characters,
    /// It stands several times, with different values.
    Contradiction,
    /// What stands between the markers is no Base64 of UTF-8 text.
    Base64,
}

impl InvalidHeader {
    /// The reason, for an error message that names the header before.
    pub(super) const fn reason(self) -> &'static str {
        match self {
            Self::Characters => "header contains characters other than visible ASCII",
            Self::Contradiction => "header stands several times with different values",
            Self::Base64 => "header is not valid Base64 of UTF-8 text between its markers",
        }
    }
}

/// The text of a header; repetitions of one value are that value, also when a proxy joined them
/// with a comma.
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

/// The text of a header that may hold commas, decoded if it is encoded.
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
    // `to_str` refuses everything but visible ASCII, space and tab.
    value
        .to_str()
        .map(str::trim)
        .map_err(|_| InvalidHeader::Characters)
}

/// Decodes a value that stands between the markers; any other is itself.
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
    fn plain_text_is_itself_and_encoded_text_is_decoded() {
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
    fn bad_base64_is_an_error_and_never_a_text() {
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
    fn repetition_is_one_value_and_contradiction_is_none() {
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
        fn what_a_client_encodes_is_read_back(text in ".*") {
            let encoded = format!("{PREFIX}{}{SUFFIX}", STANDARD.encode(&text));
            let read = decode(&encoded);
            prop_assert_eq!(read.as_deref(), Ok(text.as_str()));
        }

        #[test]
        fn no_value_makes_it_panic(bytes in proptest::collection::vec(any::<u8>(), 0..64)) {
            if let Ok(value) = HeaderValue::from_bytes(&bytes) {
                let headers: HeaderMap = [(http::HeaderName::from_static("mcp-name"), value)].into_iter().collect();
                let _ = (single(&headers, "mcp-name"), decoded(&headers, "mcp-name"));
            }
        }
    }
}
