//! The published documents: who can read them, and conditional requests.

use harness::TestServer;

#[test]
fn published_documents_are_readable_from_any_origin() {
    let server = TestServer::cases();
    let paths = [
        "/health",
        "/healthz",
        "/mcp/server-card",
        "/.well-known/mcp/catalog.json",
        "/.well-known/mcp/server-card.json",
    ];
    for path in paths {
        let reply = server
            .request("GET", path)
            .header("Origin", "https://evil.example")
            .send();
        assert_eq!(reply.status, 200, "{path}: {reply:#?}");
        let media_type = if path.ends_with("card") || path.ends_with("card.json") {
            "application/mcp-server-card+json"
        } else {
            "application/json"
        };
        assert_eq!(reply.header("content-type").as_deref(), Some(media_type));
        assert_eq!(
            reply.header("access-control-allow-origin").as_deref(),
            Some("*"),
            "{path}"
        );
        assert!(reply.header("cache-control").is_some(), "{path}");
        let text = reply.text();
        assert!(
            !text.contains("\"GET\"") && !text.contains("\"sse\""),
            "{path} offers a stream: {text}"
        );
        let head = server.request("HEAD", path).send();
        assert_eq!((head.status, head.text().as_str()), (200, ""), "{path}");
        let post = server.request("POST", path).send();
        assert_eq!(post.status, 405, "{path}: {post:#?}");
        assert!(!post.header("allow").unwrap().contains("POST"), "{path}");
    }
}

#[test]
fn a_document_that_the_client_has_is_not_sent_again() {
    let server = TestServer::cases();
    for path in ["/mcp/server-card", "/.well-known/mcp/catalog.json"] {
        let first = server.request("GET", path).send();
        let tag = first.header("etag").unwrap();
        assert!(
            tag.starts_with('"') && tag.ends_with('"') && tag.len() > 10,
            "{tag}"
        );
        let ask = |known: &str| {
            let request = server.request("GET", path);
            request.header("If-None-Match", known).send()
        };
        let known = [
            tag.clone(),
            format!("W/{tag}"),
            format!("\"other\", {tag}"),
            "*".to_owned(),
        ];
        for known in known {
            let reply = ask(&known);
            assert_eq!((reply.status, reply.body.len()), (304, 0), "{path} {known}");
            assert_eq!(reply.header("etag"), Some(tag.clone()));
            assert_eq!(reply.header("cache-control"), first.header("cache-control"));
            assert_eq!(reply.header("content-type"), None);
        }
        for other in ["\"other\"", "", &tag.replace('"', "")] {
            assert_eq!(ask(other).status, 200, "{path} {other}");
        }
    }
    let card = server.request("GET", "/mcp/server-card").send().json();
    assert_eq!(card["name"], "com.example.mcp/cases", "{card}");
}
