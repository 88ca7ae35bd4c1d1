//! The `Host` header. Specification: *Streamable HTTP, Security & Endpoint*.
//!
//! A local server checks it to prevent DNS rebinding. On AWS the gateway routes by host name, so any
//! host is accepted there.

use std::str::FromStr;

use http::HeaderMap;
use http::header::HOST;
use thiserror::Error;

/// The host names that a server answers to. A request for another host gets status 403.
///
/// Set it with [`ServerBuilder::hosts`](crate::server::ServerBuilder::hosts). List the names for a
/// server on your own machine: a web page could otherwise reach it by DNS rebinding. Behind API
/// Gateway or a Function URL any name is safe, because AWS routes by name. Specification:
/// *Streamable HTTP, Security & Endpoint*.
///
/// # Examples
///
/// ```
/// use lambda_mcp::server::Hosts;
///
/// // Names without scheme and port, separated by commas.
/// let hosts: Hosts = "localhost, mcp.example.com".parse()?;
///
/// assert_eq!("*".parse(), Ok(Hosts::any()));
/// assert!("https://mcp.example.com".parse::<Hosts>().is_err());
/// # Ok::<(), lambda_mcp::server::InvalidHosts>(())
/// ```
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Hosts(Option<Vec<String>>);

/// The error for a text that is not a list of host names.
#[derive(Debug, Clone, PartialEq, Eq, Error)]
#[error("`{0}` is not a host name; use names without scheme, port and path, or `*` for any host")]
pub struct InvalidHosts(String);

impl Hosts {
    /// Any host name.
    #[must_use]
    pub const fn any() -> Self {
        Self(None)
    }

    /// The names of the local machine: `localhost`, `127.0.0.1` and `[::1]`.
    #[must_use]
    pub fn loopback() -> Self {
        Self(Some(
            ["localhost", "127.0.0.1", "[::1]"]
                .map(str::to_owned)
                .to_vec(),
        ))
    }

    /// Returns whether every `Host` header has an allowed name. The port is ignored.
    pub(super) fn admit(&self, headers: &HeaderMap) -> bool {
        let Some(names) = &self.0 else { return true };
        let mut values = headers.get_all(HOST).iter().peekable();
        values.peek().is_some()
            && values.all(|value| {
                value.to_str().is_ok_and(|host| {
                    let host = without_port(host);
                    names.iter().any(|name| name.eq_ignore_ascii_case(host))
                })
            })
    }
}

/// Parses names separated by commas, or `*` for any host.
impl FromStr for Hosts {
    type Err = InvalidHosts;

    fn from_str(text: &str) -> Result<Self, InvalidHosts> {
        if text.trim() == "*" {
            return Ok(Self::any());
        }
        let names = text.split(',').map(|name| {
            let name = name.trim();
            if is_host(name) {
                Ok(name.to_ascii_lowercase())
            } else {
                Err(InvalidHosts(name.to_owned()))
            }
        });
        names
            .collect::<Result<_, _>>()
            .map(|names| Self(Some(names)))
    }
}

/// Returns whether a text has only the characters of a host name or of an IPv6 address in brackets.
fn is_host(name: &str) -> bool {
    let ipv6 = name.strip_prefix('[').and_then(|n| n.strip_suffix(']'));
    let text = ipv6.unwrap_or(name);
    !text.is_empty()
        && text.bytes().all(|b| {
            b.is_ascii_alphanumeric() || matches!(b, b'.' | b'-') || (ipv6.is_some() && b == b':')
        })
}

fn without_port(host: &str) -> &str {
    match host.rsplit_once(':') {
        Some((name, port)) if port.bytes().all(|b| b.is_ascii_digit()) => name,
        _ => host,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn admits(hosts: &Hosts, host: &str) -> bool {
        hosts.admit(&[(HOST, host.parse().unwrap())].into_iter().collect())
    }

    #[test]
    fn loopback_names_are_admitted_with_any_port() {
        for host in [
            "localhost",
            "LOCALHOST:9000",
            "127.0.0.1:1",
            "[::1]:9000",
            "[::1]",
        ] {
            assert!(admits(&Hosts::loopback(), host), "{host}");
        }
    }

    #[test]
    fn other_names_are_rejected() {
        for host in [
            "evil.example",
            "localhost.evil.example",
            "localhost:x",
            "127.0.0.1.nip.io:80",
            "",
            "::1",
        ] {
            assert!(!admits(&Hosts::loopback(), host), "{host}");
        }
        assert!(!Hosts::loopback().admit(&HeaderMap::new()));
    }

    #[test]
    fn lists_are_parsed() {
        assert_eq!(" * ".parse(), Ok(Hosts::any()));
        assert!(admits(
            &"a.example, [::1]".parse().unwrap(),
            "A.example:443"
        ));
        for text in [
            "",
            "a,,b",
            "https://a.example",
            "a.example:80",
            "a/b",
            "a b",
        ] {
            assert!(text.parse::<Hosts>().is_err(), "{text}");
        }
    }
}
