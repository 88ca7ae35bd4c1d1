//! Resources: read by URI and by template, as text and as bytes, found or not.

use lambda_mcp::protocol::{Era, ProtocolVersion};
use lambda_mcp::{Server, resource};
use serde_json::{Value, json};

use harness::messages::ask;
use harness::{SERVED_VERSIONS, ServerConfig};

use crate::fixtures::{assert_refused, client, conformance};

/// Fails unless there is nothing at the URI, with the code of the version.
async fn assert_not_found(server: &Server, version: ProtocolVersion, uri: &str) {
    let response = client(server, version).read(uri).await;
    let code = match version.era() {
        Era::Modern => -32602,
        Era::Legacy => -32002,
    };
    let error = assert_refused(&response, 200, code);
    assert_eq!(error.data["uri"], uri, "{response}");
}

#[tokio::test]
async fn resources_and_templates_are_listed_apart_in_their_order() {
    let server = conformance();
    for version in ProtocolVersion::ALL {
        let client = client(&server, version);
        let listed = client.resources().await;
        let resources: Vec<&Value> = listed.iter().collect();
        let text = resources[0];
        assert_eq!(text["uri"], "test://static-text");
        assert_eq!(text["name"], "static-text");
        assert_eq!(text["mimeType"], "text/plain");
        assert_eq!(text["annotations"], json!({"audience": ["assistant"]}));
        assert_eq!(resources[1]["size"], 69, "{listed:?}");
        assert_eq!(
            client.resource_templates().await.names(),
            ["test://template/{id}/data", "test://files/{+path}"]
        );
    }
}

#[tokio::test]
async fn text_bytes_and_templates_are_read_in_every_version() {
    let server = conformance();
    for version in ProtocolVersion::ALL {
        let client = client(&server, version);
        let response = client.read("test://static-text").await;
        let text = "This is the content of the static text resource.";
        assert_eq!(
            response.result()["contents"],
            json!([{"uri": "test://static-text", "mimeType": "text/plain", "text": text}])
        );
        let is_modern = version.era() == Era::Modern;
        assert_eq!(response.result().get("resultType").is_some(), is_modern);

        let response = client.read("test://static-binary").await;
        let image = &response.contents()[0];
        assert_eq!(image["mimeType"], "image/png");
        assert_eq!(image.get("text"), None);
        assert!(response.bytes().starts_with(b"\x89PNG"), "{image}");

        let response = client.read("test://template/123/data").await;
        let data = &response.contents()[0];
        assert_eq!(data["uri"], "test://template/123/data");
        assert_eq!(data["mimeType"], "application/json");
        let data: Value = serde_json::from_str(data["text"].as_str().unwrap()).unwrap();
        let expected = json!({"id": "123", "templateTest": true, "data": "Data for ID: 123"});
        assert_eq!(data, expected);

        // `+` matches slashes, and what is percent-encoded means what it encodes.
        for uri in [
            "test://files/notes/today.txt",
            "test://files/notes%2Ftoday%2Etxt",
        ] {
            let response = client.read(uri).await;
            assert_eq!(response.contents()[0]["text"], "Nothing happened.");
            assert_eq!(response.contents()[0]["uri"], uri);
        }
    }
}

#[tokio::test]
async fn an_unknown_uri_has_the_code_of_its_era() {
    let server = conformance();
    let absent = [
        "test://nothing",
        "TEST://static-text",
        "test://static-text/",
        "test://template/",
        "test://template/1/2/data",
        // The form fits, the value does not: not a number, too large, not UTF-8.
        "test://template/abc/data",
        "test://template/1001/data",
        "test://template/-1/data",
        "test://template/%FF/data",
        // The handler says so.
        "test://files/nothing",
        "test://files/../etc/passwd",
        "static-text",
        "",
    ];
    for version in ProtocolVersion::ALL {
        for uri in absent {
            assert_not_found(&server, version, uri).await;
        }
    }
}

/// In a process of its own, for its log.
#[test]
fn the_cause_of_a_failure_is_logged_and_not_sent() {
    let server = ServerConfig::conformance().start();
    for version in SERVED_VERSIONS {
        let params = json!({"uri": "test://files/broken"});
        let reply = ask(&server, version, "resources/read", params);
        assert_eq!(
            (reply.status, reply.error_code()),
            (200, -32603),
            "{reply:#?}"
        );
        assert!(!reply.text().contains("SENTINEL"), "{reply:#?}");
    }
    let log = server.finish();
    let logged = log.matches("SENTINEL-DISK").count();
    assert_eq!(logged, SERVED_VERSIONS.len(), "{log}");
}

#[tokio::test]
async fn a_read_without_a_uri_is_invalid() {
    let server = conformance();
    for version in ProtocolVersion::ALL {
        for params in [
            json!({}),
            json!({"uri": 5}),
            json!({"uri": null}),
            json!({"url": "x"}),
        ] {
            let client = client(&server, version);
            let response = client.request("resources/read", params).await;
            // In the modern era, the required header cannot match either.
            match version.era() {
                Era::Legacy => assert_refused(&response, 200, -32602),
                Era::Modern => assert_refused(&response, 400, -32020),
            };
        }
    }
}

#[tokio::test]
async fn the_name_header_repeats_the_uri() {
    let client = client(&conformance(), ProtocolVersion::V2026_07_28);
    let named = |name: &str| client.read("test://static-text").header("Mcp-Name", name);
    for good in ["test://static-text", "=?base64?dGVzdDovL3N0YXRpYy10ZXh0?="] {
        assert_eq!(named(good).await.status(), 200, "{good}");
    }
    for bad in [
        "test://static-binary",
        "static-text",
        "",
        "=?base64?dGVzdA==?=",
    ] {
        assert_refused(&named(bad).await, 400, -32020);
    }
}

#[tokio::test]
async fn a_resource_that_changes_has_a_shorter_time_in_caches() {
    async fn text() -> &'static str {
        "text"
    }
    let seconds = std::time::Duration::from_secs;
    let server = Server::builder("orders", "1.0.0")
        .cache_ttl(seconds(60))
        .resource(resource("order:1", "one", text).cache_ttl(seconds(5)))
        .resource(resource("order:2", "two", text).cache_ttl(seconds(0)))
        .resource(resource("order:3", "three", text))
        .build()
        .unwrap();
    let client = client(&server, ProtocolVersion::V2026_07_28);
    for (uri, ttl_ms) in [("order:1", 5_000), ("order:2", 0), ("order:3", 60_000)] {
        assert_eq!(client.read(uri).await.result()["ttlMs"], ttl_ms, "{uri}");
    }
}
