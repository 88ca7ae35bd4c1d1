//! Schemas of forms that a user fills in. Specification: *Elicitation, Requested Schema*.
//!
//! A form is a flat object of texts, numbers, booleans and choices, described with few keywords.

use schemars::JsonSchema;
use serde_json::{Map, Value};
use thiserror::Error;

use super::generate::input;

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
    let checked = input::<T>();
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
        let requested =
            requested(field).map_err(|found| InvalidForm::Field(name.clone(), found))?;
        properties.insert(name.clone(), requested);
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
fn requested(field: &Value) -> Result<Value, &'static str> {
    let keywords: &[&str] = match field.get("type").and_then(Value::as_str) {
        Some("string") => &["enum", "minLength", "maxLength", "format"],
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
    Ok(Value::Object(requested))
}

/// Whether a list has only items from a list of texts.
fn is_choices(field: &Value) -> bool {
    let item = field.get("items");
    item.is_some_and(|item| {
        item.get("type").and_then(Value::as_str) == Some("string") && item.get("enum").is_some()
    })
}

#[cfg(test)]
mod tests {
    use super::*;
    use serde::Deserialize;
    use serde_json::json;

    #[derive(Deserialize, JsonSchema)]
    #[expect(dead_code, reason = "only its schema is looked at")]
    struct Booking {
        /// Who comes.
        #[schemars(email)]
        guest: String,
        #[schemars(extend("format" = "date"))]
        day: String,
        #[schemars(extend("format" = "uuid"), regex(pattern = "^[0-9a-f-]+$"))]
        room: Option<String>,
        #[schemars(range(min = 1, max = 9))]
        nights: u8,
        meals: Vec<Meal>,
    }

    #[derive(Deserialize, JsonSchema)]
    #[serde(rename_all = "lowercase")]
    enum Meal {
        Breakfast,
        Dinner,
    }

    #[test]
    fn a_form_has_the_formats_and_keywords_that_mcp_allows() {
        let Form { requested, checked } = form::<Booking>().unwrap();
        assert_eq!(
            requested,
            json!({
                "type": "object",
                "properties": {
                    "guest": {"type": "string", "description": "Who comes.", "format": "email"},
                    "day": {"type": "string", "format": "date"},
                    "room": {"type": "string"},
                    "nights": {"type": "integer", "minimum": 1, "maximum": 9},
                    "meals": {"type": "array", "items": {"type": "string", "enum": ["breakfast", "dinner"]}},
                },
                "required": ["guest", "day", "nights", "meals"],
            })
        );
        assert_eq!(checked["properties"]["room"]["format"], "uuid");
        assert_eq!(checked["properties"]["room"]["pattern"], "^[0-9a-f-]+$");
    }

    #[test]
    fn a_type_that_is_no_form_is_refused_with_its_field() {
        #[derive(Deserialize, JsonSchema)]
        #[expect(dead_code, reason = "only its schema is looked at")]
        struct Nested {
            booking: Booking,
        }
        #[derive(Deserialize, JsonSchema)]
        #[expect(dead_code, reason = "only its schema is looked at")]
        struct Tags {
            tags: Vec<String>,
        }
        #[derive(Deserialize, JsonSchema)]
        #[serde(tag = "kind")]
        #[expect(dead_code, reason = "only its schema is looked at")]
        enum Either {
            This { a: String },
            That { b: String },
        }
        let field = |name: &str, what| InvalidForm::Field(name.to_owned(), what);
        assert_eq!(form::<Nested>().unwrap_err(), field("booking", "an object"));
        let list = "a list of something other than choices";
        assert_eq!(form::<Tags>().unwrap_err(), field("tags", list));
        assert_eq!(form::<Either>().unwrap_err(), InvalidForm::Alternatives);
        assert_eq!(form::<String>().unwrap_err(), InvalidForm::Empty);
    }
}
