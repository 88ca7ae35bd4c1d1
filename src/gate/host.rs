//! Which `Host` a server answers to: the guard of a local server against DNS rebinding.
//!
//! On AWS the gateway routes by host name, so any is fine there. Specification: *Streamable HTTP,
//! Security & Endpoint*.

use http::HeaderMap;
use http::header::HOST;
use thiserror::Error;

/// The host names this server answers to.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Hosts(Option<Vec<String>>);

/// A list of host names that cannot be read.
#[derive(Debug, Clone, PartialEq, Eq, Error)]
#[error("`{0}` is not a host name; write names without scheme, port or path, or `*` for any")]
pub struct InvalidHosts(String);

impl Hosts {
    /// Any name: the front decides.
    #[must_use]
    pub const fn any() -> Self {
        Self(None)
    }

    /// The names of this machine: `localhost`, `127.0.0.1` and `[::1]`.
    #[must_use]
    pub fn loopback() -> Self {
        Self(Some(
            ["localhost", "127.0.0.1", "[::1]"]
                .map(str::to_owned)
                .to_vec(),
        ))
    }

    /// Reads names separated by commas, or `*`.
    ///
    /// # Errors
    ///
    /// A name with a scheme, port or path, or none at all.
    pub fn parse(text: &str) -> Result<Self, InvalidHosts> {
        if text.trim() == "*" {
            return Ok(Self::any());
        }
        let names = text.split(',').map(|name| {
            let name = name.trim();
            let bare = name
                .strip_prefix('[')
                .and_then(|n| n.strip_suffix(']'))
                .unwrap_or(name);
            let bracketed = bare.len() != name.len();
            let is_name = !bare.is_empty()
                && bare.bytes().all(|b| {
                    b.is_ascii_alphanumeric()
                        || matches!(b, b'.' | b'-')
                        || (bracketed && b == b':')
                });
            if is_name {
                Ok(name.to_ascii_lowercase())
            } else {
                Err(InvalidHosts(name.to_owned()))
            }
        });
        names
            .collect::<Result<_, _>>()
            .map(|names| Self(Some(names)))
    }

    /// Whether every `Host` header names one of them; its port makes no difference.
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
    fn other_names_are_refused() {
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
    fn lists_are_read() {
        assert_eq!(Hosts::parse(" * "), Ok(Hosts::any()));
        assert!(admits(
            &Hosts::parse("a.example, [::1]").unwrap(),
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
            assert!(Hosts::parse(text).is_err(), "{text}");
        }
    }
}
