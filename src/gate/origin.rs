//! The `Origin` header. Specification: *Streamable HTTP, Security & Endpoint*.
//!
//! A request from a web page whose origin is not allowed gets status 403. Clients that are not
//! browsers send no `Origin` and are always admitted.
//!
//! `*` admits every page, but trusts none: any page that a user opens could then cause effects in the
//! user's name, from the user's address. A page that is not named can only read; see
//! [`Origins::any`].

use std::str::FromStr;

use http::header::ORIGIN;
use http::{HeaderMap, HeaderValue};
use thiserror::Error;

use crate::wire::header::{self, InvalidCharacters};

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
/// // Any page may read, and the pages of one origin may call tools that have an effect.
/// let origins: Origins = "*, https://app.example.com".parse()?;
///
/// assert_eq!("*".parse(), Ok(Origins::any()));
/// assert!("app.example.com".parse::<Origins>().is_err());
/// # Ok::<(), lambda_mcp::server::InvalidOrigins>(())
/// ```
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Origins {
    /// Whether pages of other origins may read.
    is_any: bool,
    /// Origins in lower case. An entry that ends with `:*` matches any port.
    named: Vec<String>,
}

/// The origins of the local machine, with any port.
const LOOPBACK: [&str; 3] = ["http://localhost:*", "http://127.0.0.1:*", "http://[::1]:*"];

/// The error for a text that is not a list of origins.
#[derive(Debug, Clone, PartialEq, Eq, Error)]
#[error(
    "`{0}` is not an origin; use `https://host` or `http://localhost:*` without a path, or `*` for any origin"
)]
pub struct InvalidOrigins(String);

impl Origins {
    /// Any origin, for public servers. Credentials are never read from cookies.
    ///
    /// Pages of all origins may read. A tool that is not declared as
    /// [read-only](crate::server::Tool::read_only) gets status 403 when such a page calls it without
    /// a credential. Name the origins whose pages may call it: `*, https://app.example.com`. Pages of
    /// the local machine count as named.
    #[must_use]
    pub const fn any() -> Self {
        Self {
            is_any: true,
            named: Vec::new(),
        }
    }

    /// The origins of the local machine, with any port.
    #[must_use]
    pub fn loopback() -> Self {
        Self {
            is_any: false,
            named: LOOPBACK.map(str::to_owned).to_vec(),
        }
    }

    /// Returns whether the request comes from an allowed origin, or from no web page. A repeated
    /// `Origin` is not allowed.
    pub(super) fn admit(&self, headers: &HeaderMap) -> bool {
        self.is_any || self.trusts(headers)
    }

    /// Returns whether the request comes from an origin that is named, or from no web page: whether it
    /// may cause effects without a credential.
    pub(super) fn trusts(&self, headers: &HeaderMap) -> bool {
        match header::value(headers, ORIGIN) {
            Ok(None) => true,
            Ok(Some(origin)) => self.names(&origin),
            Err(InvalidCharacters) => false,
        }
    }

    /// Returns whether this origin is named.
    fn names(&self, origin: &str) -> bool {
        let origin = origin.to_ascii_lowercase();
        let loopback = LOOPBACK.iter().copied().filter(|_| self.is_any);
        let mut named = self.named.iter().map(String::as_str).chain(loopback);
        named.any(|entry| matches(entry, &origin))
    }

    /// Returns the value of `Access-Control-Allow-Origin` for a request, and whether the value
    /// depends on the `Origin` of the request.
    ///
    /// Every response has this header. For an origin that is not allowed it has another origin.
    pub(super) fn allow_origin(&self, request: &HeaderMap) -> (HeaderValue, bool) {
        if self.is_any {
            return (HeaderValue::from_static("*"), false);
        }
        let own = header::value(request, ORIGIN).ok().flatten();
        let own = own.filter(|origin| self.names(origin));
        let first = { self.named.first() }.map(|entry| entry.strip_suffix(":*").unwrap_or(entry));
        let value = own.as_deref().or(first);
        let value = value.and_then(|origin| HeaderValue::from_str(origin).ok());
        (value.unwrap_or(HeaderValue::from_static("null")), true)
    }
}

/// Parses origins separated by commas; `*` among them is any origin. The port `*` matches any port.
impl FromStr for Origins {
    type Err = InvalidOrigins;

    fn from_str(text: &str) -> Result<Self, InvalidOrigins> {
        let mut origins = Self {
            is_any: false,
            named: Vec::new(),
        };
        for entry in text.split(',').map(str::trim) {
            if entry == "*" {
                origins.is_any = true;
            } else if is_origin(entry) {
                origins.named.push(entry.to_ascii_lowercase());
            } else {
                return Err(InvalidOrigins(entry.to_owned()));
            }
        }
        Ok(origins)
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
    fn any_origin_is_admitted_but_only_named_ones_and_those_of_this_machine_are_trusted() {
        let rows = [
            ("*", "https://evil.example", false),
            ("*", "null", false),
            ("*", "http://localhost:6274", true),
            ("*", "http://localhost.evil.example", false),
            ("*, https://a.example", "https://a.example", true),
            ("https://a.example,*", "https://A.example", true),
            ("*, https://a.example", "https://b.example", false),
        ];
        for (origins, origin, is_trusted) in rows {
            let origins = Origins::from_str(origins).unwrap();
            assert!(admits(&origins, origin), "{origin}");
            let headers = [(ORIGIN, origin.parse().unwrap())].into_iter().collect();
            assert_eq!(origins.trusts(&headers), is_trusted, "{origin}");
        }
        assert!(Origins::any().trusts(&HeaderMap::new()));
        let listed = Origins::from_str("https://a.example").unwrap();
        assert!(!admits(&listed, "http://localhost"));
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
            let origin = origin.map(|origin| (ORIGIN, HeaderValue::from_static(origin)));
            origins.allow_origin(&origin.into_iter().collect()).0
        };
        assert_eq!(value(Some("https://b.example")), "https://b.example");
        assert_eq!(value(Some("https://evil.example")), "https://a.example");
        assert_eq!(value(None), "https://a.example");
        assert_eq!(
            Origins::any().allow_origin(&HeaderMap::new()),
            (HeaderValue::from_static("*"), false)
        );
    }
}
