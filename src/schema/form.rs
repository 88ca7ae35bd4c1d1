//! Schemas of forms that a user fills in. Specification: *Elicitation, Requested Schema*.
//!
//! A form is a flat object of texts, numbers, booleans and choices, described with few keywords.

mod choices;

use schemars::JsonSchema;
use serde_json::{Map, Value};
use thiserror::Error;

use self::choices::titled;
pub(crate) use self::choices::without_titled_choices;
use super::generate::{arguments, described};

/// A form, described twice.
#[derive(Debug, Default)]
pub(crate) struct Form {
    /// For the client: only the keywords that the specification allows.
    pub(crate) requested: Value,
    /// For the check of the answer: all rules of the type.
    pub(crate) checked: Value,
}

/// Why a type is not a form that MCP allows.
#[derive(Debug, Clone, PartialEq, Eq, Error)]
pub(crate) enum InvalidForm {
    #[error("it has alternatives; a form is one struct")]
    Alternatives,
    #[error("it has no fields; a form is a struct with fields")]
    Empty,
    #[error(
        "its field `{0}` is {1}; the fields of a form are texts, numbers, booleans, and choices of texts"
    )]
    Field(String, &'static str),
}

/// The formats that a text in a form may have.
const FORMATS: [&str; 4] = ["email", "uri", "date", "date-time"];

/// The form of a type.
///
/// # Errors
///
/// MCP does not allow such a form.
pub(crate) fn form<T: JsonSchema>() -> Result<Form, InvalidForm> {
    // With the titles of choices, which model APIs do not know in arguments.
    let described = described::<T>();
    let checked = arguments(described.clone());
    let combining = ["oneOf", "anyOf", "allOf", "$ref"];
    if combining
        .iter()
        .any(|keyword| checked.get(keyword).is_some())
    {
        return Err(InvalidForm::Alternatives);
    }
    let fields = checked.get("properties").and_then(Value::as_object);
    let fields = fields
        .filter(|fields| !fields.is_empty())
        .ok_or(InvalidForm::Empty)?;
    let mut properties = Map::new();
    for (name, field) in fields {
        let mut requested =
            requested(field).map_err(|found| InvalidForm::Field(name.clone(), found))?;
        let described = described.get("properties").and_then(|all| all.get(name));
        if let Some(described) = described {
            titled(&mut requested, described);
        }
        properties.insert(name.clone(), Value::Object(requested));
    }
    let mut form = Map::from_iter([
        ("type".to_owned(), Value::from("object")),
        ("properties".to_owned(), Value::Object(properties)),
    ]);
    if let Some(required) = checked.get("required") {
        form.insert("required".to_owned(), required.clone());
    }
    let requested = Value::Object(form);
    Ok(Form { requested, checked })
}

/// The schema of a field with the keywords that forms allow.
///
/// # Errors
///
/// Returns what the field is instead of one that forms allow.
fn requested(field: &Value) -> Result<Map<String, Value>, &'static str> {
    let keywords: &[&str] = match field.get("type").and_then(Value::as_str) {
        Some("string") => &["enum", "enumNames", "minLength", "maxLength", "format"],
        Some("integer" | "number") => &["minimum", "maximum"],
        Some("boolean") => &[],
        Some("array") if is_choices(field) => &["items", "minItems", "maxItems"],
        Some("array") => return Err("a list of something other than choices"),
        Some("object") => return Err("an object"),
        _ => return Err("of no single type"),
    };
    let common = ["type", "title", "description", "default"];
    let mut requested = Map::new();
    for keyword in common.iter().chain(keywords) {
        if let Some(value) = field.get(keyword) {
            requested.insert((*keyword).to_owned(), value.clone());
        }
    }
    let is_unknown = |format: &Value| !FORMATS.iter().any(|known| format == known);
    if requested.get("format").is_some_and(is_unknown) {
        requested.shift_remove("format");
    }
    Ok(requested)
}

/// Whether a list has only items from a list of texts.
fn is_choices(field: &Value) -> bool {
    let item = field.get("items");
    item.is_some_and(|item| {
        item.get("type").and_then(Value::as_str) == Some("string") && item.get("enum").is_some()
    })
}

#[cfg(test)]
mod tests;
