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
}
