//! [`Jwt`]: signed tokens. RFC 7519; RFC 8725, *Best Current Practices*; RFC 9068 for the claims of
//! an access token.
//!
//! The key decides which algorithms are allowed, never the token. Whatever a token says about where
//! to find a key (`jku`, `jwk`, `x5u`, `x5c`) is ignored.

#[cfg(feature = "jwks-url")]
mod https;
mod jwks;
mod key;
mod ring_crypto;
mod token;

use std::time::{Duration, SystemTime};

use jsonwebtoken::Algorithm;

#[cfg(feature = "jwks-url")]
pub use https::HttpsJwks;
pub use jwks::{FetchError, FetchJwks};
pub use key::InvalidJwtKeys;

use jwks::Jwks;
use key::{Key, KeySet};
use token::{Claims, Unverified};

use super::{BearerToken, HttpsUrl, InvalidToken, Principal, Verdict, Verifier};
use crate::future::BoxFuture;
use crate::https_url::is_same_url;

/// How much clocks may differ. RFC 7519, section 4.1.4: "no more than a few minutes".
const LEEWAY: Duration = Duration::from_secs(60);

/// Checks the signed tokens (JWT) of one issuer.
///
/// A token must have:
///
/// | claim | value |
/// | --- | --- |
/// | `iss` | the issuer, compared byte for byte |
/// | `aud` | the URL of the endpoint, or one of the configured [audiences](Self::audience); URLs are compared as in [`HttpsUrl::is_same`] |
/// | `sub` | the subject of the [`Principal`] |
/// | `exp` | a time in the future |
/// | `nbf` | if present, a time in the past |
///
/// Clocks may differ by 60 s. Scopes come from `scope` or `scp`. The algorithms are
/// `RS256` to `RS512`, `PS256` to `PS512`, `ES256`, `ES384`, `EdDSA` with Ed25519, and `HS256` for a
/// shared secret.
///
/// Tokens of other issuers are [unrecognized](Verdict::Unrecognized): add one `Jwt` per issuer.
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
    client_ids: Vec<String>,
    scope_prefix: String,
    keys: JwtKeys,
}

/// The keys that an issuer signs with: a shared secret, a JWK Set, or the URL of one.
///
/// # Examples
///
/// ```
/// use lambda_mcp::auth::JwtKeys;
///
/// assert!(JwtKeys::secret("a secret of at least thirty-two bytes").is_ok());
/// assert!(JwtKeys::secret("too short").is_err());
///
/// let set = r#"{"keys": [{"kty": "OKP", "crv": "Ed25519",
///     "x": "11qYAYKxCrfVS_7TyWQHOg7hcvPapiMlrwIaaPcHURo"}]}"#;
/// assert!(JwtKeys::jwks(set).is_ok());
/// ```
#[derive(Debug)]
pub struct JwtKeys(Source);

#[derive(Debug)]
enum Source {
    Set(KeySet),
    Url(Jwks),
}

impl JwtKeys {
    /// Uses a secret that is shared with the issuer, for HS256.
    ///
    /// # Errors
    ///
    /// Returns [`InvalidJwtKeys::ShortSecret`] if the secret has fewer than 32 bytes.
    pub fn secret(secret: impl AsRef<[u8]>) -> Result<Self, InvalidJwtKeys> {
        let key = Key::secret(secret.as_ref())?;
        Ok(Self(Source::Set(KeySet::of(key))))
    }

    /// Uses the public keys of a JWK Set (RFC 7517). Keys that cannot verify a signature are ignored,
    /// and so are symmetric keys: a published key is not a secret.
    ///
    /// # Errors
    ///
    /// Returns an error if the document cannot be read or has no usable key.
    pub fn jwks(json: impl AsRef<[u8]>) -> Result<Self, InvalidJwtKeys> {
        KeySet::parse(json.as_ref()).map(|set| Self(Source::Set(set)))
    }

    /// Uses the public keys of a JWK Set at a URL, which is fetched on the first need.
    ///
    /// The set is cached for 10 minutes. A token with an unknown key id causes another fetch, at most
    /// once a minute. While the set cannot be fetched, the cached one is used for up to 24 hours.
    #[must_use]
    pub fn jwks_url(url: HttpsUrl, fetch: impl FetchJwks + 'static) -> Self {
        Self(Source::Url(Jwks::new(url, fetch)))
    }
}

impl Jwt {
    /// Accepts tokens of `issuer` that are signed with one of `keys`. The issuer is compared with
    /// `iss` byte for byte.
    #[must_use]
    pub fn new(issuer: impl Into<String>, keys: JwtKeys) -> Self {
        ring_crypto::install();
        Self {
            issuer: issuer.into(),
            audiences: Vec::new(),
            client_ids: Vec::new(),
            scope_prefix: String::new(),
            keys,
        }
    }

    /// Adds an audience that tokens may be issued for. Defaults to the URL of the endpoint.
    #[must_use]
    pub fn audience(mut self, audience: impl Into<String>) -> Self {
        self.audiences.push(audience.into());
        self
    }

