//! [`is_blank`]: whether a value says nothing.

use serde_json::Value;

/// Returns whether a value is absent, `null`, an empty text, an empty list or an empty object.
#[must_use]
pub fn is_blank(value: Option<&Value>) -> bool {
    match value {
        None | Some(Value::Null) => true,
        Some(Value::String(text)) => text.trim().is_empty(),
        Some(Value::Array(list)) => list.is_empty(),
        Some(Value::Object(object)) => object.is_empty(),
        Some(Value::Bool(_) | Value::Number(_)) => false,
    }
}
