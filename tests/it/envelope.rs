//! The envelope and the headers of modern requests, and that they match.

use serde_json::{Value, json};

use harness::messages::{ping, request};
use harness::{Reply, SERVED_VERSIONS, ServerConfig, TestServer, Version};

const CLIENT: &str = "io.modelcontextprotocol/clientInfo";
const CAPABILITIES: &str = "io.modelcontextprotocol/clientCapabilities";
const PROTOCOL: &str = "io.modelcontextprotocol/protocolVersion";

#[test]
fn an_unsupported_version_gets_the_list_of_supported_versions() {
    let server = TestServer::cases();
    let versions: Vec<&str> = SERVED_VERSIONS
        .iter()
        .rev()
        .map(|version| version.name())
        .collect();
    let assert_unsupported = |reply: &Reply, words: &str| {
        assert_eq!(
            (reply.status, reply.error_code()),
            (400, -32022),
            "{words}: {reply:#?}"
        );
        let error = &reply.message()["error"];
        assert_eq!(error["data"]["supported"], json!(versions), "{words}");
        assert!(
            error["message"]
                .as_str()
                .unwrap()
                .contains("Unsupported protocol version"),
            "{words}"
        );
    };
    for version in ["2024-11-05", "2099-01-01", "latest", "2025-11-25x"] {
        assert_unsupported(&server.post(&ping()).version(version).send(), version);
        let mut message = request(Version::V2026_07_28, "tools/list", json!({}));
        message["params"]["_meta"][PROTOCOL] = json!(version);
        let reply = server
            .post(&message)
            .modern_headers()
            .version(version)
            .send();
        assert_unsupported(&reply, version);
    }
}

/// Sends a changed modern request and returns the status and the error code of the response.
fn modern_but(
    server: &TestServer,
    change: impl FnOnce(&mut Value),
    header: (&str, Option<&str>),
) -> (u16, i64) {
    let params = json!({"name": "demo_read", "arguments": {"q": "a"}});
    let mut message = request(Version::V2026_07_28, "tools/call", params);
    let good = message.clone();
    change(&mut message);
    let mut builder = server.post(&message).version(Version::MODERN);
    builder = builder
        .header("Mcp-Method", "tools/call")
        .header("Mcp-Name", "demo_read");
    builder = match header {
        ("", _) => builder,
        (name, None) => builder.without_header(name),
        (name, Some(value)) => builder.set_header(name, value),
    };
    assert!(
        message != good || !header.0.is_empty(),
        "nothing was changed"
    );
    let reply = builder.send();
    (
        reply.status,
        reply.message()["error"]["code"].as_i64().unwrap_or(0),
    )
}

#[test]
fn headers_must_match_the_body() {
    let server = TestServer::cases();
    let headers = [
        ("MCP-Protocol-Version", None),
        ("MCP-Protocol-Version", Some("2025-11-25")),
        ("MCP-Protocol-Version", Some("2026-07-28, 2025-11-25")),
        ("Mcp-Method", None),
        ("Mcp-Method", Some("tools/list")),
        ("Mcp-Method", Some("TOOLS/CALL")),
        ("Mcp-Method", Some("")),
        ("Mcp-Method", Some("tools/call, tools/list")),
        ("Mcp-Name", None),
        ("Mcp-Name", Some("other")),
        ("Mcp-Name", Some("=?base64?b3RoZXI=?=")),
        ("Mcp-Name", Some("=?base64?ZGVtb19yZWFk")),
    ];
    for header in headers {
        assert_eq!(
            modern_but(&server, |_| (), header),
            (400, -32020),
            "{header:?}"
        );
    }
    for header in [
        ("MCP-Protocol-Version", Some("2026-07-28, 2026-07-28")),
        ("Mcp-Name", Some("=?base64?ZGVtb19yZWFk?=")),
        ("Mcp-Param-Region", Some("eu")),
    ] {
        assert_eq!(modern_but(&server, |_| (), header), (200, 0), "{header:?}");
    }
}

#[test]
fn an_envelope_without_required_keys_is_invalid() {
    let server = TestServer::cases();
    let remove = |key: &'static str| {
        move |message: &mut Value| {
            message["params"]["_meta"]
                .as_object_mut()
                .unwrap()
                .remove(key);
        }
    };
    let none = ("", None);
    assert_eq!(modern_but(&server, remove(PROTOCOL), none), (400, -32602));
    assert_eq!(
        modern_but(&server, remove(CAPABILITIES), none),
        (400, -32602)
    );
    assert_eq!(modern_but(&server, remove(CLIENT), none), (200, 0));
    let set = |key: &'static str, value: Value| {
        move |message: &mut Value| message["params"]["_meta"][key] = value
    };
    for value in [json!(null), json!([]), json!("x"), json!(1)] {
        let outcome = modern_but(&server, set(CAPABILITIES, value.clone()), none);
        assert_eq!(outcome, (400, -32602), "clientCapabilities = {value}");
        if value != "x" {
            let outcome = modern_but(&server, set(PROTOCOL, value.clone()), none);
            assert_eq!(outcome, (400, -32602), "protocolVersion = {value}");
        }
    }
    for value in [json!("me"), json!({"name": 1}), json!([])] {
        let outcome = modern_but(&server, set(CLIENT, value.clone()), none);
        assert_eq!(outcome, (400, -32602), "clientInfo = {value}");
    }
}

#[test]
fn header_only_requests_are_served_if_they_are_allowed() {
    let message = json!({"jsonrpc": "2.0", "id": 1, "method": "tools/list"});
    let strict = TestServer::cases();
    let reply = strict.post(&message).modern_headers().send();
    assert_eq!(
        (reply.status, reply.error_code()),
        (400, -32602),
        "{reply:#?}"
    );
    assert!(
        reply.text().contains(PROTOCOL),
        "it names what is missing: {reply:#?}"
    );

    let lenient = ServerConfig::new("cases")
        .env("HEADER_ONLY_REQUESTS", "allow")
        .start();
    let reply = lenient.post(&message).modern_headers().send();
    assert_eq!(reply.result()["resultType"], "complete", "{reply:#?}");
    // Headers that are present must still match.
    let reply = lenient
        .post(&message)
        .modern_headers()
        .set_header("Mcp-Method", "tools/call")
        .send();
    assert_eq!(
        (reply.status, reply.error_code()),
        (400, -32020),
        "{reply:#?}"
    );
    let params = json!({"name": "demo_noargs"});
    let call = json!({"jsonrpc": "2.0", "id": 1, "method": "tools/call", "params": params});
    let named = lenient
        .post(&call)
        .version(Version::MODERN)
        .header("Mcp-Name", "demo_read");
    assert_eq!(named.send().error_code(), -32020);
    let reply = lenient.post(&call).version(Version::MODERN).send();
    assert_eq!(reply.result()["resultType"], "complete", "{reply:#?}");
}
