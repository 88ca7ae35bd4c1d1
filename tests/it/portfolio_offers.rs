//! The shipped function's resources, prompts and completion, in every version.

use serde_json::{Value, json};

use crate::content::Folder;
use crate::harness::{Reply, SERVED_VERSIONS, ServerConfig, TestServer, Version};
use crate::messages::{ask, call};

/// What the shipped example person has but does not publish, without the escapes of Markdown.
const PRIVATE: [&str; 4] = ["555-0142", "ottoline@", "Lighthouse Steps", "EX4 0PL"];

/// The prompts with arguments that fill each in.
fn prompts() -> [(&'static str, Value); 3] {
    [
        (
            "assess_fit",
            json!({"role": "Keeps ferries\non time", "company": "Gannet"}),
        ),
        (
            "prepare_interview",
            json!({"role": "Keeps ferries", "focus": "Rust"}),
        ),
        (
            "write_introduction",
            json!({"occasion": "Keeps ferries", "sender": "B"}),
        ),
    ]
}

fn portfolio() -> TestServer {
    ServerConfig::new("portfolio").start()
}

/// The entries of a list.
fn listed(server: &TestServer, version: Version, method: &str, member: &str) -> Vec<Value> {
    let result = ask(server, version, method, json!({})).result();
    assert_eq!(
        result.get("nextCursor"),
        None,
        "{method} has more than one page"
    );
    result[member].as_array().unwrap().clone()
}

fn resources(server: &TestServer, version: Version) -> Vec<Value> {
    listed(server, version, "resources/list", "resources")
}

fn templates(server: &TestServer, version: Version) -> Vec<Value> {
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
fn text(server: &TestServer, version: Version, uri: &str, mime_type: &str) -> String {
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
fn assert_nothing_private(text: &str) {
    for private in PRIVATE {
        assert!(
            !text.replace('\\', "").contains(private),
            "{private}: {text}"
        );
    }
}

/// A variable's text as it stands in a URI.
fn encoded(text: &str) -> String {
    text.bytes()
        .map(|b| match b {
            b'a'..=b'z' | b'A'..=b'Z' | b'0'..=b'9' => char::from(b).to_string(),
            _ => format!("%{b:02X}"),
        })
        .collect()
}

/// What a template's variable, or a prompt's argument, could be.
fn completed(
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

fn template(uri: &str) -> Value {
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
fn every_prompt_brings_the_resume_and_the_task_in_every_version() {
    let server = portfolio();
    for version in SERVED_VERSIONS {
        let document = text(&server, version, "resume://markdown", "text/markdown");
        let listed = listed(&server, version, "prompts/list", "prompts");
        let names: Vec<_> = listed.iter().map(|prompt| &prompt["name"]).collect();
        assert_eq!(json!(names), json!(prompts().map(|(name, _)| name)));
        for (name, arguments) in prompts() {
            let params = json!({"name": name, "arguments": arguments});
            let result = ask(&server, version, "prompts/get", params).result();
            assert!(result["description"].is_string(), "{result}");
            let messages = result["messages"].as_array().unwrap();
            assert_eq!(messages.len(), 2, "{name}");
            assert_eq!(
                messages[0]["content"]["resource"],
                json!({"uri": "resume://markdown", "mimeType": "text/markdown", "text": document})
            );
            let task = messages[1]["content"]["text"].as_str().unwrap();
            assert!(task.contains("> Keeps ferries"), "{task}");
            assert!(task.contains("Ottoline Quillfeather"), "{task}");
            assert_nothing_private(&result.to_string());
        }
    }
}

#[test]
fn a_prompt_says_which_argument_is_missing_unknown_or_wrong() {
    let server = portfolio();
    let long = "x".repeat(20_001);
    let rows = [
        ("assess_fit", json!({}), "role"),
        ("assess_fit", json!({"role": " \n"}), "role"),
        ("assess_fit", json!({"role": long}), "role"),
        ("assess_fit", json!({"role": 5}), "role"),
        ("assess_fit", json!({"role": "x", "salary": "y"}), "salary"),
        ("prepare_interview", json!({"focus": "Rust"}), "role"),
        ("write_introduction", json!({"role": "x"}), "occasion"),
        ("write_cv", json!({}), "write_cv"),
    ];
    for (name, arguments, named) in rows {
        for version in SERVED_VERSIONS {
            let params = json!({"name": name, "arguments": arguments});
            let reply = ask(&server, version, "prompts/get", params);
            assert_eq!(reply.error_code(), -32602, "{name} {version:?}");
            let words = reply.message()["error"]["message"].to_string();
            assert!(words.contains(named), "{name} {version:?}: {words}");
        }
    }
    // A form sends empty text for what was left out.
    let params = json!({"name": "assess_fit", "arguments": {"role": "x", "company": ""}});
    let result = ask(&server, Version::V2025_11_25, "prompts/get", params).result();
    let task = result["messages"][1]["content"]["text"].to_string();
    assert!(task.contains("fits this role:"), "{task}");
}

#[test]
fn what_is_typed_is_completed_from_the_content() {
    let server = portfolio();
    let prompt = |name: &str| json!({"type": "ref/prompt", "name": name});
    let rows = [
        (
            template("resume://markdown/sections/{section}"),
            "section",
            "av",
            json!(["availability"]),
        ),
        (
            template("resume://json/sections/{section}"),
            "section",
            "av",
            json!([]),
        ),
        (
            template("resume://markdown/projects/{project}"),
            "project",
            "QUIET",
            json!(["Quiet Pager"]),
        ),
        (
            template("resume://json/projects/{project}"),
            "project",
            "to",
            json!(["Paper to Pixels"]),
        ),
        (
            prompt("prepare_interview"),
            "focus",
            "fort",
            json!(["Fortran"]),
        ),
        (
            prompt("prepare_interview"),
            "focus",
            "gannet",
            json!(["Gannet & Loom Ferries"]),
        ),
        (
            prompt("write_introduction"),
            "occasion",
            "advis",
            json!(["advisory"]),
        ),
        (prompt("assess_fit"), "role", "a", json!([])),
    ];
    for version in SERVED_VERSIONS {
        for (reference, argument, typed, expected) in &rows {
            let found = completed(&server, version, reference, argument, typed);
            assert_eq!(&found, expected, "{version:?} {reference} {typed}");
        }
    }
}

#[test]
fn the_server_claims_what_it_offers_and_the_manifest_lists_it() {
    let server = portfolio();
    let discover = ask(&server, Version::V2026_07_28, "server/discover", json!({})).result();
    for capability in ["tools", "resources", "prompts", "completions"] {
        assert!(
            discover["capabilities"][capability].is_object(),
            "{capability}"
        );
    }
    let instructions = discover["instructions"].as_str().unwrap();
    assert!(instructions.contains("resume://markdown") && instructions.contains("Prompts"));
    let version = Version::V2025_11_25;
    let manifest =
        call(&server, version, "get_manifest", json!({})).result()["structuredContent"].clone();
    let names = |list: &Value, member: &str| -> Vec<String> {
        let entries = list.as_array().unwrap().iter();
        entries
            .map(|entry| entry[member].as_str().unwrap().to_owned())
            .collect()
    };
    let mut there = names(&Value::from(resources(&server, version)), "uri");
    there.extend(names(
        &Value::from(templates(&server, version)),
        "uriTemplate",
    ));
    let told = names(&manifest["resources"], "uri");
    assert_eq!(told.len(), 6);
    assert!(
        told.iter().all(|uri| there.contains(uri)),
        "{told:?} {there:?}"
    );
    assert_eq!(
        names(&manifest["prompts"], "name"),
        prompts().map(|(name, _)| name)
    );
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
    assert!(task.contains("No address is published"), "{task}");
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
