//! API keys: the server keeps their SHA-256 digests, never the keys.
//!
//! A plain digest is enough because a key is 256 random bits ([`NewApiKey`]); it would not protect
//! a key that a person made up.

use std::fmt;

use base64::Engine as _;
use base64::engine::general_purpose::URL_SAFE_NO_PAD;
use sha2::{Digest as _, Sha256};
use subtle::ConstantTimeEq as _;
use thiserror::Error;

use super::{BearerToken, Principal, Scopes, Verdict, Verifier};
use crate::future::BoxFuture;

/// What a key begins with, so that scanners for leaked secrets find it.
const PREFIX: &str = "lmk_";
/// What a digest begins with.
const DIGEST_PREFIX: &str = "sha256:";
const DIGEST_BYTES: usize = 32;
const MAX_SUBJECT_BYTES: usize = 128;

/// The keys that are known.
///
/// # Examples
///
/// ```
/// use lambda_mcp::auth::ApiKeys;
///
/// let digest = ApiKeys::digest("a key made by `portfolio new-key`");
/// let keys = ApiKeys::parse(&format!("ada {digest} contact:send"))?;
/// assert_eq!(keys.len(), 1);
/// # Ok::<(), lambda_mcp::auth::InvalidApiKeys>(())
/// ```
#[derive(Clone)]
pub struct ApiKeys(Vec<Entry>);

#[derive(Clone)]
struct Entry {
    digest: [u8; DIGEST_BYTES],
    principal: Principal,
}

/// A list of keys that cannot be read. It tells the entry by its place, never by its text: a key
/// may stand there where its digest should.
#[derive(Debug, Clone, PartialEq, Eq, Error)]
#[error("entry {entry}: {fault}; write `NAME sha256:DIGEST SCOPE …`, as `new-key` prints it")]
pub struct InvalidApiKeys {
    entry: usize,
    fault: &'static str,
}

impl ApiKeys {
    /// Reads entries `NAME sha256:DIGEST SCOPE …`, separated by `;` or line breaks.
    ///
    /// A name may have several keys, as it has while one replaces another.
    ///
    /// # Errors
    ///
    /// The first entry that cannot be read, or a text without any.
    pub fn parse(text: &str) -> Result<Self, InvalidApiKeys> {
        let mut entries: Vec<Entry> = Vec::new();
        let texts = text.split([';', '\n']).map(str::trim);
        for (place, text) in texts.filter(|text| !text.is_empty()).enumerate() {
            let wrong = |fault| InvalidApiKeys {
                entry: place + 1,
                fault,
            };
            let entry = Entry::parse(text).map_err(wrong)?;
            if entries.iter().any(|known| known.digest == entry.digest) {
                return Err(wrong("the digest stands twice"));
            }
            entries.push(entry);
        }
        if entries.is_empty() {
            return Err(InvalidApiKeys {
                entry: 1,
                fault: "there is none",
            });
        }
        Ok(Self(entries))
    }

    /// The digest that is kept for a key.
    #[must_use]
    pub fn digest(key: &str) -> String {
        let mut text = String::from(DIGEST_PREFIX);
        for byte in Sha256::digest(key) {
            for nibble in [byte >> 4, byte & 0xf] {
                text.extend(char::from_digit(nibble.into(), 16));
            }
        }
        text
    }

    /// How many keys there are.
    #[must_use]
    pub const fn len(&self) -> usize {
        self.0.len()
    }

    /// Whether there are none.
    #[must_use]
    pub const fn is_empty(&self) -> bool {
        self.0.is_empty()
    }

    fn judge(&self, token: &str) -> Verdict {
        let digest = Sha256::digest(token);
        let mut found = None;
        // All digests are compared, each in constant time: the time tells nothing of them.
        for entry in &self.0 {
            if bool::from(entry.digest[..].ct_eq(&digest[..])) {
                found = Some(&entry.principal);
            }
        }
        match found {
            Some(principal) => Verdict::Accepted(principal.clone()),
            None => Verdict::Unrecognized,
        }
    }
}

impl Entry {
    fn parse(text: &str) -> Result<Self, &'static str> {
        let mut words = text.split_ascii_whitespace();
        let subject = words.next().unwrap_or_default();
        let digest = words.next().unwrap_or_default();
        let is_name = subject.bytes().all(|b| b.is_ascii_graphic())
            && subject.len() <= MAX_SUBJECT_BYTES
            && !subject.starts_with(DIGEST_PREFIX);
        if !is_name {
            return Err("it does not begin with a name");
        }
        let digest = digest.strip_prefix(DIGEST_PREFIX).and_then(from_hex);
        let digest =
            digest.ok_or("the name is not followed by `sha256:` and 64 hexadecimal digits")?;
        let scopes = Scopes::parse(&words.collect::<Vec<_>>().join(" "));
        let scopes = scopes.map_err(|_| "a scope has a character that is not allowed")?;
        Ok(Self {
            digest,
            principal: Principal::new(subject, scopes),
        })
    }
}

