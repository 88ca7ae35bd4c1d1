//! The paths. A trailing slash is ignored, and there are no redirects.
//!
//! The Lambda edge removes stage prefixes before.

use super::settings::Gate;
use crate::wire::protected_resource::WELL_KNOWN_PATH as PROTECTED_RESOURCE;

/// A document published beside the endpoint.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Document {
    /// The health check.
    Health,
    /// The server card (draft extension).
    ServerCard,
    /// The catalog of the host, which names the server card (draft extension).
    AiCatalog,
    /// The same in the form of earlier drafts.
    Catalog,
    /// The protected resource metadata (RFC 9728).
    ProtectedResource,
    /// One that the author publishes, by its place among them.
    Own(usize),
}

/// The target of a path.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Target {
    Endpoint,
    Document(Document),
}

impl Gate {
    /// Whether the path is one of the server's own, without the documents of the author.
    pub(crate) fn has_path(&self, path: &str) -> bool {
        // Reserved even while no issuer is configured.
        path.starts_with(PROTECTED_RESOURCE) || own(self, path).is_some()
    }
}

/// Returns the target of `path`, or `None` if the path does not exist.
pub(super) fn resolve(gate: &Gate, path: &str) -> Option<Target> {
    own(gate, path).or_else(|| {
        let path = if path.len() > 1 {
            path.strip_suffix('/').unwrap_or(path)
        } else {
            "/"
        };
        let place = gate.documents.iter().position(|known| known == path)?;
        Some(Target::Document(Document::Own(place)))
    })
}

/// The target of a path that every server has.
fn own(gate: &Gate, path: &str) -> Option<Target> {
    let endpoint = gate.endpoint.as_str();
    let path = path.strip_suffix('/').unwrap_or(path);
    if path == endpoint.strip_suffix('/').unwrap_or(endpoint) {
        return Some(Target::Endpoint);
    }
    let protected_resource = gate
        .names_token_issuers
        .then_some(Target::Document(Document::ProtectedResource));
    match path {
        "/health" | "/healthz" => Some(Target::Document(Document::Health)),
        PROTECTED_RESOURCE => protected_resource,
        "/.well-known/ai-catalog.json" => Some(Target::Document(Document::AiCatalog)),
        "/.well-known/mcp/catalog.json" => Some(Target::Document(Document::Catalog)),
        "/.well-known/mcp/server-card.json" => Some(Target::Document(Document::ServerCard)),
        _ if path.strip_prefix(PROTECTED_RESOURCE) == Some(endpoint) => protected_resource,
        _ => {
            let is_card = path
                .strip_prefix(endpoint)
                .is_some_and(|rest| rest == "/server-card");
            is_card.then_some(Target::Document(Document::ServerCard))
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn gate(names_token_issuers: bool) -> Gate {
        Gate {
            endpoint: "/mcp".to_owned(),
            origins: crate::gate::Origins::any(),
            hosts: crate::gate::Hosts::any(),
            max_body_bytes: 1,
            names_token_issuers,
            documents: Vec::new(),
        }
    }

    #[test]
    fn resource_metadata_exists_only_if_authorization_servers_are_configured() {
        let paths = ["", "/mcp", "/mcp/"].map(|suffix| format!("{PROTECTED_RESOURCE}{suffix}"));
        for path in paths {
            let document = Some(Target::Document(Document::ProtectedResource));
            assert_eq!(resolve(&gate(true), &path), document, "{path}");
            assert_eq!(resolve(&gate(false), &path), None, "{path}");
        }
    }

    #[test]
    fn the_endpoint_and_its_documents_exist() {
        let cases = [
            ("/mcp", Some(Target::Endpoint)),
            ("/mcp/", Some(Target::Endpoint)),
            ("/health", Some(Target::Document(Document::Health))),
            ("/healthz", Some(Target::Document(Document::Health))),
            (
                "/mcp/server-card",
                Some(Target::Document(Document::ServerCard)),
            ),
            (
                "/.well-known/ai-catalog.json",
                Some(Target::Document(Document::AiCatalog)),
            ),
            (
                "/.well-known/mcp/catalog.json",
                Some(Target::Document(Document::Catalog)),
            ),
            ("/mcp//", None),
            ("/MCP", None),
            ("/", None),
            ("", None),
            ("/sse", None),
            ("/mcpx", None),
            ("/x/mcp", None),
            ("/.well-known/oauth-authorization-server", None),
        ];
        for (path, expected) in cases {
            assert_eq!(resolve(&gate(false), path), expected, "{path}");
        }
    }
}
