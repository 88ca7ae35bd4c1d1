//! The results of the extension *Tasks* by its schema, `tests/data/ext-tasks.schema.json`: a copy of
//! `schema/draft/schema.json` of `modelcontextprotocol/ext-tasks`, commit e4345978.
//!
//! The schema allows members that it does not define, so the members that earlier drafts had are
//! refused here.

use std::collections::HashMap;
use std::sync::{Arc, LazyLock, Mutex};

use jsonschema::Validator;
use serde_json::{Value, json};

use super::official::conforms;

/// Members of earlier drafts, and of results that are not tasks.
const REMOVED: [&str; 5] = ["task", "ttl", "pollInterval", "requestState", "cacheScope"];

/// Whether the extension defines a type of this name.
pub(super) fn defines(name: &str) -> bool {
    matches!(
        name,
        "CreateTaskResult" | "GetTaskResult" | "UpdateTaskResult" | "CancelTaskResult"
    )
}

/// Validates `value` against what the schema calls `name`.
pub(super) fn check(name: &str, value: &Value) -> Result<(), String> {
    if let Some(member) = REMOVED.iter().find(|member| value.get(member).is_some()) {
        return Err(format!("`{member}` is not a member of a task"));
    }
    let members: &[&str] = match (name, value["status"].as_str()) {
        ("GetTaskResult", Some("input_required")) => &["inputRequests"],
        ("GetTaskResult", Some("completed")) => &["result"],
        ("GetTaskResult", Some("failed")) => &["error"],
        _ => &[],
    };
    for member in ["inputRequests", "result", "error"] {
        if value.get(member).is_some() != members.contains(&member) {
            return Err(format!(
                "`{member}` does not belong to this status, or is missing"
            ));
        }
    }
    conforms(&validator(name), value)
}

fn validator(name: &str) -> Arc<Validator> {
    static CACHE: LazyLock<Mutex<HashMap<String, Arc<Validator>>>> = LazyLock::new(Mutex::default);
    let mut cache = CACHE.lock().unwrap();
    let validator = cache.entry(name.to_owned()).or_insert_with(|| {
        let path = crate::workspace().join("tests/data/ext-tasks.schema.json");
        let text = std::fs::read_to_string(&path).unwrap_or_else(|e| panic!("{path:?}: {e}"));
        let mut schema: Value = serde_json::from_str(&text).expect("a JSON schema");
        schema["$ref"] = json!(format!("#/$defs/{name}"));
        Arc::new(jsonschema::validator_for(&schema).expect("a valid JSON schema"))
    });
    Arc::clone(validator)
}
