//! [`CallerKey`]: whose calls are counted together.
//!
//! Only digests are stored. They keep addresses out of tables and logs. They do not keep addresses
//! secret: all IPv4 addresses can be tried within a minute.

use std::fmt;
use std::net::{IpAddr, Ipv6Addr};

use base64::Engine as _;
use base64::engine::general_purpose::URL_SAFE_NO_PAD;
use sha2::{Digest, Sha256};

/// The network part of an IPv6 address. The rest is the owner's to choose.
const IPV6_NETWORK: u128 = u128::MAX << 64;
/// Longer networks that one owner may have: those that providers assign to a connection (RFC 6177)
/// and to an organization.
const WIDER_NETWORKS: [(&str, u128); 2] =
    [("ipv6/56", u128::MAX << 72), ("ipv6/48", u128::MAX << 80)];
const DIGEST_BYTES: usize = 16;

/// The caller that a per-client limit counts: a credential or a network address, as a digest.
///
/// # Examples
///
/// ```
/// use lambda_mcp::limit::CallerKey;
///
/// let one = CallerKey::address(Some("2001:db8:1:2::1".parse()?));
/// let other = CallerKey::address(Some("2001:db8:1:2::ffff".parse()?));
/// assert_eq!(one, other);
/// assert!(!one.to_string().contains("2001"));
/// # Ok::<(), std::net::AddrParseError>(())
/// ```
#[derive(Clone, Copy, PartialEq, Eq, Hash)]
pub struct CallerKey {
    digest: Digested,
    has_credential: bool,
    /// The networks that the caller's own network is part of, the smaller one first.
    networks: Option<[Digested; 2]>,
}

/// A digest. Its text is URL-safe Base64: 22 characters.
#[derive(Clone, Copy, PartialEq, Eq, Hash)]
pub(super) struct Digested([u8; DIGEST_BYTES]);

impl CallerKey {
    /// Makes the key of a caller with a credential. `id` is
    /// [`Principal::id`](crate::auth::Principal::id).
    #[must_use]
    pub fn credential(id: &str) -> Self {
        Self {
            has_credential: true,
            ..Self::new(Digested::of("subject", id.as_bytes()))
        }
    }

    /// Makes the key of a caller without a credential, from the address that the platform reports.
    ///
    /// Do not take the address from a header that clients can write, such as `X-Forwarded-For`.
    ///
    /// An IPv6 address counts as its /64 network, and an IPv4-mapped address as the IPv4 address.
    /// Since one owner can have many /64 networks, a limit also counts the /56 network, at 4 times the
    /// limit, and the /48 network, at 16 times the limit.
    ///
    /// Callers without a known address share one key: that is strict, but not a way around a limit.
    #[must_use]
    pub fn address(address: Option<IpAddr>) -> Self {
        match address.map(|address| address.to_canonical()) {
            Some(IpAddr::V4(v4)) => Self::new(Digested::of("ipv4", &v4.octets())),
            Some(IpAddr::V6(v6)) => {
                let network = |kind: &str, mask: u128| {
                    let network = Ipv6Addr::from_bits(v6.to_bits() & mask);
                    Digested::of(kind, &network.octets())
                };
                Self {
                    networks: Some(WIDER_NETWORKS.map(|(kind, mask)| network(kind, mask))),
                    ..Self::new(network("ipv6/64", IPV6_NETWORK))
                }
            }
            None => Self::new(Digested::of("unknown", b"")),
        }
    }

    const fn new(digest: Digested) -> Self {
        Self {
            digest,
            has_credential: false,
            networks: None,
        }
    }

    /// Whether the caller has a credential.
    pub(super) const fn has_credential(&self) -> bool {
        self.has_credential
    }

    /// The networks that the caller's own network is part of, each with the factor of its limit.
    pub(super) fn networks(&self) -> impl Iterator<Item = (Digested, u32)> {
        self.networks
            .into_iter()
            .flat_map(|networks| networks.into_iter().zip([4, 16]))
    }
}

impl Digested {
    fn of(kind: &str, value: &[u8]) -> Self {
        let mut digest = Sha256::new();
        for part in [kind.as_bytes(), value] {
            digest.update((part.len() as u64).to_be_bytes());
            digest.update(part);
        }
        let digest: [u8; 32] = digest.finalize().into();
        let mut key = [0; DIGEST_BYTES];
        key.iter_mut().zip(digest).for_each(|(to, from)| *to = from);
        Self(key)
    }
}

impl fmt::Display for Digested {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&URL_SAFE_NO_PAD.encode(self.0))
    }
}

impl fmt::Display for CallerKey {
    /// Writes the digest in URL-safe Base64: 22 characters.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.digest.fmt(f)
    }
}

impl fmt::Debug for CallerKey {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "CallerKey({self})")
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn address(text: &str) -> CallerKey {
        CallerKey::address(Some(text.parse().unwrap()))
    }

    #[test]
    fn addresses_of_one_owner_are_one_caller() {
        let pairs = [
            ("2001:db8:1:2::1", "2001:0DB8:0001:0002:ffff:0:0:9"),
            ("::ffff:198.51.100.7", "198.51.100.7"),
            ("::ffff:c633:6407", "198.51.100.7"),
        ];
        for (one, other) in pairs {
            assert_eq!(address(one), address(other), "{one}, {other}");
        }
    }

    #[test]
    fn addresses_of_several_owners_are_several_callers() {
        let callers = [
            address("2001:db8:1:2::1"),
            address("2001:db8:1:3::1"),
            address("198.51.100.7"),
            address("198.51.100.8"),
            // Not mapped: the lower half only looks like an IPv4 address.
            address("::198.51.100.7"),
            address("::ffff:198.51.100.8"),
            CallerKey::address(None),
            CallerKey::credential("198.51.100.7"),
            CallerKey::credential(""),
        ];
        let mut keys = callers.to_vec();
        keys.sort_by_key(CallerKey::to_string);
        keys.dedup();
        // The mapped .8 is the plain .8.
        assert_eq!(keys.len(), callers.len() - 1);
    }

    #[test]
    fn an_ipv6_address_also_belongs_to_two_wider_networks() {
        let both = |text: &str| {
            let address = address(text);
            let networks = address.networks().map(|(one, _)| one.to_string());
            networks.collect::<Vec<_>>()
        };
        let here = both("2001:db8:1:2::1");
        assert_eq!(here.len(), 2);
        assert_eq!(both("2001:db8:1:ff::1"), here);
        let other_56 = both("2001:db8:1:102::1");
        assert!(other_56[0] != here[0] && other_56[1] == here[1]);
        let other_48 = both("2001:db8:2:2::1");
        assert!(other_48[0] != here[0] && other_48[1] != here[1]);
        assert!(both("198.51.100.7").is_empty());
        assert!(both("::ffff:198.51.100.7").is_empty());
    }

    #[test]
    fn a_key_shows_no_address() {
        let key = address("198.51.100.7");
        for shown in [key.to_string(), format!("{key:?}")] {
            assert!(
                !shown.contains("198") && !shown.contains("100.7"),
                "{shown}"
            );
        }
        assert_eq!(key.to_string().len(), 22);
    }
}
