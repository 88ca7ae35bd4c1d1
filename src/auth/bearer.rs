//! The token in the `Authorization` header. RFC 6750, section 2.1; RFC 9110, section 11.
//!
//! A token in the query or in the body is never read.

use http::HeaderMap;
use http::header::AUTHORIZATION;

use super::Refusal;

/// The longest token that is looked at. API Gateway itself takes 10,240 bytes of headers in all.
const MAX_TOKEN_BYTES: usize = 8 * 1024;

/// What a client writes whose variable was empty.
const PLACEHOLDERS: [&str; 4] = ["null", "undefined", "none", "nil"];

/// Reads the token: `None` if there is no credential at all.
///
/// # Errors
///
/// There is a header, but no single usable token in it.
pub(super) fn token(headers: &HeaderMap) -> Result<Option<&str>, Refusal> {
    let mut values = headers.get_all(AUTHORIZATION).iter();
    let Some(value) = values.next() else {
        return Ok(None);
    };
    // It is no list: which of two would be meant? A front may join them by a comma instead, which
    // no token has in it.
    if values.next().is_some() {
        return Err(Refusal::Malformed);
    }
    let value = value.to_str().map_err(|_| Refusal::Malformed)?;
    let value = value.trim_matches([' ', '\t']);
    let (scheme, token) = value.split_once([' ', '\t']).unwrap_or((value, ""));
    if !scheme.eq_ignore_ascii_case("bearer") {
        return Err(Refusal::Scheme);
    }
    let token = token.trim_start_matches([' ', '\t']);
    let stands_for_nothing = |word: &&str| token.eq_ignore_ascii_case(word);
    if token.is_empty() || PLACEHOLDERS.iter().any(stands_for_nothing) {
        return Err(Refusal::Placeholder);
    }
    if token.len() > MAX_TOKEN_BYTES {
        return Err(Refusal::TooLong);
    }
    if is_token68(token) {
        Ok(Some(token))
    } else {
        Err(Refusal::Malformed)
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

    fn read(values: &[&[u8]]) -> Result<Option<String>, Refusal> {
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
    fn what_holds_no_single_token_is_refused() {
        let rows: [(&str, Refusal); 18] = [
            ("Bearer", Refusal::Placeholder),
            ("Bearer ", Refusal::Placeholder),
            ("Bearer null", Refusal::Placeholder),
            ("Bearer undefined", Refusal::Placeholder),
            ("bearer None", Refusal::Placeholder),
            ("Bearer ${API_KEY}", Refusal::Malformed),
            ("Bearer <your-key>", Refusal::Malformed),
            ("Bearer {{key}}", Refusal::Malformed),
            ("Bearer a b", Refusal::Malformed),
            ("Bearer a,Bearer a", Refusal::Malformed),
            ("Bearer a, Bearer b", Refusal::Malformed),
            ("Bearer \"a\"", Refusal::Malformed),
            ("Bearer a=b", Refusal::Malformed),
            ("Bearer ==", Refusal::Malformed),
            ("Basic dXNlcjpwYXNz", Refusal::Scheme),
            ("test-key-valid", Refusal::Scheme),
            ("Bearer:a", Refusal::Scheme),
            ("", Refusal::Scheme),
        ];
        for (value, expected) in rows {
            assert_eq!(read(&[value.as_bytes()]), Err(expected), "{value}");
        }
        assert_eq!(read(&[b"Bearer \xff"]), Err(Refusal::Malformed));
        assert_eq!(
            read(&[b"Bearer a", b"Bearer a"]),
            Err(Refusal::Malformed),
            "two headers, even equal ones"
        );
    }

    #[test]
    fn a_token_has_a_largest_size() {
        let longest = format!("Bearer {}", "a".repeat(MAX_TOKEN_BYTES));
        assert!(read(&[longest.as_bytes()]).is_ok());
        let longer = format!("{longest}a");
        assert_eq!(read(&[longer.as_bytes()]), Err(Refusal::TooLong));
    }
}
