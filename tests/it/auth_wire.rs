//! Credentials in a whole server: who gets through, what the others are told, what is logged.

use serde_json::{Value, json};

use harness::messages::{ask, call, request, with_headers};
use harness::{Outcome, Reply, SERVED_VERSIONS, ServerConfig, TestServer, Version};

/// Writes a note with what stands in `Authorization`.
fn write(server: &TestServer, version: Version, authorization: &str) -> Reply {
    let params = json!({"name": "demo_write", "arguments": {"text": "x"}});
    let message = request(version, "tools/call", params);
    let builder = with_headers(server, version, &message);
    builder.header("Authorization", authorization).send()
}

/// A document, which is no message of the protocol and not judged as one.
fn document(server: &TestServer, path: &str) -> Reply {
    let request = server.request("GET", path);
    match request.header("Origin", "https://any.example").outcome() {
        Outcome::Reply(reply) => reply,
        other => panic!("{other:?}"),
    }
}

/// The value of a parameter of the challenge.
fn parameter(challenge: &str, name: &str) -> String {
    let (_, rest) = challenge.split_once(&format!("{name}=\"")).unwrap();
    rest.split('"').next().unwrap().to_owned()
}

#[test]
fn a_credential_without_the_scope_is_told_which_one_it_lacks() {
    let server = TestServer::cases();
    for version in SERVED_VERSIONS {
        let reply = write(&server, version, "Bearer test-key-reader");
        assert_eq!(reply.status, 403, "{reply:?}");
        let challenge = reply.header("www-authenticate").unwrap();
        assert!(challenge.starts_with("Bearer "), "{challenge}");
        assert_eq!(parameter(&challenge, "error"), "insufficient_scope");
        assert_eq!(parameter(&challenge, "scope"), "demo:write");
        let code = if version.is_modern() { 403 } else { -32000 };
        assert_eq!(reply.json()["error"]["code"], code);
        assert_eq!(write(&server, version, "Bearer test-key-B").status, 200);
    }
}

#[test]
fn the_challenge_leads_to_the_document_about_the_endpoint() {
    let server = ServerConfig::new("cases")
        .env("PUBLIC_URL", "https://mcp.example.org")
        .start();
    let reply = call(
        &server,
        Version::V2025_11_25,
        "demo_write",
        json!({"text": "x"}),
    );
    assert_eq!(reply.status, 401);
    let challenge = reply.header("www-authenticate").unwrap();
    let url = parameter(&challenge, "resource_metadata");
    let path = url.strip_prefix("https://mcp.example.org").unwrap();
    for path in [path, "/.well-known/oauth-protected-resource"] {
        let document = document(&server, path);
        assert_eq!(document.status, 200, "{path}");
        // Any page may read it.
        let allowed = document.header("access-control-allow-origin");
        assert_eq!(allowed.as_deref(), Some("*"));
        let document = document.json();
        assert_eq!(document["resource"], "https://mcp.example.org/mcp");
        assert_eq!(
            document["authorization_servers"],
            json!(["https://login.example.com"])
        );
        assert_eq!(document["scopes_supported"], json!(["demo:write"]));
    }
}

#[test]
fn without_a_server_that_issues_tokens_there_is_no_document() {
    let server = ServerConfig::new("minimal").start();
    let known = "/.well-known/oauth-protected-resource";
    for path in [known.to_owned(), format!("{known}/mcp")] {
        let reply = server.request("GET", &path).send();
        assert_eq!(reply.status, 404, "{path}");
        assert!(reply.is_json(), "{path}");
        assert_eq!(reply.header("www-authenticate"), None);
    }
}

#[test]
fn no_credential_is_needed_or_looked_at_where_nothing_is_protected() {
    let server = TestServer::cases();
    let stale = ["Bearer stale", "Basic dXNlcjpwYXNz", "Bearer", "nonsense"];
    for version in SERVED_VERSIONS {
        for authorization in stale {
            for (method, params) in [
                ("tools/list", json!({})),
                (
                    "tools/call",
                    json!({"name": "demo_read", "arguments": {"q": "a"}}),
                ),
            ] {
                let message = request(version, method, params);
                let builder = with_headers(&server, version, &message);
                let reply = builder.header("Authorization", authorization).send();
                assert_eq!(reply.status, 200, "{method} with {authorization}");
                assert_eq!(reply.header("www-authenticate"), None);
            }
        }
    }
}

#[test]
fn a_protected_tool_is_listed_for_everyone() {
    let server = TestServer::cases();
    let mut names = Vec::new();
    let mut params = json!({});
    loop {
        let page = ask(&server, Version::V2025_11_25, "tools/list", params).result();
        let tools = page["tools"].as_array().unwrap();
        names.extend(tools.iter().map(|tool| tool["name"].clone()));
        match page.get("nextCursor") {
            Some(cursor) => params = json!({"cursor": cursor}),
            None => break,
        }
    }
    assert!(names.contains(&json!("demo_write")), "{names:?}");
}

#[test]
fn two_credentials_are_none() {
    let server = TestServer::cases();
    let params = json!({"name": "demo_write", "arguments": {"text": "x"}});
    let message = request(Version::V2025_11_25, "tools/call", params);
    let both = ["Bearer test-key-valid", "Bearer test-key-B"];
    let mut builder = with_headers(&server, Version::V2025_11_25, &message);
    for value in both {
        builder = builder.header("Authorization", value);
    }
    assert_eq!(builder.send().status, 401);
}

#[test]
fn a_refused_credential_is_told_by_its_reason_and_a_good_one_by_a_digest() {
    let server = ServerConfig::new("cases")
        .env("LOG_LEVEL", "trace")
        .env("LIMITS", "demo_write=1/365d")
        .start();
    let version = Version::V2026_07_28;
    let sent = [
        ("Bearer SENTINEL-KEY-1", 401),
        ("Basic SENTINEL-KEY-2", 401),
        ("Bearer SENTINEL.KEY.3", 401),
        ("Bearer test-key-reader", 403),
        ("Bearer test-key-valid", 200),
        ("Bearer test-key-valid", 429),
    ];
    for (authorization, status) in sent {
        assert_eq!(write(&server, version, authorization).status, status);
    }
    let log = server.finish();
    for secret in ["SENTINEL", "test-key", "198.51.100"] {
        assert!(!log.contains(secret), "{secret} in\n{log}");
    }
    let told: Vec<Value> = log
        .lines()
        .map(|line| serde_json::from_str(line).unwrap())
        .filter(|line: &Value| line["message"] == "request")
        .collect();
    let outcomes: Vec<&Value> = told.iter().map(|line| &line["outcome"]).collect();
    let challenged = json!("challenged");
    let expected = [
        &challenged,
        &challenged,
        &challenged,
        &challenged,
        &json!("ok"),
        &json!("limited"),
    ];
    assert_eq!(outcomes, expected, "{log}");
    assert_eq!(told[1]["reason"], "scheme");
    assert!(
        told[..4].iter().all(|line| line["reason"].is_string()),
        "{log}"
    );
    assert!(told[4]["subject"].is_string(), "{log}");
    assert_eq!(told[4]["subject"], told[5]["subject"]);
}
