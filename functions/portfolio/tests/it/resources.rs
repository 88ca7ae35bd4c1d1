//! The shipped function's resources and the completion of their names, in every version.

use serde_json::{Value, json};

use crate::content::Folder;
use harness::messages::{ask, call};
use harness::{Reply, SERVED_VERSIONS, ServerConfig, TestServer, Version};

/// What the shipped example person has but does not publish, without the escapes of Markdown.
const PRIVATE: [&str; 4] = ["555-0142", "ottoline@", "Lighthouse Steps", "EX4 0PL"];

pub(crate) fn portfolio() -> TestServer {
    ServerConfig::new("portfolio").start()
}

/// The entries of a list.
pub(crate) fn listed(
    server: &TestServer,
    version: Version,
    method: &str,
    member: &str,
) -> Vec<Value> {
    let result = ask(server, version, method, json!({})).result();
    assert_eq!(
        result.get("nextCursor"),
        None,
        "{method} has more than one page"
    );
    result[member].as_array().unwrap().clone()
}

pub(crate) fn resources(server: &TestServer, version: Version) -> Vec<Value> {
    listed(server, version, "resources/list", "resources")
}

pub(crate) fn templates(server: &TestServer, version: Version) -> Vec<Value> {
    listed(
        server,
        version,
        "resources/templates/list",
        "resourceTemplates",
    )
}

fn read(server: &TestServer, version: Version, uri: &str) -> Reply {
    ask(server, version, "resources/read", json!({"uri": uri}))
}

/// The text of a resource, which is all there is at its URI.
pub(crate) fn text(server: &TestServer, version: Version, uri: &str, mime_type: &str) -> String {
    let result = read(server, version, uri).result();
    let contents = result["contents"].as_array().unwrap();
    assert_eq!(contents.len(), 1, "{uri}");
    assert_eq!(contents[0]["uri"], uri);
    assert_eq!(contents[0]["mimeType"], mime_type, "{uri}");
    if version.is_modern() {
        assert_eq!(result["cacheScope"], "public", "{uri}");
        assert!(result["ttlMs"].as_u64().is_some_and(|ms| ms > 0), "{uri}");
    }
    contents[0]["text"].as_str().unwrap().to_owned()
}

#[track_caller]
pub(crate) fn assert_nothing_private(text: &str) {
    for private in PRIVATE {
        assert!(
            !text.replace('\\', "").contains(private),
            "{private}: {text}"
        );
    }
}

/// Percent-encodes a variable for a URI.
fn encoded(text: &str) -> String {
    text.bytes()
        .map(|b| match b {
            b'a'..=b'z' | b'A'..=b'Z' | b'0'..=b'9' => char::from(b).to_string(),
            _ => format!("%{b:02X}"),
        })
        .collect()
}

/// What a template's variable, or a prompt's argument, could be.
pub(crate) fn completed(
    server: &TestServer,
    version: Version,
    reference: &Value,
    argument: &str,
    value: &str,
) -> Value {
    let params = json!({"ref": reference, "argument": {"name": argument, "value": value}});
    let completion =
        ask(server, version, "completion/complete", params).result()["completion"].clone();
    assert_eq!(completion["hasMore"], false, "{argument} {value}");
    completion["values"].clone()
}

pub(crate) fn template(uri: &str) -> Value {
    json!({"type": "ref/resource", "uri": uri})
}

#[test]
fn what_is_listed_in_the_newest_handshake_version() {
    let server = portfolio();
    let version = Version::V2025_11_25;
    let lists = json!({
        "resources": resources(&server, version),
        "resourceTemplates": templates(&server, version),
        "prompts": listed(&server, version, "prompts/list", "prompts"),
    });
    insta::assert_json_snapshot!(lists);
}

#[test]
fn every_listed_resource_is_read_in_every_version_and_is_as_long_as_it_says() {
    let server = portfolio();
    for version in SERVED_VERSIONS {
        let listed = resources(&server, version);
        assert_eq!(listed.len(), 17, "{version:?}");
        for resource in listed {
            let uri = resource["uri"].as_str().unwrap();
            let mime_type = resource["mimeType"].as_str().unwrap();
            let text = text(&server, version, uri, mime_type);
            assert_eq!(resource["size"], text.len(), "{uri}");
            assert_nothing_private(&text);
            match mime_type {
                "text/markdown" => assert!(text.starts_with("# "), "{uri}: {text}"),
                _ => assert_eq!(
                    serde_json::from_str::<Value>(&text).unwrap()["basics"]["name"],
                    "Ottoline Quillfeather"
                ),
            }
        }
    }
}

