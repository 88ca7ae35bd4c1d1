//! The `Content-Type` header. Only JSON is accepted.
//!
//! Web pages can send `text/plain` to other sites without a preflight, so other types are rejected.

use http::HeaderMap;
use http::header::CONTENT_TYPE;
use mediatype::MediaType;
use mediatype::names::{APPLICATION, JSON};

/// Returns whether the body is declared as `application/json`. Parameters are ignored.
pub(super) fn is_json(headers: &HeaderMap) -> bool {
    let mut values = headers.get_all(CONTENT_TYPE).iter().peekable();
    values.peek().is_some()
        && values.all(|value| {
            value
                .to_str()
                .ok()
                .and_then(|text| MediaType::parse(text.trim()).ok())
                .is_some_and(|media| {
                    media.ty == APPLICATION && media.subty == JSON && media.suffix.is_none()
                })
        })
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
        ] {
            assert!(!is_json(&headers(&[value])), "{value}");
        }
        assert!(!is_json(&headers(&[])));
        assert!(!is_json(&headers(&["application/json", "text/plain"])));
    }
}
