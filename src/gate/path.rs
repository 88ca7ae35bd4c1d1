//! Which paths are served. A trailing slash makes no difference, and nothing redirects.
//!
//! Stage prefixes are gone before: the edge knows what its gateway put in front.

use super::Gate;
use crate::wire::protected_resource::WELL_KNOWN_PATH as PROTECTED_RESOURCE;

/// A document published beside the endpoint.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Document {
    /// A sign of life for monitors.
    Health,
    /// The server card (draft extension).
    ServerCard,
    /// The catalog that points at the server card (draft extension).
    Catalog,
    /// Where a client gets a token (RFC 9728).
    ProtectedResource,
}

/// What a path leads to.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Target {
    Endpoint,
    Document(Document),
}

/// What `path` leads to, if anything.
pub(super) fn resolve(gate: &Gate, path: &str) -> Option<Target> {
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
        }
    }

    #[test]
    fn where_to_get_a_token_is_told_only_if_there_is_such_a_place() {
        let paths = ["", "/mcp", "/mcp/"].map(|suffix| format!("{PROTECTED_RESOURCE}{suffix}"));
        for path in paths {
            let document = Some(Target::Document(Document::ProtectedResource));
            assert_eq!(resolve(&gate(true), &path), document, "{path}");
            assert_eq!(resolve(&gate(false), &path), None, "{path}");
        }
    }

    #[test]
    fn the_endpoint_and_its_documents_are_found() {
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
