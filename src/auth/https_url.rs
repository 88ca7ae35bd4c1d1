//! [`HttpsUrl`]: a URL that may be trusted with keys and sign-ins.

use std::fmt;

use http::Uri;
use thiserror::Error;

/// A URL over `https`, or over `http` on this machine for trials.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct HttpsUrl(String);

/// Text that is no such URL.
#[derive(Debug, Clone, PartialEq, Eq, Error)]
#[error("`{0}` is not a URL to trust; write `https://host/path`, without user name or fragment")]
pub struct InvalidHttpsUrl(String);

impl HttpsUrl {
    /// Reads a URL; it is kept letter by letter, for it is compared so.
    ///
    /// # Errors
    ///
    /// Another scheme, no host, a user name or a fragment.
    ///
    /// # Examples
    ///
    /// ```
    /// use lambda_mcp::auth::HttpsUrl;
    ///
    /// assert!(HttpsUrl::parse("https://login.example.com/tenant").is_ok());
    /// assert!(HttpsUrl::parse("http://127.0.0.1:8080/jwks.json").is_ok());
    /// assert!(HttpsUrl::parse("http://login.example.com").is_err());
    /// ```
    pub fn parse(text: &str) -> Result<Self, InvalidHttpsUrl> {
        let invalid = || InvalidHttpsUrl(text.to_owned());
        let uri: Uri = text.parse().map_err(|_| invalid())?;
        let authority = uri.authority().ok_or_else(invalid)?;
        let host = authority.host();
        let is_plain = !host.is_empty() && !text.contains(['@', '#', '"', '\\']);
        let is_local = matches!(host, "localhost" | "127.0.0.1" | "[::1]");
        let is_trusted = match uri.scheme_str() {
            Some("https") => true,
            Some("http") => is_local,
            _ => false,
        };
        if is_plain && is_trusted {
            Ok(Self(text.to_owned()))
        } else {
            Err(invalid())
        }
    }

    /// The URL, as it was written.
    #[must_use]
    pub fn as_str(&self) -> &str {
        &self.0
    }
}

impl fmt::Display for HttpsUrl {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.0)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_https_or_this_machine_is_trusted() {
        let rows = [
            ("https://a.example", true),
            ("https://a.example:8443/x?p=y", true),
            ("http://localhost:1/keys", true),
            ("http://[::1]:1/keys", true),
            ("http://a.example", false),
            ("http://localhost.evil.example", false),
            ("http://localhost@evil.example/", false),
            ("https://user@a.example", false),
            ("https://a.example/#x", false),
            ("https://", false),
            ("https:///x", false),
            ("ftp://a.example", false),
            ("file:///etc/keys", false),
            ("a.example", false),
            ("/keys", false),
            ("https://a b", false),
            ("", false),
        ];
        for (text, expected) in rows {
            assert_eq!(HttpsUrl::parse(text).is_ok(), expected, "{text}");
        }
    }
}
