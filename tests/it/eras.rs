//! Both eras and all versions: requests need no session, and results have the form of their version.

use serde_json::json;

use harness::messages::{ask, legacy, ping, request};
use harness::{Front, SERVED_VERSIONS, ServerConfig, TestServer, Version};

#[test]
fn a_call_can_be_the_first_request_in_every_version() {
    for version in SERVED_VERSIONS {
        for front in Front::ALL {
            let server = TestServer::cases();
            let params = json!({"name": "demo_read", "arguments": {"q": "a"}});
            let message = request(version, "tools/call", params);
            let builder = server.post(&message).via(front);
            let builder = if version.is_modern() {
                builder.modern_headers()
            } else {
                builder.version(version.name())
            };
            let result = builder.send().result();
            assert!(
                result["content"][0]["text"]
                    .as_str()
                    .unwrap()
                    .contains("`a`"),
                "{result}"
            );
        }
    }
}

#[test]
fn any_instance_can_answer_any_request() {
    // Three processes answer in turn and share no state.
    let server = ServerConfig::new("cases").children(3).start();
    for _ in 0..4 {
        let client = json!({"name": "c", "version": "0"});
        let hello =
            json!({"protocolVersion": "2025-11-25", "capabilities": {}, "clientInfo": client});
        ask(&server, Version::V2025_11_25, "initialize", hello).result();
        let first = ask(&server, Version::V2025_11_25, "tools/list", json!({})).result();
        let next = json!({"cursor": first["nextCursor"]});
        let second = ask(&server, Version::V2025_11_25, "tools/list", next).result();
        assert_eq!(second["tools"][0]["name"], "demo_fail", "{second}");
    }
    let logs = server.finish();
    assert_eq!(logs.lines().count(), 12, "{logs}");
}

#[test]
fn one_process_serves_all_versions() {
    let server = TestServer::cases();
    for version in SERVED_VERSIONS
        .into_iter()
        .chain(SERVED_VERSIONS.into_iter().rev())
    {
        let result = ask(&server, version, "tools/list", json!({})).result();
        assert_eq!(result["tools"][0]["name"], "demo_read", "{version:?}");
        assert_eq!(
            result.get("resultType").is_some(),
            version.is_modern(),
            "{version:?}"
        );
    }
}

#[test]
fn initialize_works_and_is_not_required() {
    let server = TestServer::cases();
    for version in legacy() {
        let client = json!({"name": "c", "version": "0"});
        let hello =
            json!({"protocolVersion": version.name(), "capabilities": {}, "clientInfo": client});
        let message = request(version, "initialize", hello);
        let reply = server.post(&message).send();
        let result = reply.result();
        assert_eq!(result["protocolVersion"], version.name());
        assert_eq!(result["serverInfo"]["name"], "cases");
        assert_eq!(result["capabilities"]["tools"], json!({}), "{result}");
        assert_eq!(reply.header("mcp-session-id"), None, "there is no session");

        let initialized = json!({"jsonrpc": "2.0", "method": "notifications/initialized"});
        let reply = server.post(&initialized).version(version.name()).send();
        assert_eq!((reply.status, reply.body.len()), (202, 0));
        assert_eq!(
            server.post(&ping()).version(version.name()).send().result(),
            json!({})
        );
    }
}

#[test]
fn initialize_for_any_other_version_answers_with_the_newest_legacy_version() {
    let server = TestServer::cases();
    for asked in [
        "2024-11-05",
        "2024-10-07",
        "2026-07-28",
        "2099-01-01",
        "1.0.0",
        "",
    ] {
        let client = json!({"name": "c", "version": "0"});
        let hello = json!({"protocolVersion": asked, "capabilities": {}, "clientInfo": client});
        let message = request(Version::V2025_11_25, "initialize", hello);
        let result = server.post(&message).send().result();
        assert_eq!(result["protocolVersion"], "2025-11-25", "{asked}");
    }
}

#[test]
fn initialize_without_a_version_is_invalid() {
    let server = TestServer::cases();
    for params in [
        json!({}),
        json!({"protocolVersion": 20_251_125}),
        json!({"protocolVersion": null}),
    ] {
        let message = request(Version::V2025_11_25, "initialize", params.clone());
        let reply = server.post(&message).version("2025-11-25").send();
        assert_eq!(
            (reply.status, reply.error_code()),
            (200, -32602),
            "{params}: {reply:#?}"
        );
    }
}

#[test]
fn discovery_returns_versions_capabilities_and_identity() {
    let server = TestServer::cases();
    let reply = ask(&server, Version::V2026_07_28, "server/discover", json!({}));
    let result = reply.result();
    let versions: Vec<&str> = SERVED_VERSIONS
        .iter()
        .rev()
        .map(|version| version.name())
        .collect();
    assert_eq!(result["supportedVersions"], json!(versions));
    assert_eq!(result["capabilities"]["tools"], json!({}), "{result}");
    assert_eq!(
        result["_meta"]["io.modelcontextprotocol/serverInfo"]["name"],
        "cases"
    );
    assert_eq!(result["cacheScope"], "public");
    assert!(result["ttlMs"].as_u64().unwrap() > 0);
}

#[test]
fn each_era_has_only_its_own_methods() {
    let server = TestServer::cases();
    let gone = [
        "initialize",
        "ping",
        "logging/setLevel",
        "resources/subscribe",
        "roots/list",
    ];
    for method in gone
        .into_iter()
        .chain(["subscriptions/listen", "resources/list", "prompts/list"])
    {
        let reply = ask(&server, Version::V2026_07_28, method, json!({}));
        assert_eq!(
            (reply.status, reply.error_code()),
            (404, -32601),
            "{method}: {reply:#?}"
        );
    }
    for version in legacy() {
        for method in [
            "server/discover",
            "logging/setLevel",
            "resources/list",
            "tasks/get",
            "",
        ] {
            let reply = ask(&server, version, method, json!({}));
            assert_eq!(
                (reply.status, reply.error_code()),
                (200, -32601),
                "{method}: {reply:#?}"
            );
        }
    }
}

#[test]
fn ids_are_echoed_byte_for_byte() {
    let server = TestServer::cases();
    let ids = [
        "0",
        "-1",
        "9007199254740993",
        "-9223372036854775808",
        "\"\"",
        "\"a\"",
        "\"é\"",
        "\"\\u0000\"",
    ];
    for id in ids {
        let body = format!(r#"{{"jsonrpc":"2.0","id":{id},"method":"ping"}}"#);
        let text = server.post_raw(body).version("2025-11-25").send().text();
        assert!(text.contains(&format!("\"id\":{id}")), "{id}: {text}");
    }
}
