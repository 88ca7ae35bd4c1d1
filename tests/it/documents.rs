//! The published documents: what they say, who can read them, and conditional requests.

use bytes::Bytes;
use harness::TestServer;
use harness::messages::ask;
use http::header::{CONTENT_SECURITY_POLICY, HeaderValue};
use lambda_mcp::Server;
use lambda_mcp::content::Icon;
use lambda_mcp::server::{BuildError, Document};
use serde_json::{Value, json};

/// Compares a document with a schema in `tests/data/schemas`: copies of the published ones, of the
/// experimental-ext-server-card repository at 8924e08, and of the registry's schema 2025-12-11.
fn assert_matches(document: &Value, schema: &str, root: &str) {
    let path = harness::workspace().join("tests/data/schemas").join(schema);
    let text = std::fs::read_to_string(path).unwrap();
    let mut schema: Value = serde_json::from_str(&text).unwrap();
    if !root.is_empty() {
        schema["$ref"] = json!(root);
    }
    let validator = jsonschema::validator_for(&schema).unwrap();
    let faults: Vec<String> = { validator.iter_errors(document) }
        .map(|fault| format!("{}: {fault}", fault.instance_path()))
        .collect();
    assert!(faults.is_empty(), "{faults:#?} in {document:#}");
}

#[test]
fn published_documents_are_readable_from_any_origin() {
    let server = TestServer::cases();
    let paths = [
        "/health",
        "/healthz",
        "/mcp/server-card",
        "/.well-known/ai-catalog.json",
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
        } else if path.ends_with("ai-catalog.json") {
            "application/ai-catalog+json"
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
        let preflight = server
            .request("OPTIONS", path)
            .header("Origin", "https://evil.example")
            .header("Access-Control-Request-Method", "GET")
            .header("Access-Control-Request-Headers", "if-none-match")
            .send();
        assert_eq!(preflight.status, 204, "{path}");
        for answer in [&reply, &preflight] {
            let origin = answer.header("access-control-allow-origin");
            assert_eq!(origin.as_deref(), Some("*"), "{path}");
            let methods = answer.header("access-control-allow-methods").unwrap();
            assert!(
                methods.contains("GET") && !methods.contains("POST"),
                "{path}"
            );
            let headers = answer.header("access-control-allow-headers").unwrap();
            assert!(headers.contains("If-None-Match"), "{path}");
        }
    }
}

