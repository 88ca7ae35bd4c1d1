//! The protected resource metadata of the endpoint, and its URL. RFC 9728; specification:
//! *Authorization, Authorization Server Discovery*.

use serde_json::Value;

use super::{HttpsUrl, Scopes};
use crate::wire::protected_resource::{ProtectedResourceMetadata, WELL_KNOWN_PATH};

/// Returns the document's URL, in the form that ends with the endpoint's path.
///
/// If `base_url` has a path, such as a stage, clients do not find the document by themselves: RFC
/// 9728 puts it at the root of the host. The challenge names this URL instead.
pub(super) fn url(base_url: &str, endpoint: &str) -> String {
    format!("{base_url}{WELL_KNOWN_PATH}{endpoint}")
}

/// Returns the document.
pub(super) fn document(
    resource: &str,
    name: &str,
    authorization_servers: &[HttpsUrl],
    scopes: &Scopes,
) -> Value {
    let metadata = ProtectedResourceMetadata {
        resource,
        resource_name: name,
        authorization_servers: authorization_servers.iter().map(HttpsUrl::as_str).collect(),
        bearer_methods_supported: ["header"],
        scopes_supported: scopes.iter().collect(),
    };
    // A struct of strings always serialises.
    serde_json::to_value(metadata).unwrap_or_default()
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    #[test]
    fn the_document_names_authorization_servers_and_scopes() {
        let servers = ["https://login.example.com".parse().unwrap()];
        let scopes = "contact:send".parse().unwrap();
        let resource = "https://mcp.example.com/mcp";
        assert_eq!(
            document(resource, "Portfolio", &servers, &scopes),
            json!({
                "resource": "https://mcp.example.com/mcp",
                "resource_name": "Portfolio",
                "authorization_servers": ["https://login.example.com"],
                "bearer_methods_supported": ["header"],
                "scopes_supported": ["contact:send"],
            })
        );
        let without = document(resource, "Portfolio", &servers, &Scopes::none());
        assert!(without.get("scopes_supported").is_none());
    }

    #[test]
    fn the_url_is_absolute_and_ends_with_the_endpoint() {
        assert_eq!(
            url("https://mcp.example.com", "/mcp"),
            "https://mcp.example.com/.well-known/oauth-protected-resource/mcp"
        );
    }
}
