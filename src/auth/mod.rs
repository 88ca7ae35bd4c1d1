//! Who calls, and whether they may: judged afresh on each request, with no session.
//!
//! A call that needs no credential is served without one, and what is sent with it is not even
//! looked at: a stale token in a client's settings must not close public tools, and reading must
//! not wait for anybody's keys. A call that needs one gets through with a good one alone.
//! Specification: *Authorization*; RFC 6750; RFC 8725.

mod api_key;
mod bearer;
pub(crate) mod challenge;
mod https_url;
#[cfg(feature = "jwt")]
mod jwt;
mod metadata;
mod principal;
mod scope;
mod verifier;

use std::sync::Arc;
use std::time::SystemTime;

use http::HeaderMap;
use serde_json::Value;
use tokio::sync::OnceCell;

pub use api_key::{ApiKeys, InvalidApiKeys, NewApiKey, NoRandomness};
pub use https_url::{HttpsUrl, InvalidHttpsUrl};
#[cfg(feature = "jwks-url")]
pub use jwt::HttpsJwks;
#[cfg(feature = "jwt")]
pub use jwt::{FetchFailed, FetchJwks, InvalidJwtKeys, Jwt, JwtKeys};
pub use principal::Principal;
pub use scope::{InvalidScopes, Scopes};
pub use verifier::{BearerToken, Refusal, Verdict, Verifier};

use challenge::{Cause, Challenge};

/// The credentials that a server takes.
///
/// Its verifiers are asked in their order, until one knows the token or refuses it.
#[derive(Debug, Clone, Default)]
pub struct Auth {
    verifiers: Vec<Arc<dyn Verifier>>,
    authorization_servers: Vec<HttpsUrl>,
}

impl Auth {
    /// None yet: whatever needs a credential is refused.
    #[must_use]
    pub fn new() -> Self {
        Self::default()
    }

    /// Adds a way to know a caller, such as [`ApiKeys`].
    #[must_use]
    pub fn verifier(mut self, verifier: impl Verifier + 'static) -> Self {
        self.verifiers.push(Arc::new(verifier));
        self
    }

    /// Names a server that issues tokens for this one, for clients to find.
    ///
    /// Without any, clients are not told of a sign-in, and nothing is published about it.
    #[must_use]
    pub fn authorization_server(mut self, url: HttpsUrl) -> Self {
        self.authorization_servers.push(url);
        self
    }

    /// Whether no credential can be good.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.verifiers.is_empty()
    }

    /// Whether clients can get a token anywhere.
    #[must_use]
    pub(crate) const fn has_authorization_servers(&self) -> bool {
        !self.authorization_servers.is_empty()
    }

    /// The document about the endpoint at `resource`, if clients can get a token anywhere.
    #[must_use]
    pub(crate) fn metadata(&self, resource: &str, name: &str, scopes: &Scopes) -> Option<Value> {
        let servers = &self.authorization_servers;
        (!servers.is_empty()).then(|| metadata::document(resource, name, servers, scopes))
    }

    async fn judge(&self, presented: BearerToken<'_>) -> Credential {
        let mut unavailable = false;
        for verifier in &self.verifiers {
            match verifier.verify(presented).await {
                Verdict::Accepted(principal) => return Credential::Known(principal),
                Verdict::Refused(refusal) => return Credential::Refused(refusal),
                Verdict::Unavailable => unavailable = true,
                Verdict::Unrecognized => {}
            }
        }
        if unavailable {
            Credential::Unavailable
        } else {
            Credential::Refused(Refusal::Unknown)
        }
    }
}

/// Where a request was sent: the URL in front of the endpoint's path, if it is known, and the path.
///
/// The URL comes from the configuration or the platform, never from what the client wrote.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Site<'a> {
    /// Such as `https://mcp.example.com`.
    pub(crate) base: Option<&'a str>,
    /// Such as `/mcp`.
    pub(crate) endpoint: &'a str,
}

impl Site<'_> {
    /// The URL of the endpoint.
    fn resource(self) -> Option<String> {
        self.base.map(|base| format!("{base}{}", self.endpoint))
    }
}

/// What a request's credential is worth.
#[derive(Debug, Clone, PartialEq, Eq)]
enum Credential {
    None,
    Known(Principal),
    Refused(Refusal),
    Unavailable,
}

/// The sender of one HTTP request. Its credential is judged on the first need and once: all
/// messages of a batch have the same.
#[derive(Debug)]
pub(crate) struct Caller<'a> {
    auth: &'a Auth,
    headers: &'a HeaderMap,
    site: Site<'a>,
    now: SystemTime,
    credential: OnceCell<Credential>,
}

impl<'a> Caller<'a> {
    pub(crate) const fn new(
        auth: &'a Auth,
        headers: &'a HeaderMap,
        site: Site<'a>,
        now: SystemTime,
    ) -> Self {
        Self {
            auth,
            headers,
            site,
            now,
            credential: OnceCell::const_new(),
        }
    }

    /// Decides about a call that demands `required`. `None` demands nothing, and nothing is
    /// judged for it; no scopes demand any credential that is known.
    ///
    /// # Errors
    ///
    /// There is no credential, or it will not do.
    pub(crate) async fn authorize(
        &self,
        required: Option<&Scopes>,
    ) -> Result<Option<&Principal>, Challenge> {
        let Some(required) = required else {
            return Ok(None);
        };
        let cause = match self.credential().await {
            Credential::Known(principal) if principal.scopes().covers(required) => {
                return Ok(Some(principal));
            }
            Credential::Known(_) => Cause::InsufficientScope,
            Credential::None => Cause::Missing,
            Credential::Refused(refusal) => Cause::Refused(*refusal),
            Credential::Unavailable => Cause::Unavailable,
        };
        let has_servers = !self.auth.authorization_servers.is_empty();
        let base = self.site.base.filter(|_| has_servers);
        let metadata_url = base.map(|base| metadata::url(base, self.site.endpoint));
        Err(Challenge::new(cause, required.clone(), metadata_url))
    }

    async fn credential(&self) -> &Credential {
        self.credential
            .get_or_init(|| async {
                let token = match bearer::token(self.headers) {
                    Ok(None) => return Credential::None,
                    Ok(Some(token)) => token,
                    Err(refusal) => return Credential::Refused(refusal),
                };
                let resource = self.site.resource();
                let presented = BearerToken::new(token, resource.as_deref(), self.now);
                self.auth.judge(presented).await
            })
            .await
    }
}

#[cfg(test)]
mod tests;
