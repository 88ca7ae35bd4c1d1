//! The parts of a token: what is read before the signature is verified, and the claims.

use std::time::{Duration, SystemTime};

use base64::Engine as _;
use base64::engine::general_purpose::URL_SAFE_NO_PAD;
use jsonwebtoken::Algorithm;
use serde::de::{Deserialize, Deserializer, IgnoredAny};

use crate::auth::Scopes;

/// A token whose signature is not verified yet. Its parts only choose the key to verify with.
#[derive(Debug)]
pub(super) struct Unverified<'a> {
    pub(super) text: &'a str,
    pub(super) issuer: String,
    header: Header,
    /// The claims as JSON text.
    claims: String,
}

#[derive(Debug, serde::Deserialize)]
struct Header {
    alg: String,
    kid: Option<String>,
    typ: Option<String>,
    #[serde(default)]
    crit: Presence,
}

#[derive(Debug, serde::Deserialize)]
struct Issuer {
    iss: String,
}

/// Whether a member is present, including `null`.
#[derive(Debug, Default)]
struct Presence(bool);

impl<'de> Deserialize<'de> for Presence {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        IgnoredAny::deserialize(deserializer).map(|_| Self(true))
    }
}

impl<'a> Unverified<'a> {
    /// Splits a token. Returns `None` if it is not a signed token that names an issuer.
    pub(super) fn read(text: &'a str) -> Option<Self> {
        let mut parts = text.split('.');
        let [header, claims, _signature] = [parts.next()?, parts.next()?, parts.next()?];
        if parts.next().is_some() {
            return None;
        }
        let claims = String::from_utf8(URL_SAFE_NO_PAD.decode(claims).ok()?).ok()?;
        let Issuer { iss } = serde_json::from_str(&claims).ok()?;
        let header = serde_json::from_slice(&URL_SAFE_NO_PAD.decode(header).ok()?).ok()?;
        Some(Self {
            text,
            issuer: iss,
            header,
            claims,
        })
    }

    /// The claims as JSON text. They are what the signature covers, so they can be trusted once it is
    /// verified.
    pub(super) fn claims_json(&self) -> &str {
        &self.claims
    }

    /// Returns the algorithm in the header, or `None` if the token must be refused.
    ///
    /// `none` is not an algorithm. RFC 7515, section 4.1.11: every name in `crit` must be understood,
    /// and this implementation understands none. RFC 8725, section 3.11: `typ` tells access tokens
    /// from tokens for other purposes.
    pub(super) fn algorithm(&self) -> Option<Algorithm> {
        if self.header.crit.0 || !self.is_access_token() {
            return None;
        }
        self.header.alg.parse().ok()
    }

    fn is_access_token(&self) -> bool {
        let Some(typ) = &self.header.typ else {
            return true;
        };
        let typ = typ.to_ascii_lowercase();
        let typ = typ.strip_prefix("application/").unwrap_or(&typ);
        matches!(typ, "jwt" | "at+jwt")
    }

    /// The key id, if the token has one.
    pub(super) fn key_id(&self) -> Option<&str> {
        self.header.kid.as_deref()
    }
}

/// The claims that are read. A duplicate claim is an error: two readers could understand the token
/// differently.
#[derive(Debug, serde::Deserialize)]
pub(super) struct Claims {
    pub(super) iss: String,
    pub(super) sub: String,
    pub(super) aud: Option<OneOrMany>,
    pub(super) client_id: Option<String>,
    token_use: Option<String>,
    pub(super) exp: NumericDate,
    pub(super) nbf: Option<NumericDate>,
    scope: Option<OneOrMany>,
    scp: Option<OneOrMany>,
}

impl Claims {
    /// The scopes of `scope` (RFC 9068), or of `scp`, which some issuers use: text or a list. Only
    /// those with `prefix` count, and without it.
    pub(super) fn scopes(&self, prefix: &str) -> Scopes {
        let texts = self.scope.as_ref().or(self.scp.as_ref());
        let words = texts.iter().flat_map(|texts| texts.iter());
        let words = words.flat_map(str::split_ascii_whitespace);
        Scopes::lenient(words.filter_map(|word| word.strip_prefix(prefix)))
    }

    /// Returns `false` for an identity token of Amazon Cognito, which its claim `token_use` marks.
    pub(super) fn is_for_access(&self) -> bool {
        self.token_use
            .as_deref()
            .is_none_or(|kind| kind == "access")
    }
}

/// A string or a list of strings.
#[derive(Debug, serde::Deserialize)]
#[serde(untagged)]
pub(super) enum OneOrMany {
    One(String),
    Many(Vec<String>),
}

impl OneOrMany {
    pub(super) fn iter(&self) -> impl Iterator<Item = &str> {
        let texts = match self {
            Self::One(text) => std::slice::from_ref(text),
            Self::Many(texts) => texts,
        };
        texts.iter().map(String::as_str)
    }
}

/// Seconds since 1970, which may have a fraction. RFC 7519, section 2.
#[derive(Debug, Clone, Copy, serde::Deserialize)]
#[serde(transparent)]
pub(super) struct NumericDate(f64);

impl NumericDate {
    /// Whether `now` is at least `leeway` after this time.
    pub(super) fn is_past(self, now: SystemTime, leeway: Duration) -> bool {
        seconds(now) >= self.0 + leeway.as_secs_f64()
    }

    /// Whether `now` is more than `leeway` before this time.
    pub(super) fn is_ahead(self, now: SystemTime, leeway: Duration) -> bool {
        seconds(now) + leeway.as_secs_f64() < self.0
    }
}

fn seconds(time: SystemTime) -> f64 {
    time.duration_since(SystemTime::UNIX_EPOCH)
        .map_or(0.0, |since| since.as_secs_f64())
}
