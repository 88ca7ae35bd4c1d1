//! Input schemas whose nested objects name all of their members.
//!
//! The type of an argument ignores a member that it does not have, so a misspelt one would be lost
//! without a word. [`close_nested`] makes it a mistake in every object that a struct describes. The root is
//! not changed: the validator refuses unknown arguments there, whichever alternative names them.

use serde_json::Value;

/// Keywords that decide about members which `properties` does not name, or name further ones.
const OPEN: [&str; 11] = [
    "additionalProperties",
    "patternProperties",
    "unevaluatedProperties",
    "propertyNames",
    "oneOf",
    "anyOf",
    "allOf",
    "$ref",
    "if",
    "not",
    "dependentSchemas",
];

/// Adds `additionalProperties: false` to nested objects that have named members. Returns whether there
/// is one.
///
/// An object with alternatives stays as it is. So do its alternatives, if each of them names only a part
/// of the members, or if nothing tells which of them is meant.
pub(crate) fn close_nested(schema: &mut Value) -> bool {
    close(schema, false)
}

/// Closes what is below a schema, and the schema itself if it alone describes its object. Returns whether
/// anything was closed.
fn close(schema: &mut Value, is_alone: bool) -> bool {
    let Some(keywords) = schema.as_object_mut() else {
        return false;
    };
    let has_members = keywords.contains_key("properties");
    let is_open = keywords
        .keys()
        .any(|keyword| OPEN.contains(&keyword.as_str()));
    let mut has_closed = false;
    for (keyword, value) in keywords.iter_mut() {
        match (keyword.as_str(), value) {
            ("properties" | "patternProperties" | "$defs", Value::Object(nested)) => {
                let nested = nested.values_mut();
                nested.for_each(|nested| has_closed |= close(nested, true));
            }
            ("prefixItems", Value::Array(nested)) => {
                let nested = nested.iter_mut();
                nested.for_each(|nested| has_closed |= close(nested, true));
            }
            ("items" | "additionalProperties", nested) => has_closed |= close(nested, true),
            // The variants of an enum with a tag: exactly one of them holds.
            ("oneOf", Value::Array(variants)) => {
                let is_alone = is_alone && !has_members;
                let variants = variants.iter_mut();
                variants.for_each(|one| has_closed |= close(one, is_alone));
            }
            ("anyOf" | "allOf", Value::Array(parts)) => {
                let parts = parts.iter_mut();
                parts.for_each(|one| has_closed |= close(one, false));
            }
            _ => {}
        }
    }
    if is_alone && has_members && !is_open {
        keywords.insert("additionalProperties".to_owned(), Value::Bool(false));
        has_closed = true;
    }
    has_closed
}

#[cfg(test)]
mod tests {
    use schemars::JsonSchema;
    use serde::Deserialize;
    use serde_json::json;

    use super::*;
    use crate::schema::input;

    #[derive(Deserialize, JsonSchema)]
    #[expect(dead_code, reason = "only its schema is looked at")]
    struct Item {
        name: String,
        size: Option<Size>,
    }

    #[derive(Deserialize, JsonSchema)]
    #[expect(dead_code, reason = "only its schema is looked at")]
    struct Size {
        meters: u32,
    }

    #[derive(Deserialize, JsonSchema)]
    #[serde(tag = "kind", rename_all = "lowercase")]
    #[expect(dead_code, reason = "only its schema is looked at")]
    enum Way {
        Post { street: String },
        Collect,
    }

    /// Members of its own, and those of an enum.
    #[derive(Deserialize, JsonSchema)]
    #[expect(dead_code, reason = "only its schema is looked at")]
    struct Delivery {
        day: String,
        #[serde(flatten)]
        way: Way,
    }

    #[derive(Deserialize, JsonSchema)]
    #[expect(dead_code, reason = "only its schema is looked at")]
    struct Order {
        items: Vec<Item>,
        by_name: std::collections::BTreeMap<String, Size>,
        delivery: Delivery,
        way: Way,
        anything: Value,
    }

    fn closed(schema: &Value) -> Value {
        let mut closed = schema.clone();
        let has_closed = close_nested(&mut closed);
        assert_eq!(has_closed, closed != *schema, "{schema}");
        closed
    }

    #[test]
    fn nested_structs_are_closed_and_everything_else_stays() {
        let open = input::<Order>();
        let closed = closed(&open);
        let at = |pointer: &str| closed.pointer(pointer).unwrap();
        for pointer in [
            "/properties/items/items",
            "/properties/items/items/properties/size",
            "/properties/by_name/additionalProperties",
            "/properties/way/oneOf/0",
        ] {
            assert_eq!(at(pointer)["additionalProperties"], false, "{pointer}");
        }
        assert_eq!(closed.get("additionalProperties"), None);
        // Its members are those of the struct and those of the alternative.
        assert_eq!(
            at("/properties/delivery"),
            open.pointer("/properties/delivery").unwrap()
        );
        assert_eq!(at("/properties/anything"), &json!({}));
    }

    #[test]
    fn a_schema_that_says_what_else_is_allowed_stays() {
        let schema = json!({"type": "object", "properties": {
            "a": {"properties": {"x": {}}, "additionalProperties": {"type": "string"}},
            "b": {"properties": {"x": {}}, "patternProperties": {"^y": {}}},
            "c": {"$ref": "#/$defs/c"},
        }, "$defs": {"c": {"properties": {"next": {"$ref": "#/$defs/c"}}}}});
        let mut expected = schema.clone();
        expected["$defs"]["c"]["additionalProperties"] = json!(false);
        assert_eq!(closed(&schema), expected);
    }
}
