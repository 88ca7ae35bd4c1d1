//! JSON Schemas that every client can read.
//!
//! schemars describes a type exactly; several model APIs refuse what it writes: `$schema`, `$defs`,
//! `format: uint32`, type arrays, `oneOf` of constants. [`input`] says the same in the subset they
//! share. Specification: *Tools, Tool*; *JSON Schema Usage*.

use schemars::JsonSchema;
use schemars::generate::SchemaSettings;
use serde_json::{Map, Value, json};

/// The formats that model APIs know; the others only repeat the Rust type.
const PORTABLE_FORMATS: [&str; 3] = ["date-time", "email", "uri"];

/// The schema of arguments: an object in the portable subset.
pub(crate) fn input<T: JsonSchema>() -> Value {
    let settings = SchemaSettings::draft2020_12().with(|s| s.inline_subschemas = true);
    let mut schema = settings
        .into_generator()
        .into_root_schema_for::<T>()
        .to_value();
    portable(&mut schema);
    if let Some(root) = schema.as_object_mut() {
        root.remove("$schema");
        root.remove("title");
        root.entry("type").or_insert_with(|| json!("object"));
        root.entry("properties").or_insert_with(|| json!({}));
    }
    schema
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

/// The schema of a form that a person fills in: a flat object of text, numbers, truth values and
/// choices. `None` if the type is anything else. Specification: *Elicitation, Requested Schema*.
pub(crate) fn form<T: JsonSchema>() -> Option<Value> {
    let schema = input::<T>();
    let is_flat = schema
        .get("properties")?
        .as_object()?
        .values()
        .all(|property| {
            let ty = |schema: &Value| {
                schema
                    .get("type")
                    .and_then(Value::as_str)
                    .map(str::to_owned)
            };
            match ty(property).as_deref() {
                Some("string" | "integer" | "number" | "boolean") => true,
                Some("array") => property.get("items").is_some_and(|item| {
                    ty(item).as_deref() == Some("string") && item.get("enum").is_some()
                }),
                _ => false,
            }
        });
    let mut form = Map::new();
    for keyword in ["type", "properties", "required"] {
        if let Some(value) = schema.get(keyword) {
            form.insert(keyword.to_owned(), value.clone());
        }
    }
    is_flat.then_some(Value::Object(form))
}

fn portable(schema: &mut Value) {
    each_schema(schema, &mut |object| {
        drop_rust_formats(object);
        drop_null(object);
        merge_single(object);
        constants_to_enum(object);
        drop_null_type(object);
        if object.get("default").is_some_and(Value::is_null) {
            object.remove("default");
        }
    });
}

/// Visits every schema below and then this one.
fn each_schema(schema: &mut Value, visit: &mut impl FnMut(&mut Map<String, Value>)) {
    // `true` says nothing, as `{}` does; some clients know only the latter.
    if *schema == Value::Bool(true) {
        *schema = json!({});
    }
    let Some(object) = schema.as_object_mut() else {
        return;
    };
    for (keyword, value) in object.iter_mut() {
        match (keyword.as_str(), value) {
            ("properties" | "$defs" | "patternProperties", Value::Object(schemas)) => {
                schemas
                    .values_mut()
                    .for_each(|schema| each_schema(schema, visit));
            }
            ("anyOf" | "oneOf" | "allOf" | "prefixItems", Value::Array(schemas)) => {
                schemas
                    .iter_mut()
                    .for_each(|schema| each_schema(schema, visit));
            }
            ("items" | "not" | "contains", schema) => each_schema(schema, visit),
            ("additionalProperties", schema @ Value::Object(_)) => each_schema(schema, visit),
            _ => {}
        }
    }
    visit(object);
}

fn drop_rust_formats(object: &mut Map<String, Value>) {
    let format = object.get("format").and_then(Value::as_str);
    if format.is_some_and(|format| !PORTABLE_FORMATS.contains(&format)) {
        object.remove("format");
    }
}

/// `anyOf: [X, {type: null}]` is how an optional X is described; an optional argument may just be
/// left out.
fn drop_null(object: &mut Map<String, Value>) {
    for keyword in ["anyOf", "oneOf"] {
        if let Some(Value::Array(variants)) = object.get_mut(keyword)
            && variants.len() > 1
        {
            variants.retain(|variant| variant.get("type") != Some(&json!("null")));
        }
    }
}

/// `type: [X, null]` likewise.
fn drop_null_type(object: &mut Map<String, Value>) {
    if let Some(Value::Array(types)) = object.get_mut("type") {
        types.retain(|ty| ty != "null");
        if let [only] = types.as_slice() {
            let only = only.clone();
            object.insert("type".to_owned(), only);
        }
    }
    if object.contains_key("type")
        && let Some(Value::Array(values)) = object.get_mut("enum")
    {
        values.retain(|value| !value.is_null());
    }
}

/// `oneOf` of string constants, which is how a documented enum is described, is an `enum` whose
/// description tells of each value.
fn constants_to_enum(object: &mut Map<String, Value>) {
    if let Some(constant) = object.remove("const") {
        object.insert("enum".to_owned(), json!([constant]));
    }
    for keyword in ["oneOf", "anyOf"] {
        let Some(Value::Array(variants)) = object.get(keyword) else {
            continue;
        };
        let mut values = Vec::new();
        let mut described = Vec::new();
        for variant in variants {
            // Variants were visited before, so a constant is an `enum` by now.
            let Some(Value::Array(listed)) = variant.get("enum") else {
                return;
            };
            if !listed.iter().all(Value::is_string) {
                return;
            }
            if let (Some(text), [Value::String(value)]) = (
                variant.get("description").and_then(Value::as_str),
                listed.as_slice(),
            ) {
                described.push(format!("`{value}`: {text}"));
            }
            values.extend(listed.iter().cloned());
        }
        object.remove(keyword);
        object.insert("type".to_owned(), json!("string"));
        object.insert("enum".to_owned(), Value::Array(values));
        if !described.is_empty() {
            let mut text = described.join("; ");
            if let Some(Value::String(own)) = object.get("description") {
                text = format!("{own} {text}");
            }
            object.insert("description".to_owned(), Value::String(text));
        }
    }
}

/// One alternative is none: its keywords move up, and what stands here already wins.
fn merge_single(object: &mut Map<String, Value>) {
    for keyword in ["anyOf", "oneOf", "allOf"] {
        let Some(Value::Array(variants)) = object.get_mut(keyword) else {
            continue;
        };
        if variants.len() != 1 {
            continue;
        }
        let only = variants.pop();
        object.remove(keyword);
        if let Some(Value::Object(inner)) = only {
            for (name, value) in inner {
                object.entry(name).or_insert(value);
            }
        }
    }
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
