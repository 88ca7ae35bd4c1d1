//! Tests over everything that is served (lists, answers of tools, resources, prompts, completions):
//! private data is in none of it, in any spelling.

use proptest::prelude::*;
use serde_json::{Value, json};

use super::*;
use crate::content::{Section, Sources};
use crate::test_client::TestClient;

/// Everything that a client can read, each text with its place.
fn served(content: &Arc<Localized>) -> Vec<(String, String)> {
    let config = Config::read(|_| None).unwrap();
    let client = TestClient::new(server(config, content).unwrap());
    let mut all = Vec::new();
    for method in ["tools/list", "resources/list", "prompts/list"] {
        all.push((
            method.to_owned(),
            client.ask(method, &json!({})).to_string(),
        ));
    }
    all.extend(answers(&client));
    all.extend(texts(&client));
    all.extend(given(&client));
    all
}

/// The answers of all tools.
fn answers(client: &TestClient) -> Vec<(String, String)> {
    let sections = Section::ALL.map(|section| ("get_resume", json!({"section": section.name()})));
    let mut calls = sections.to_vec();
    calls.push(("get_projects", json!({"featured": true})));
    calls.extend(tools::READ_ONLY.map(|about| (about.name, json!({}))));
    calls.extend(found(client));
    let answers = calls.into_iter();
    answers
        .map(|(tool, arguments)| (tool.to_owned(), client.call(tool, &arguments).to_string()))
        .collect()
}

/// Calls of `search`, and of `fetch` for all documents, if the tools are offered.
fn found(client: &TestClient) -> Vec<(&'static str, Value)> {
    let tools = client.list("tools/list", "tools");
    if !tools.iter().any(|tool| tool["name"] == "search") {
        return Vec::new();
    }
    // Every document names the person, who is called A here.
    let query = json!({"query": "a"});
    let found = client.call("search", &query);
    let found = found["results"].as_array().unwrap().iter();
    let ids = found.map(|result| ("fetch", json!({"id": result["id"]})));
    ids.chain([("search", query)]).collect()
}

/// The texts of all resources, those that templates complete included.
fn texts(client: &TestClient) -> Vec<(String, String)> {
    let mut uris: Vec<String> = Vec::new();
    for listed in client.list("resources/list", "resources") {
        uris.push(listed["uri"].as_str().unwrap().to_owned());
    }
    for listed in client.list("resources/templates/list", "resourceTemplates") {
        let template = listed["uriTemplate"].as_str().unwrap();
        let (before, variable) = template.trim_end_matches('}').split_once('{').unwrap();
        let reference = json!({"type": "ref/resource", "uri": template});
        for name in completions(client, &reference, variable) {
            uris.push(format!("{before}{}", percent_encoded(&name)));
        }
    }
    let read = |uri: String| {
        let result = client.ask("resources/read", &json!({"uri": uri}));
        let text = result["contents"][0]["text"].as_str().unwrap().to_owned();
        (uri, text)
    };
    uris.into_iter().map(read).collect()
}

/// The messages of all prompts, and what their arguments are completed to.
fn given(client: &TestClient) -> Vec<(String, String)> {
    let mut all = Vec::new();
    let arguments =
        json!({"role": "r", "company": "c", "focus": "f", "occasion": "o", "sender": "s"});
    for listed in client.list("prompts/list", "prompts") {
        let name = listed["name"].as_str().unwrap();
        let mut taken = json!({});
        for argument in listed["arguments"].as_array().unwrap() {
            let argument = argument["name"].as_str().unwrap();
            taken[argument] = arguments[argument].clone();
            let reference = json!({"type": "ref/prompt", "name": name});
            for text in completions(client, &reference, argument) {
                all.push((format!("completion of {name}"), text));
            }
        }
        let result = client.ask("prompts/get", &json!({"name": name, "arguments": taken}));
        for message in result["messages"].as_array().unwrap() {
            let content = &message["content"];
            let text = [&content["text"], &content["resource"]["text"]];
            let text = text.into_iter().find_map(Value::as_str).unwrap();
            all.push((format!("prompt {name}"), text.to_owned()));
        }
    }
    all
}

fn completions(client: &TestClient, reference: &Value, argument: &str) -> Vec<String> {
    let params = json!({"ref": reference, "argument": {"name": argument, "value": ""}});
    let mut result = client.ask("completion/complete", &params);
    serde_json::from_value(result["completion"]["values"].take()).unwrap()
}

fn percent_encoded(text: &str) -> String {
    let encoded = text.bytes().map(|byte| match byte {
        b'a'..=b'z' | b'A'..=b'Z' | b'0'..=b'9' => char::from(byte).to_string(),
        _ => format!("%{byte:02X}"),
    });
    encoded.collect()
}

/// A text as it is seen, without the escapes of Markdown.
fn seen(text: &str) -> String {
    text.replace('\\', "").to_lowercase()
}

#[test]
fn nothing_served_of_the_shipped_content_holds_contact_data() {
    let content = Arc::new(content::load(&crate::built_in::sources()).0.unwrap());
    let all = served(&content);
    assert!(all.len() > 50, "{}", all.len());
    for (name, text) in all {
        for private in ["555-0142", "ottoline@", "lighthouse steps", "ex4"] {
            assert!(!seen(&text).contains(private), "{name}: {private}");
        }
    }
}

/// A value that must not be served, with the spellings in which it must not be found.
fn planted() -> impl Strategy<Value = (&'static str, String)> {
    let part = || "[a-z]{2,6}";
    prop_oneof![
        (part(), part()).prop_map(|(name, host)| ("email", format!("q{name}@{host}.example"))),
        "555[0-9]{4}"
            .prop_map(|digits| ("phone", format!("+1 202-{}-{}", &digits[..3], &digits[3..]))),
        (100..999_u16, part())
            .prop_map(|(number, name)| ("address", format!("{number} q{name} Street"))),
    ]
}

