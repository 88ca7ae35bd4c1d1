//! [`Verifier`]: checks bearer tokens of one kind.

use std::fmt;
use std::net::IpAddr;
use std::time::SystemTime;

use http::request::Parts;

use super::Principal;
use crate::future::BoxFuture;
use crate::https_url::is_same_url;

/// Checks bearer tokens of one kind.
///
/// The library has two: [`ApiKeys`](super::ApiKeys) and [`Jwt`](super::Jwt) (feature `jwt`).
/// Implement the trait for other kinds, such as opaque tokens that an identity provider or a
/// database knows. [`Auth`](super::Auth) asks its verifiers in the order they were added, until one
/// accepts the token or finds it invalid.
///
/// Compare secrets in constant time, or compare their SHA-256 digests: a comparison that stops at
/// the first wrong byte tells an attacker how far a guess is right.
///
/// # Examples
///
/// ```
/// use std::collections::HashMap;
///
/// use lambda_mcp::BoxFuture;
/// use lambda_mcp::auth::{ApiKeys, Auth, BearerToken, InvalidToken, Principal, Verdict, Verifier};
///
/// /// Opaque tokens `session-…`. The map is used in place of a database; its keys are digests.
/// #[derive(Debug)]
/// struct Sessions(HashMap<String, Principal>);
///
/// impl Verifier for Sessions {
///     fn verify<'a>(&'a self, bearer: BearerToken<'a>) -> BoxFuture<'a, Verdict> {
///         Box::pin(async move {
///             if !bearer.token.starts_with("session-") {
///                 return Verdict::Unrecognized;
///             }
///             match self.0.get(&ApiKeys::digest(bearer.token)) {
///                 Some(principal) => Verdict::Accepted(principal.clone()),
///                 None => Verdict::Invalid(InvalidToken::Unknown),
///             }
///         })
///     }
/// }
///
/// # #[tokio::main(flavor = "current_thread")]
/// # async fn main() -> Result<(), Box<dyn std::error::Error>> {
/// let ada = Principal::new("ada", "orders:read".parse()?);
/// let sessions = Sessions([(ApiKeys::digest("session-1"), ada.clone())].into());
///
/// let at = std::time::SystemTime::now();
/// let verdict = sessions.verify(BearerToken::new("session-1", None, at)).await;
/// assert_eq!(verdict, Verdict::Accepted(ada));
/// let verdict = sessions.verify(BearerToken::new("session-2", None, at)).await;
/// assert_eq!(verdict, Verdict::Invalid(InvalidToken::Unknown));
///
/// let auth = Auth::new().verifier(sessions);
/// # assert!(!auth.is_empty());
/// # Ok(())
/// # }
/// ```
pub trait Verifier: fmt::Debug + Send + Sync {
    /// Checks a token. The verdict is not cached: every request that needs a credential is checked
    /// again.
    ///
    /// All verifiers of a request together have [`Auth::verifier_timeout`]. A verifier that does not
    /// answer in time, or panics, counts as [`Verdict::Unavailable`].
    ///
    /// [`Auth::verifier_timeout`]: super::Auth::verifier_timeout
    fn verify<'a>(&'a self, bearer: BearerToken<'a>) -> BoxFuture<'a, Verdict>;

    /// Returns the prefix that the issuer of these tokens writes before each scope of this server, if
    /// clients get the tokens from an issuer: empty if it writes none. Defaults to `None`, as for API keys.
    ///
    /// Clients ask the issuer for the scopes that a challenge or the resource metadata names, so these have
    /// the prefix. A challenge has that of the verifier that judged the token. Where no issuer is known, the
    /// first verifier with one counts, in challenges and in the metadata. A verifier that passes tokens on to
    /// another, such as to a [`Jwt`](super::Jwt), returns what that one does. Specification:
    /// *Authorization, Scope Selection Strategy*.
    fn issuer_scope_prefix(&self) -> Option<&str> {
        None
    }
}

/// A bearer token and its verification context.
#[derive(Clone, Copy)]
#[non_exhaustive]
pub struct BearerToken<'a> {
    /// The token: the text after `Bearer`.
    pub token: &'a str,
    /// The URL of the endpoint that was called. `None` if neither the server's public URL nor the
    /// platform's event gives it.
    pub resource: Option<&'a str>,
    /// The time of the request.
    pub now: SystemTime,
    /// The HTTP request that carries the token: its method, path, headers and extensions. `None` only
    /// if a test of the verifier sets none.
    ///
    /// Clients choose the headers. In revision 2026-07-28 `Mcp-Method` and `Mcp-Name` were compared
    /// with the body; older clients do not send them.
    pub request: Option<&'a Parts>,
    /// The client's address as the platform reports it.
    pub source_ip: Option<IpAddr>,
}

