//! Keys, and the algorithms each of them allows. RFC 7517; RFC 7518; RFC 8725, section 3.1.

use std::fmt;

use base64::Engine as _;
use base64::engine::general_purpose::URL_SAFE_NO_PAD;
use jsonwebtoken::errors::ErrorKind;
use jsonwebtoken::{Algorithm, DecodingKey, Validation};
use serde::Deserialize;
use serde_json::Value;
use thiserror::Error;

use super::token::Claims;

/// The largest JWK Set that is read.
pub(super) const MAX_DOCUMENT_BYTES: usize = 64 * 1024;
/// The most keys of a set that are used. A token without a key id is tried with each of them.
const MAX_KEYS: usize = 32;

/// The shortest secret for HS256: as long as the hash. RFC 7518, section 3.2.
const MIN_SECRET_BYTES: usize = 32;

const RSA_ALGORITHMS: &[Algorithm] = &[
    Algorithm::RS256,
    Algorithm::RS384,
    Algorithm::RS512,
    Algorithm::PS256,
    Algorithm::PS384,
    Algorithm::PS512,
];

/// Keys that cannot verify a signature.
#[derive(Debug, Clone, PartialEq, Eq, Error)]
#[non_exhaustive]
pub enum InvalidJwtKeys {
    /// The secret is too short.
    #[error("the secret has fewer than {MIN_SECRET_BYTES} bytes")]
    ShortSecret,
    /// The document is larger than 64 KiB, or not a JSON object with a list `keys`.
    #[error("the document is not a JWK Set: {0}")]
    Unreadable(String),
    /// The document has no key that can verify a signature.
    #[error("the JWK Set has no usable public key (RSA, P-256, P-384 or Ed25519)")]
    NoUsableKey,
}

/// A key and its algorithms.
pub(super) struct Key {
    id: Option<String>,
    algorithms: Vec<Algorithm>,
    key: DecodingKey,
}

/// The signature is valid, but the claims cannot be read.
#[derive(Debug)]
pub(super) struct UnreadableClaims;

impl Key {
    pub(super) fn secret(secret: &[u8]) -> Result<Self, InvalidJwtKeys> {
        if secret.len() < MIN_SECRET_BYTES {
            return Err(InvalidJwtKeys::ShortSecret);
        }
        let key = DecodingKey::from_secret(secret).map_err(|_| InvalidJwtKeys::ShortSecret)?;
        Ok(Self {
            id: None,
            algorithms: vec![Algorithm::HS256],
            key,
        })
    }

    /// Returns the claims of a token, or `None` if its signature is invalid.
    pub(super) fn claims(
        &self,
        token: &str,
        algorithm: Algorithm,
    ) -> Option<Result<Claims, UnreadableClaims>> {
        let mut validation = Validation::new(algorithm);
        // Only the signature and the algorithm are checked here. `Jwt` checks the claims,
        // at a time that is passed in.
        validation.required_spec_claims.clear();
        validation.validate_exp = false;
        validation.validate_aud = false;
        match jsonwebtoken::decode::<Claims>(token, &self.key, &validation) {
            Ok(data) => Some(Ok(data.claims)),
            Err(error) if matches!(error.kind(), ErrorKind::Json(_)) => Some(Err(UnreadableClaims)),
            Err(_) => None,
        }
    }
}

impl fmt::Debug for Key {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Key")
            .field("id", &self.id)
            .field("algorithms", &self.algorithms)
            .field("key", &"[redacted]")
            .finish()
    }
}

/// The keys of an issuer.
#[derive(Debug)]
pub(super) struct KeySet(Vec<Key>);

impl KeySet {
    pub(super) fn of(key: Key) -> Self {
        Self(vec![key])
    }

