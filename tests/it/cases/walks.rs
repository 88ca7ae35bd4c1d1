//! The cases about what the server publishes: schemas, names, capabilities and pages.

use std::collections::BTreeSet;

use regex_lite::Regex;
use serde_json::{Value, json};

use super::run::{Context, ask};

type Walk = fn(&Context<'_>) -> Vec<String>;

/// The checks, by case.
pub(crate) const CHECKS: &[(&str, Walk)] = &[
    ("res-schema-noargs", every_schema_has_properties),
    ("res-schema-portable", every_schema_is_portable),
    ("res-tool-names", names),
    ("res-capabilities-honest", capabilities),
    ("res-pagination-ends", pages),
    ("res-cache-hints-modern", cache_hints),
    ("res-structured-and-text", structured),
];

/// Runs the checks of a case and returns the failures.
pub(crate) fn check(id: &str, context: &Context<'_>) -> Vec<String> {
    let walks = CHECKS.iter().filter(|(case, _)| *case == id);
    walks.flat_map(|(_, walk)| walk(context)).collect()
}

fn every_schema_has_properties(context: &Context<'_>) -> Vec<String> {
    every_tool(context)
        .iter()
        .filter_map(|tool| has_properties(tool).err())
        .collect()
}

fn every_schema_is_portable(context: &Context<'_>) -> Vec<String> {
    let mut found = Vec::new();
    for tool in every_tool(context) {
        portable(
            &tool["inputSchema"],
            &format!("{}.inputSchema", tool["name"]),
            &mut found,
        );
    }
    found
}

/// Returns the tools of all pages.
fn every_tool(context: &Context<'_>) -> Vec<Value> {
    let (pages, _) = all_pages(context, "2025-11-25");
    let tools = pages
        .iter()
        .flat_map(|page| page["tools"].as_array().cloned().unwrap_or_default());
    let tools: Vec<Value> = tools.collect();
    assert!(tools.len() >= 2, "the example has its tools");
    tools
}

/// Returns all pages of `tools/list`, and whether the last page was reached.
fn all_pages(context: &Context<'_>, version: &str) -> (Vec<Value>, bool) {
    let mut pages: Vec<Value> = Vec::new();
    let mut params = json!({});
    for _ in 0..20 {
        let page = ask(context, version, "tools/list", params).result();
        let next = page.get("nextCursor").cloned();
        pages.push(page);
        let Some(cursor) = next else {
            return (pages, true);
        };
        params = json!({"cursor": cursor});
    }
    (pages, false)
}

fn has_properties(tool: &Value) -> Result<(), String> {
    let schema = &tool["inputSchema"];
    if schema["type"] == "object" && schema["properties"].is_object() {
        return Ok(());
    }
    Err(format!(
        "{}: the input schema has no object of properties: {schema}",
        tool["name"]
    ))
}

/// Finds keywords that model APIs reject, at every level of a schema.
fn portable(schema: &Value, path: &str, found: &mut Vec<String>) {
    let Value::Object(members) = schema else {
        return;
    };
    for (name, value) in members {
        let refused = match name.as_str() {
            "$schema" | "$ref" | "$defs" | "definitions" | "anyOf" | "oneOf" | "allOf" => true,
            "type" => !value.is_string(),
            "format" => !["date-time", "email", "uri"]
                .iter()
                .any(|known| value == known),
            "enum" => !value
                .as_array()
                .is_some_and(|all| all.iter().all(Value::is_string)),
            _ => false,
        };
        if refused {
            found.push(format!("{path}: `{name}` is {value}"));
        }
        match (name.as_str(), value) {
            ("properties", Value::Object(properties)) => {
                for (property, schema) in properties {
                    portable(schema, &format!("{path}.{property}"), found);
                }
            }
            (_, Value::Object(_)) => portable(value, &format!("{path}/{name}"), found),
            _ => {}
        }
    }
}

fn names(context: &Context<'_>) -> Vec<String> {
    let allowed = Regex::new("^[a-zA-Z0-9_-]{1,40}$").unwrap();
    let mut seen = BTreeSet::new();
    let tools = every_tool(context);
    let names = tools
        .iter()
        .map(|tool| tool["name"].as_str().unwrap_or_default());
    let bad = names.filter(|name| !allowed.is_match(name) || !seen.insert(name.to_string()));
    bad.map(|name| format!("{name:?} is no portable name, or is there twice"))
        .collect()
}

/// Each capability and its list methods.
const CAPABILITIES: [(&str, &[&str]); 3] = [
    ("tools", &["tools/list"]),
    ("resources", &["resources/list", "resources/templates/list"]),
    ("prompts", &["prompts/list"]),
];

fn capabilities(context: &Context<'_>) -> Vec<String> {
    let legacy = &context.replies[0].json()["result"]["capabilities"];
    let modern = &context.replies[1].json()["result"]["capabilities"];
    let mut found = Vec::new();
    for (version, capabilities) in [("2025-11-25", legacy), ("2026-07-28", modern)] {
        if capabilities.get("tools").is_none() {
            found.push(format!(
                "{version}: there are tools, but no capability says so"
            ));
        }
        if capabilities["tools"]
            .get("listChanged")
            .is_some_and(|value| value != false)
        {
            found.push(format!("{version}: no stateless server sends listChanged"));
        }
        let known = |key: &str| {
            matches!(key, "completions" | "extensions")
                || CAPABILITIES.iter().any(|(c, _)| *c == key)
        };
        let unknown = capabilities
            .as_object()
            .into_iter()
            .flatten()
            .filter(|(key, _)| !known(key));
        found.extend(unknown.map(|(key, _)| format!("{version}: nothing serves `{key}`")));
        for (capability, methods) in CAPABILITIES {
            let claimed = capabilities.get(capability).is_some();
            for method in methods {
                let reply = ask(context, version, method, json!({}));
                if reply.message().get("result").is_some() != claimed {
                    found.push(format!("{version}: `{capability}` and `{method}` disagree"));
                }
            }
        }
    }
    let keys = |capabilities: &Value| -> BTreeSet<String> {
        let keys = capabilities
            .as_object()
            .into_iter()
            .flatten()
            .map(|(key, _)| key.clone());
        keys.filter(|key| key != "extensions").collect()
    };
    if keys(legacy) != keys(modern) {
        found.push(format!("the eras differ: {legacy} and {modern}"));
    }
    found
}

fn pages(context: &Context<'_>) -> Vec<String> {
    let mut found = Vec::new();
    for version in ["2025-03-26", "2025-11-25", "2026-07-28"] {
        let (pages, ended) = all_pages(context, version);
        let sizes: Vec<usize> = pages
            .iter()
            .map(|page| page["tools"].as_array().unwrap().len())
            .collect();
        let all: Vec<&str> = pages
            .iter()
            .flat_map(|page| page["tools"].as_array().unwrap())
            .filter_map(|tool| tool["name"].as_str())
            .collect();
        let unique: BTreeSet<&&str> = all.iter().collect();
        if !ended || unique.len() != all.len() {
            found.push(format!(
                "{version}: the pages do not end, or repeat a tool: {all:?}"
            ));
        }
        let page_size = sizes[0].max(1);
        if pages.len() < 2 || pages.len() > all.len().div_ceil(page_size) + 1 {
            found.push(format!(
                "{version}: {} tools came in pages of {sizes:?}",
                all.len()
            ));
        }
        let wrong = ask(
            context,
            version,
            "tools/list",
            json!({"cursor": "no-such-cursor"}),
        );
        if wrong.message()["error"]["code"] != -32602 {
            found.push(format!(
                "{version}: a foreign cursor is -32602; got {wrong:?}"
            ));
        }
    }
    found
}

fn cache_hints(context: &Context<'_>) -> Vec<String> {
    let (pages, _) = all_pages(context, "2026-07-28");
    let scope = &pages[0]["cacheScope"];
    let holds = |page: &Value| {
        page["resultType"] == "complete"
            && page["ttlMs"].is_u64()
            && (scope == "public" || scope == "private")
            && page["cacheScope"] == *scope
    };
    pages
        .iter()
        .filter(|page| !holds(page))
        .map(|page| format!("a page without hints: {page}"))
        .collect()
}

fn structured(context: &Context<'_>) -> Vec<String> {
    let mut found = Vec::new();
    let call = json!({"name": "demo_read", "arguments": {"q": "a"}});
    let tools = every_tool(context);
    let tool = tools
        .iter()
        .find(|tool| tool["name"] == "demo_read")
        .unwrap();
    let schema = jsonschema::validator_for(&tool["outputSchema"]).expect("an output schema");
    for version in ["2025-03-26", "2025-06-18", "2025-11-25", "2026-07-28"] {
        let result = ask(context, version, "tools/call", call.clone()).result();
        let text = result["content"][0]["text"].as_str().unwrap_or_default();
        let value: Value = serde_json::from_str(text).unwrap_or_default();
        if !schema.is_valid(&value) {
            found.push(format!(
                "{version}: the text is not what the output schema says: {text:?}"
            ));
        }
        if version != "2025-03-26" && result["structuredContent"] != value {
            found.push(format!(
                "{version}: structured content and text differ: {result}"
            ));
        }
    }
    found
}
