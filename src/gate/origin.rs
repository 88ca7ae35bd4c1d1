//! The `Origin` header. Specification: *Streamable HTTP, Security & Endpoint*.
//!
//! A request from a web page whose origin is not allowed gets status 403. Clients that are not
//! browsers send no `Origin` and are always admitted.

use std::str::FromStr;

use http::header::ORIGIN;
use http::{HeaderMap, HeaderValue};
use thiserror::Error;

/// The origins whose web pages may call a server.
///
/// Set it with [`ServerBuilder::origins`](crate::server::ServerBuilder::origins). Requests of other
/// pages get status 403, and `Access-Control-Allow-Origin` never names their origin. Requests
/// without an `Origin` header do not come from a page and are not affected. Specification:
/// *Streamable HTTP, Security & Endpoint*.
///
/// # Examples
///
/// ```
/// use lambda_mcp::server::Origins;
///
/// // Origins separated by commas. `:*` matches any port.
/// let origins: Origins = "https://app.example.com, http://localhost:*".parse()?;
///
/// assert_eq!("*".parse(), Ok(Origins::any()));
/// assert!("app.example.com".parse::<Origins>().is_err());
/// # Ok::<(), lambda_mcp::server::InvalidOrigins>(())
/// ```
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Origins(Policy);

#[derive(Debug, Clone, PartialEq, Eq)]
enum Policy {
    Any,
    /// Origins in lower case. An entry that ends with `:*` matches any port.
    Listed(Vec<String>),
}

/// The error for a text that is not a list of origins.
#[derive(Debug, Clone, PartialEq, Eq, Error)]
#[error(
    "`{0}` is not an origin; use `https://host` or `http://localhost:*` without a path, or `*` for any origin"
)]
pub struct InvalidOrigins(String);

impl Origins {
    /// Any origin, for public servers. Credentials are never read from cookies.
    #[must_use]
    pub const fn any() -> Self {
        Self(Policy::Any)
    }

    /// The origins of the local machine, with any port.
    #[must_use]
    pub fn loopback() -> Self {
        let origins = ["http://localhost:*", "http://127.0.0.1:*", "http://[::1]:*"];
        Self(Policy::Listed(origins.map(str::to_owned).to_vec()))
    }

    /// Returns whether all `Origin` headers are allowed. A request without one always is.
    pub(super) fn admit(&self, headers: &HeaderMap) -> bool {
        headers
            .get_all(ORIGIN)
            .iter()
            .all(|origin| self.allows(origin))
    }

    /// Returns whether this origin is allowed.
    fn allows(&self, origin: &HeaderValue) -> bool {
        match &self.0 {
            Policy::Any => true,
            Policy::Listed(origins) => origin.to_str().is_ok_and(|origin| {
                let origin = origin.to_ascii_lowercase();
                origins.iter().any(|entry| matches(entry, &origin))
            }),
        }
    }

    /// Returns the value of `Access-Control-Allow-Origin` for a request from `origin`, and whether
    /// the value depends on `origin`.
    ///
    /// Every response has this header. For an origin that is not allowed it has another origin.
    pub(super) fn allow_origin(&self, origin: Option<&HeaderValue>) -> (HeaderValue, bool) {
        match (&self.0, origin) {
            (Policy::Any, _) => (HeaderValue::from_static("*"), false),
            (Policy::Listed(_), Some(origin)) if self.allows(origin) => (origin.clone(), true),
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

/// Parses origins separated by commas, or `*` for any origin. The port `*` matches any port.
impl FromStr for Origins {
    type Err = InvalidOrigins;

    fn from_str(text: &str) -> Result<Self, InvalidOrigins> {
        if text.trim() == "*" {
            return Ok(Self::any());
        }
        let origins = text.split(',').map(|entry| {
            let entry = entry.trim();
            if is_origin(entry) {
                Ok(entry.to_ascii_lowercase())
            } else {
                Err(InvalidOrigins(entry.to_owned()))
            }
        });
        origins
            .collect::<Result<_, _>>()
            .map(|origins| Self(Policy::Listed(origins)))
    }
}

/// Returns whether a text is a scheme and a host, without a path.
fn is_origin(text: &str) -> bool {
    let host = text
        .strip_prefix("https://")
        .or_else(|| text.strip_prefix("http://"))
        .unwrap_or_default();
    let is_host_byte = |b: u8| b > b' ' && b < 127 && !matches!(b, b'/' | b'?' | b'#' | b'@');
    !host.is_empty() && host.bytes().all(is_host_byte)
}

/// Returns whether an entry matches a lower-case origin.
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
    fn only_listed_origins_are_admitted() {
        let origins = Origins::from_str("https://app.example.com, http://localhost:*").unwrap();
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
    fn lists_are_parsed() {
        assert_eq!("*".parse(), Ok(Origins::any()));
        for text in [
            "",
            "app.example.com",
            "https://a.example/",
            "https://a.example/x",
            "null",
            "https://",
            "https://a b",
        ] {
            assert!(text.parse::<Origins>().is_err(), "{text}");
        }
    }

    #[test]
    fn access_control_allow_origin_always_has_one_value() {
        let origins = Origins::from_str("https://a.example,https://b.example").unwrap();
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
