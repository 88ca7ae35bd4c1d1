//! The messages by the official JSON schemas, where their folder lies beside the package.

use std::collections::HashMap;
use std::path::PathBuf;
use std::sync::{Arc, LazyLock, Mutex};

use jsonschema::Validator;
use serde_json::{Value, json};

use super::Version;
use crate::aloud;

/// The folder of the official schemas; `None`, said aloud once, when a clone stands alone.
pub fn official_schemas() -> Option<PathBuf> {
    static FOLDER: LazyLock<Option<PathBuf>> = LazyLock::new(|| {
        let folder = crate::workspace().join("../shared/spec");
        if folder.is_dir() {
            return Some(folder);
        }
        aloud("SKIPPED: ../shared/spec is not here; messages are judged by rust-mcp-schema alone.");
        None
    });
    FOLDER.clone()
}

/// Validates `value` against what the official schema of `version` calls `name`.
pub(super) fn check(version: Version, name: &str, value: &Value) -> Result<(), String> {
    let Some(validator) = validator(version, name) else {
        return Ok(());
    };
    conforms(&validator, value)
}

/// Validates `value`; the error has what is wrong, with the places.
pub(super) fn conforms(validator: &Validator, value: &Value) -> Result<(), String> {
    let errors: Vec<String> = validator
        .iter_errors(value)
        .map(|error| format!("{error} at `{}`", error.instance_path()))
        .collect();
    if errors.is_empty() {
        Ok(())
    } else {
        Err(errors.join("; "))
    }
}

type Cache = Mutex<HashMap<(Version, String), Arc<Validator>>>;

fn validator(version: Version, name: &str) -> Option<Arc<Validator>> {
    static CACHE: LazyLock<Cache> = LazyLock::new(Cache::default);
    let folder = official_schemas()?;
    let mut cache = CACHE.lock().unwrap();
    let validator = cache.entry((version, name.to_owned())).or_insert_with(|| {
        let path = folder.join(format!("mcp-{}.schema.json", version.name()));
        let text = std::fs::read_to_string(&path).unwrap_or_else(|e| panic!("{path:?}: {e}"));
        let mut schema: Value = serde_json::from_str(&text).expect("a JSON schema");
        let definitions = if schema.get("$defs").is_some() {
            "$defs"
        } else {
            "definitions"
        };
        assert!(
            schema[definitions].get(name).is_some(),
            "{path:?} defines no `{name}`"
        );
        schema["$ref"] = json!(format!("#/{definitions}/{name}"));
        Arc::new(jsonschema::validator_for(&schema).expect("a valid JSON schema"))
    });
    Some(Arc::clone(validator))
}
