//! [`Auth`]: the credentials that a server accepts.

use std::sync::Arc;
use std::time::Duration;

use serde_json::Value;

use super::gateway::Gateway;
use super::implied::ImpliedScopes;
use super::{Authorizer, HttpsUrl, InvalidScopes, Principal, Scopes, Verifier, metadata};

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
    pub(super) gateway: Option<Gateway>,
    authorization_servers: Vec<HttpsUrl>,
    implied: ImpliedScopes,
    is_required: bool,
}

/// The default time that the verifiers of a credential have together.
const VERIFIER_TIMEOUT: Duration = Duration::from_secs(5);

impl Default for Auth {
    fn default() -> Self {
        Self {
            verifiers: Vec::new(),
            verifier_timeout: VERIFIER_TIMEOUT,
            gateway: None,
            authorization_servers: Vec::new(),
            implied: ImpliedScopes::default(),
            is_required: false,
        }
    }
}

impl Auth {
    /// Accepts no credential yet. Add a [`verifier`](Self::verifier) or the [`gateway`](Self::gateway).
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

    /// Accepts callers that the gateway in front of the function verified: `naming` returns the
    /// principal for what its authorizer found out, or `None`. [`Authorizer::principal`] does so for
    /// JWT authorizers, Cognito and IAM. Defaults to accepting none of them.
    ///
    /// It is off by default because the library cannot know what an authorizer was set up for: a JWT
    /// authorizer may accept tokens of all applications of an issuer, and the context of a Lambda
    /// authorizer has any form. With it, access rules are as strict as the authorizer. A request that
    /// reached the function around the authorizer, as by a Function URL, has no such caller.
    ///
    /// The caller that the gateway verified comes first: verifiers are asked only if there is none.
    ///
    /// # Examples
    ///
    /// ```
    /// use lambda_mcp::auth::Auth;
    /// use lambda_mcp::server::Authorizer;
    /// use lambda_mcp::{Context, Server, tool};
    ///
    /// async fn orders(context: Context) -> String {
    ///     let owner = context.principal().map_or("nobody", |caller| caller.subject());
    ///     format!("The orders of {owner}.")
    /// }
    ///
    /// let server = Server::builder("shop", "1.0.0")
    ///     .auth(Auth::new().gateway(Authorizer::principal))
    ///     .tool(tool("orders", orders).requires_scope("orders:read"))
    ///     .build();
    /// assert!(server.is_ok());
    /// ```
    #[must_use]
    pub fn gateway<F>(mut self, naming: F) -> Self
    where
        F: Fn(&Authorizer) -> Option<Principal> + Send + Sync + 'static,
    {
        self.gateway = Some(Gateway::new(naming));
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

    /// Closes the server: every message needs a valid credential, `initialize`, `server/discover`, lists
    /// and notifications included. Defaults to an open server.
    ///
    /// Without one the answer is 401, from which clients start a sign-in. Open remains what they need
    /// for that, and what says nothing about tools: the resource metadata, the server card, the catalog,
    /// `/health`, CORS preflights, and refusals of requests that are no MCP messages. Handlers know the
    /// caller. Lists and the discovery are `cacheScope: private`, so that shared caches do not keep
    /// them. Specification: *Authorization, Access Token Usage*; *Caching, Security Considerations*.
    ///
    /// # Examples
    ///
    /// ```
    /// use lambda_mcp::auth::{ApiKeys, Auth, NewApiKey};
    /// use lambda_mcp::testing::TestClient;
    /// use lambda_mcp::{Server, tool};
    ///
    /// async fn hello() -> &'static str {
    ///     "Hello."
    /// }
    ///
    /// # #[tokio::main(flavor = "current_thread")]
    /// # async fn main() -> Result<(), Box<dyn std::error::Error>> {
    /// let key = NewApiKey::generate()?;
    /// let keys: ApiKeys = format!("ada {}", key.digest()).parse()?;
    /// let server = Server::builder("internal", "1.0.0")
    ///     .auth(Auth::new().verifier(keys).required())
    ///     .tool(tool("hello", hello))
    ///     .build()?;
    ///
    /// let stranger = TestClient::new(server);
    /// assert_eq!(stranger.discover().await.status(), 401);
    /// assert_eq!(stranger.bearer(key.key()).discover().await.status(), 200);
    /// # Ok(())
    /// # }
    /// ```
    #[must_use]
    pub const fn required(mut self) -> Self {
        self.is_required = true;
        self
    }

    /// Declares that a scope includes others: a credential with `scope` is accepted where `implied` is
    /// required. Scopes are separated by spaces.
    ///
    /// Implied scopes imply further ones in turn, and [`Principal::scopes`] contains them all.
    /// Challenges name the scope that the call requires, not the broader ones.
    /// [`build`](crate::server::ServerBuilder::build) fails if a text is not a list of scopes.
    /// Specification: *Authorization, Scope Challenge Handling*.
    ///
    /// # Examples
    ///
    /// ```
    /// use lambda_mcp::auth::Auth;
    ///
    /// let auth = Auth::new()
    ///     .scope_implies("orders:admin", "orders:refund orders:write")
    ///     .scope_implies("orders:write", "orders:read");
    /// ```
    #[must_use]
    pub fn scope_implies(mut self, scope: &str, implied: &str) -> Self {
        self.implied.add(scope, implied);
        self
    }

    /// Whether every message needs a credential.
    pub(crate) const fn is_required(&self) -> bool {
        self.is_required
    }

    /// What is wrong with the scopes that imply others.
    pub(crate) const fn invalid_scopes(&self) -> Option<&InvalidScopes> {
        self.implied.invalid()
    }

    /// Adds to a caller's scopes those that they imply.
    pub(super) fn grant_implied(&self, principal: &mut Principal) {
        principal.extend_scopes(|scopes| self.implied.extend(scopes));
    }

    /// Whether there is neither a verifier nor a gateway, so that no caller is accepted.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.verifiers.is_empty() && self.gateway.is_none()
    }

    /// Whether clients can get a token from an authorization server.
    pub(crate) const fn has_authorization_servers(&self) -> bool {
        !self.authorization_servers.is_empty()
    }

    /// What the issuer that clients ask writes before scopes: that of the tokens that `judge` checks, or else
    /// the first one.
    pub(super) fn scope_prefix<'a>(&'a self, judge: Option<&'a dyn Verifier>) -> &'a str {
        let verifiers = self.verifiers.iter().map(|verifier| &**verifier);
        let mut verifiers = judge.into_iter().chain(verifiers);
        verifiers
            .find_map(Verifier::issuer_scope_prefix)
            .unwrap_or_default()
    }

    /// The metadata of the endpoint at `resource`, if there is an authorization server. `scopes` are those
    /// of the server, by its own names.
    pub(crate) fn metadata(&self, resource: &str, name: &str, scopes: &Scopes) -> Option<Value> {
        let servers = &self.authorization_servers;
        (!servers.is_empty()).then(|| {
            let scopes = scopes.prefixed(self.scope_prefix(None));
            metadata::document(resource, name, servers, &scopes)
        })
    }
}
