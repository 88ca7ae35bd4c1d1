//! [`Auth`]: the credentials that a server accepts.

use std::sync::Arc;
use std::time::Duration;

use serde_json::Value;

use super::{HttpsUrl, Scopes, Verifier, metadata};

/// The credentials that a server accepts, and where clients get them.
///
/// Pass it to [`ServerBuilder::auth`](crate::server::ServerBuilder::auth).
///
/// # Examples
///
/// ```
/// use lambda_mcp::auth::{ApiKeys, Auth, NewApiKey};
///
/// let keys: ApiKeys = format!("ada {}", NewApiKey::generate()?.digest()).parse()?;
/// let auth = Auth::new()
///     .verifier(keys)
///     .authorization_server("https://login.example.com".parse()?);
/// # assert!(!auth.is_empty());
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Debug, Clone)]
pub struct Auth {
    pub(super) verifiers: Vec<Arc<dyn Verifier>>,
    pub(super) verifier_timeout: Duration,
    authorization_servers: Vec<HttpsUrl>,
}

/// The default time that the verifiers of a credential have together.
const VERIFIER_TIMEOUT: Duration = Duration::from_secs(5);

impl Default for Auth {
    fn default() -> Self {
        Self {
            verifiers: Vec::new(),
            verifier_timeout: VERIFIER_TIMEOUT,
            authorization_servers: Vec::new(),
        }
    }
}

impl Auth {
    /// Accepts no credential yet. Add a [`verifier`](Self::verifier).
    #[must_use]
    pub fn new() -> Self {
        Self::default()
    }

    /// Adds a way to check tokens, such as [`ApiKeys`](crate::auth::ApiKeys). Verifiers are asked in the order they are
    /// added.
    #[must_use]
    pub fn verifier(mut self, verifier: impl Verifier + 'static) -> Self {
        self.verifiers.push(Arc::new(verifier));
        self
    }

    /// Sets the time that all verifiers together have to check a credential. Defaults to 5 s.
    ///
    /// A verifier that does not answer in time, or panics, counts as [unavailable]: the client gets 503
    /// unless another verifier accepts the token. Code that blocks its thread cannot be interrupted.
    ///
    /// [unavailable]: super::Verdict::Unavailable
    #[must_use]
    pub const fn verifier_timeout(mut self, timeout: Duration) -> Self {
        self.verifier_timeout = timeout;
        self
    }

    /// Adds an OAuth authorization server that issues tokens for this server.
    ///
    /// It is published in the protected resource metadata (RFC 9728), which the 401 response points
    /// to, so that clients can start a sign-in. Without one, no metadata is published: use that for
    /// API keys, which an owner hands out.
    #[must_use]
    pub fn authorization_server(mut self, url: HttpsUrl) -> Self {
        self.authorization_servers.push(url);
        self
    }

    /// Whether there is no verifier, so that no credential is accepted.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.verifiers.is_empty()
    }

    /// Whether clients can get a token from an authorization server.
    pub(crate) const fn has_authorization_servers(&self) -> bool {
        !self.authorization_servers.is_empty()
    }

    /// The metadata of the endpoint at `resource`, if there is an authorization server.
    pub(crate) fn metadata(&self, resource: &str, name: &str, scopes: &Scopes) -> Option<Value> {
        let servers = &self.authorization_servers;
        (!servers.is_empty()).then(|| metadata::document(resource, name, servers, scopes))
    }
}
