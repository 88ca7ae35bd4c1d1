//! Credentials: who calls, and what the caller may do.
//!
//! [`Auth`] holds the ways to check a bearer token: [`ApiKeys`], [`Jwt`], or a [`Verifier`] of your
//! own. Tools, resources, templates and prompts say what they require of a caller. What is said of a
//! prompt or template holds for the completion of its arguments as well.
//!
//! | setter | callers without a valid credential | the handler sees the caller |
//! | --- | --- | --- |
//! | none | served; the credential is ignored, even an expired one | no |
//! | [`identifies_caller`] | served | if the credential is valid |
//! | [`recognizes_scope`] | served | if the credential is valid and has the scopes |
//! | [`requires_credential`] | 401 | yes |
//! | [`requires_scope`] | 401; 403 if a scope is missing | yes |
//! | [`visible_to`] | the same, and not in lists | yes |
//!
//! [`Auth::gateway`] accepts callers that API Gateway verified. [`Auth::required`] closes the whole server. [`Auth::scope_implies`] names scopes that include others.
//! Every request is checked by itself; there is no session.
//!
//! [`identifies_caller`]: crate::server::Tool::identifies_caller
//! [`recognizes_scope`]: crate::server::Tool::recognizes_scope
//! [`requires_credential`]: crate::server::Tool::requires_credential
//! [`requires_scope`]: crate::server::Tool::requires_scope
//! [`visible_to`]: crate::server::Tool::visible_to
//!
//! Specification: *Authorization*; RFC 6750; RFC 8725.
//!
//! # Examples
//!
//! ```
//! use lambda_mcp::auth::{ApiKeys, Auth, NewApiKey};
//! use lambda_mcp::{Context, Server, tool};
//!
//! async fn whoami(context: Context) -> String {
//!     match context.principal() {
//!         Some(principal) => principal.subject().to_owned(),
//!         None => "nobody".to_owned(),
//!     }
//! }
//!
//! let key = NewApiKey::generate()?;
//! let keys: ApiKeys = format!("ada {} profile:read", key.digest()).parse()?;
//!
//! let server = Server::builder("accounts", "1.0.0")
//!     .auth(Auth::new().verifier(keys))
//!     .tool(tool("whoami", whoami).requires_scope("profile:read"))
//!     .build()?;
//! # let _: Server = server;
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```

mod access;
mod api_key;
pub(crate) mod authorizer;
mod bearer;
mod caller;
pub(crate) mod challenge;
mod claims;
mod gateway;
mod implied;
#[cfg(feature = "jwt")]
mod jwt;
mod metadata;
mod principal;
mod scope;
mod settings;
mod verifier;

pub use crate::https_url::{HttpsUrl, InvalidHttpsUrl};
pub use api_key::{ApiKeys, InvalidApiKeys, NewApiKey, RandomSourceError};
pub use claims::{Claims, InvalidClaims};
#[cfg(feature = "jwks-url")]
pub use jwt::HttpsJwks;
#[cfg(feature = "jwt")]
pub use jwt::{FetchError, FetchJwks, InvalidJwtKeys, Jwt, JwtKeys};
pub use principal::Principal;
pub use scope::{InvalidScopes, Scopes};
pub use settings::Auth;
pub use verifier::{BearerToken, InvalidToken, Verdict, Verifier};

pub(crate) use access::{Access, Requirement, is_visible};
pub(crate) use authorizer::Authorizer;
pub(crate) use caller::{Arrival, Caller};

#[cfg(test)]
mod tests;
