//! Resources: read by URI and by template, as text and as bytes, found or not.

use base64::Engine as _;
use base64::engine::general_purpose::STANDARD as BASE64;
use serde_json::{Value, json};

use harness::messages::{ask, request};
use harness::{Reply, SERVED_VERSIONS, ServerConfig, TestServer, Version};

fn conformance() -> TestServer {
    ServerConfig::conformance().start()
}

fn read(server: &TestServer, version: Version, uri: &str) -> Reply {
    ask(server, version, "resources/read", json!({"uri": uri}))
}

/// Fails unless there is nothing at the URI, in the words of the version.
#[track_caller]
fn assert_not_found(server: &TestServer, version: Version, uri: &str) {
    let reply = read(server, version, uri);
    let code = if version.is_modern() { -32602 } else { -32002 };
    assert_eq!(
        (reply.status, reply.error_code()),
        (200, code),
        "{uri}: {reply:#?}"
    );
    assert_eq!(reply.message()["error"]["data"]["uri"], uri, "{reply:#?}");
}

#[test]
fn resources_and_templates_are_listed_apart_in_their_order() {
    let server = conformance();
    for version in SERVED_VERSIONS {
        let listed = ask(&server, version, "resources/list", json!({})).result();
        let text = &listed["resources"][0];
        assert_eq!(text["uri"], "test://static-text");
        assert_eq!(text["name"], "static-text");
        assert_eq!(text["mimeType"], "text/plain");
        assert_eq!(text["annotations"], json!({"audience": ["assistant"]}));
        assert_eq!(listed["resources"][1]["size"], 69, "{listed}");
        let listed = ask(&server, version, "resources/templates/list", json!({})).result();
        let templates: Vec<&Value> = listed["resourceTemplates"]
            .as_array()
            .unwrap()
            .iter()
            .map(|template| &template["uriTemplate"])
            .collect();
        assert_eq!(
            templates,
            ["test://template/{id}/data", "test://files/{+path}"]
        );
    }
}

#[test]
fn text_bytes_and_templates_are_read_in_every_version() {
    let server = conformance();
    for version in SERVED_VERSIONS {
        let result = read(&server, version, "test://static-text").result();
        let text = "This is the content of the static text resource.";
        assert_eq!(
            result["contents"],
            json!([{"uri": "test://static-text", "mimeType": "text/plain", "text": text}])
        );
        assert_eq!(result.get("resultType").is_some(), version.is_modern());

        let result = read(&server, version, "test://static-binary").result();
        let image = &result["contents"][0];
        assert_eq!(image["mimeType"], "image/png");
        assert_eq!(image.get("text"), None);
        let bytes = BASE64.decode(image["blob"].as_str().unwrap()).unwrap();
        assert!(bytes.starts_with(b"\x89PNG"), "{image}");

        let result = read(&server, version, "test://template/123/data").result();
        let data = &result["contents"][0];
        assert_eq!(data["uri"], "test://template/123/data");
        assert_eq!(data["mimeType"], "application/json");
        let data: Value = serde_json::from_str(data["text"].as_str().unwrap()).unwrap();
        let expected = json!({"id": "123", "templateTest": true, "data": "Data for ID: 123"});
        assert_eq!(data, expected);

        // `+` takes slashes, and what is percent-encoded means what it encodes.
        for uri in [
            "test://files/notes/today.txt",
            "test://files/notes%2Ftoday%2Etxt",
        ] {
            let result = read(&server, version, uri).result();
            assert_eq!(result["contents"][0]["text"], "Nothing happened.");
            assert_eq!(result["contents"][0]["uri"], uri);
        }
    }
}

#[test]
fn what_is_not_there_is_not_found_in_the_words_of_each_era() {
    let server = conformance();
    let absent = [
        "test://nothing",
        "TEST://static-text",
        "test://static-text/",
        "test://template/",
        "test://template/1/2/data",
        // The form fits, the value does not: no number, too large, no UTF-8.
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
    for version in SERVED_VERSIONS {
        for uri in absent {
            assert_not_found(&server, version, uri);
        }
    }
}

#[test]
fn a_failure_is_told_to_the_log_and_not_to_the_client() {
    let server = conformance();
    for version in SERVED_VERSIONS {
        let reply = read(&server, version, "test://files/broken");
        assert_eq!(
            (reply.status, reply.error_code()),
            (200, -32603),
            "{reply:#?}"
        );
        assert!(!reply.text().contains("SENTINEL"), "{reply:#?}");
    }
    let log = server.finish();
    let failures = log.matches("SENTINEL-DISK").count();
    assert_eq!(failures, SERVED_VERSIONS.len(), "{log}");
}

#[test]
fn a_read_without_a_uri_is_invalid() {
    let server = conformance();
    for version in SERVED_VERSIONS {
        for params in [
            json!({}),
            json!({"uri": 5}),
            json!({"uri": null}),
            json!({"url": "x"}),
        ] {
            let reply = ask(&server, version, "resources/read", params.clone());
            // In the modern era, the required header cannot match either.
            let expected = if version.is_modern() {
                (400, -32020)
            } else {
                (200, -32602)
            };
            let outcome = (reply.status, reply.error_code());
            assert_eq!(outcome, expected, "{params}: {reply:#?}");
        }
    }
}

#[test]
fn the_name_header_repeats_the_uri() {
    let server = conformance();
    let message = request(
        Version::V2026_07_28,
        "resources/read",
        json!({"uri": "test://static-text"}),
    );
    let named = |name: &str| {
        server
            .post(&message)
            .modern_headers()
            .set_header("Mcp-Name", name)
    };
    for good in ["test://static-text", "=?base64?dGVzdDovL3N0YXRpYy10ZXh0?="] {
        assert_eq!(named(good).send().status, 200, "{good}");
    }
    for bad in [
        "test://static-binary",
        "static-text",
        "",
        "=?base64?dGVzdA==?=",
    ] {
        let reply = named(bad).send();
        assert_eq!(
            (reply.status, reply.error_code()),
            (400, -32020),
            "{bad}: {reply:#?}"
        );
    }
}

#[test]
fn the_cook_book_example_serves_its_recipes() {
    let server = ServerConfig::new("resources_and_prompts").start();
    for version in SERVED_VERSIONS {
        let listed = ask(&server, version, "resources/list", json!({})).result();
        assert_eq!(listed["resources"][0]["uri"], "recipes:contents");
        let contents = read(&server, version, "recipes:contents").result();
        assert_eq!(
            contents["contents"][0]["text"],
            "- pancakes\n- lentil soup\n"
        );
        let soup = read(&server, version, "recipes://lentil%20soup").result();
        let text = soup["contents"][0]["text"].as_str().unwrap();
        assert!(text.contains("lentils"), "{soup}");
        assert_not_found(&server, version, "recipes://cake");
    }
}
