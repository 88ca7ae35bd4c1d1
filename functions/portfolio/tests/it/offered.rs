//! What the owner's files add to the tools, prompts and templates: languages, pages, search, an icon.

use serde_json::{Value, json};

use crate::content::Folder;
use harness::messages::{ask, call};
use harness::{SERVED_VERSIONS, ServerConfig, TestServer, Version};

const VERSION: Version = Version::V2025_11_25;

fn bilingual(name: &str) -> TestServer {
    let folder = Folder::new(name);
    folder.write(
        "resume.json",
        r#"{"basics": {"name": "A B", "label": "Developer"}, "work": [{"name": "W"}],
            "projects": [{"name": "Tides", "description": "Water levels"}]}"#,
    );
    folder.write(
        "resume.de.json",
        r#"{"basics": {"label": "Entwicklerin"},
            "projects": [{"name": "Gezeiten", "description": "Wasserstände"}]}"#,
    );
    folder.write(
        "profile.toml",
        "language = \"en\"\n[server]\nsearch = true\n",
    );
    folder.serve()
}

fn answer(server: &TestServer, tool: &str, arguments: Value) -> Value {
    let result = call(server, VERSION, tool, arguments).result();
    assert_ne!(result["isError"], true, "{result}");
    result["structuredContent"].clone()
}

fn read(server: &TestServer, version: Version, uri: &str) -> String {
    let result = ask(server, version, "resources/read", json!({"uri": uri})).result();
    result["contents"][0]["text"].as_str().unwrap().to_owned()
}

#[test]
fn tools_answer_in_the_language_that_is_asked_for_in_every_version() {
    let server = bilingual("bilingual-tools");
    let rows = [
        (json!({"language": "de-CH"}), "Entwicklerin", "de"),
        (json!({"language": "fr"}), "Developer", "en"),
        (json!({"language": null}), "Developer", "en"),
        (json!({}), "Developer", "en"),
    ];
    for version in SERVED_VERSIONS {
        for (arguments, label, language) in &rows {
            let result = call(&server, version, "get_resume", arguments.clone()).result();
            let text = result["content"][0]["text"].as_str().unwrap();
            let resume: Value = serde_json::from_str(text).unwrap();
            assert_eq!(resume["basics"]["label"], *label, "{version:?} {arguments}");
            assert_eq!(resume["meta"]["language"], *language, "{version:?}");
        }
    }
    let manifest = answer(&server, "get_manifest", json!({"language": "de"}));
    assert_eq!(manifest["language"], "de");
    assert_eq!(manifest["content"]["languages"], json!(["en", "de"]));
    let uris = manifest["resources"].as_array().unwrap().iter();
    let uris: Vec<_> = uris
        .map(|resource| resource["uri"].as_str().unwrap())
        .collect();
    assert!(
        uris.contains(&"resume://markdown/languages/{language}"),
        "{uris:?}"
    );
}

#[test]
fn templates_have_the_language_as_a_variable_that_is_completed() {
    let server = bilingual("bilingual-templates");
    for version in SERVED_VERSIONS {
        let german = read(&server, version, "resume://markdown/languages/de-CH");
        assert!(
            german.contains("Entwicklerin") && german.contains("Gezeiten"),
            "{german}"
        );
        let json = read(
            &server,
            version,
            "resume://json/languages/de/sections/basics",
        );
        let section: Value = serde_json::from_str(&json).unwrap();
        let expected = json!({
            "basics": {"name": "A B", "label": "Entwicklerin"}, "meta": {"language": "de"}
        });
        assert_eq!(section, expected);
        let project = read(
            &server,
            version,
            "resume://markdown/languages/de/projects/gezeiten",
        );
        assert!(project.contains("Wasserstände"), "{project}");
        assert!(project.contains("**Language:** de"), "{project}");
        let default = read(&server, version, "resume://markdown/languages/fr");
        assert_eq!(default, read(&server, version, "resume://markdown"));
    }
    let missing = json!({"uri": "resume://markdown/languages/de/projects/Tides"});
    let reply = ask(&server, VERSION, "resources/read", missing);
    assert_eq!(reply.error_code(), -32002, "{reply:#?}");
    let listed = ask(&server, VERSION, "resources/templates/list", json!({})).result();
    let templates = listed["resourceTemplates"].as_array().unwrap();
    assert_eq!(templates.len(), 10);
    for template in templates {
        let uri = template["uriTemplate"].as_str().unwrap();
        if uri.contains("{language}") {
            let params = json!({
                "ref": {"type": "ref/resource", "uri": uri},
                "argument": {"name": "language", "value": "d"},
            });
            let completed = ask(&server, VERSION, "completion/complete", params).result();
            assert_eq!(completed["completion"]["values"], json!(["de"]), "{uri}");
        }
    }
}

