//! Whose calls are counted together: a credential's subject, or the address a call comes from.
//!
//! Only digests are stored. That keeps addresses out of tables and logs; it does not make them
//! secret, since all IPv4 addresses can be tried in a minute.

use std::fmt;
use std::net::{IpAddr, Ipv6Addr};

use base64::Engine as _;
use base64::engine::general_purpose::URL_SAFE_NO_PAD;
use sha2::{Digest, Sha256};

/// The half of an IPv6 address that its owner was given; the other half is the owner's to choose.
const IPV6_NETWORK: u128 = u128::MAX << 64;
const DIGEST_BYTES: usize = 16;

/// The digest of who calls.
#[derive(Clone, Copy, PartialEq, Eq, Hash)]
pub struct CallerKey([u8; DIGEST_BYTES]);

impl CallerKey {
    /// The bearer of a credential, by its subject.
    #[must_use]
    pub fn subject(subject: &str) -> Self {
        Self::digest("subject", subject.as_bytes())
    }

    /// Who calls from this address, as the platform saw it.
    ///
    /// Never take it from a header such as `X-Forwarded-For`, which clients write themselves. An
    /// IPv6 address counts as its /64, which one household or server has for itself; an IPv4
    /// address that is written as IPv6 is the IPv4 address. Without an address, all such calls are
    /// counted together: that is strict, but no way around the limit.
    #[must_use]
    pub fn source(address: Option<IpAddr>) -> Self {
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

    fn source(text: &str) -> CallerKey {
        CallerKey::source(Some(text.parse().unwrap()))
    }

    #[test]
    fn addresses_of_one_owner_are_one_caller() {
        let pairs = [
            ("2001:db8:1:2::1", "2001:0DB8:0001:0002:ffff:0:0:9"),
            ("::ffff:198.51.100.7", "198.51.100.7"),
            ("::ffff:c633:6407", "198.51.100.7"),
        ];
        for (one, other) in pairs {
            assert_eq!(source(one), source(other), "{one}, {other}");
        }
    }

    #[test]
    fn addresses_of_several_owners_are_several_callers() {
        let callers = [
            source("2001:db8:1:2::1"),
            source("2001:db8:1:3::1"),
            source("198.51.100.7"),
            source("198.51.100.8"),
            // Not mapped: the lower half of an IPv6 address only looks like it.
            source("::198.51.100.7"),
            source("::ffff:198.51.100.8"),
            CallerKey::source(None),
            CallerKey::subject("198.51.100.7"),
            CallerKey::subject(""),
        ];
        let mut kinds = callers.to_vec();
        kinds.sort_by_key(CallerKey::to_string);
        kinds.dedup();
        // The mapped .8 is the plain .8.
        assert_eq!(kinds.len(), callers.len() - 1);
    }

    #[test]
    fn a_key_shows_no_address() {
        let key = source("198.51.100.7");
        for shown in [key.to_string(), format!("{key:?}")] {
            assert!(
                !shown.contains("198") && !shown.contains("100.7"),
                "{shown}"
            );
        }
        assert_eq!(key.to_string().len(), 22);
    }
}
