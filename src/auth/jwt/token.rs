//! A token taken apart: what is read before the signature is checked, and the claims after it.

use std::time::{Duration, SystemTime};

use base64::Engine as _;
use base64::engine::general_purpose::URL_SAFE_NO_PAD;
use jsonwebtoken::Algorithm;
use serde::de::{Deserialize, Deserializer, IgnoredAny};

use crate::auth::Scopes;

/// A token whose signature was not checked. Nothing of it is believed; it tells what to check.
#[derive(Debug)]
pub(super) struct Unverified<'a> {
    pub(super) text: &'a str,
    pub(super) issuer: String,
    header: Header,
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

/// Whether a member is there, whatever its value.
#[derive(Debug, Default)]
struct Presence(bool);

impl<'de> Deserialize<'de> for Presence {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        IgnoredAny::deserialize(deserializer).map(|_| Self(true))
    }
}

impl<'a> Unverified<'a> {
    /// Takes text apart that has the shape of a signed token and names an issuer.
    pub(super) fn read(text: &'a str) -> Option<Self> {
        let mut parts = text.split('.');
        let [header, claims, _signature] = [parts.next()?, parts.next()?, parts.next()?];
        if parts.next().is_some() {
            return None;
        }
        let Issuer { iss } = json(claims)?;
        Some(Self {
            text,
            issuer: iss,
            header: json(header)?,
        })
    }

    /// The algorithm the token names, if its header holds nothing that forbids to go on.
    ///
    /// `none` is no algorithm. RFC 7515, section 4.1.11: what `crit` names must be understood, and
    /// none of it is. RFC 8725, section 3.11: a token made for another purpose says so in `typ`.
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

    /// The name of the key, if the token gives one.
    pub(super) fn key_id(&self) -> Option<&str> {
        self.header.kid.as_deref()
    }
}

fn json<T: serde::de::DeserializeOwned>(part: &str) -> Option<T> {
    serde_json::from_slice(&URL_SAFE_NO_PAD.decode(part).ok()?).ok()
}

/// The claims that are looked at. Each stands once: a token that two readers could read
/// differently is refused.
#[derive(Debug, serde::Deserialize)]
pub(super) struct Claims {
    pub(super) iss: String,
    pub(super) sub: String,
    pub(super) aud: Texts,
    pub(super) exp: NumericDate,
    pub(super) nbf: Option<NumericDate>,
    scope: Option<Texts>,
    scp: Option<Texts>,
}

impl Claims {
    /// The scopes: `scope` (RFC 9068), or `scp`, as some issuers call it; words or a list.
    pub(super) fn scopes(&self) -> Scopes {
        let texts = self.scope.as_ref().or(self.scp.as_ref());
        let words = texts.iter().flat_map(|texts| texts.iter());
        Scopes::known(words.flat_map(str::split_ascii_whitespace))
    }
}

/// One string, or several.
#[derive(Debug, serde::Deserialize)]
#[serde(untagged)]
pub(super) enum Texts {
    One(String),
    Several(Vec<String>),
}

impl Texts {
    pub(super) fn iter(&self) -> impl Iterator<Item = &str> {
        let texts = match self {
            Self::One(text) => std::slice::from_ref(text),
            Self::Several(texts) => texts,
        };
        texts.iter().map(String::as_str)
    }
}

/// Seconds since 1970, perhaps with a fraction. RFC 7519, section 2.
#[derive(Debug, Clone, Copy, serde::Deserialize)]
#[serde(transparent)]
pub(super) struct NumericDate(f64);

impl NumericDate {
    /// Whether `now` is this time or after it, even on a clock that is `leeway` behind.
    pub(super) fn is_past(self, now: SystemTime, leeway: Duration) -> bool {
        seconds(now) >= self.0 + leeway.as_secs_f64()
    }

    /// Whether `now` is before this time, even on a clock that is `leeway` ahead.
    pub(super) fn is_ahead(self, now: SystemTime, leeway: Duration) -> bool {
        seconds(now) + leeway.as_secs_f64() < self.0
    }
}

fn seconds(time: SystemTime) -> f64 {
    time.duration_since(SystemTime::UNIX_EPOCH)
        .map_or(0.0, |since| since.as_secs_f64())
}
