//! The protected resource metadata: where a client gets a token. RFC 9728; specification:
//! *Authorization, Authorization Server Discovery*.

use serde_json::{Value, json};

use super::{HttpsUrl, Scopes};

/// The path of the document; the endpoint's path follows it in the other of its two forms.
const WELL_KNOWN: &str = "/.well-known/oauth-protected-resource";

/// The document's URL, in the form that names the endpoint.
///
/// With a path in `base` (a stage, say) this is not where RFC 9728 has clients look by themselves:
/// the root of the host is not ours then. The challenge tells them this one.
#[must_use]
pub(super) fn url(base: &str, endpoint: &str) -> String {
    format!("{base}{WELL_KNOWN}{endpoint}")
}

/// Writes the document. Specification: it MUST name at least one authorization server.
#[must_use]
pub(super) fn document(
    resource: &str,
    name: &str,
    authorization_servers: &[HttpsUrl],
    scopes: &Scopes,
) -> Value {
    let mut document = json!({
        "resource": resource,
        "resource_name": name,
        "authorization_servers":
            authorization_servers.iter().map(HttpsUrl::as_str).collect::<Vec<_>>(),
        "bearer_methods_supported": ["header"],
    });
    if let Value::Object(members) = &mut document
        && !scopes.is_empty()
    {
        let scopes = scopes.iter().collect::<Vec<_>>();
        members.insert("scopes_supported".to_owned(), json!(scopes));
    }
    document
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_document_says_where_to_get_a_token() {
        let servers = [HttpsUrl::parse("https://login.example.com").unwrap()];
        let scopes = Scopes::parse("contact:send").unwrap();
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
    fn the_url_is_absolute_and_names_the_endpoint() {
        assert_eq!(
            url("https://mcp.example.com", "/mcp"),
            "https://mcp.example.com/.well-known/oauth-protected-resource/mcp"
        );
    }
}
