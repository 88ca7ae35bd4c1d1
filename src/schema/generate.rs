//! JSON Schemas of Rust types.
//!
//! [`input`] describes arguments in the subset of JSON Schema that model APIs share; [`output`]
//! describes results exactly. Specification: *Tools, Tool*; *JSON Schema Usage*.

use schemars::JsonSchema;
use schemars::generate::SchemaSettings;
use serde_json::{Value, json};

use super::portable::{drop_rust_formats, each_schema, portable};

/// The schema of arguments: an object in the portable subset.
///
/// The schema of an enum has alternatives at its root, which say exactly what is valid. `listed` makes
/// one object of them for clients.
pub(crate) fn input<T: JsonSchema>() -> Value {
    arguments(described::<T>())
}

/// The schema of what is read into a type, as schemars describes it.
pub(super) fn described<T: JsonSchema>() -> Value {
    let settings = SchemaSettings::draft2020_12().with(|s| s.inline_subschemas = true);
    let generator = settings.into_generator();
    generator.into_root_schema_for::<T>().to_value()
}

/// [`input`] of a type that is described by this schema.
pub(super) fn arguments(mut schema: Value) -> Value {
    // A type such as `serde_json::Value` accepts any arguments. Without this, nothing would tell it
    // from a struct without fields.
    if schema == json!(true) || says_nothing(&schema) {
        schema = json!({ "additionalProperties": true });
    }
    portable(&mut schema);
    if let Some(root) = schema.as_object_mut() {
        root.remove("$schema");
        root.remove("title");
        root.entry("type").or_insert_with(|| json!("object"));
        root.entry("properties").or_insert_with(|| json!({}));
    }
    schema
}

/// Whether a schema has annotations only.
fn says_nothing(schema: &Value) -> bool {
    let annotations = ["$schema", "title", "description"];
    let is_annotation = |keyword: &String| annotations.contains(&keyword.as_str());
    let keywords = schema.as_object();
    keywords.is_some_and(|keywords| keywords.keys().all(is_annotation))
}

/// The schema of arguments of a tool that takes none.
pub(crate) fn no_input() -> Value {
    json!({ "type": "object", "properties": {} })
}

/// The schema of structured content: exact, since a result must conform to it, so `null` stays
/// where the type can be `null`.
pub(crate) fn output<T: JsonSchema>() -> Value {
    let settings = SchemaSettings::draft2020_12()
        .for_serialize()
        .with(|s| s.inline_subschemas = true);
    let mut schema = settings
        .into_generator()
        .into_root_schema_for::<T>()
        .to_value();
    each_schema(&mut schema, &mut drop_rust_formats);
    if let Some(root) = schema.as_object_mut() {
        root.remove("$schema");
        root.remove("title");
    }
    schema
}

#[cfg(test)]
mod tests {
    use super::*;
    use serde::{Deserialize, Serialize};

    #[derive(Deserialize, JsonSchema)]
    #[expect(dead_code, reason = "only its schema is looked at")]
    struct Everything {
        /// A name.
        #[schemars(length(min = 1, max = 80))]
        name: String,
        count: Option<u32>,
        #[serde(default)]
        size: u8,
        level: Option<Level>,
        kind: Kind,
        nested: Option<Nested>,
        anything: serde_json::Value,
        list: Vec<i64>,
    }

    #[derive(Deserialize, Serialize, JsonSchema)]
    #[serde(rename_all = "lowercase")]
    enum Level {
        /// Not much.
        Low,
        /// A lot.
        High,
    }

    #[derive(Deserialize, JsonSchema)]
    enum Kind {
        A,
        B,
    }

    #[derive(Deserialize, JsonSchema)]
    #[expect(dead_code, reason = "only its schema is looked at")]
    struct Nested {
        ratio: Option<f64>,
    }

    #[test]
    fn input_schemas_are_portable() {
        assert_eq!(
            input::<Everything>(),
            json!({
                "type": "object",
                "properties": {
                    "name": {"description": "A name.", "type": "string", "minLength": 1, "maxLength": 80},
                    "count": {"type": "integer", "minimum": 0},
                    "size": {"type": "integer", "minimum": 0, "maximum": 255, "default": 0},
                    "level": {"type": "string", "enum": ["low", "high"], "description": "`low`: Not much.; `high`: A lot."},
                    "kind": {"type": "string", "enum": ["A", "B"]},
                    "nested": {"type": "object", "properties": {"ratio": {"type": "number"}}},
                    "anything": {},
                    "list": {"type": "array", "items": {"type": "integer"}},
                },
                "required": ["name", "kind", "anything", "list"],
            })
        );
    }

    #[test]
    fn an_object_without_members_has_properties_all_the_same() {
        #[derive(Deserialize, JsonSchema)]
        struct Nothing {}
        assert_eq!(input::<Nothing>(), no_input());
    }

    #[test]
    fn output_schemas_keep_null_where_a_result_can_hold_it() {
        #[derive(Serialize, JsonSchema)]
        struct Found {
            count: Option<u32>,
        }
        let schema = output::<Found>();
        assert_eq!(
            schema["properties"]["count"]["type"],
            json!(["integer", "null"])
        );
        assert_eq!(schema["required"], json!(["count"]));
        assert_eq!(schema.get("$schema"), None);
    }
}
