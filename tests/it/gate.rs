//! The gate: path, HTTP method, body size and media types.

use std::time::Duration;

use serde_json::{Value, json};

use harness::messages::{assert_lives, ping};
use harness::{Front, Reply, TestServer};

/// Maximum time of a rejection by a warm function. GET requests that hang are the reason for this test.
const AT_ONCE: Duration = Duration::from_millis(50);

fn method_not_allowed() -> Value {
    json!({"jsonrpc": "2.0", "error": {"code": -32000, "message": "Method not allowed."}, "id": null})
}

#[track_caller]
fn assert_405(reply: &Reply, method: &str) {
    assert_eq!(reply.status, 405, "{method}: {reply:#?}");
    assert_eq!(
        reply.header("allow").as_deref(),
        Some("POST, OPTIONS"),
        "{method}"
    );
    assert_eq!(
        reply.values("access-control-allow-origin").count(),
        1,
        "{method}"
    );
    assert_eq!(reply.header("www-authenticate"), None, "{method}");
    if method == "HEAD" {
        assert_eq!(reply.text(), "");
    } else {
        assert!(reply.is_json(), "{method}: {reply:#?}");
        assert_eq!(reply.json(), method_not_allowed(), "{method}");
    }
}

#[test]
fn only_post_is_allowed_whatever_the_headers() {
    let server = TestServer::cases();
    let content_types = [
        None,
        Some("application/json"),
        Some("text/html"),
        Some("@@"),
    ];
    let accepts = [
        None,
        Some("text/event-stream"),
        Some("application/json"),
        Some("image/png"),
    ];
    let credentials = [None, Some("Bearer some-token"), Some("Basic eDp5")];
    for method in ["GET", "DELETE", "PUT", "PATCH", "HEAD", "TRACE", "PROPFIND"] {
        for content_type in content_types {
            for accept in accepts {
                for credential in credentials {
                    let mut request = server.request(method, "/mcp");
                    let headers = [
                        ("Content-Type", content_type),
                        ("Accept", accept),
                        ("Authorization", credential),
                    ];
                    for (name, value) in headers {
                        if let Some(value) = value {
                            request = request.header(name, value);
                        }
                    }
                    assert_405(&request.send(), method);
                }
            }
        }
    }
    assert_lives(&server);
}

#[test]
fn other_methods_get_405_through_every_front_and_from_any_origin() {
    let server = TestServer::cases();
    for front in Front::ALL {
        for method in ["GET", "DELETE", "HEAD"] {
            let evil = server
                .request(method, "/mcp/")
                .header("Origin", "https://evil.example");
            assert_405(&evil.via(front).send(), method);
        }
    }
}

#[test]
fn a_get_for_an_event_stream_ends_at_once() {
    let server = TestServer::cases();
    let cold = server
        .request("GET", "/mcp")
        .header("Accept", "text/event-stream")
        .send();
    assert!(
        cold.elapsed < Duration::from_secs(3),
        "the first answer took {:?}",
        cold.elapsed
    );
    let mut times = Vec::new();
    for _ in 0..20 {
        let get = server
            .request("GET", "/mcp")
            .header("Accept", "text/event-stream")
            .send();
        assert_405(&get, "GET");
        times.push(get.elapsed);
    }
    // The median, because a busy machine can delay single requests.
    times.sort();
    assert!(times[times.len() / 2] < AT_ONCE, "a GET took {times:?}");
}

#[test]
fn unknown_paths_get_404_in_json() {
    let server = TestServer::cases();
    let paths = [
        "/",
        "/nope",
        "/sse",
        "/mcpx",
        "/mcp/x",
        "/MCP",
        "/mcp//",
        "/register",
        "/.well-known/oauth-authorization-server/mcp",
        "/.well-known/openid-configuration",
    ];
    for path in paths {
        for method in ["GET", "POST", "DELETE", "HEAD"] {
            for front in Front::ALL {
                let reply = server.request(method, path).via(front).send();
                assert_eq!(reply.status, 404, "{method} {path} {front:?}: {reply:#?}");
                assert_eq!(reply.body.is_empty(), method == "HEAD", "{method} {path}");
                assert!(reply.is_json(), "{method} {path}");
                assert_eq!(reply.header("www-authenticate"), None);
                assert_eq!(reply.values("access-control-allow-origin").count(), 1);
            }
        }
    }
}