/// Wraps a private value in a text or a link, as it may hide.
fn disguised(kind: &str, value: &str, way: u8) -> Value {
    let digits: String = value.chars().filter(char::is_ascii_digit).collect();
    let text = match (way % 5, kind) {
        (0, _) => value.to_owned(),
        (1, _) => format!("Reach me: {value}, any time"),
        (2, "email") => format!("mailto:{value}?subject=hello"),
        (2, "phone") => format!("tel:+{digits}"),
        (3, "email") => format!("https://example.com/?to={}", value.replace('@', "%40")),
        (3, "phone") => format!("https://wa.me/{digits}"),
        (4, "phone") => digits,
        _ => value.to_uppercase(),
    };
    if way.is_multiple_of(2) {
        Value::from(text)
    } else {
        json!([text, "other"])
    }
}

fn names_of(kind: &str) -> &'static [&'static str] {
    match kind {
        "email" => &["email", "mail", "e-mail", "contactEmail"],
        "phone" => &["phone", "mobile", "x-phone", "telephone"],
        _ => &["address", "street", "homeAddress", "addressLine1"],
    }
}

/// The places in [`resume_with_places`] where a value is planted under a telling name.
const NAMED: [&str; 5] = [
    "/basics",
    "/basics/location",
    "/basics/extra",
    "/references/0",
    "/custom",
];

/// The places where it hides in other text; the last is the profile.
const HIDING: [&str; 10] = [
    "/basics",
    "/basics/location",
    "/basics/extra",
    "/basics/profiles/0",
    "/work/0",
    "/projects/0",
    "/references/0",
    "/references/0/more",
    "/custom",
    "",
];

fn resume_with_places() -> Value {
    json!({
        "basics": {
            "name": "A", "location": {"city": "Harbourtown"}, "extra": {},
            "profiles": [{"network": "n"}],
        },
        "work": [{"name": "W"}],
        "projects": [{"name": "P"}],
        "references": [{"name": "R", "more": {}}],
        "custom": {},
    })
}

/// Two files in which the value stands once under a name that says what it is, and once elsewhere
/// in disguise.
fn planted_files(
    kind: &str,
    value: &str,
    places: (usize, usize, usize),
    way: u8,
) -> (Value, String) {
    let (named, name, hiding) = places;
    let mut resume = resume_with_places();
    let mut profile = "[server]\nsearch = true\n[projects]\nfeatured = [\"P\"]\n".to_owned();
    resume.pointer_mut(NAMED[named]).unwrap()[names_of(kind)[name]] = value.into();
    let hidden = disguised(kind, value, way);
    match HIDING[hiding] {
        "" => {
            for table in ["availability", "capabilities", "contact"] {
                profile.push_str(&format!("[{table}]\nmore = {hidden}\n"));
            }
        }
        place => resume.pointer_mut(place).unwrap()["notes"] = hidden,
    }
    (resume, profile)
}

fn digits(text: &str) -> String {
    text.chars().filter(char::is_ascii_digit).collect()
}

proptest! {
    #![proptest_config(ProptestConfig { failure_persistence: None, ..ProptestConfig::default() })]

    #[test]
    fn a_planted_private_value_is_in_nothing_that_is_served(
        (kind, value) in planted(),
        places in (0..NAMED.len(), 0..4_usize, 0..HIDING.len()),
        way in any::<u8>(),
    ) {
        let (resume, profile) = planted_files(kind, &value, places, way);
        let sources = Sources::of_text(&resume.to_string(), &profile);
        let (content, report) = content::load(&sources);
        let findings: String = report.sorted().iter().map(|f| format!("{f}\n")).collect();
        prop_assert!(content.is_some(), "{}", findings);
        let mut texts = served(&Arc::new(content.unwrap()));
        texts.push(("findings".to_owned(), findings));
        for (name, text) in texts {
            let seen = seen(&text);
            prop_assert!(!seen.contains(&value.to_lowercase()), "{}: {}", name, text);
            if kind == "email" {
                prop_assert!(!seen.contains(&value.replace('@', "%40")), "{}: {}", name, text);
            }
            if kind == "phone" {
                prop_assert!(!digits(&text).contains(&digits(&value)[1..]), "{}: {}", name, text);
            }
        }
    }
}

proptest! {
    // Three kinds and four names: 64 cases meet each pair several times.
    #![proptest_config(ProptestConfig { failure_persistence: None, cases: 64, ..ProptestConfig::default() })]

    #[test]
    fn the_same_value_is_there_when_its_owner_publishes_it(
        (kind, value) in planted(),
        name in 0..4_usize,
    ) {
        let mut resume = resume_with_places();
        let name = names_of(kind)[name];
        resume["basics"][name] = value.clone().into();
        let publish = match name {
            "email" | "phone" => format!("{name} = true"),
            _ => format!("also = [\"basics.{name}\"]"),
        };
        let profile = format!("[server]\nsearch = true\n[publish]\n{publish}");
        let sources = Sources::of_text(&resume.to_string(), &profile);
        let all = served(&Arc::new(content::load(&sources).0.unwrap()));
        let is_there = |start: &str| {
            all.iter().any(|(place, text)| {
                place.starts_with(start) && seen(text).contains(&seen(&value))
            })
        };
        for place in ["get_resume", "resume://json", "resume://markdown", "prompt", "fetch"] {
            prop_assert!(is_there(place), "{}", place);
        }
    }
}
