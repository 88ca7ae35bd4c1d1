//! [`ApiKeys`]: API keys, of which the server stores the SHA-256 digests only.
//!
//! A plain digest is enough because a key is 256 random bits ([`NewApiKey`]). It would not protect
//! a password that a person made up.

use std::fmt;
use std::str::FromStr;

use base64::Engine as _;
use base64::engine::general_purpose::URL_SAFE_NO_PAD;
use sha2::{Digest as _, Sha256};
use subtle::ConstantTimeEq as _;
use thiserror::Error;

use super::{BearerToken, Principal, Scopes, Verdict, Verifier};
use crate::future::BoxFuture;

/// The prefix of a key. Scanners for leaked secrets look for it.
const KEY_PREFIX: &str = "lmk_";
const DIGEST_PREFIX: &str = "sha256:";
const DIGEST_BYTES: usize = 32;
const MAX_SUBJECT_BYTES: usize = 128;

/// The API keys that a server accepts, as their digests.
///
/// Parse it from entries `NAME sha256:DIGEST SCOPE …`, separated by `;` or line breaks. `NAME` is
/// the subject of the [`Principal`]: 1 to 128 printable ASCII characters without spaces. A name may
/// have several keys, for example while one replaces another. [`NewApiKey`] makes a key and its
/// digest.
///
/// # Examples
///
/// ```
/// use lambda_mcp::auth::{ApiKeys, BearerToken, NewApiKey, Verdict, Verifier};
///
/// # #[tokio::main(flavor = "current_thread")]
/// # async fn main() -> Result<(), Box<dyn std::error::Error>> {
/// let key = NewApiKey::generate()?;
/// let keys: ApiKeys = format!("ada {} contact:send", key.digest()).parse()?;
///
/// let bearer = BearerToken::new(key.key(), None, std::time::SystemTime::now());
/// let Verdict::Accepted(principal) = keys.verify(bearer).await else {
///     panic!("the key is valid");
/// };
/// assert_eq!(principal.subject(), "ada");
/// # Ok(())
/// # }
/// ```
#[derive(Clone)]
pub struct ApiKeys(Vec<Entry>);

#[derive(Clone)]
struct Entry {
    digest: [u8; DIGEST_BYTES],
    principal: Principal,
}

/// Text that is not a list of API keys.
///
/// The message gives the number of the entry, never its text: a key may have been put in place of
/// its digest.
#[derive(Debug, Clone, PartialEq, Eq, Error)]
#[error("entry {entry}: {reason}; write `NAME sha256:DIGEST SCOPE …`, as `new-key` prints it")]
pub struct InvalidApiKeys {
    entry: usize,
    reason: &'static str,
}

impl FromStr for ApiKeys {
    type Err = InvalidApiKeys;

    fn from_str(text: &str) -> Result<Self, InvalidApiKeys> {
        let mut entries: Vec<Entry> = Vec::new();
        let texts = text.split([';', '\n']).map(str::trim);
        for (index, text) in texts.filter(|text| !text.is_empty()).enumerate() {
            let invalid = |reason| InvalidApiKeys {
                entry: index + 1,
                reason,
            };
            let entry = Entry::parse(text).map_err(invalid)?;
            if entries.iter().any(|known| known.digest == entry.digest) {
                return Err(invalid("another entry has the same digest"));
            }
            entries.push(entry);
        }
        if entries.is_empty() {
            return Err(InvalidApiKeys {
                entry: 1,
                reason: "the list is empty",
            });
        }
        Ok(Self(entries))
    }
}

impl ApiKeys {
    /// Returns the digest of a key: `sha256:` and 64 hexadecimal digits.
    ///
    /// # Examples
    ///
    /// ```
    /// use lambda_mcp::auth::ApiKeys;
    ///
    /// assert!(ApiKeys::digest("abc").starts_with("sha256:ba7816bf8f01cfea"));
    /// ```
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

    /// The number of keys.
    #[must_use]
    pub const fn len(&self) -> usize {
        self.0.len()
    }

    /// Whether there is no key. Text without a key is not parsed, so this is always `false`.
    #[must_use]
    pub const fn is_empty(&self) -> bool {
        self.0.is_empty()
    }