    /// Accepts tokens without `aud` whose `client_id` is `id`.
    ///
    /// Some issuers write no audience into access tokens, such as Amazon Cognito. Such a token is
    /// valid for every server of the issuer that its scopes name, so use this only for an issuer
    /// that issues tokens for this server. A token with `aud` is checked by its audience.
    ///
    /// # Examples
    ///
    /// ```
    /// use lambda_mcp::auth::{Jwt, JwtKeys};
    ///
    /// # let keys = JwtKeys::secret("a secret of at least thirty-two bytes")?;
    /// let pool = "https://cognito-idp.eu-central-1.amazonaws.com/eu-central-1_EXAMPLE";
    /// let tokens = Jwt::new(pool, keys)
    ///     .client_id("1example23456789")
    ///     .scope_prefix("https://mcp.example.com/");
    /// # Ok::<(), lambda_mcp::auth::InvalidJwtKeys>(())
    /// ```
    #[must_use]
    pub fn client_id(mut self, id: impl Into<String>) -> Self {
        self.client_ids.push(id.into());
        self
    }

    /// Sets a prefix that the issuer writes before each scope, such as the identifier of a resource
    /// server of Amazon Cognito. Scopes without the prefix belong to other servers and are ignored.
    ///
    /// Tools require scopes without the prefix. Challenges and the resource metadata name them
    /// [with it](Verifier::issuer_scope_prefix), as clients ask the issuer for them.
    #[must_use]
    pub fn scope_prefix(mut self, prefix: impl Into<String>) -> Self {
        self.scope_prefix = prefix.into();
        self
    }

    async fn check(&self, bearer: BearerToken<'_>) -> Verdict {
        let Some(token) = Unverified::read(bearer.token) else {
            return Verdict::Unrecognized;
        };
        // Not verified yet: it only chooses the keys.
        if token.issuer != self.issuer {
            return Verdict::Unrecognized;
        }
        let Some(algorithm) = token.algorithm() else {
            return Verdict::Invalid(InvalidToken::Signature);
        };
        match self.verify_signature(&token, algorithm, bearer.now).await {
            Ok(claims) => match self.check_claims(&claims, bearer) {
                Some(reason) => Verdict::Invalid(reason),
                None => Verdict::Accepted(self.principal(claims, &token)),
            },
            Err(verdict) => verdict,
        }
    }

    /// The caller that a valid token names.
    fn principal(&self, claims: Claims, token: &Unverified<'_>) -> Principal {
        let scopes = claims.scopes(&self.scope_prefix);
        Principal::new(claims.sub, scopes)
            .issued_by(claims.iss)
            .claiming(super::Claims::from_json(token.claims_json()))
    }

    /// Returns the claims, if the signature is valid.
    async fn verify_signature(
        &self,
        token: &Unverified<'_>,
        algorithm: Algorithm,
        now: SystemTime,
    ) -> Result<Claims, Verdict> {
        let key_id = token.key_id();
        let verify = |set: &KeySet| {
            let mut keys = set.candidates(algorithm, key_id);
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
            None => Err(Verdict::Invalid(InvalidToken::Signature)),
            Some(Err(_)) => Err(Verdict::Invalid(InvalidToken::Claims)),
            Some(Ok(claims)) => Ok(claims),
        }
    }

    /// Checks the claims of a token whose signature is valid. Returns why it is invalid, if it is.
    fn check_claims(&self, claims: &Claims, bearer: BearerToken<'_>) -> Option<InvalidToken> {
        if claims.iss != self.issuer {
            Some(InvalidToken::Unknown)
        } else if claims.aud.is_none() && self.client_ids.is_empty() {
            Some(InvalidToken::Claims)
        } else if !self.is_for_us(claims, bearer) {
            Some(InvalidToken::Audience)
        } else if claims.exp.is_past(bearer.now, LEEWAY) {
            Some(InvalidToken::Expired)
        } else if claims
            .nbf
            .is_some_and(|nbf| nbf.is_ahead(bearer.now, LEEWAY))
        {
            Some(InvalidToken::NotYetValid)
        } else if claims.sub.is_empty() || !claims.is_for_access() {
            Some(InvalidToken::Claims)
        } else {
            None
        }
    }

    fn is_for_us(&self, claims: &Claims, bearer: BearerToken<'_>) -> bool {
        let Some(aud) = &claims.aud else {
            let id = claims.client_id.as_ref();
            return id.is_some_and(|id| self.client_ids.contains(id));
        };
        aud.iter().any(|audience| {
            if self.audiences.is_empty() {
                bearer.is_for(audience)
            } else {
                self.audiences
                    .iter()
                    .any(|ours| is_same_url(ours, audience))
            }
        })
    }
}

impl Verifier for Jwt {
    fn verify<'a>(&'a self, bearer: BearerToken<'a>) -> BoxFuture<'a, Verdict> {
        Box::pin(self.check(bearer))
    }

    fn issuer_scope_prefix(&self) -> Option<&str> {
        Some(&self.scope_prefix)
    }
}
