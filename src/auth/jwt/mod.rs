//! Signed tokens (JWT), known by their signature alone. RFC 7519; RFC 8725, *Best Current
//! Practices*; RFC 9068 for the claims of an access token.
//!
//! The key decides by which algorithm a token may be signed, never the token. Nothing the token
//! says about where to find a key (`jku`, `jwk`, `x5u`, `x5c`) is read.

#[cfg(feature = "jwks-url")]
mod https;
mod jwks;
mod key;
mod ring_crypto;
mod token;

use std::time::{Duration, SystemTime};

use jsonwebtoken::Algorithm;
use thiserror::Error;

#[cfg(feature = "jwks-url")]
pub use https::HttpsJwks;
pub use jwks::{FetchFailed, FetchJwks};

use jwks::Jwks;
use key::{Key, KeySet};
use token::{Claims, Unverified};

use super::{BearerToken, HttpsUrl, Principal, Refusal, Verdict, Verifier};
use crate::future::BoxFuture;

/// How far clocks may differ. RFC 7519, section 4.1.4: "no more than a few minutes".
const LEEWAY: Duration = Duration::from_secs(60);
/// The shortest secret for HS256. RFC 7518, section 3.2: as long as the hash.
const MIN_SECRET_BYTES: usize = 32;

/// Tokens of one issuer.
///
/// A token must name the issuer, a subject, an end, and as its audience the URL of the endpoint,
/// letter by letter (or another that is set). Scopes are taken from `scope` or `scp`.
///
/// # Examples
///
/// ```
/// use lambda_mcp::auth::{Auth, Jwt, JwtKeys};
///
/// let keys = JwtKeys::secret("a secret of at least thirty-two bytes")?;
/// let tokens = Jwt::new("https://login.example.com", keys)
///     .audience("https://mcp.example.com/mcp");
/// let auth = Auth::new().verifier(tokens);
/// assert!(!auth.is_empty());
/// # Ok::<(), lambda_mcp::auth::InvalidJwtKeys>(())
/// ```
#[derive(Debug)]
pub struct Jwt {
    issuer: String,
    audiences: Vec<String>,
    keys: JwtKeys,
}

/// The keys that an issuer signs with.
#[derive(Debug)]
pub struct JwtKeys(Source);

#[derive(Debug)]
enum Source {
    Set(KeySet),
    Url(Jwks),
}

/// Keys that cannot be used.
#[derive(Debug, Clone, PartialEq, Eq, Error)]
#[non_exhaustive]
pub enum InvalidJwtKeys {
    /// The secret is too short.
    #[error("the secret has fewer than {MIN_SECRET_BYTES} bytes")]
    ShortSecret,
    /// The document is too large, or no JSON object with a list `keys`.
    #[error("the document is no JWK Set: {0}")]
    Unreadable(String),
    /// There is no key in it that could verify a signature.
    #[error("the JWK Set has no public key to verify signatures with (RSA, P-256, P-384, Ed25519)")]
    NoUsableKey,
}

impl JwtKeys {
    /// A secret that is shared with the issuer, for HS256.
    ///
    /// # Errors
    ///
    /// It has fewer than 32 bytes.
    pub fn secret(secret: impl AsRef<[u8]>) -> Result<Self, InvalidJwtKeys> {
        let secret = secret.as_ref();
        if secret.len() < MIN_SECRET_BYTES {
            return Err(InvalidJwtKeys::ShortSecret);
        }
        let key = Key::secret(secret).ok_or(InvalidJwtKeys::ShortSecret)?;
        Ok(Self(Source::Set(KeySet::of(key))))
    }

    /// The public keys of a JWK Set (RFC 7517). Keys that are of no use here are left out;
    /// symmetric ones are, since what is published is no secret.
    ///
    /// # Errors
    ///
    /// It cannot be read, or has no key that can be used.
    pub fn document(json: impl AsRef<[u8]>) -> Result<Self, InvalidJwtKeys> {
        KeySet::parse(json.as_ref()).map(|set| Self(Source::Set(set)))
    }

