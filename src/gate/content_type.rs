//! The `Content-Type` header. Only JSON is accepted.
//!
//! Web pages can send `text/plain` to other sites without a preflight, so other types are rejected.

use http::HeaderMap;
use http::header::CONTENT_TYPE;
use mediatype::MediaType;
use mediatype::names::{APPLICATION, JSON};

use crate::wire::header;

/// Returns whether the body is declared as `application/json`. Parameters are ignored. A repeated
/// header is not one media type.
pub(super) fn is_json(headers: &HeaderMap) -> bool {
    let Ok(Some(value)) = header::value(headers, CONTENT_TYPE) else {
        return false;
    };
    // What nearly every client sends.
    if value == "application/json" {
        return true;
    }
    MediaType::parse(&value)
        .is_ok_and(|media| media.ty == APPLICATION && media.subty == JSON && media.suffix.is_none())
}

#[cfg(test)]
mod tests {
    use super::*;

    fn headers(values: &[&str]) -> HeaderMap {
        values
            .iter()
            .map(|v| (CONTENT_TYPE, v.parse().unwrap()))
            .collect()
    }

    #[test]
    fn json_is_accepted_in_any_case_and_with_parameters() {
        for value in [
            "application/json",
            "Application/JSON",
            "application/json; charset=utf-8",
            "application/json;v=1",
        ] {
            assert!(is_json(&headers(&[value])), "{value}");
        }
    }

    #[test]
    fn other_types_are_rejected() {
        for value in [
            "",
            "text/plain",
            "application/jsonx",
            "application/ld+json",
            "text/json",
            "json",
            "text/plain, application/json",
            "application/json, application/json",
            "application/json,application/json",
            "application/json; charset=utf-8, application/json",
            "application/json; charset=utf-8,application/json",
            "application/json; charset=\"utf-8\",application/json",
        ] {
            assert!(!is_json(&headers(&[value])), "{value}");
        }
        assert!(!is_json(&headers(&[])));
        for other in ["text/plain", "application/json", ""] {
            assert!(!is_json(&headers(&["application/json", other])), "{other}");
            assert!(!is_json(&headers(&[other, "application/json"])), "{other}");
        }
    }
}
