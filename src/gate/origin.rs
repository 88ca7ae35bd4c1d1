//! Which web pages may call. Specification: *Streamable HTTP, Security & Endpoint*: an `Origin`
//! that is present and not allowed is answered with 403.
//!
//! Clients that are no browsers send no `Origin` and always pass.

use http::header::ORIGIN;
use http::{HeaderMap, HeaderValue};
use thiserror::Error;

/// The origins whose pages may call.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Origins(Policy);

#[derive(Debug, Clone, PartialEq, Eq)]
enum Policy {
    Any,
    /// Lower-case origins; one that ends with `:*` takes any port.
    Listed(Vec<String>),
}

/// A list of origins that cannot be read.
#[derive(Debug, Clone, PartialEq, Eq, Error)]
#[error(
    "`{0}` is not an origin; write `https://host` or `http://localhost:*` without a path, or `*` for any"
)]
pub struct InvalidOrigins(String);

impl Origins {
    /// Pages of any origin: for servers that are public and keep nothing behind cookies.
    #[must_use]
    pub const fn any() -> Self {
        Self(Policy::Any)
    }

    /// Pages served from this machine, on any port.
    #[must_use]
    pub fn loopback() -> Self {
        let origins = ["http://localhost:*", "http://127.0.0.1:*", "http://[::1]:*"];
        Self(Policy::Listed(origins.map(str::to_owned).to_vec()))
    }

    /// Reads origins separated by commas, or `*`. A port `*` takes any.
    ///
    /// # Errors
    ///
    /// An entry that is no origin, or none at all.
    pub fn parse(text: &str) -> Result<Self, InvalidOrigins> {
        if text.trim() == "*" {
            return Ok(Self::any());
        }
        let origins = text.split(',').map(|entry| {
            let entry = entry.trim();
            let host = entry
                .strip_prefix("https://")
                .or_else(|| entry.strip_prefix("http://"))
                .unwrap_or_default();
            let is_origin = !host.is_empty()
                && !host
                    .bytes()
                    .any(|b| matches!(b, b'/' | b'?' | b'#' | b'@') || b <= b' ' || b >= 127);
            if is_origin {
                Ok(entry.to_ascii_lowercase())
            } else {
                Err(InvalidOrigins(entry.to_owned()))
            }
        });
        origins
            .collect::<Result<_, _>>()
            .map(|origins| Self(Policy::Listed(origins)))
    }

    /// Whether the request comes from no page or from an allowed one.
    pub(super) fn admit(&self, headers: &HeaderMap) -> bool {
        headers
            .get_all(ORIGIN)
            .iter()
            .all(|origin| self.lists(origin))
    }

    /// Whether this origin is allowed.
    fn lists(&self, origin: &HeaderValue) -> bool {
        match &self.0 {
            Policy::Any => true,
            Policy::Listed(origins) => origin.to_str().is_ok_and(|origin| {
                let origin = origin.to_ascii_lowercase();
                origins.iter().any(|entry| matches(entry, &origin))
            }),
        }
    }

    /// The one value of `Access-Control-Allow-Origin` for a request from `origin`, and whether it
    /// depends on it.
    ///
    /// Every response has the header; to a page that is not allowed it names another origin.
    pub(super) fn allow_origin(&self, origin: Option<&HeaderValue>) -> (HeaderValue, bool) {
        match (&self.0, origin) {
            (Policy::Any, _) => (HeaderValue::from_static("*"), false),
            (Policy::Listed(_), Some(origin)) if self.lists(origin) => (origin.clone(), true),
            (Policy::Listed(origins), _) => {
                let first = origins
                    .first()
                    .map(|entry| entry.strip_suffix(":*").unwrap_or(entry));
                let value = first.and_then(|origin| HeaderValue::from_str(origin).ok());
                (value.unwrap_or(HeaderValue::from_static("null")), true)
            }
        }
    }
}

/// Whether an entry covers a lower-case origin.
fn matches(entry: &str, origin: &str) -> bool {
    match entry.strip_suffix(":*") {
        None => entry == origin,
        Some(base) => origin.strip_prefix(base).is_some_and(|rest| {
            let port = rest.strip_prefix(':');
            rest.is_empty()
                || port.is_some_and(|p| !p.is_empty() && p.bytes().all(|b| b.is_ascii_digit()))
        }),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn admits(origins: &Origins, origin: &str) -> bool {
        origins.admit(&[(ORIGIN, origin.parse().unwrap())].into_iter().collect())
    }

    #[test]
    fn listed_origins_are_admitted_and_no_others() {
        let origins = Origins::parse("https://app.example.com, http://localhost:*").unwrap();
        for origin in [
            "https://app.example.com",
            "HTTPS://App.Example.com",
            "http://localhost",
            "http://localhost:5173",
        ] {
            assert!(admits(&origins, origin), "{origin}");
        }
        for origin in [
            "https://evil.example",
            "http://app.example.com",
            "https://app.example.com:8443",
            "null",
            "not a url",
            "",
            "http://localhost:",
            "http://localhost:1.evil.example",
            "http://localhost.evil.example",
        ] {
            assert!(!admits(&origins, origin), "{origin}");
        }
        assert!(origins.admit(&HeaderMap::new()));
    }

    #[test]
    fn lists_are_read() {
        assert_eq!(Origins::parse("*"), Ok(Origins::any()));
        for text in [
            "",
            "app.example.com",
            "https://a.example/",
            "https://a.example/x",
            "null",
            "https://",
            "https://a b",
        ] {
            assert!(Origins::parse(text).is_err(), "{text}");
        }
    }

    #[test]
    fn the_allowed_origin_is_always_one_value() {
        let origins = Origins::parse("https://a.example,https://b.example").unwrap();
        let value = |origin: Option<&'static str>| {
            origins
                .allow_origin(origin.map(HeaderValue::from_static).as_ref())
                .0
        };
        assert_eq!(value(Some("https://b.example")), "https://b.example");
        assert_eq!(value(Some("https://evil.example")), "https://a.example");
        assert_eq!(value(None), "https://a.example");
        assert_eq!(
            Origins::any().allow_origin(None),
            (HeaderValue::from_static("*"), false)
        );
    }
}