    fn find(&self, token: &str) -> Verdict {
        let digest = Sha256::digest(token);
        let mut found = None;
        // Every digest is compared in constant time, so the time does not depend on the token.
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
            return Err("the name is missing or has other characters than printable ASCII");
        }
        let digest = digest.strip_prefix(DIGEST_PREFIX).and_then(from_hex);
        let digest =
            digest.ok_or("after the name, `sha256:` and 64 hexadecimal digits are missing")?;
        let scopes = words.collect::<Vec<_>>().join(" ").parse::<Scopes>();
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
    fn verify<'a>(&'a self, bearer: BearerToken<'a>) -> BoxFuture<'a, Verdict> {
        Box::pin(std::future::ready(self.find(bearer.token)))
    }
}

impl fmt::Debug for ApiKeys {
    /// Shows the principals, not the digests.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let principals = self.0.iter().map(|entry| &entry.principal);
        f.debug_list().entries(principals).finish()
    }
}

/// A new API key: 256 random bits. Show it to its owner once, and store only the digest.
///
/// # Examples
///
/// ```
/// use lambda_mcp::auth::{ApiKeys, NewApiKey};
///
/// let key = NewApiKey::generate()?;
/// assert!(key.key().starts_with("lmk_"));
/// assert_eq!(key.digest(), ApiKeys::digest(key.key()));
/// # Ok::<(), lambda_mcp::auth::RandomSourceError>(())
/// ```
pub struct NewApiKey(String);

/// The operating system returned no random bytes.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Error)]
#[error("the operating system returned no random bytes")]
#[non_exhaustive]
pub struct RandomSourceError;

impl NewApiKey {
    /// Makes a key.
    ///
    /// # Errors
    ///
    /// Returns [`RandomSourceError`] if the operating system returns no random bytes.
    pub fn generate() -> Result<Self, RandomSourceError> {
        let mut bits = [0; 32];
        getrandom::fill(&mut bits).map_err(|_| RandomSourceError)?;
        Ok(Self(format!(
            "{KEY_PREFIX}{}",
            URL_SAFE_NO_PAD.encode(bits)
        )))
    }

    /// The key, which the client sends after `Bearer`.
    #[must_use]
    pub fn key(&self) -> &str {
        &self.0
    }

    /// The digest of the key, which the server stores.
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

    fn owner(keys: &ApiKeys, token: &str) -> Option<String> {
        let verdict = keys.find(token);
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
    fn only_the_exact_key_is_accepted() {
        let [first, second] = ["test-key-valid", "test-key-B"].map(ApiKeys::digest);
        let upper = second.to_uppercase().replace("SHA", "sha");
        let text = format!("ada {first} contact:send read;\n grace {upper} ;");
        let keys: ApiKeys = text.parse().unwrap();
        assert_eq!(owner(&keys, "test-key-valid").as_deref(), Some("0:ada"));
        assert_eq!(owner(&keys, "test-key-B").as_deref(), Some("0:grace"));
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
            assert_eq!(owner(&keys, token), None, "{token}");
        }
    }

    #[test]
    fn an_invalid_entry_is_reported_by_its_number_alone() {
        let good = format!("ada {}", ApiKeys::digest("a"));
        let rows = [
            (String::new(), "entry 1: the list is empty"),
            (" ; \n".to_owned(), "entry 1: the list is empty"),
            (format!("{good}; lmk_secret"), "entry 2: after the name"),
            (ApiKeys::digest("a"), "entry 1: the name is missing"),
            ("ada sha256:12".to_owned(), "entry 1: after the name"),
            (format!("{good}0"), "entry 1: after the name"),
            (format!("{good} \"x\""), "entry 1: a scope has"),
            (format!("{good};{good}"), "entry 2: another entry has"),
            (format!("ä{good}"), "entry 1: the name is missing"),
        ];
        for (text, expected) in rows {
            let error = text.parse::<ApiKeys>().unwrap_err().to_string();
            assert!(error.starts_with(expected), "{text}: {error}");
            assert!(!error.contains("lmk_secret"), "{error}");
        }
    }

    #[test]
    fn new_keys_differ_and_are_accepted_by_their_digest() {
        let [one, two] = [
            NewApiKey::generate().unwrap(),
            NewApiKey::generate().unwrap(),
        ];
        assert_ne!(one.key(), two.key());
        assert_eq!(one.key().len(), 47);
        let keys: ApiKeys = format!("ada {}", one.digest()).parse().unwrap();
        assert!(owner(&keys, one.key()).is_some());
        assert!(owner(&keys, two.key()).is_none());
        let shown = format!("{keys:?} {one:?}");
        assert!(
            !shown.contains("lmk_") && !shown.contains("sha256"),
            "{shown}"
        );
    }
}