#[test]
fn prompts_include_the_resume_in_the_language_that_is_asked_for() {
    let server = bilingual("bilingual-prompts");
    let arguments = json!({"role": "r", "language": "de"});
    let params = json!({"name": "assess_fit", "arguments": arguments});
    for version in SERVED_VERSIONS {
        let result = ask(&server, version, "prompts/get", params.clone()).result();
        assert!(result.to_string().contains("Entwicklerin"), "{result}");
    }
    let params = json!({"name": "assess_fit", "arguments": {"role": "r", "salary": "x"}});
    let reply = ask(&server, VERSION, "prompts/get", params);
    assert_eq!(reply.error_code(), -32602, "{reply:#?}");
}

#[test]
fn with_one_language_no_argument_asks_for_one() {
    let server = ServerConfig::new("portfolio").start();
    for method in ["tools/list", "prompts/list", "resources/templates/list"] {
        let listed = ask(&server, VERSION, method, json!({}))
            .result()
            .to_string();
        assert!(!listed.contains("BCP 47 tag. Available"), "{method}");
        assert!(!listed.contains("{language}"), "{method}");
        assert!(!listed.contains("\"name\":\"language\""), "{method}");
    }
    let params = json!({"name": "assess_fit", "arguments": {"role": "r", "language": "de"}});
    let reply = ask(&server, VERSION, "prompts/get", params);
    assert_eq!(reply.error_code(), -32602, "{reply:#?}");
}

/// In strict function calling, models send every property, and `null` for those they do not use.
#[test]
fn null_means_that_an_argument_is_absent_in_every_tool_and_version() {
    let server = ServerConfig::new("portfolio").start();
    for version in SERVED_VERSIONS {
        for (tool, arguments) in [
            (
                "get_resume",
                json!({"section": null, "page": null, "language": null}),
            ),
            (
                "get_projects",
                json!({"featured": null, "page": null, "language": null}),
            ),
        ] {
            let result = |arguments| call(&server, version, tool, arguments).result();
            assert_eq!(result(arguments)["content"], result(json!({}))["content"]);
        }
    }
    let whole = answer(&server, "get_resume", json!({"section": null}));
    assert!(
        whole["work"].is_array() && whole["skills"].is_array(),
        "{whole}"
    );
}

#[test]
fn search_and_fetch_are_offered_if_the_profile_says_so() {
    let names = |server: &TestServer| {
        let listed = ask(server, VERSION, "tools/list", json!({})).result();
        let tools = listed["tools"].as_array().unwrap().clone();
        tools
            .iter()
            .map(|tool| tool["name"].clone())
            .collect::<Vec<_>>()
    };
    let server = bilingual("bilingual-search");
    assert_eq!(names(&server)[5..], ["search", "fetch"]);
    let manifest = answer(&server, "get_manifest", json!({}));
    let told = manifest["tools"].as_array().unwrap().len();
    assert_eq!(told, 7);
    let found = answer(&server, "search", json!({"query": "wasserstande"}));
    let results = found["results"].as_array().unwrap().iter();
    let ids: Vec<_> = results
        .map(|result| result["id"].as_str().unwrap())
        .collect();
    let id = "de/project/Gezeiten";
    assert!(
        ids.contains(&id) && ids.iter().all(|id| id.starts_with("de/")),
        "{found}"
    );
    let document = answer(&server, "fetch", json!({"id": id}));
    assert_eq!(document["metadata"]["language"], "de");
    assert!(document["text"].as_str().unwrap().contains("Wasserstände"));
    let without = ServerConfig::new("portfolio").start();
    assert_eq!(names(&without).len(), 5);
    assert_eq!(
        call(&without, VERSION, "search", json!({"query": "x"})).error_code(),
        -32602
    );
}

#[test]
fn the_server_has_the_icon_of_the_owners_files() {
    let folder = Folder::new("icon");
    folder.write("resume.json", r#"{"basics": {"name": "A"}}"#);
    let icon = "data:image/png;base64,iVBORw0KGgo=";
    folder.write("profile.toml", &format!("[server]\nicon = \"{icon}\"\n"));
    let server = folder.serve();
    let expected = json!([{"src": icon, "mimeType": "image/png"}]);
    let params = json!({
        "protocolVersion": "2025-11-25", "capabilities": {},
        "clientInfo": {"name": "c", "version": "1"}
    });
    let initialized = ask(&server, VERSION, "initialize", params).result();
    assert_eq!(initialized["serverInfo"]["icons"], expected);
    let listed = ask(&server, VERSION, "tools/list", json!({})).result();
    assert_eq!(listed["tools"][0]["icons"], expected);
    let older = ask(&server, Version::V2025_06_18, "tools/list", json!({})).result();
    assert_eq!(older["tools"][0].get("icons"), None);
}