    /// The public keys of a JWK Set that is fetched on the first need, and kept for ten minutes.
    ///
    /// A key id that is not in it has it fetched again, once a minute at most. While it cannot be
    /// fetched, the last one serves for a day.
    #[must_use]
    pub fn url(url: HttpsUrl, fetch: impl FetchJwks + 'static) -> Self {
        Self(Source::Url(Jwks::new(url, fetch)))
    }
}

impl Jwt {
    /// Tokens that `issuer` names itself in, letter by letter, signed with one of `keys`.
    #[must_use]
    pub fn new(issuer: impl Into<String>, keys: JwtKeys) -> Self {
        ring_crypto::install();
        Self {
            issuer: issuer.into(),
            audiences: Vec::new(),
            keys,
        }
    }

    /// Takes tokens for this audience; without any, for the URL of the endpoint that was called.
    #[must_use]
    pub fn audience(mut self, audience: impl Into<String>) -> Self {
        self.audiences.push(audience.into());
        self
    }

    async fn judge(&self, presented: BearerToken<'_>) -> Verdict {
        let Some(token) = Unverified::read(presented.token) else {
            return Verdict::Unrecognized;
        };
        // Not believed yet, but it tells which issuer's keys to try.
        if token.issuer != self.issuer {
            return Verdict::Unrecognized;
        }
        let Some(algorithm) = token.algorithm() else {
            return Verdict::Refused(Refusal::Signature);
        };
        match self.verified(&token, algorithm, presented.now).await {
            Ok(claims) => self.accept(claims, presented),
            Err(verdict) => verdict,
        }
    }

    /// The claims, once the signature holds.
    async fn verified(
        &self,
        token: &Unverified<'_>,
        algorithm: Algorithm,
        now: SystemTime,
    ) -> Result<Claims, Verdict> {
        let key_id = token.key_id();
        let verify = |set: &KeySet| {
            let mut keys = set.fitting(algorithm, key_id);
            keys.find_map(|key| key.claims(token.text, algorithm))
        };
        let claims = match &self.keys.0 {
            Source::Set(set) => verify(set),
            Source::Url(jwks) => {
                let set = jwks.with_key(algorithm, key_id, now).await;
                verify(&*set.ok_or(Verdict::Unavailable)?)
            }
        };
        match claims {
            None => Err(Verdict::Refused(Refusal::Signature)),
            Some(Err(_)) => Err(Verdict::Refused(Refusal::Claims)),
            Some(Ok(claims)) => Ok(claims),
        }
    }

    /// Judges the claims of a genuine token.
    fn accept(&self, claims: Claims, presented: BearerToken<'_>) -> Verdict {
        let refused = if claims.iss != self.issuer {
            Some(Refusal::Unknown)
        } else if !self.is_for_us(&claims, presented.resource) {
            Some(Refusal::Audience)
        } else if claims.exp.is_past(presented.now, LEEWAY) {
            Some(Refusal::Expired)
        } else if claims
            .nbf
            .is_some_and(|nbf| nbf.is_ahead(presented.now, LEEWAY))
        {
            Some(Refusal::NotYetValid)
        } else if claims.sub.is_empty() {
            Some(Refusal::Claims)
        } else {
            None
        };
        if let Some(refusal) = refused {
            return Verdict::Refused(refusal);
        }
        let scopes = claims.scopes();
        Verdict::Accepted(Principal::new(claims.sub, scopes).issuer(claims.iss))
    }

    fn is_for_us(&self, claims: &Claims, resource: Option<&str>) -> bool {
        claims.aud.iter().any(|audience| {
            if self.audiences.is_empty() {
                resource == Some(audience)
            } else {
                self.audiences.iter().any(|ours| ours == audience)
            }
        })
    }
}

impl Verifier for Jwt {
    fn verify<'a>(&'a self, presented: BearerToken<'a>) -> BoxFuture<'a, Verdict> {
        Box::pin(self.judge(presented))
    }
}
