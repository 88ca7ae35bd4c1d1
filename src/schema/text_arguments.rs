//! Arguments that are text on the wire — of prompts and of URI templates — as values of the types
//! their schema names.

use serde_json::{Map, Number, Value};

/// Reads each text as the type its property has; what cannot be read stays text, for the check to
/// complain of.
pub(crate) fn typed(schema: &Value, texts: Map<String, Value>) -> Value {
    let property_type = |name: &str| schema.get("properties")?.get(name)?.get("type")?.as_str();
    let read = |(name, value): (String, Value)| {
        let typed = match (property_type(&name), value.as_str()) {
            (Some("integer"), Some(text)) => integer(text),
            (Some("number"), Some(text)) => {
                integer(text).or_else(|| Number::from_f64(text.parse().ok()?).map(Value::Number))
            }
            (Some("boolean"), Some(text)) => text.parse::<bool>().ok().map(Value::Bool),
            _ => None,
        };
        (name, typed.unwrap_or(value))
    };
    Value::Object(texts.into_iter().map(read).collect())
}

/// What a property is, if no text can be read as it.
pub(crate) fn refused(property: &Value) -> Option<String> {
    let types = match property.get("type") {
        Some(Value::String(only)) => vec![only.as_str()],
        Some(Value::Array(types)) => types.iter().filter_map(Value::as_str).collect(),
        _ => Vec::new(),
    };
    if let [only] = types.as_slice()
        && matches!(*only, "integer" | "number" | "boolean")
    {
        return None;
    }
    if !types.is_empty() && !types.contains(&"string") {
        let first = types.first().copied().unwrap_or_default();
        let article = if first.starts_with(['a', 'i', 'o']) {
            "an"
        } else {
            "a"
        };
        return Some(format!("{article} {first}"));
    }
    for keyword in ["anyOf", "oneOf"] {
        if let Some(Value::Array(alternatives)) = property.get(keyword) {
            // Text is not read as the type of an alternative.
            let is_text = |schema: &Value| match schema.get("type").and_then(Value::as_str) {
                Some("string") => true,
                Some(_) => false,
                None => refused(schema).is_none(),
            };
            if !alternatives.iter().any(is_text) {
                return Some("of types without text".to_owned());
            }
        }
    }
    None
}

fn integer(text: &str) -> Option<Value> {
    text.parse::<i64>()
        .map(Value::from)
        .or_else(|_| text.parse::<u64>().map(Value::from))
        .ok()
}

#[cfg(test)]
mod tests {
    use super::*;
    use serde_json::json;

    #[test]
    fn texts_become_what_their_property_is() {
        let schema = json!({"properties": {
            "n": {"type": "integer"}, "x": {"type": "number"}, "b": {"type": "boolean"}, "s": {"type": "string"}}});
        let Value::Object(texts) =
            json!({"n": "5", "x": "1.5", "b": "true", "s": "5", "other": "6", "bad": null})
        else {
            unreachable!()
        };
        assert_eq!(
            typed(&schema, texts),
            json!({"n": 5, "x": 1.5, "b": true, "s": "5", "other": "6", "bad": null})
        );
        let Value::Object(texts) = json!({"n": "five"}) else {
            unreachable!()
        };
        assert_eq!(typed(&schema, texts), json!({"n": "five"}));
    }

    #[test]
    fn what_no_text_can_be_is_known() {
        let cases = [
            (json!({"type": "string"}), None),
            (json!({"type": "integer"}), None),
            (json!({"type": "boolean"}), None),
            (json!({"type": ["string", "integer"]}), None),
            (json!({}), None),
            (json!({"enum": ["a", "b"]}), None),
            (
                json!({"anyOf": [{"type": "integer"}, {"type": "string"}]}),
                None,
            ),
            (json!({"type": "object"}), Some("an object")),
            (
                json!({"type": "array", "items": {"type": "string"}}),
                Some("an array"),
            ),
            (json!({"type": "null"}), Some("a null")),
            (
                json!({"anyOf": [{"type": "integer"}, {"type": "array"}]}),
                Some("of types without text"),
            ),
        ];
        for (property, expected) in cases {
            assert_eq!(refused(&property).as_deref(), expected, "{property}");
        }
    }
}