#[test]
fn everything_that_is_completed_for_a_template_can_be_read_by_it() {
    let server = portfolio();
    for version in SERVED_VERSIONS {
        for listed in templates(&server, version) {
            let uri_template = listed["uriTemplate"].as_str().unwrap();
            let mime_type = listed["mimeType"].as_str().unwrap();
            let (before, variable) = uri_template.split_once('{').unwrap();
            let variable = variable.trim_end_matches('}');
            let names = completed(&server, version, &template(uri_template), variable, "");
            let names = names.as_array().unwrap();
            assert!(names.len() >= 6, "{uri_template}: {names:?}");
            for name in names.iter().map(|name| name.as_str().unwrap()) {
                let uri = format!("{before}{}", encoded(name));
                let text = text(&server, version, &uri, mime_type);
                assert_nothing_private(&text);
                let is_json = serde_json::from_str::<Value>(&text).is_ok();
                assert_eq!(is_json, mime_type == "application/json", "{uri}");
                assert!(
                    text.contains(name) || variable == "section",
                    "{uri}: {text}"
                );
            }
        }
    }
}

#[test]
fn a_section_or_project_is_found_in_whatever_case_and_says_what_the_tool_says() {
    let server = portfolio();
    let version = Version::V2026_07_28;
    let project = text(
        &server,
        version,
        "resume://markdown/projects/quiet%20pager",
        "text/markdown",
    );
    assert!(
        project.starts_with("# Quiet Pager\n\nA project of Ottoline Quillfeather\n\nfeatured · ")
    );
    let work = text(
        &server,
        version,
        "resume://json/sections/Work",
        "application/json",
    );
    let tool = call(
        &server,
        Version::V2025_11_25,
        "get_resume",
        json!({"section": "work"}),
    );
    assert_eq!(
        serde_json::from_str::<Value>(&work).unwrap(),
        tool.result()["structuredContent"]
    );
}

#[test]
fn what_is_not_there_has_the_code_of_its_era() {
    let server = portfolio();
    for uri in [
        "resume://markdown/sections/hobbies",
        "resume://json/sections/availability",
        "resume://markdown/projects/Nothing",
        "resume://json/projects/",
        "resume://pdf",
        "file:///etc/passwd",
    ] {
        for version in SERVED_VERSIONS {
            let reply = read(&server, version, uri);
            let code = if version.is_modern() { -32602 } else { -32002 };
            assert_eq!(reply.error_code(), code, "{uri} {version:?}");
            assert_eq!(reply.message()["error"]["data"]["uri"], uri, "{version:?}");
        }
    }
}

#[test]
fn a_nearly_empty_resume_has_its_resources_and_prompts_too() {
    let folder = Folder::new("nearly-empty");
    folder.write(
        "resume.json",
        r#"{"basics": {"name": "A", "phone": "+1 202-555-0142"}}"#,
    );
    let server = folder.serve();
    let version = Version::V2026_07_28;
    let uris: Vec<Value> = resources(&server, version)
        .iter()
        .map(|r| r["uri"].clone())
        .collect();
    assert_eq!(
        uris,
        [
            "resume://markdown",
            "resume://json",
            "resume://markdown/sections/contact"
        ]
    );
    let whole = text(&server, version, "resume://markdown", "text/markdown");
    assert_eq!(
        whole,
        "# A\n\n## Contact\n\n- **Not published:** phone number\n"
    );
    let params = json!({"name": "write_introduction", "arguments": {"occasion": "x"}});
    let result = ask(&server, version, "prompts/get", params).result();
    let task = result["messages"][1]["content"]["text"].to_string();
    assert!(task.contains("No contact details are published"), "{task}");
    assert!(task.contains("does not publish a phone number"), "{task}");
}

#[test]
fn what_an_owner_publishes_is_in_the_document_and_the_rest_is_not() {
    let folder = Folder::new("published-offers");
    folder.write(
        "resume.json",
        r#"{"basics": {"name": "A", "email": "a_b@example.com", "phone": "+1 202-555-0142"},
            "projects": [{"name": "Ask a_b@example.com / +1 202-555-0142?"}]}"#,
    );
    folder.write("profile.toml", "[publish]\nemail = true\n");
    let server = folder.serve();
    let version = Version::V2026_07_28;
    let whole = text(&server, version, "resume://markdown", "text/markdown");
    assert!(whole.contains("- **E-mail:** a_b@example.com"), "{whole}");
    let names = completed(
        &server,
        version,
        &template("resume://json/projects/{project}"),
        "project",
        "",
    );
    assert_eq!(names, json!(["Ask a_b@example.com / [withheld]?"]));
    let uri = format!(
        "resume://markdown/projects/{}",
        encoded(names[0].as_str().unwrap())
    );
    let project = text(&server, version, &uri, "text/markdown");
    assert!(
        project.starts_with("# Ask a_b@example.com / \\[withheld\\]?\n"),
        "{project}"
    );
    for text in [whole, project] {
        assert!(!text.contains("0142"), "{text}");
    }
}
