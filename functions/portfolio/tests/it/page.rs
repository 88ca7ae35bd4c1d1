//! The page for people and the documents beside it, and the commands that write them.

use std::path::Path;
use std::process::{Command, Output};

use serde_json::{Value, json};

use crate::content::Folder;
use harness::messages::ask;
use harness::{ServerConfig, Version};

fn portfolio(arguments: &[&str]) -> Output {
    let mut command = Command::new(env!("CARGO_BIN_EXE_portfolio"));
    command.args(arguments).env_clear().output().unwrap()
}

fn text(output: &Output) -> String {
    String::from_utf8(output.stdout.clone()).unwrap()
}

#[test]
fn the_page_and_its_documents_are_served() {
    let server = ServerConfig::new("portfolio").start();
    let rows = [
        (
            "/",
            "text/html; charset=utf-8",
            "<h1>Ottoline Quillfeather</h1>",
        ),
        (
            "/resume.json",
            "application/json",
            "\"Ottoline Quillfeather\"",
        ),
        (
            "/resume.md",
            "text/markdown; charset=utf-8",
            "# Ottoline Quillfeather",
        ),
        (
            "/llms.txt",
            "text/plain; charset=utf-8",
            "/mcp/server-card)",
        ),
    ];
    for (path, media_type, part) in rows {
        let reply = server.request("GET", path).send();
        assert_eq!(reply.status, 200, "{path}");
        assert_eq!(reply.header("content-type").as_deref(), Some(media_type));
        assert_eq!(
            reply.header("x-content-type-options").as_deref(),
            Some("nosniff")
        );
        assert!(reply.text().contains(part), "{path}: {}", reply.text());
        let tag = reply.header("etag").unwrap();
        let again = server
            .request("GET", path)
            .header("If-None-Match", &tag)
            .send();
        assert_eq!((again.status, again.body.len()), (304, 0), "{path}");
        assert_eq!(server.request("POST", path).send().status, 405, "{path}");
    }
}

#[test]
fn the_documents_are_those_of_the_protocol_and_name_no_get_of_the_endpoint() {
    let server = ServerConfig::new("portfolio").start();
    let json = server.request("GET", "/resume.json").send().json();
    let tool = ask(
        &server,
        Version::V2025_11_25,
        "resources/read",
        json!({"uri": "resume://json"}),
    );
    let tool: Value =
        serde_json::from_str(tool.result()["contents"][0]["text"].as_str().unwrap()).unwrap();
    assert_eq!(json, tool);
    let get = server.request("GET", "/mcp").send();
    assert_eq!(get.status, 405);
    for path in ["/", "/llms.txt"] {
        assert!(
            !server
                .request("GET", path)
                .send()
                .text()
                .contains("GET http"),
            "{path}"
        );
    }
}

#[test]
fn an_owner_publishes_texts_and_can_remove_the_page() {
    let folder = Folder::new("well-known");
    folder.write("resume.json", r#"{"basics": {"name": "A"}}"#);
    folder.write("profile.toml", "[page]\nenabled = false\n");
    std::fs::create_dir(folder.path().join("well-known")).unwrap();
    folder.write(
        "well-known/mcp-registry-auth",
        "v=MCPv1; k=ed25519; p=abc=\n",
    );
    folder.write("well-known/other", "x");
    let server = folder.serve();
    let reply = server
        .request("GET", "/.well-known/mcp-registry-auth")
        .send();
    assert_eq!(
        (reply.status, reply.text().as_str()),
        (200, "v=MCPv1; k=ed25519; p=abc=")
    );
    for path in [
        "/.well-known/other",
        "/.well-known/security.txt",
        "/",
        "/resume.json",
        "/resume.md",
        "/llms.txt",
    ] {
        assert_eq!(server.request("GET", path).send().status, 404, "{path}");
    }
    let checked = portfolio(&["check-content", folder.path().to_str().unwrap()]);
    assert!(
        text(&checked).contains("well-known/other: is not published"),
        "{}",
        text(&checked)
    );
}

#[test]
fn the_page_can_be_written_as_files_that_name_the_server() {
    let folder = Folder::new("written-page");
    let out = folder.path().join("out");
    let done = portfolio(&[
        "page",
        out.to_str().unwrap(),
        "--url",
        "https://mcp.example.com",
    ]);
    assert!(done.status.success(), "{}", text(&done));
    let read = |name: &str| std::fs::read_to_string(out.join(name)).unwrap();
    let page = read("index.html");
    let url = "https://mcp.example.com";
    for part in [
        format!("<link rel=\"canonical\" href=\"{url}/\">"),
        format!("data-endpoint=\"{url}/mcp\""),
        format!("connect-src 'self' {url}/mcp;").replace('\'', "&#39;"),
    ] {
        let plain = page.replace("&apos;", "&#39;").replace('\'', "&#39;");
        assert!(plain.contains(&part), "{part}: {page}");
    }
    assert!(read("llms.txt").contains(&format!("{url}/resume.md")));
    let server = ServerConfig::new("portfolio")
        .env("PUBLIC_URL", url)
        .start();
    assert_eq!(server.request("GET", "/").send().text(), page);
    for arguments in [
        &["page"][..],
        &["page", "a", "b"],
        &["page", "a", "--url", "nonsense"],
    ] {
        let refused = portfolio(arguments);
        assert!(!refused.status.success(), "{arguments:?}");
    }
}

#[test]
fn the_entry_for_the_registry_follows_its_schema() {
    let schema = Path::new(env!("CARGO_MANIFEST_DIR"))
        .join("../../tests/data/schemas/registry-2025-12-11.schema.json");
    let schema: Value = serde_json::from_str(&std::fs::read_to_string(schema).unwrap()).unwrap();
    let validator = jsonschema::validator_for(&schema).unwrap();
    let printed = portfolio(&["server-json", "https://mcp.example.com"]);
    let entry: Value = serde_json::from_str(&text(&printed)).unwrap();
    assert!(validator.is_valid(&entry), "{entry:#}");
    assert_eq!(entry["name"], "com.example.mcp/portfolio");

    let folder = Folder::new("registry-name");
    folder.write("resume.json", r#"{"basics": {"name": "A"}}"#);
    folder.write("profile.toml", "[server]\nname = \"io.github.ada/cv\"\n");
    let content = folder.path().to_str().unwrap();
    let printed = portfolio(&[
        "server-json",
        "https://mcp.example.com",
        "--content",
        content,
    ]);
    let entry: Value = serde_json::from_str(&text(&printed)).unwrap();
    assert!(validator.is_valid(&entry), "{entry:#}");
    let server = folder.serve();
    let said = ask(&server, Version::V2026_07_28, "server/discover", json!({})).result();
    let info = &said["_meta"]["io.modelcontextprotocol/serverInfo"];
    let card = server.request("GET", "/mcp/server-card").send().json();
    for member in ["name", "version"] {
        assert_eq!(info[member], entry[member], "{member}");
        assert_eq!(info[member], card[member], "{member}");
    }
    let refused = portfolio(&["server-json", "http://localhost:9000"]);
    assert!(!refused.status.success());
    assert!(
        text(&refused).contains("name the server like"),
        "{}",
        text(&refused)
    );
}
