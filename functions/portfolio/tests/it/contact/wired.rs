//! The tool as it is shipped: with its credential, its limits, and where they come from.

use serde_json::{Value, json};

use super::local::{Folder, with_outbox};
use super::provider::Provider;
use super::{arguments, refusal, sent, with_resend};
use harness::messages::{request, with_headers};
use harness::{Outcome, Reply, SERVED_VERSIONS, ServerConfig, TestServer, Version};

/// A key and its digest; `printf %s test-key-valid | sha256sum` says the same.
const KEY: &str = "test-key-valid";
const DIGEST: &str = "sha256:38a00bea9166a4a651fd1c3b3f63c1c0b9df40a2d4fd6c285a67c5852ab9249f";
const OTHER_KEY: &str = "test-key-B";
const OTHER_DIGEST: &str =
    "sha256:a6587ba57e60546ba7a8982c0f7990c33da0a98dbf0bd86058ec4ad9a532c197";

fn keys() -> String {
    format!("ada {DIGEST} contact:send; bob {OTHER_DIGEST} contact:read")
}

/// The outbox, a credential, and the limits that are shipped.
fn shipped(folder: &Folder) -> ServerConfig {
    with_outbox(&folder.file("outbox.jsonl"))
        .env("CONTACT_AUTH", "bearer")
        .env("API_KEYS", &keys())
        .env("RATE_LIMITS", "")
}

/// Calls `contact`, with a key if there is one.
fn call(server: &TestServer, version: Version, key: Option<&str>, arguments: Value) -> Reply {
    let params = json!({"name": "contact", "arguments": arguments});
    let message = request(version, "tools/call", params);
    let builder = with_headers(server, version, &message);
    match key {
        Some(key) => builder.header("Authorization", &format!("Bearer {key}")),
        None => builder,
    }
    .send()
}

fn brief(number: u32) -> Value {
    json!({"brief": format!("Message {number}"), "contact": "ada@example.org"})
}

fn lines(folder: &Folder) -> usize {
    let text = std::fs::read_to_string(folder.file("outbox.jsonl"));
    text.map_or(0, |text| text.lines().count())
}

/// Why the function did not start.
#[track_caller]
fn start_error(config: ServerConfig) -> String {
    match config.start().post(&json!({})).outcome() {
        Outcome::InitError(words) => words,
        Outcome::Exited { logs, .. } => logs,
        other => panic!("it started: {other:?}"),
    }
}

