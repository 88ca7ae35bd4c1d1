//! The values of HTTP headers. RFC 9110, section 5.

use std::borrow::Cow;

use http::HeaderMap;
use http::header::AsHeaderName;

/// The error for a header that has characters other than visible ASCII, space and tab.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct InvalidCharacters;

/// Returns the value of a header that has only one value.
///
/// If the header is repeated, the values are joined with commas, as RFC 9110, section 5.3 allows
/// gateways to do. The result is the same whether a gateway joins the lines or not, and a repeated
/// value never equals the single one.
///
/// # Errors
///
/// The header has invalid characters.
pub(crate) fn value<'h>(
    headers: &'h HeaderMap,
    name: impl AsHeaderName,
) -> Result<Option<Cow<'h, str>>, InvalidCharacters> {
    let mut joined: Option<Cow<'h, str>> = None;
    for line in headers.get_all(name) {
        let line = line.to_str().map_err(|_| InvalidCharacters)?.trim();
        joined = Some(match joined {
            None => Cow::Borrowed(line),
            Some(earlier) => Cow::Owned(format!("{earlier},{line}")),
        });
    }
    Ok(joined)
}

#[cfg(test)]
mod tests {
    use http::HeaderValue;
    use http::header::HOST;

    use super::*;

    fn read(lines: &[&[u8]]) -> Result<Option<String>, InvalidCharacters> {
        let headers: HeaderMap = lines
            .iter()
            .map(|line| (HOST, HeaderValue::from_bytes(line).unwrap()))
            .collect();
        value(&headers, HOST).map(|value| value.map(Cow::into_owned))
    }

    #[test]
    fn repeated_lines_are_joined() {
        assert_eq!(read(&[]), Ok(None));
        assert_eq!(read(&[b""]), Ok(Some(String::new())));
        assert_eq!(read(&[b" a b "]), Ok(Some("a b".to_owned())));
        assert_eq!(read(&[b"a", b" b"]), Ok(Some("a,b".to_owned())));
        assert_eq!(read(&[b"a,b"]), read(&[b"a", b"b"]));
    }

    #[test]
    fn other_characters_are_an_error() {
        assert_eq!(read(&[b"a", "é".as_bytes()]), Err(InvalidCharacters));
    }
}