    /// Reads a JWK Set. Keys that cannot verify a signature are ignored.
    pub(super) fn parse(json: &[u8]) -> Result<Self, InvalidJwtKeys> {
        #[derive(Deserialize)]
        struct Document {
            keys: Vec<Value>,
        }
        if json.len() > MAX_DOCUMENT_BYTES {
            let reason = format!("larger than {MAX_DOCUMENT_BYTES} bytes");
            return Err(InvalidJwtKeys::Unreadable(reason));
        }
        let document: Document = serde_json::from_slice(json)
            .map_err(|error| InvalidJwtKeys::Unreadable(error.to_string()))?;
        let jwks = document.keys.into_iter();
        let keys = jwks.filter_map(|jwk| serde_json::from_value::<Jwk>(jwk).ok()?.key());
        let keys: Vec<Key> = keys.take(MAX_KEYS).collect();
        if keys.is_empty() {
            Err(InvalidJwtKeys::NoUsableKey)
        } else {
            Ok(Self(keys))
        }
    }

    /// Returns the keys that a token with this header may be signed with.
    ///
    /// A token with a key id matches only the key with this id. A token without one matches every
    /// key. A shared secret has no id, and every token matches it.
    pub(super) fn candidates(
        &self,
        algorithm: Algorithm,
        key_id: Option<&str>,
    ) -> impl Iterator<Item = &Key> {
        self.0.iter().filter(move |key| {
            let is_named = match key_id {
                Some(_) if key.algorithms == [Algorithm::HS256] => true,
                Some(id) => key.id.as_deref() == Some(id),
                None => true,
            };
            is_named && key.algorithms.contains(&algorithm)
        })
    }
}

/// A member of a JWK Set. Certificates are ignored.
#[derive(Deserialize)]
struct Jwk {
    kty: String,
    crv: Option<String>,
    kid: Option<String>,
    alg: Option<String>,
    #[serde(rename = "use")]
    usage: Option<String>,
    key_ops: Option<Vec<String>>,
    n: Option<String>,
    e: Option<String>,
    x: Option<String>,
    y: Option<String>,
}

impl Jwk {
    /// Returns the key, if it can verify signatures.
    fn key(self) -> Option<Key> {
        let is_for_signatures = self.usage.as_deref().is_none_or(|usage| usage == "sig");
        let may_verify = |ops: &Vec<String>| ops.iter().any(|op| op == "verify");
        if !is_for_signatures || !self.key_ops.as_ref().is_none_or(may_verify) {
            return None;
        }
        let (mut algorithms, key) = match (self.kty.as_str(), self.crv.as_deref()) {
            ("RSA", _) => (RSA_ALGORITHMS.to_vec(), self.rsa()?),
            ("EC", Some("P-256")) => (vec![Algorithm::ES256], self.point(32)?),
            ("EC", Some("P-384")) => (vec![Algorithm::ES384], self.point(48)?),
            ("OKP", Some("Ed25519")) => {
                let x = bytes(self.x.as_ref(), 32..=32)?;
                (vec![Algorithm::EdDSA], DecodingKey::from_ed_der(&x))
            }
            _ => return None,
        };
        if let Some(alg) = &self.alg {
            let only: Algorithm = alg.parse().ok()?;
            algorithms.retain(|algorithm| *algorithm == only);
        }
        (!algorithms.is_empty()).then_some(Key {
            id: self.kid,
            algorithms,
            key,
        })
    }

    /// RFC 7518, section 3.3: 2048 bits or more.
    fn rsa(&self) -> Option<DecodingKey> {
        let n = bytes(self.n.as_ref(), 256..=1025)?;
        let e = bytes(self.e.as_ref(), 1..=8)?;
        // Some issuers write a leading zero byte, as signed numbers have it.
        let [n, e] = [&n, &e].map(|number| {
            let zeros = number.iter().take_while(|byte| **byte == 0).count();
            number.get(zeros..).unwrap_or_default()
        });
        (n.len() >= 256).then(|| DecodingKey::from_rsa_raw_components(n, e))
    }

    /// An uncompressed point.
    fn point(&self, size: usize) -> Option<DecodingKey> {
        let mut point = vec![4];
        point.extend(bytes(self.x.as_ref(), size..=size)?);
        point.extend(bytes(self.y.as_ref(), size..=size)?);
        Some(DecodingKey::from_ec_der(&point))
    }
}

fn bytes(text: Option<&String>, sizes: std::ops::RangeInclusive<usize>) -> Option<Vec<u8>> {
    let bytes = URL_SAFE_NO_PAD.decode(text?).ok()?;
    sizes.contains(&bytes.len()).then_some(bytes)
}
