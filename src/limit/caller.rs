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
pub struct CallerKey([u8; DIGEST_BYTES]);

impl CallerKey {
    /// Makes the key of a caller with a credential. `id` is
    /// [`Principal::id`](crate::auth::Principal::id).
    #[must_use]
    pub fn credential(id: &str) -> Self {
        Self::digest("subject", id.as_bytes())
    }

    /// Makes the key of a caller without a credential, from the address that the platform reports.
    ///
    /// Do not take the address from a header that clients can write, such as `X-Forwarded-For`.
    ///
    /// An IPv6 address counts as its /64 network, and an IPv4-mapped address as the IPv4 address.
    /// Callers without a known address share one key: that is strict, but not a way around a limit.
    #[must_use]
    pub fn address(address: Option<IpAddr>) -> Self {
        match address.map(|address| address.to_canonical()) {
            Some(IpAddr::V4(v4)) => Self::digest("ipv4", &v4.octets()),
            Some(IpAddr::V6(v6)) => {
                let network = Ipv6Addr::from_bits(v6.to_bits() & IPV6_NETWORK);
                Self::digest("ipv6/64", &network.octets())
            }
            None => Self::digest("unknown", b""),
        }
    }

    fn digest(kind: &str, value: &[u8]) -> Self {
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

impl fmt::Display for CallerKey {
    /// Writes the digest in URL-safe Base64: 22 characters.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&URL_SAFE_NO_PAD.encode(self.0))
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