#[test]
fn who_has_the_scope_sends_and_who_has_not_is_told_what_is_missing() {
    let folder = Folder::new("scope");
    let server = shipped(&folder).start();
    for version in [Version::V2026_07_28, Version::V2025_11_25] {
        let reply = call(&server, version, None, arguments());
        assert_eq!(reply.status, 401, "{reply:#?}");
        let challenge = reply.header("www-authenticate").unwrap();
        assert!(challenge.starts_with("Bearer"), "{challenge}");
        assert!(challenge.contains(r#"scope="contact:send""#), "{challenge}");
        let reply = call(&server, version, Some("test-key-other"), arguments());
        assert_eq!(reply.status, 401);
        let reply = call(&server, version, Some(OTHER_KEY), arguments());
        assert_eq!(reply.status, 403);
        let challenge = reply.header("www-authenticate").unwrap();
        assert!(challenge.contains("insufficient_scope"), "{challenge}");
    }
    assert_eq!(lines(&folder), 0);
    sent(&call(&server, Version::V2026_07_28, Some(KEY), arguments()));
    assert_eq!(lines(&folder), 1);
    let log = server.finish();
    assert!(
        !log.contains("SENTINEL") && !log.contains("test-key"),
        "{log}"
    );
}

/// A client asks the issuer for what the challenge names.
#[test]
fn the_scope_has_the_prefix_of_the_issuer_in_the_challenge_and_the_metadata() {
    let keys = json!({"keys": [{
        "kty": "OKP", "crv": "Ed25519", "x": "11qYAYKxCrfVS_7TyWQHOg7hcvPapiMlrwIaaPcHURo",
    }]});
    let folder = Folder::new("prefix");
    let issuer = "https://login.example.com";
    let config = shipped(&folder)
        .env("PUBLIC_URL", "https://mcp.example.com")
        .env("JWT_ISSUER", issuer)
        .env("JWT_SCOPE_PREFIX", "https://mcp.example.com/")
        .env("AUTHORIZATION_SERVERS", issuer);
    let asked = "https://mcp.example.com/contact:send";
    // Keys in a parameter are read when a token is checked.
    for (name, value) in [
        ("JWT_JWKS", keys.to_string()),
        ("JWT_JWKS_PARAMETER", "/portfolio/jwks".to_owned()),
    ] {
        let server = config.clone().env(name, &value).start();
        let reply = call(&server, Version::V2026_07_28, None, arguments());
        assert_eq!(reply.status, 401, "{reply:#?}");
        let challenge = reply.header("www-authenticate").unwrap();
        assert!(
            challenge.contains(&format!("scope=\"{asked}\"")),
            "{challenge}"
        );
        let path = "/.well-known/oauth-protected-resource";
        let document = server.request("GET", path).send().json();
        assert_eq!(document["scopes_supported"], json!([asked]));
    }
    let said = start_error(config.env("JWT_JWKS", "x").env("JWT_SCOPE_PREFIX", "a b"));
    assert!(said.contains("JWT_SCOPE_PREFIX: "), "{said}");
}

#[test]
fn what_is_public_stays_public_beside_it() {
    let folder = Folder::new("public");
    let server = shipped(&folder).start();
    for key in [None, Some("test-key-other")] {
        let params = json!({"name": "get_manifest", "arguments": {}});
        let message = request(Version::V2025_11_25, "tools/call", params);
        let mut builder = with_headers(&server, Version::V2025_11_25, &message);
        if let Some(key) = key {
            builder = builder.header("Authorization", &format!("Bearer {key}"));
        }
        assert_eq!(builder.send().status, 200, "{key:?}");
    }
}

#[test]
fn the_fourth_message_of_an_hour_is_too_many_and_a_refused_one_is_none() {
    let folder = Folder::new("limit");
    let server = shipped(&folder).start();
    for _ in 0..4 {
        assert_eq!(
            call(&server, Version::V2026_07_28, None, brief(0)).status,
            401
        );
        let misfit = call(
            &server,
            Version::V2026_07_28,
            Some(KEY),
            json!({"brief": ""}),
        );
        refusal(&misfit);
    }
    let replies: Vec<_> = (1..=6)
        .map(|number| call(&server, Version::V2026_07_28, Some(KEY), brief(number)))
        .collect();
    let admitted = replies.iter().filter(|reply| reply.status == 200).count();
    // A new hour may begin meanwhile.
    assert!((3..=6).contains(&admitted), "{replies:#?}");
    assert_eq!(lines(&folder), admitted);
    if admitted > 3 {
        return;
    }
    let denied = &replies[3];
    assert_eq!(denied.status, 429, "{denied:#?}");
    let wait: u64 = denied.header("retry-after").unwrap().parse().unwrap();
    assert!((1..=3600).contains(&wait), "{wait}");
    let error = &denied.json()["error"];
    assert_eq!(error["code"], 429);
    assert!(error["data"]["retryAfterMs"].as_u64().unwrap() <= 3_600_000);
    let other_era = call(&server, Version::V2025_11_25, Some(KEY), brief(7));
    assert_eq!(
        (other_era.status, &other_era.json()["error"]["code"]),
        (429, &json!(-32000))
    );
}

#[test]
fn a_limit_of_ones_own_takes_the_place_of_the_shipped_one() {
    let folder = Folder::new("own");
    let server = shipped(&folder).env("RATE_LIMITS", "contact=1/1d").start();
    let first = call(&server, Version::V2025_11_25, Some(KEY), brief(1));
    assert_eq!(first.status, 200);
    let policy = first.header("ratelimit-policy").unwrap();
    assert!(policy.contains("q=1;w=86400"), "{policy}");
}

#[test]
fn a_configuration_that_cannot_work_stops_the_function_with_a_line_for_each_fault() {
    let folder = Folder::new("faults");
    let bearer = shipped(&folder).env("API_KEYS", "");
    let said = start_error(bearer.clone());
    assert!(
        said.contains("CONTACT_AUTH: `bearer` needs API_KEYS or JWT_ISSUER"),
        "{said}"
    );
    let said = start_error(
        bearer
            .env("API_KEYS", "lmk_SENTINEL")
            .env("JWT_SECRET", "SENTINEL")
            .env("RATE_LIMITS", "contact=3/1w"),
    );
    for name in ["API_KEYS: entry 1", "JWT_SECRET: ", "RATE_LIMITS: `3/1w`"] {
        assert!(said.contains(name), "{said}");
    }
    assert!(
        !said.contains("SENTINEL") && !said.contains("CONTACT_AUTH"),
        "{said}"
    );
}

#[test]
fn on_lambda_limits_need_a_table() {
    let on_lambda = ServerConfig::new("portfolio")
        .env("LAMBDA_TASK_ROOT", "/var/task")
        .env("RATE_LIMITS", "get_resume=9/1m");
    let said = start_error(on_lambda.clone());
    assert!(said.contains("RATE_LIMIT_TABLE: is missing"), "{said}");
    let server = on_lambda.env("RATE_LIMIT_TABLE", "limits").start();
    let params = json!({"name": "get_manifest", "arguments": {}});
    let message = request(Version::V2025_11_25, "tools/call", params);
    assert_eq!(
        with_headers(&server, Version::V2025_11_25, &message)
            .send()
            .status,
        200
    );
}

/// Where everything that could be asked would be noticed: the mail service, the issuer's keys, the
/// table, and whoever hands out AWS credentials.
#[test]
fn a_request_that_only_reads_connects_to_nothing() {
    let noticed = Provider::start([]);
    let url = noticed.url();
    let server = with_resend(&url)
        .env("CONTACT_AUTH", "bearer")
        .env("API_KEYS", &keys())
        .env("JWT_ISSUER", "https://login.example.com")
        .env("JWT_JWKS_URL", &format!("{url}/keys"))
        .env("RATE_LIMIT_TABLE", "limits")
        .env("AWS_ENDPOINT_URL", &url)
        .env("AWS_CONTAINER_CREDENTIALS_FULL_URI", &format!("{url}/role"))
        .start();
    for version in SERVED_VERSIONS {
        for tool in ["get_manifest", "get_resume", "check_availability"] {
            let params = json!({"name": tool, "arguments": {}});
            let message = request(version, "tools/call", params);
            let builder = with_headers(&server, version, &message);
            let reply = builder.header("Authorization", "Bearer a.b.c").send();
            assert_eq!(reply.status, 200, "{reply:#?}");
        }
        for method in ["tools/list", "resources/list", "prompts/list"] {
            let message = request(version, method, json!({}));
            assert_eq!(with_headers(&server, version, &message).send().status, 200);
        }
    }
    for path in ["/health", "/mcp/server-card"] {
        assert_eq!(server.request("GET", path).send().status, 200, "{path}");
    }
    assert_eq!(
        call(&server, Version::V2025_11_25, None, arguments()).status,
        401
    );
    assert_eq!(noticed.connections(), 0);
    // And it would be noticed: a call that is to be counted asks for the credentials to do so.
    let reply = call(&server, Version::V2025_11_25, Some(KEY), arguments());
    assert_eq!(reply.status, 503, "{reply:#?}");
    assert!(noticed.connections() > 0);
}
