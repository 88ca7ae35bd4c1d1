//! The token in the `Authorization` header. RFC 6750, section 2.1; RFC 9110, section 11.
//!
//! Tokens in the query or in the body are ignored.

use http::HeaderMap;
use http::header::AUTHORIZATION;

use super::InvalidToken;

/// The longest token that is read. API Gateway limits all headers together to 10,240 bytes.
const MAX_TOKEN_BYTES: usize = 8 * 1024;

/// What a client sends if the variable that should hold its token is empty.
const PLACEHOLDERS: [&str; 4] = ["null", "undefined", "none", "nil"];

/// Returns the token, or `None` if the request has no credential.
///
/// # Errors
///
/// The header is present, but does not hold exactly one usable token.
pub(super) fn token(headers: &HeaderMap) -> Result<Option<&str>, InvalidToken> {
    let mut values = headers.get_all(AUTHORIZATION).iter();
    let Some(value) = values.next() else {
        return Ok(None);
    };
    // The header is not a list. A proxy may join two by a comma, which no token contains.
    if values.next().is_some() {
        return Err(InvalidToken::Malformed);
    }
    let value = value.to_str().map_err(|_| InvalidToken::Malformed)?;
    let value = value.trim_matches([' ', '\t']);
    let (scheme, token) = value.split_once([' ', '\t']).unwrap_or((value, ""));
    if !scheme.eq_ignore_ascii_case("bearer") {
        return Err(InvalidToken::Scheme);
    }
    let token = token.trim_start_matches([' ', '\t']);
    let is_placeholder = |word: &&str| token.eq_ignore_ascii_case(word);
    if token.is_empty() || PLACEHOLDERS.iter().any(is_placeholder) {
        return Err(InvalidToken::Placeholder);
    }
    if token.len() > MAX_TOKEN_BYTES {
        return Err(InvalidToken::TooLong);
    }
    if is_token68(token) {
        Ok(Some(token))
    } else {
        Err(InvalidToken::Malformed)
    }
}

/// `1*( ALPHA / DIGIT / "-" / "." / "_" / "~" / "+" / "/" ) *"="`
fn is_token68(token: &str) -> bool {
    let body = token.trim_end_matches('=');
    let is_allowed =
        |b: u8| b.is_ascii_alphanumeric() || matches!(b, b'-' | b'.' | b'_' | b'~' | b'+' | b'/');
    !body.is_empty() && body.bytes().all(is_allowed)
}

#[cfg(test)]
mod tests {
    use http::HeaderValue;

    use super::*;

    fn read(values: &[&[u8]]) -> Result<Option<String>, InvalidToken> {
        let mut headers = HeaderMap::new();
        for value in values {
            headers.append(AUTHORIZATION, HeaderValue::from_bytes(value).unwrap());
        }
        token(&headers).map(|token| token.map(str::to_owned))
    }

    #[test]
    fn the_scheme_is_read_in_any_case_and_with_any_spaces() {
        for value in [
            "Bearer test-key-valid",
            "bearer test-key-valid",
            "BEARER test-key-valid",
            "Bearer  test-key-valid",
            "Bearer \t test-key-valid ",
        ] {
            let expected = Ok(Some("test-key-valid".to_owned()));
            assert_eq!(read(&[value.as_bytes()]), expected, "{value}");
        }
        assert_eq!(
            read(&[b"Bearer a.b-c_d~e+f/g=="]),
            Ok(Some("a.b-c_d~e+f/g==".to_owned()))
        );
        assert_eq!(read(&[]), Ok(None));
    }

    #[test]
    fn a_header_without_exactly_one_token_is_an_error() {
        let rows: [(&str, InvalidToken); 18] = [
            ("Bearer", InvalidToken::Placeholder),
            ("Bearer ", InvalidToken::Placeholder),
            ("Bearer null", InvalidToken::Placeholder),
            ("Bearer undefined", InvalidToken::Placeholder),
            ("bearer None", InvalidToken::Placeholder),
            ("Bearer ${API_KEY}", InvalidToken::Malformed),
            ("Bearer <your-key>", InvalidToken::Malformed),
            ("Bearer {{key}}", InvalidToken::Malformed),
            ("Bearer a b", InvalidToken::Malformed),
            ("Bearer a,Bearer a", InvalidToken::Malformed),
            ("Bearer a, Bearer b", InvalidToken::Malformed),
            ("Bearer \"a\"", InvalidToken::Malformed),
            ("Bearer a=b", InvalidToken::Malformed),
            ("Bearer ==", InvalidToken::Malformed),
            ("Basic dXNlcjpwYXNz", InvalidToken::Scheme),
            ("test-key-valid", InvalidToken::Scheme),
            ("Bearer:a", InvalidToken::Scheme),
            ("", InvalidToken::Scheme),
        ];
        for (value, expected) in rows {
            assert_eq!(read(&[value.as_bytes()]), Err(expected), "{value}");
        }
        assert_eq!(read(&[b"Bearer \xff"]), Err(InvalidToken::Malformed));
        assert_eq!(
            read(&[b"Bearer a", b"Bearer a"]),
            Err(InvalidToken::Malformed),
            "two headers, even equal ones"
        );
    }

    #[test]
    fn a_token_has_a_maximum_length() {
        let longest = format!("Bearer {}", "a".repeat(MAX_TOKEN_BYTES));
        assert!(read(&[longest.as_bytes()]).is_ok());
        let longer = format!("{longest}a");
        assert_eq!(read(&[longer.as_bytes()]), Err(InvalidToken::TooLong));
    }
}