#[test]
fn the_size_limit_is_exact_and_checked_before_parsing() {
    let server = TestServer::cases();
    let limit = 1024 * 1024;
    let ping = ping().to_string();
    let padded = |length: usize| format!("{ping}{}", " ".repeat(length - ping.len()));
    assert_eq!(server.post_raw(padded(limit)).send().status, 200);
    for base64 in [false, true] {
        let request = server.post_raw(padded(limit + 1));
        let reply = if base64 { request.base64() } else { request }.send();
        assert_eq!(reply.status, 413, "{reply:#?}");
        assert!(reply.is_json());
    }
    // A body that is too large is not parsed.
    let nonsense = server.post_raw("[".repeat(2 * limit)).send();
    assert_eq!(nonsense.status, 413, "{nonsense:#?}");
    assert_lives(&server);
}

#[test]
fn the_content_type_must_be_json() {
    let server = TestServer::cases();
    let cases = [
        (&["application/json"][..], 200),
        (&["application/json; charset=utf-8"], 200),
        (&["Application/JSON"], 200),
        (&[], 415),
        (&[""], 415),
        (&["text/plain"], 415),
        (&["application/x-www-form-urlencoded"], 415),
        (&["multipart/form-data; boundary=x"], 415),
        (&["application/jsonx"], 415),
        (&["text/plain; charset=application/json"], 415),
        (&["application/json", "text/plain"], 415),
    ];
    for (values, status) in cases {
        for front in Front::ALL {
            let mut request = server
                .post(&ping())
                .without_header("content-type")
                .via(front);
            for value in values {
                request = request.header("Content-Type", value);
            }
            let reply = request.send();
            assert_eq!(reply.status, status, "{values:?} {front:?}: {reply:#?}");
            assert!(reply.is_json(), "{values:?}");
        }
    }
}

#[test]
fn an_encoded_body_gets_415_and_the_supported_codings() {
    let server = TestServer::cases();
    let coded = |values: &[&str], front| {
        let mut request = server.post(&ping()).via(front);
        for value in values {
            request = request.header("Content-Encoding", value);
        }
        request.send()
    };
    for front in Front::ALL {
        let encoded: [&[&str]; 9] = [
            &["gzip"],
            &["GZIP"],
            &["br"],
            &["deflate"],
            &["zstd"],
            &["identity, gzip"],
            &["identity", "gzip"],
            &["x"],
            &["gzip;q=0"],
        ];
        for values in encoded {
            let reply = coded(values, front);
            assert_eq!(reply.status, 415, "{values:?}: {reply:#?}");
            let supported = reply.header("accept-encoding");
            assert_eq!(supported.as_deref(), Some("identity"), "{values:?}");
            assert!(reply.text().contains("`Content-Encoding`"), "{reply:#?}");
            assert!(reply.is_json(), "{values:?}");
        }
        let plain: [&[&str]; 4] = [
            &["identity"],
            &["Identity"],
            &[""],
            &["identity", "identity"],
        ];
        for values in plain {
            assert_eq!(coded(values, front).status, 200, "{values:?}");
        }
    }
    // A media type that is not supported is another matter: RFC 7694, section 3.
    let reply = server
        .post(&ping())
        .set_header("Content-Type", "text/plain")
        .send();
    assert_eq!(reply.status, 415);
    assert_eq!(reply.header("accept-encoding"), None);
}

#[test]
fn only_an_accept_header_that_excludes_both_types_gets_406() {
    let server = TestServer::cases();
    let cases = [
        ("application/json", 200),
        ("text/event-stream", 200),
        ("*/*", 200),
        ("application/*", 200),
        ("text/html, application/xhtml+xml, */*;q=0.8", 200),
        ("text/html", 406),
        ("image/png, text/plain", 406),
        ("application/json;q=0", 406),
        ("application/jsonx", 406),
    ];
    for (accept, status) in cases {
        let reply = server.post(&ping()).set_header("Accept", accept).send();
        assert_eq!(reply.status, status, "{accept}: {reply:#?}");
        if status == 406 {
            let text = reply.text();
            assert!(
                text.contains("application/json") && text.contains("text/event-stream"),
                "{text}"
            );
        }
    }
}

#[test]
fn the_response_is_json_unless_the_client_accepts_only_event_streams() {
    let server = TestServer::cases();
    assert!(server.post(&ping()).send().is_json());
    let reply = server
        .post(&ping())
        .set_header("Accept", "text/event-stream")
        .send();
    assert!(reply.is_sse(), "{reply:#?}");
    assert_eq!(reply.result(), json!({}));
}
