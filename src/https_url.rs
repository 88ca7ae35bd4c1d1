//! [`HttpsUrl`]: the one rule for URLs that carry secrets, sign-ins or keys.
//!
//! Plain HTTP is accepted for loopback addresses only, for local development. OAuth 2.1, section
//! 1.5; specification: *Authorization, Communication Security*.

use std::fmt;
use std::net::{Ipv4Addr, Ipv6Addr};
use std::str::FromStr;

use http::Uri;
use http::uri::Authority;
use thiserror::Error;

/// An `https` URL, or an `http` URL of a loopback address.
///
/// Use it for every URL that receives a secret or is trusted with one: an authorization server, a
/// key set, an API that takes a key. The URL has a host, and neither a user name nor a fragment.
/// Loopback addresses are `localhost`, `127.0.0.0/8` and `[::1]`.
///
/// The text is stored verbatim. To compare two URLs, use [`is_same`](Self::is_same).
///
/// # Examples
///
/// ```
/// use lambda_mcp::auth::HttpsUrl;
///
/// let issuer: HttpsUrl = "https://login.example.com/tenant".parse()?;
/// assert_eq!(issuer.as_str(), "https://login.example.com/tenant");
///
/// assert!("http://127.0.0.1:8080/jwks.json".parse::<HttpsUrl>().is_ok());
/// assert!("http://login.example.com".parse::<HttpsUrl>().is_err());
/// # Ok::<(), lambda_mcp::auth::InvalidHttpsUrl>(())
/// ```
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct HttpsUrl(String);

/// Text that is not an [`HttpsUrl`].
///
/// The message does not repeat the text: a secret may have been put in the wrong place.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Error)]
#[error(
    "must be an `https://` URL without user name or fragment; `http://` is accepted for \
     `localhost`, `127.0.0.1` and `[::1]`"
)]
#[non_exhaustive]
pub struct InvalidHttpsUrl;

impl FromStr for HttpsUrl {
    type Err = InvalidHttpsUrl;

    fn from_str(text: &str) -> Result<Self, InvalidHttpsUrl> {
        let uri: Uri = text.parse().map_err(|_| InvalidHttpsUrl)?;
        let authority = uri.authority().ok_or(InvalidHttpsUrl)?;
        // `Uri` drops a fragment, and it lets quotes through that would end a quoted header value.
        let is_plain = !authority.as_str().contains('@') && !text.contains(['#', '"', '\\']);
        let is_trusted = match uri.scheme_str() {
            Some("https") => !authority.host().is_empty(),
            Some("http") => is_loopback(authority.host()),
            _ => false,
        };
        if is_plain && is_trusted {
            Ok(Self(text.to_owned()))
        } else {
            Err(InvalidHttpsUrl)
        }
    }
}

impl HttpsUrl {
    /// The URL, as it was written.
    #[must_use]
    pub fn as_str(&self) -> &str {
        &self.0
    }

    /// Returns the URL as a base to append paths to: without a slash at its end.
    ///
    /// # Errors
    ///
    /// Returns [`InvalidHttpsUrl`] if the URL has a query: nothing can be appended to it.
    ///
    /// # Examples
    ///
    /// ```
    /// use lambda_mcp::auth::HttpsUrl;
    ///
    /// let base = "https://mcp.example.com/".parse::<HttpsUrl>()?.into_base()?;
    /// assert_eq!(format!("{base}/mcp"), "https://mcp.example.com/mcp");
    ///
    /// let with_query: HttpsUrl = "https://mcp.example.com/?tenant=1".parse()?;
    /// assert!(with_query.into_base().is_err());
    /// # Ok::<(), lambda_mcp::auth::InvalidHttpsUrl>(())
    /// ```
    pub fn into_base(mut self) -> Result<Self, InvalidHttpsUrl> {
        if self.0.contains('?') {
            return Err(InvalidHttpsUrl);
        }
        self.0.truncate(self.0.trim_end_matches('/').len());
        Ok(self)
    }

    /// Whether `other` is the same URL.
    ///
    /// Scheme and host are compared without regard to case, and a default port and an empty path
    /// may be written or left out (RFC 3986, sections 6.2.2.1 and 6.2.3). Path and query are
    /// compared byte for byte, so `/mcp` and `/mcp/` differ.
    ///
    /// # Examples
    ///
    /// ```
    /// use lambda_mcp::auth::HttpsUrl;
    ///
    /// let url: HttpsUrl = "https://mcp.example.com/mcp".parse()?;
    /// assert!(url.is_same("HTTPS://MCP.example.com:443/mcp"));
    /// assert!(!url.is_same("https://mcp.example.com/MCP"));
    /// # Ok::<(), lambda_mcp::auth::InvalidHttpsUrl>(())
    /// ```
    #[must_use]
    pub fn is_same(&self, other: &str) -> bool {
        is_same_url(&self.0, other)
    }
}

impl fmt::Display for HttpsUrl {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.0)
    }
}

fn is_loopback(host: &str) -> bool {
    let v6 = host
        .strip_prefix('[')
        .and_then(|rest| rest.strip_suffix(']'));
    match v6 {
        Some(v6) => v6.parse().is_ok_and(|v6: Ipv6Addr| v6.is_loopback()),
        None if host.eq_ignore_ascii_case("localhost") => true,
        None => host.parse().is_ok_and(|v4: Ipv4Addr| v4.is_loopback()),
    }
}

