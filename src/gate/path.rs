//! Which paths are served. A trailing slash makes no difference, and nothing redirects.
//!
//! Stage prefixes are gone before: the edge knows what its gateway put in front.

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

/// RFC 9728, section 3.1: the document's path, and with the endpoint's path behind it another.
const PROTECTED_RESOURCE: &str = "/.well-known/oauth-protected-resource";

/// What a path leads to.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Target {
    Endpoint,
    Document(Document),
}

/// What `path` leads to, if anything.
pub(super) fn resolve(endpoint: &str, path: &str) -> Option<Target> {
    let path = path.strip_suffix('/').unwrap_or(path);
    if path == endpoint.strip_suffix('/').unwrap_or(endpoint) {
        return Some(Target::Endpoint);
    }
    match path {
        "/health" | "/healthz" => Some(Target::Document(Document::Health)),
        PROTECTED_RESOURCE => Some(Target::Document(Document::ProtectedResource)),
        "/.well-known/mcp/catalog.json" => Some(Target::Document(Document::Catalog)),
        "/.well-known/mcp/server-card.json" => Some(Target::Document(Document::ServerCard)),
        _ if path.strip_prefix(PROTECTED_RESOURCE) == Some(endpoint) => {
            Some(Target::Document(Document::ProtectedResource))
        }
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
            assert_eq!(resolve("/mcp", path), expected, "{path}");
        }
    }
}
