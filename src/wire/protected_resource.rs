//! Protected resource metadata: where a client gets a token. RFC 9728; specification:
//! *Authorization, Authorization Server Discovery*.

use serde::Serialize;

/// The well-known path of the document. The path of the resource may follow it. RFC 9728, section
/// 3.1.
pub(crate) const WELL_KNOWN_PATH: &str = "/.well-known/oauth-protected-resource";

/// The document. RFC 9728, section 2.
#[derive(Debug, Serialize)]
pub(crate) struct ProtectedResourceMetadata<'a> {
    /// The URL of the endpoint.
    pub(crate) resource: &'a str,
    /// The display name of the server.
    pub(crate) resource_name: &'a str,
    /// The issuers of tokens. MCP requires at least one.
    pub(crate) authorization_servers: Vec<&'a str>,
    /// How a token is sent.
    pub(crate) bearer_methods_supported: [&'static str; 1],
    /// The scopes that tools require.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub(crate) scopes_supported: Vec<&'a str>,
}