/// Whether two texts are the same `http` or `https` URL, or the same text.
///
/// The rule of [`HttpsUrl::is_same`]. Texts that are not such URLs are compared byte for byte.
pub(crate) fn is_same_url(one: &str, other: &str) -> bool {
    if one == other {
        return true;
    }
    match (normalized(one), normalized(other)) {
        (Some(one), Some(other)) => one == other,
        _ => false,
    }
}

/// Scheme, host, port, and the rest from the path on, in the form in which they can be compared.
fn normalized(text: &str) -> Option<(String, String, u16, &str)> {
    let (scheme, rest) = text.split_once("://")?;
    let scheme = scheme.to_ascii_lowercase();
    let default_port = match scheme.as_str() {
        "https" => 443,
        "http" => 80,
        _ => return None,
    };
    let end = rest.find(['/', '?', '#']).unwrap_or(rest.len());
    let (authority, rest) = rest.split_at(end);
    let authority: Authority = authority.parse().ok()?;
    // A fragment or a user name makes it another URL, or none: neither is ever dropped.
    if authority.as_str().contains('@') || rest.contains('#') {
        return None;
    }
    let host = authority.host().to_ascii_lowercase();
    let port = match authority.as_str().get(authority.host().len()..)? {
        "" | ":" => default_port,
        _ => authority.port_u16()?,
    };
    // An empty path is `/`, with a query as well.
    let rest = rest
        .strip_prefix('/')
        .filter(|rest| rest.is_empty() || rest.starts_with('?'))
        .unwrap_or(rest);
    Some((scheme, host, port, rest))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_https_and_loopback_addresses_are_accepted() {
        let rows = [
            ("https://a.example", true),
            ("https://a.example:8443/x?p=y", true),
            ("https://a.example/@user", true),
            ("http://localhost", true),
            ("http://LOCALHOST:1/keys", true),
            ("http://127.0.0.1:9001", true),
            ("http://127.8.8.8", true),
            ("http://[::1]:1/keys", true),
            ("http://a.example", false),
            ("http://0.0.0.0", false),
            ("http://[::2]", false),
            ("http://[::1", false),
            ("http://::1", false),
            ("http://127.0.0.1.evil.example", false),
            ("http://localhost.evil.example", false),
            ("http://localhost@evil.example/", false),
            ("http://evil.example/localhost", false),
            ("https://user@a.example", false),
            ("https://user:word@a.example", false),
            ("https://a.example/#x", false),
            ("https://a.example/\"x\"", false),
            ("https://a.example/\\x", false),
            ("https://", false),
            ("https:///x", false),
            ("https://:443/x", false),
            ("ftp://127.0.0.1", false),
            ("file:///etc/keys", false),
            ("a.example", false),
            ("/keys", false),
            ("https://a b", false),
            ("https://ä.example", false),
            ("", false),
        ];
        for (text, expected) in rows {
            assert_eq!(text.parse::<HttpsUrl>().is_ok(), expected, "{text}");
        }
    }

    #[test]
    fn a_base_url_has_no_query_and_no_slash_at_its_end() {
        let base = |text: &str| {
            let base = text.parse::<HttpsUrl>()?.into_base();
            base.map(|base| base.as_str().to_owned())
        };
        assert_eq!(base("https://a.example").unwrap(), "https://a.example");
        assert_eq!(
            base("https://a.example/x//").unwrap(),
            "https://a.example/x"
        );
        assert_eq!(base("https://a.example/?x"), Err(InvalidHttpsUrl));
        assert_eq!(base("https://a.example?"), Err(InvalidHttpsUrl));
    }

    #[test]
    fn urls_are_the_same_whatever_the_case_of_scheme_and_host() {
        let url = "https://mcp.example.com/mcp";
        let rows = [
            ("https://mcp.example.com/mcp", true),
            ("HTTPS://MCP.Example.COM/mcp", true),
            ("https://mcp.example.com:443/mcp", true),
            ("https://mcp.example.com:/mcp", true),
            ("https://mcp.example.com:8443/mcp", false),
            ("https://mcp.example.com:80/mcp", false),
            ("http://mcp.example.com/mcp", false),
            ("http://mcp.example.com:443/mcp", false),
            ("https://mcp.example.com/MCP", false),
            ("https://mcp.example.com/mcp/", false),
            ("https://mcp.example.com/mcp?", false),
            ("https://mcp.example.com/mcp#", false),
            ("https://mcp.example.com/%6Dcp", false),
            ("https://mcp.example.com", false),
            ("https://user@mcp.example.com/mcp", false),
            ("https://mcp.example.com.evil.example/mcp", false),
            ("https://mcp.example.com@evil.example/mcp", false),
            ("mcp.example.com/mcp", false),
            ("", false),
        ];
        for (other, expected) in rows {
            assert_eq!(is_same_url(url, other), expected, "{other}");
            assert_eq!(is_same_url(other, url), expected, "{other}");
        }
        assert!(is_same_url("https://a.example", "https://A.example:443/"));
        assert!(is_same_url("https://a.example?x", "https://A.example/?x"));
        assert!(!is_same_url("https://a.example//", "https://a.example/"));
        assert!(!is_same_url("https://a.example//x", "https://a.example/x"));
        assert!(is_same_url("http://[::1]:80/x", "http://[::1]/x"));
        // Anything else is compared byte for byte.
        assert!(is_same_url("api://Portfolio", "api://Portfolio"));
        assert!(!is_same_url("api://Portfolio", "api://portfolio"));
    }
}
