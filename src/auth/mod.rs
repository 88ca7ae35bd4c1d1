//! Credentials: who calls, and what the caller may do.
//!
//! [`Auth`] holds the ways to check a bearer token: [`ApiKeys`], [`Jwt`], or a [`Verifier`] of your
//! own. A tool that calls [`requires_scope`](crate::server::Tool::requires_scope) is served to
//! callers with a valid credential only. All other requests are served without one, and their
//! `Authorization` header is ignored: an expired token in a client's settings must not close public
//! tools.
//!
//! Every request is checked by itself; there is no session.
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

mod api_key;
mod bearer;
mod caller;
pub(crate) mod challenge;
mod claims;
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

pub(crate) use caller::{Arrival, Caller};

#[cfg(test)]
mod tests;
