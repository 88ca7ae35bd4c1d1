//! The subset of JSON Schema that model APIs share.
//!
//! schemars describes a type exactly; several model APIs refuse what it writes: `$schema`, `$defs`,
//! `format: uint32`, type arrays, `oneOf` of constants. [`portable`] says the same in the shared subset.

use serde_json::{Map, Value, json};

use super::format::Format;

pub(super) fn portable(schema: &mut Value) {
    each_schema(schema, &mut |object| {
        if !object.iter().any(may_change) {
            return;
        }
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

/// Whether a keyword can be one that is written in another way. Most schemas have none.
fn may_change((keyword, value): (&String, &Value)) -> bool {
    match keyword.as_str() {
        "format" | "anyOf" | "oneOf" | "allOf" | "const" | "enum" => true,
        "type" => value.is_array(),
        "default" => value.is_null(),
        _ => false,
    }
}

/// Visits every schema below and then this one.
pub(super) fn each_schema(schema: &mut Value, visit: &mut impl FnMut(&mut Map<String, Value>)) {
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

/// Keeps the formats that are checked. Any other only repeats the Rust type, such as `uint32`.
pub(super) fn drop_rust_formats(object: &mut Map<String, Value>) {
    let format = object.get("format").and_then(Value::as_str);
    if format.is_some_and(|format| Format::named(format).is_none()) {
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
