//! Lists: their pages and cursors, how long they may be kept, and that nothing declared is lost.

use serde_json::{Value, json};

use harness::messages::{ask, call};
use harness::{SERVED_VERSIONS, ServerConfig, TestServer, Version};

const MODERN: Version = Version::V2026_07_28;

/// The list methods, with the member that holds the list and the one that tells entries apart.
const LISTS: [(&str, &str, &str); 4] = [
    ("tools/list", "tools", "name"),
    ("prompts/list", "prompts", "name"),
    ("resources/list", "resources", "uri"),
    (
        "resources/templates/list",
        "resourceTemplates",
        "uriTemplate",
    ),
];

fn paged(entries: &str) -> TestServer {
    ServerConfig::conformance()
        .env("PAGE_SIZE", entries)
        .start()
}

/// Every page of a list, from the first to the last.
fn pages(server: &TestServer, version: Version, method: &str) -> Vec<Value> {
    let mut pages = vec![ask(server, version, method, json!({})).result()];
    while let Some(cursor) = pages.last().unwrap().get("nextCursor") {
        let params = json!({"cursor": cursor});
        pages.push(ask(server, version, method, params).result());
        assert!(pages.len() < 100, "{method} never ends");
    }
    pages
}

#[test]
fn pages_follow_one_another_and_hold_everything_once() {
    let (whole, parts) = (paged("100"), paged("2"));
    for version in SERVED_VERSIONS {
        for (method, member, id) in LISTS {
            let [all] = &pages(&whole, version, method)[..] else {
                panic!("{method} has more than one page");
            };
            let pages = pages(&parts, version, method);
            let sizes: Vec<usize> = pages
                .iter()
                .map(|page| page[member].as_array().unwrap().len())
                .collect();
            let (last, full) = sizes.split_last().unwrap();
            assert!(full.iter().all(|size| *size == 2), "{method}: {sizes:?}");
            assert!((1..=2).contains(last), "{method}: {sizes:?}");
            let listed: Vec<&Value> = pages
                .iter()
                .flat_map(|page| page[member].as_array().unwrap())
                .collect();
            let all = all[member].as_array().unwrap();
            assert_eq!(listed, all.iter().collect::<Vec<_>>(), "{method}");
            assert!(all.iter().all(|entry| entry[id].is_string()), "{method}");
        }
    }
}

#[test]
fn a_cursor_is_good_in_every_instance_and_nowhere_else() {
    let (one, another, other_pages) = (paged("2"), paged("2"), paged("3"));
    let cursor = |server: &TestServer, method: &str| {
        ask(server, MODERN, method, json!({})).result()["nextCursor"].clone()
    };
    let tools = cursor(&one, "tools/list");
    let next = ask(&another, MODERN, "tools/list", json!({"cursor": tools})).result();
    assert_eq!(next["tools"][0]["name"], "test_audio_content");

    let text = tools.as_str().unwrap();
    let flipped = (0..text.len()).map(|at| {
        let byte = if text.as_bytes()[at] == b'0' {
            "1"
        } else {
            "0"
        };
        json!(format!("{}{byte}{}", &text[..at], &text[at + 1..]))
    });
    let bad = flipped.chain([
        cursor(&one, "prompts/list"),
        cursor(&other_pages, "tools/list"),
        json!(""),
        json!(text.to_uppercase()),
        json!(format!("{text}0")),
        json!(format!(" {text}")),
        json!("2"),
        json!(2),
        json!({}),
    ]);
    for version in [MODERN, Version::V2025_11_25] {
        for cursor in bad.clone().filter(|cursor| *cursor != tools) {
            let reply = ask(&one, version, "tools/list", json!({"cursor": cursor}));
            assert_eq!(
                (reply.status, reply.error_code()),
                (200, -32602),
                "{cursor}: {reply:#?}"
            );
        }
    }
}

#[test]
fn modern_results_say_how_long_they_may_be_kept_and_by_whom() {
    let server = paged("100");
    let read = |uri: &str| {
        (
            "resources/read",
            json!({"uri": uri}),
            uri != "test://static-binary",
        )
    };
    let cacheable = [
        ("server/discover", json!({}), true),
        ("tools/list", json!({}), true),
        ("prompts/list", json!({}), true),
        ("resources/list", json!({}), true),
        ("resources/templates/list", json!({}), true),
        read("test://static-text"),
        read("test://static-binary"),
    ];
    for (method, params, is_public) in cacheable {
        let result = ask(&server, MODERN, method, params.clone()).result();
        let scope = if is_public { "public" } else { "private" };
        assert_eq!(result["cacheScope"], scope, "{method} {params}");
        assert_eq!(result["ttlMs"], 300_000, "{method} {params}");
        if method == "server/discover" {
            continue;
        }
        let result = ask(&server, Version::V2025_11_25, method, params).result();
        assert_eq!(result.get("cacheScope"), None, "{method}");
        assert_eq!(result.get("ttlMs"), None, "{method}");
    }
    let others = [
        ("tools/call", json!({"name": "test_simple_text"})),
        ("prompts/get", json!({"name": "test_simple_prompt"})),
    ];
    for (method, params) in others {
        let result = ask(&server, MODERN, method, params).result();
        assert_eq!(result.get("cacheScope"), None, "{method}");
        assert_eq!(result["resultType"], "complete", "{method}");
    }
}

fn tool(server: &TestServer, version: Version, name: &str) -> Value {
    let tools = ask(server, version, "tools/list", json!({})).result();
    let tools = tools["tools"].as_array().unwrap();
    let found = tools.iter().find(|tool| tool["name"] == name);
    found.unwrap_or_else(|| panic!("no tool `{name}`")).clone()
}

