//! [`Verifier`]: one way to know a caller by a token.

use std::fmt;
use std::time::SystemTime;

use super::Principal;
use crate::future::BoxFuture;

/// One way to know a caller by a token; several are asked one after the other.
pub trait Verifier: fmt::Debug + Send + Sync {
    /// Judges a token. No verdict is kept: each request is judged afresh.
    fn verify<'a>(&'a self, presented: BearerToken<'a>) -> BoxFuture<'a, Verdict>;
}

/// A token, and what its judgement hangs on.
#[derive(Clone, Copy)]
#[non_exhaustive]
pub struct BearerToken<'a> {
    /// The token, as it stood after `Bearer`.
    pub token: &'a str,
    /// The URL of the endpoint that was called, if the platform or the configuration tells it.
    pub resource: Option<&'a str>,
    /// The time of the request.
    pub now: SystemTime,
}

impl<'a> BearerToken<'a> {
    /// A token that is presented to `resource` at `now`.
    #[must_use]
    pub const fn new(token: &'a str, resource: Option<&'a str>, now: SystemTime) -> Self {
        Self {
            token,
            resource,
            now,
        }
    }
}

impl fmt::Debug for BearerToken<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("BearerToken")
            .field("token", &"[redacted]")
            .field("resource", &self.resource)
            .field("now", &self.now)
            .finish()
    }
}

/// What a verifier says about a token.
#[derive(Debug, Clone, PartialEq, Eq)]
#[non_exhaustive]
pub enum Verdict {
    /// It is good.
    Accepted(Principal),
    /// It is not of a kind or issuer this verifier knows; the next one may.
    Unrecognized,
    /// It is this verifier's to judge, and it is not good.
    Refused(Refusal),
    /// It cannot be judged now: what that takes cannot be reached.
    Unavailable,
}

/// Why a credential is not good.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
#[non_exhaustive]
pub enum Refusal {
    /// The header holds another scheme than `Bearer`.
    Scheme,
    /// There is no token after `Bearer`, or the word that stands for an empty variable.
    Placeholder,
    /// There are two headers, or characters that no token has.
    Malformed,
    /// The token is too long to be looked at.
    TooLong,
    /// No verifier knows the token.
    Unknown,
    /// The signature does not hold, or the token wants it checked in a way that is not allowed.
    Signature,
    /// Its time is over.
    Expired,
    /// Its time has not come.
    NotYetValid,
    /// It was issued for another server.
    Audience,
    /// It lacks a claim that it must have, or has it in a wrong form.
    Claims,
}

impl Refusal {
    /// The word used in logs.
    #[must_use]
    pub const fn as_str(self) -> &'static str {
        match self {
            Self::Scheme => "scheme",
            Self::Placeholder => "placeholder",
            Self::Malformed => "malformed",
            Self::TooLong => "too_long",
            Self::Unknown => "unknown",
            Self::Signature => "signature",
            Self::Expired => "expired",
            Self::NotYetValid => "not_yet_valid",
            Self::Audience => "audience",
            Self::Claims => "claims",
        }
    }

    /// What the client is told: enough to act on, nothing that helps to forge.
    pub(super) const fn description(self) -> &'static str {
        match self {
            Self::Scheme => "The credential must be sent as a Bearer token",
            Self::Placeholder => "There is no token after Bearer",
            Self::Malformed => "The Authorization header does not hold one Bearer token",
            Self::TooLong => "The token is too long",
            Self::Unknown | Self::Signature => "The token is not known or not genuine",
            Self::Expired => "The token has expired",
            Self::NotYetValid => "The token is not valid yet",
            Self::Audience => "The token was issued for another server",
            Self::Claims => "The token lacks a claim that is needed",
        }
    }
}
