//! Origins and hosts: which are admitted, and the CORS headers of their responses.

use lambda_mcp::content::ToolAnnotations;
use lambda_mcp::protocol::ProtocolVersion;
use lambda_mcp::testing::TestClient;
use lambda_mcp::{Server, tool};
use serde_json::json;

use harness::messages::ping;
use harness::{Front, ServerConfig, TestServer};

async fn done() -> &'static str {
    "Done."
}

#[test]
fn a_preflight_of_an_allowed_origin_succeeds() {
    let server = TestServer::cases();
    for front in Front::ALL {
        let preflight = server
            .request("OPTIONS", "/mcp")
            .header("Origin", "https://app.example.com");
        let reply = preflight
            .header("Access-Control-Request-Method", "POST")
            .via(front)
            .send();
        assert_eq!(
            (reply.status, reply.text().as_str()),
            (204, ""),
            "{reply:#?}"
        );
        let origin = reply.header("access-control-allow-origin");
        assert_eq!(origin.as_deref(), Some("https://app.example.com"));
        assert_eq!(
            reply.header("access-control-allow-methods").as_deref(),
            Some("POST, OPTIONS")
        );
        let headers = reply
            .header("access-control-allow-headers")
            .unwrap()
            .to_ascii_lowercase();
        for name in [
            "authorization",
            "content-type",
            "mcp-protocol-version",
            "mcp-method",
            "mcp-name",
        ] {
            assert!(
                headers.split(", ").any(|header| header == name),
                "{name} is not in {headers}"
            );
        }
    }
}

#[test]
fn other_origins_get_403_and_are_never_allowed_by_cors() {
    let server = TestServer::cases();
    for origin in [
        "https://evil.example",
        "null",
        "https://app.example.com.evil.example",
        "not a url",
    ] {
        let reply = server.post(&ping()).header("Origin", origin).send();
        assert_eq!(reply.status, 403, "{origin}: {reply:#?}");
        assert!(reply.is_json(), "{origin}");
        let allowed = reply.header("access-control-allow-origin");
        assert_eq!(
            allowed.as_deref(),
            Some("https://app.example.com"),
            "{origin}"
        );
    }
    let reply = server
        .post(&ping())
        .header("Origin", "https://app.example.com")
        .send();
    assert_eq!(reply.status, 200);
    assert!(
        reply
            .header("access-control-expose-headers")
            .unwrap()
            .contains("WWW-Authenticate")
    );
}

#[test]
fn two_origin_headers_get_403() {
    let server = TestServer::cases();
    for front in Front::ALL {
        let request = server
            .post(&ping())
            .header("Origin", "https://app.example.com");
        let reply = request
            .header("Origin", "https://evil.example")
            .via(front)
            .send();
        assert_eq!(reply.status, 403, "{front:?}: {reply:#?}");
    }
}

#[test]
fn any_origin_is_a_wildcard_without_credentials() {
    let server = ServerConfig::new("cases")
        .env("ALLOWED_ORIGINS", "*")
        .start();
    let reply = server
        .post(&ping())
        .header("Origin", "https://any.example")
        .send();
    assert_eq!(reply.status, 200);
    assert_eq!(
        reply.header("access-control-allow-origin").as_deref(),
        Some("*")
    );
    assert_eq!(reply.header("access-control-allow-credentials"), None);
}

#[test]
fn other_hosts_get_403_if_hosts_are_listed() {
    let server = ServerConfig::new("cases")
        .env("ALLOWED_HOSTS", "localhost,127.0.0.1")
        .start();
    for host in ["localhost", "localhost:9000", "127.0.0.1:9000"] {
        assert_eq!(
            server.post(&ping()).header("Host", host).send().status,
            200,
            "{host}"
        );
    }
    for host in [
        "evil.example",
        "evil.example:9000",
        "localhost.evil.example",
        "127.0.0.2",
    ] {
        let reply = server.post(&ping()).header("Host", host).send();
        assert_eq!(reply.status, 403, "{host}: {reply:#?}");
        assert!(reply.is_json());
    }
}

/// A tool without the hint counts as one with an effect: that is the specification's default.
#[tokio::test]
async fn a_page_that_is_not_named_calls_only_tools_that_are_declared_as_read_only() {
    let adds = ToolAnnotations::new().read_only(false);
    let server = Server::builder("pages", "1.0.0")
        .origins("*, https://app.example.com".parse().unwrap())
        .tool(tool("look", done).read_only())
        .tool(tool("act", done))
        .tool(tool("write", done).annotations(adds))
        .build()
        .unwrap();
    let rows = [
        (Some("https://evil.example"), [200, 403, 403]),
        (Some("null"), [200, 403, 403]),
        (Some("https://app.example.com"), [200; 3]),
        (Some("http://127.0.0.1:8080"), [200; 3]),
        (None, [200; 3]),
    ];
    for version in [ProtocolVersion::V2026_07_28, ProtocolVersion::V2025_11_25] {
        for (origin, expected) in rows {
            let mut client = TestClient::new(server.clone()).version(version);
            if let Some(origin) = origin {
                client = client.header("origin", origin);
            }
            for (name, status) in ["look", "act", "write"].into_iter().zip(expected) {
                let response = client.call(name, json!({})).await;
                assert_eq!(response.status(), status, "{version} {origin:?} {name}");
            }
        }
    }
}