fn from_hex(text: &str) -> Option<[u8; DIGEST_BYTES]> {
    let mut digits = text.chars().map(|c| c.to_digit(16));
    let mut bytes = [0; DIGEST_BYTES];
    for byte in &mut bytes {
        let value = digits.next()?? * 16 + digits.next()??;
        *byte = u8::try_from(value).ok()?;
    }
    digits.next().is_none().then_some(bytes)
}

impl Verifier for ApiKeys {
    fn verify<'a>(&'a self, presented: BearerToken<'a>) -> BoxFuture<'a, Verdict> {
        Box::pin(std::future::ready(self.judge(presented.token)))
    }
}

impl fmt::Debug for ApiKeys {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let principals = self.0.iter().map(|entry| &entry.principal);
        f.debug_list().entries(principals).finish()
    }
}

/// A key that was just made. It is shown once and kept nowhere.
pub struct NewApiKey(String);

/// The platform has no randomness.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Error)]
#[error("the platform gave no random bytes")]
pub struct NoRandomness;

impl NewApiKey {
    /// Makes a key of 256 random bits.
    ///
    /// # Errors
    ///
    /// The platform has no randomness.
    pub fn generate() -> Result<Self, NoRandomness> {
        let mut bits = [0; 32];
        getrandom::fill(&mut bits).map_err(|_| NoRandomness)?;
        Ok(Self(format!("{PREFIX}{}", URL_SAFE_NO_PAD.encode(bits))))
    }

    /// The key, for the client.
    #[must_use]
    pub fn key(&self) -> &str {
        &self.0
    }

    /// Its digest, for the server.
    #[must_use]
    pub fn digest(&self) -> String {
        ApiKeys::digest(&self.0)
    }
}

impl fmt::Debug for NewApiKey {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("NewApiKey([redacted])")
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn known(keys: &ApiKeys, token: &str) -> Option<String> {
        let verdict = keys.judge(token);
        if let Verdict::Accepted(principal) = verdict {
            return Some(principal.id());
        }
        assert_eq!(verdict, Verdict::Unrecognized);
        None
    }

    #[test]
    fn a_digest_is_the_sha_256_of_the_key() {
        assert_eq!(
            ApiKeys::digest("abc"),
            "sha256:ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad"
        );
    }

    #[test]
    fn a_key_is_known_to_the_letter() {
        let [first, second] = ["test-key-valid", "test-key-B"].map(ApiKeys::digest);
        let upper = second.to_uppercase().replace("SHA", "sha");
        let text = format!("ada {first} contact:send read;\n grace {upper} ;");
        let keys = ApiKeys::parse(&text).unwrap();
        assert_eq!(known(&keys, "test-key-valid").as_deref(), Some("0:ada"));
        assert_eq!(known(&keys, "test-key-B").as_deref(), Some("0:grace"));
        let near_misses = [
            "",
            "test-key-vali",
            "test-key-valid1",
            "Test-key-valid",
            "test-key-b",
            "test_key_valid",
            "=test-key-valid",
            &first,
            first.trim_start_matches(DIGEST_PREFIX),
        ];
        for token in near_misses {
            assert_eq!(known(&keys, token), None, "{token}");
        }
    }

    #[test]
    fn entries_that_cannot_be_read_are_told_by_their_place_alone() {
        let good = format!("ada {}", ApiKeys::digest("a"));
        let rows = [
            (String::new(), "entry 1: there is none"),
            (" ; \n".to_owned(), "entry 1: there is none"),
            (format!("{good}; lmk_secret"), "entry 2: the name is not"),
            (ApiKeys::digest("a"), "entry 1: it does not begin"),
            ("ada sha256:12".to_owned(), "entry 1: the name is not"),
            (format!("{good}0"), "entry 1: the name is not"),
            (format!("{good} \"x\""), "entry 1: a scope has"),
            (format!("{good};{good}"), "entry 2: the digest stands twice"),
            (format!("ä{good}"), "entry 1: it does not begin"),
        ];
        for (text, expected) in rows {
            let error = ApiKeys::parse(&text).unwrap_err().to_string();
            assert!(error.starts_with(expected), "{text}: {error}");
            assert!(!error.contains("lmk_secret"), "{error}");
        }
    }

    #[test]
    fn new_keys_differ_and_are_known_by_their_digest() {
        let [one, two] = [
            NewApiKey::generate().unwrap(),
            NewApiKey::generate().unwrap(),
        ];
        assert_ne!(one.key(), two.key());
        assert_eq!(one.key().len(), 47);
        let keys = ApiKeys::parse(&format!("ada {}", one.digest())).unwrap();
        assert!(known(&keys, one.key()).is_some());
        assert!(known(&keys, two.key()).is_none());
        let shown = format!("{keys:?} {one:?}");
        assert!(
            !shown.contains("lmk_") && !shown.contains("sha256"),
            "{shown}"
        );
    }
}
