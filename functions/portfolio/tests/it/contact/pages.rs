//! `contact` without a credential, from web pages: a page that is not named may read, and sends nothing.

use serde_json::{Value, json};

use super::local::{Folder, with_outbox};
use super::{arguments, sent};
use harness::messages::{request, with_headers};
use harness::{Reply, SERVED_VERSIONS, ServerConfig, TestServer, Version};

const EVIL: &str = "https://evil.example";
/// A key and its digest, as in `wired`.
const KEY: &str = "test-key-valid";
const KEYS: &str =
    "ada sha256:38a00bea9166a4a651fd1c3b3f63c1c0b9df40a2d4fd6c285a67c5852ab9249f contact:send";

fn anonymous(folder: &Folder) -> ServerConfig {
    with_outbox(&folder.file("outbox.jsonl")).env("API_KEYS", KEYS)
}

fn call(server: &TestServer, version: Version, tool: &str, headers: &[(&str, &str)]) -> Reply {
    let arguments = if tool == "contact" {
        arguments()
    } else {
        json!({})
    };
    let params = json!({"name": tool, "arguments": arguments});
    let message = request(version, "tools/call", params);
    let builder = with_headers(server, version, &message);
    let builder = headers.iter().fold(builder, |builder, (name, value)| {
        builder.header(name, value)
    });
    builder.send()
}

fn lines(folder: &Folder) -> usize {
    let text = std::fs::read_to_string(folder.file("outbox.jsonl"));
    text.map_or(0, |text| text.lines().count())
}

#[test]
fn a_page_of_an_origin_that_is_not_named_reads_but_sends_nothing() {
    let folder = Folder::new("pages");
    for config in [
        anonymous(&folder),
        anonymous(&folder).env("ALLOWED_ORIGINS", "*"),
    ] {
        let server = config.start();
        for version in SERVED_VERSIONS {
            for origin in [EVIL, "null"] {
                let page = [("Origin", origin)];
                let reply = call(&server, version, "get_manifest", &page);
                assert_eq!(reply.status, 200, "{version:?}");
                assert!(reply.result()["content"].is_array());
                let reply = call(&server, version, "contact", &page);
                assert_eq!(reply.status, 403, "{version:?} {reply:#?}");
                assert_eq!(reply.error_code(), -32600);
                let words = reply.message()["error"]["message"].to_string();
                assert!(words.contains("`contact` without a credential"), "{words}");
                let cors = reply.header("access-control-allow-origin");
                assert_eq!(cors.as_deref(), Some("*"));
            }
        }
    }
    assert_eq!(lines(&folder), 0);
}

#[test]
fn named_pages_those_of_this_machine_and_other_clients_send() {
    let folder = Folder::new("named-pages");
    let server = anonymous(&folder)
        .env("ALLOWED_ORIGINS", "*, https://app.example.com")
        .start();
    let version = Version::V2026_07_28;
    let rows: [&[(&str, &str)]; 3] = [
        &[],
        &[("Origin", "https://app.example.com")],
        &[("Origin", "http://localhost:6274")],
    ];
    for headers in rows {
        sent(&call(&server, version, "contact", headers));
    }
}

#[test]
fn a_page_with_a_credential_sends_and_the_owner_sees_whose_it_is() {
    let folder = Folder::new("page-credential");
    let server = anonymous(&folder).start();
    let version = Version::V2026_07_28;
    let wrong = [("Origin", EVIL), ("Authorization", "Bearer test-key-other")];
    assert_eq!(call(&server, version, "contact", &wrong).status, 403);
    let bearer = format!("Bearer {KEY}");
    let headers = [("Origin", EVIL), ("Authorization", bearer.as_str())];
    sent(&call(&server, version, "contact", &headers));
    let text = std::fs::read_to_string(folder.file("outbox.jsonl")).unwrap();
    let line: Value = serde_json::from_str(text.lines().next().unwrap()).unwrap();
    let text = line["text"].as_str().unwrap();
    assert!(text.contains("Credential: ada"), "{text}");
}

#[test]
fn in_a_batch_only_the_message_with_an_effect_is_refused() {
    let folder = Folder::new("page-batch");
    let server = anonymous(&folder).start();
    let message = |id: u32, tool: &str, arguments: Value| {
        let params = json!({"name": tool, "arguments": arguments});
        json!({"jsonrpc": "2.0", "id": id, "method": "tools/call", "params": params})
    };
    let batch = json!([
        message(1, "get_manifest", json!({})),
        message(2, "contact", arguments())
    ]);
    let reply = server
        .post(&batch)
        .version("2025-03-26")
        .header("Origin", EVIL)
        .send();
    assert_eq!(reply.status, 200, "{reply:#?}");
    let answers = reply.json();
    assert!(answers[0]["result"].is_object(), "{answers}");
    assert_eq!(answers[1]["error"]["code"], -32600, "{answers}");
    assert_eq!(lines(&folder), 0);
}

#[test]
fn anonymous_senders_leave_a_reserve_for_those_with_a_credential() {
    let folder = Folder::new("reserve");
    let server = anonymous(&folder)
        .env("RATE_LIMITS", "contact=100/365d,total:3/365d:reserve=1")
        .start();
    let version = Version::V2025_11_25;
    let bearer = format!("Bearer {KEY}");
    let credential = [("Authorization", bearer.as_str())];
    let statuses = [&[][..], &[], &[], &credential, &credential]
        .map(|headers| call(&server, version, "contact", headers).status);
    assert_eq!(statuses, [200, 200, 429, 200, 429]);
}