#[test]
fn what_a_tool_declares_reaches_the_clients_that_know_it() {
    let server = paged("100");
    let icons = json!([{"src": "https://example.com/icon.png", "mimeType": "image/png"}]);
    let hints = json!({"readOnlyHint": true, "destructiveHint": false, "idempotentHint": true, "openWorldHint": false});
    for version in SERVED_VERSIONS {
        let tool = tool(&server, version, "test_declared_fields");
        let since =
            |first: Version, value: Value| (version.name() >= first.name()).then_some(value);
        let expected = [
            ("annotations", since(Version::V2025_03_26, hints.clone())),
            (
                "title",
                since(Version::V2025_06_18, json!("Declared fields")),
            ),
            (
                "_meta",
                since(Version::V2025_06_18, json!({"example.com/of": "tool"})),
            ),
            ("icons", since(Version::V2025_11_25, icons.clone())),
            (
                "execution",
                (version == Version::V2025_11_25).then(|| json!({"taskSupport": "forbidden"})),
            ),
        ];
        for (member, value) in expected {
            assert_eq!(tool.get(member), value.as_ref(), "{member} in {version:?}");
        }
    }
}

#[test]
fn every_kind_of_content_arrives_with_all_that_was_set() {
    let server = paged("100");
    let text = json!({"type": "text", "text": "For a person.",
        "annotations": {"audience": ["user"], "priority": 0.5}, "_meta": {"example.com/of": "content"}});
    let link = json!({"type": "resource_link", "uri": "test://static-text", "name": "static-text", "title": "A text"});
    let json_text = json!({"type": "text", "text": "{\"fields\":6}"});
    for version in SERVED_VERSIONS {
        let result = call(&server, version, "test_declared_fields", json!({})).result();
        if version <= Version::V2025_03_26 {
            // It knows neither links, nor structured content, nor `_meta` of content.
            let mut text = text.clone();
            text.as_object_mut().unwrap().remove("_meta");
            assert_eq!(result["content"], json!([text, json_text]), "{result}");
            assert_eq!(result.get("structuredContent"), None, "{result}");
            continue;
        }
        assert_eq!(
            result["content"],
            json!([text, link, json_text]),
            "{result}"
        );
        assert_eq!(
            result["structuredContent"],
            json!({"fields": 6}),
            "{result}"
        );
        assert_eq!(result["_meta"]["example.com/of"], "result", "{result}");
        let mixed = call(&server, version, "test_multiple_content_types", json!({})).result();
        let kinds: Vec<&Value> = mixed["content"]
            .as_array()
            .unwrap()
            .iter()
            .map(|c| &c["type"])
            .collect();
        assert_eq!(kinds, ["text", "image", "resource"], "{mixed}");
    }
}

/// The schema as the example writes it; the reply must have it to the letter.
const CONTACT: &str = r##"{"$schema":"https://json-schema.org/draft/2020-12/schema","type":"object","$defs":{"address":{"$anchor":"addressDef","type":"object","properties":{"street":{"type":"string"},"city":{"type":"string"}}}},"properties":{"name":{"type":"string"},"address":{"$ref":"#/$defs/address"},"contactMethod":{"type":"string","enum":["phone","email"]},"phone":{"type":"string"},"email":{"type":"string"}},"allOf":[{"anyOf":[{"required":["phone"]},{"required":["email"]}]}],"if":{"properties":{"contactMethod":{"const":"phone"}},"required":["contactMethod"]},"then":{"required":["phone"]},"else":{"required":["email"]},"additionalProperties":false}"##;

#[test]
fn a_schema_written_by_hand_is_listed_to_the_letter_and_checked() {
    let server = paged("100");
    for version in SERVED_VERSIONS {
        let listed = ask(&server, version, "tools/list", json!({})).text();
        assert!(listed.contains(CONTACT), "{version:?}: {listed}");
    }
    let cases = [
        (
            json!({"contactMethod": "phone", "phone": "1"}),
            "reached by 1",
        ),
        (
            json!({"email": "a@b", "address": {"city": "Bern"}}),
            "reached by a@b",
        ),
        (
            json!({"contactMethod": "phone", "email": "a@b"}),
            "`phone` is required",
        ),
        (
            json!({"contactMethod": "email", "phone": "1"}),
            "`email` is required",
        ),
        (json!({}), "fits none of the forms"),
        (
            json!({"email": "a@b", "address": {"city": 5}}),
            "`address.city` must be a string",
        ),
        (json!({"email": "a@b", "fax": "1"}), "`fax` is not known"),
    ];
    for (arguments, words) in cases {
        let result = call(&server, MODERN, "json_schema_2020_12_tool", arguments).result();
        let text = result["content"][0]["text"].as_str().unwrap();
        assert!(text.contains(words), "{words} in {result}");
        assert_eq!(
            result["isError"] == true,
            !words.starts_with("reached"),
            "{result}"
        );
    }
}

#[test]
fn the_smallest_example_lists_and_serves_its_tool() {
    let server = ServerConfig::new("minimal").start();
    for version in SERVED_VERSIONS {
        let schema = tool(&server, version, "roll")["inputSchema"].clone();
        assert_eq!(schema["properties"]["sides"]["maximum"], 100, "{schema}");
        let result = call(&server, version, "roll", json!({"sides": 6})).result();
        let text = result["content"][0]["text"].as_str().unwrap();
        let rolled: u32 = text
            .trim_start_matches("You rolled a ")
            .trim_end_matches('.')
            .parse()
            .unwrap();
        assert!((1..=6).contains(&rolled), "{text}");
        assert!(ask(&server, version, "resources/list", json!({})).error_code() == -32601);
    }
}
