//! The shipped function's prompts, and what the server says of all that it offers, in every version.

use serde_json::{Value, json};

use crate::resources::{
    assert_nothing_private, completed, listed, portfolio, resources, template, templates, text,
};
use harness::messages::{ask, call};
use harness::{SERVED_VERSIONS, Version};

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
            assert_eq!(messages[0]["content"]["type"], "text", "{result}");
            assert_eq!(messages[0]["content"]["text"], document);
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
    // So does strict function calling, with `null`.
    for version in SERVED_VERSIONS {
        let arguments = json!({"role": "x", "company": null});
        let params = json!({"name": "assess_fit", "arguments": arguments});
        let result = ask(&server, version, "prompts/get", params).result();
        let task = result["messages"][1]["content"]["text"].to_string();
        assert!(task.contains("fits this role:"), "{version:?} {task}");
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
