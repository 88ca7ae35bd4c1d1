//! Input schemas as clients list them: one object without alternatives at its root.
//!
//! Some clients drop a tool, or refuse the whole request, if its schema has `oneOf`, `anyOf`, `allOf`,
//! `not` or `enum` at the root. [`listed`] merges them: the object has all properties of the
//! alternatives, and requires what all of them require. Arguments are checked against the schema that
//! was given, not against this one. Specification: *Tools, Tool*.

mod merge;

use serde_json::{Map, Value, json};

use self::merge::{NotAnObject, Object};

/// The keywords that do not occur at the root of a listed schema.
const NOT_AT_THE_ROOT: [&str; 8] = [
    "oneOf",
    "anyOf",
    "allOf",
    "not",
    "enum",
    "const",
    "$ref",
    "unevaluatedProperties",
];

/// The schema as clients list it.
///
/// With `is_closed`, it allows no properties other than those that it names, unless it says otherwise.
///
/// # Errors
///
/// An alternative is not an object.
pub(crate) fn listed(schema: Value, is_closed: bool) -> Result<Value, NotAnObject> {
    let merged = match schema.as_object() {
        Some(keywords) if has_alternatives(keywords) => Some(Object::read(&schema, keywords)?),
        _ => None,
    };
    let Value::Object(mut listed) = schema else {
        return Ok(schema);
    };
    if let Some(object) = merged {
        NOT_AT_THE_ROOT.iter().for_each(|keyword| {
            listed.shift_remove(*keyword);
        });
        replace_root(&mut listed, object);
    }
    if is_closed && has_known_arguments(&listed) {
        listed
            .entry("additionalProperties")
            .or_insert(Value::Bool(false));
    }
    Ok(Value::Object(listed))
}

/// Whether a schema has a keyword that does not occur at the root of a listed schema.
fn has_alternatives(keywords: &Map<String, Value>) -> bool {
    let mut keywords = keywords.keys();
    keywords.any(|keyword| NOT_AT_THE_ROOT.contains(&keyword.as_str()))
}

/// Whether a schema says which properties there are.
fn has_known_arguments(keywords: &Map<String, Value>) -> bool {
    keywords.contains_key("properties")
        && !keywords.contains_key("patternProperties")
        && !keywords.contains_key("additionalProperties")
}

/// Whether arguments that a schema does not name are a mistake: it names some, and does not say that
/// others are allowed.
pub(crate) fn closes(schema: &Value) -> bool {
    let is_closed = |keywords: &Map<String, Value>| {
        keywords.get("additionalProperties") == Some(&Value::Bool(false))
    };
    match schema.as_object() {
        None => false,
        Some(keywords) if has_alternatives(keywords) => {
            let listed = listed(schema.clone(), true);
            listed.is_ok_and(|listed| listed.as_object().is_some_and(is_closed))
        }
        Some(keywords) => is_closed(keywords) || has_known_arguments(keywords),
    }
}

fn replace_root(root: &mut Map<String, Value>, object: Object) {
    let Object {
        properties,
        required,
        is_closed,
    } = object;
    root.insert("type".to_owned(), json!("object"));
    root.insert("properties".to_owned(), Value::Object(properties));
    root.shift_remove("required");
    if !required.is_empty() {
        root.insert("required".to_owned(), json!(required));
    }
    if is_closed {
        root.insert("additionalProperties".to_owned(), Value::Bool(false));
    }
    if root.contains_key("$defs") && !refers(&Value::Object(without_definitions(root))) {
        root.shift_remove("$defs");
    }
}

fn without_definitions(root: &Map<String, Value>) -> Map<String, Value> {
    let mut rest = root.clone();
    rest.shift_remove("$defs");
    rest
}

/// Whether a schema has a reference anywhere.
fn refers(value: &Value) -> bool {
    match value {
        Value::Object(members) => members
            .iter()
            .any(|(name, value)| (name == "$ref" && value.is_string()) || refers(value)),
        Value::Array(items) => items.iter().any(refers),
        Value::Null | Value::Bool(_) | Value::Number(_) | Value::String(_) => false,
    }
}

#[cfg(test)]
mod tests;