impl<'a> BearerToken<'a> {
    /// Makes a token that is presented to the endpoint `resource` at `now`. Use it to test a
    /// verifier.
    #[must_use]
    pub const fn new(token: &'a str, resource: Option<&'a str>, now: SystemTime) -> Self {
        Self {
            token,
            resource,
            now,
            request: None,
            source_ip: None,
        }
    }

    /// Sets the HTTP request that carries the token.
    ///
    /// # Examples
    ///
    /// ```
    /// use std::time::SystemTime;
    ///
    /// use lambda_mcp::auth::BearerToken;
    ///
    /// let (parts, ()) = http::Request::post("/mcp").header("X-Tenant", "acme").body(())?.into_parts();
    /// let bearer = BearerToken::new("session-1", None, SystemTime::now()).request(&parts);
    /// assert_eq!(bearer.header("x-tenant"), Some("acme"));
    /// # Ok::<(), http::Error>(())
    /// ```
    #[must_use]
    pub const fn request(mut self, request: &'a Parts) -> Self {
        self.request = Some(request);
        self
    }

    /// Sets the client's address.
    #[must_use]
    pub const fn source_ip(mut self, address: IpAddr) -> Self {
        self.source_ip = Some(address);
        self
    }

    /// Returns the value of a header of the request. `None` if it is absent, is repeated, or has other
    /// characters than visible ASCII.
    #[must_use]
    pub fn header(&self, name: &str) -> Option<&'a str> {
        let mut values = self.request?.headers.get_all(name).into_iter();
        let value = values.next()?;
        values.next().is_none().then(|| value.to_str().ok())?
    }

    /// Whether `audience` is the endpoint that was called.
    ///
    /// URLs are compared as [`HttpsUrl::is_same`](super::HttpsUrl::is_same) describes. Returns
    /// `false` if the URL of the endpoint is unknown.
    #[must_use]
    pub fn is_for(&self, audience: &str) -> bool {
        self.resource
            .is_some_and(|resource| is_same_url(resource, audience))
    }
}

impl fmt::Debug for BearerToken<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("BearerToken")
            .field("token", &"[redacted]")
            .field("resource", &self.resource)
            .field("now", &self.now)
            .field("source_ip", &self.source_ip)
            .finish_non_exhaustive()
    }
}

/// What a [`Verifier`] finds out about a token.
#[derive(Debug, Clone, PartialEq, Eq)]
#[non_exhaustive]
pub enum Verdict {
    /// The token is valid.
    Accepted(Principal),
    /// The token is not of this verifier's kind or issuer. The next verifier is asked.
    Unrecognized,
    /// The token is of this verifier's kind, and it is invalid. No other verifier is asked; the
    /// client gets 401.
    Invalid(InvalidToken),
    /// The token cannot be checked now, for example because a database does not answer. The next
    /// verifier is asked; if none accepts the token, the client gets 503.
    Unavailable,
}

/// Why a token is invalid.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
#[non_exhaustive]
pub enum InvalidToken {
    /// The `Authorization` header has another scheme than `Bearer`.
    Scheme,
    /// The token is empty, or a placeholder such as `undefined`, which clients send if a variable is empty.
    Placeholder,
    /// There are two `Authorization` headers, or the token has characters that no token has.
    Malformed,
    /// The token has more than 8 KiB.
    TooLong,
    /// The token is unknown.
    Unknown,
    /// The signature is wrong, or the token asks for an algorithm that its key does not allow.
    Signature,
    /// The token has expired.
    Expired,
    /// The token is not valid yet.
    NotYetValid,
    /// The token was issued for another server.
    Audience,
    /// A required claim is missing or malformed.
    Claims,
}

impl InvalidToken {
    /// Returns the reason code that logs use, such as `expired`.
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

    /// Returns the sentence for the client: enough to correct the request, too little to forge a
    /// token.
    pub(super) const fn description(self) -> &'static str {
        match self {
            Self::Scheme => "The credential must be sent as a Bearer token",
            Self::Placeholder => "There is no token after Bearer",
            Self::Malformed => "The Authorization header does not hold one Bearer token",
            Self::TooLong => "The token is too long",
            Self::Unknown | Self::Signature => "The token is unknown or its signature is wrong",
            Self::Expired => "The token has expired",
            Self::NotYetValid => "The token is not valid yet",
            Self::Audience => "The token was issued for another server",
            Self::Claims => "The token lacks a required claim",
        }
    }
}