#[test]
fn a_document_that_the_client_has_is_not_sent_again() {
    let server = TestServer::cases();
    for path in [
        "/mcp/server-card",
        "/.well-known/ai-catalog.json",
        "/.well-known/mcp/catalog.json",
    ] {
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

#[test]
fn the_card_follows_its_schema_and_says_what_the_server_says() {
    let server = TestServer::cases();
    let card = server.request("GET", "/mcp/server-card").send().json();
    assert_matches(&card, "server-card-v1.schema.json", "#/$defs/ServerCard");
    let said = ask(
        &server,
        harness::Version::V2026_07_28,
        "server/discover",
        json!({}),
    )
    .result();
    let info = &said["_meta"]["io.modelcontextprotocol/serverInfo"];
    let (_, own) = card["name"].as_str().unwrap().rsplit_once('/').unwrap();
    assert_eq!(info["name"], own);
    assert_eq!(info["version"], card["version"]);
    assert_eq!(said["supportedVersions"], card["supportedVersions"]);
    let remote = &card["remotes"][0];
    assert_eq!(
        said["supportedVersions"],
        remote["supportedProtocolVersions"]
    );
    let older = server
        .request("GET", "/.well-known/mcp/server-card.json")
        .send();
    assert_eq!(older.json(), card);
}

#[test]
fn the_catalogs_name_the_card() {
    let server = TestServer::cases();
    let card = "https://mcp.example.com/mcp/server-card";
    let catalog = server
        .request("GET", "/.well-known/ai-catalog.json")
        .send()
        .json();
    let expected = json!({"specVersion": "1.0", "entries": [{
        "identifier": "urn:air:mcp.example.com:mcp:cases",
        "type": "application/mcp-server-card+json", "url": card,
    }]});
    assert_eq!(catalog, expected);
    let older = server
        .request("GET", "/.well-known/mcp/catalog.json")
        .send()
        .json();
    assert_eq!(older["entries"][0]["url"], card);
}

#[test]
fn the_registry_entry_follows_its_schema() {
    let long = "a sentence that goes on ".repeat(20);
    let server = Server::builder("io.github.ada/weather", "1.2.0")
        .title("Weather")
        .description(long)
        .website_url("https://example.com")
        .icon(Icon::new("https://example.com/i.png").mime_type("image/png"))
        .icon(Icon::new("https://example.com/i.gif").mime_type("image/gif"))
        .icon(Icon::new("data:image/png;base64,AAAA"))
        .build()
        .unwrap();
    let entry = server.registry_entry("https://mcp.example.com/").unwrap();
    assert_matches(&entry, "registry-2025-12-11.schema.json", "");
    assert_eq!(entry["name"], "io.github.ada/weather");
    assert_eq!(entry["remotes"][0]["url"], "https://mcp.example.com/mcp");
    assert_eq!(entry["icons"].as_array().unwrap().len(), 1);
    let nameless = Server::builder("weather", "1.2.0").build().unwrap();
    let error = nameless
        .registry_entry("http://localhost:9000")
        .unwrap_err();
    assert!(
        error.to_string().contains("name the server like"),
        "{error}"
    );
}

async fn get(server: &Server, verb: &str, path: &str, known: &str) -> http::Response<Bytes> {
    let request = http::Request::builder()
        .method(verb)
        .uri(path)
        .header("If-None-Match", known)
        .body(Bytes::new())
        .unwrap();
    let (parts, body) = server.handle(request).await.into_parts();
    http::Response::from_parts(parts, body.into_bytes().unwrap())
}

#[tokio::test]
async fn an_author_publishes_documents_beside_the_endpoint() {
    let policy = HeaderValue::from_static("default-src 'none'");
    let page = Document::new("/", "text/html; charset=utf-8", "<title>Hello</title>");
    let notes = Document::lazy("/notes.txt", "text/plain", || "Notes.".into());
    let server = Server::builder("greeter", "1.0.0")
        .document(page.header(CONTENT_SECURITY_POLICY, policy))
        .merge(Server::builder("notes", "1.0.0").document(notes))
        .build()
        .unwrap();
    let page = get(&server, "GET", "/", "").await;
    assert_eq!(page.status(), 200);
    assert_eq!(page.headers()["content-type"], "text/html; charset=utf-8");
    assert_eq!(
        page.headers()["content-security-policy"],
        "default-src 'none'"
    );
    assert_eq!(page.headers()["x-content-type-options"], "nosniff");
    assert_eq!(page.headers()["cache-control"], "public, max-age=300");
    assert_eq!(page.headers()["access-control-allow-origin"], "*");
    assert_eq!(&page.body()[..], b"<title>Hello</title>");
    let tag = page.headers()["etag"].to_str().unwrap();
    let again = get(&server, "GET", "/", tag).await;
    assert_eq!((again.status().as_u16(), again.body().len()), (304, 0));
    assert_eq!(
        again.headers()["content-security-policy"],
        "default-src 'none'"
    );
    let head = get(&server, "HEAD", "/notes.txt", "").await;
    assert_eq!((head.status().as_u16(), head.body().len()), (200, 0));
    assert_eq!(
        &get(&server, "GET", "/notes.txt/", "").await.body()[..],
        b"Notes."
    );
    assert_eq!(get(&server, "POST", "/", "").await.status(), 405);
    assert_eq!(get(&server, "GET", "/other", "").await.status(), 404);
    assert_eq!(get(&server, "GET", "/mcp", "").await.status(), 405);
}

#[test]
fn a_document_cannot_take_a_path_that_is_taken() {
    let rows = [
        ("/mcp", "the server itself has something at this path"),
        ("/health", "the server itself has something at this path"),
        (
            "/.well-known/ai-catalog.json",
            "the server itself has something at this path",
        ),
        (
            "/.well-known/oauth-protected-resource/mcp",
            "the server itself has something at this path",
        ),
        ("/a", "it is registered twice"),
        ("b", "a path begins with `/` and has no spaces and no query"),
        (
            "/b?c",
            "a path begins with `/` and has no spaces and no query",
        ),
        ("/b/", "a path does not end with `/`"),
    ];
    for (path, reason) in rows {
        let server = Server::builder("example", "1.0.0")
            .document(Document::new("/a", "text/plain", "a"))
            .document(Document::new(path, "text/plain", "b"))
            .build();
        let path = path.to_owned();
        assert_eq!(server.unwrap_err(), BuildError::Document { path, reason });
    }
}
