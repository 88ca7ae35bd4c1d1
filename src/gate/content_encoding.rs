//! The `Content-Encoding` header. Only uncompressed bodies are accepted. RFC 9110, section 8.4; RFC
//! 7694, section 3.

use http::HeaderMap;
use http::header::CONTENT_ENCODING;

/// Returns whether the body has no content coding.
pub(super) fn is_identity(headers: &HeaderMap) -> bool {
    let is_identity = |coding: &str| coding.is_empty() || coding.eq_ignore_ascii_case("identity");
    headers.get_all(CONTENT_ENCODING).iter().all(|value| {
        value
            .to_str()
            .is_ok_and(|codings| codings.split(',').map(str::trim).all(is_identity))
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    fn headers(values: &[&str]) -> HeaderMap {
        let value = |v: &&str| (CONTENT_ENCODING, v.parse().unwrap());
        values.iter().map(value).collect()
    }

    #[test]
    fn identity_and_an_absent_header_mean_no_coding() {
        for values in [
            &[][..],
            &[""],
            &["identity"],
            &["IDENTITY"],
            &["identity, identity"],
            &["identity", ""],
        ] {
            assert!(is_identity(&headers(values)), "{values:?}");
        }
    }

    #[test]
    fn every_other_coding_is_noticed() {
        for values in [
            &["gzip"][..],
            &["identity, gzip"],
            &["identity", "br"],
            &["x"],
            &["gzip;q=0"],
            &["é"],
        ] {
            assert!(!is_identity(&headers(values)), "{values:?}");
        }
    }
}
