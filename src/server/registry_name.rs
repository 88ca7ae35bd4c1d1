//! [`InvalidRegistryName`]: a server that cannot be listed in the MCP registry.

use thiserror::Error;

/// A server that has no name in the form of the registry.
///
/// The registry names servers by a domain in reverse order, a slash and a name, such as
/// `com.example/weather`, and verifies that the publisher owns the domain.
#[derive(Debug, Clone, PartialEq, Eq, Error)]
#[error(
    "`{name}` is not a name of the MCP registry, and `{public_url}` has no domain to make one of; \
     name the server like `com.example/weather`"
)]
#[non_exhaustive]
pub struct InvalidRegistryName {
    /// The name of the server.
    pub name: String,
    /// The public URL.
    pub public_url: String,
}
