//! One case for each keyword: a schema, and values of any size for it. Also included by
//! `benches/validation`, which measures the same checks.

use serde_json::{Value, json};

/// A schema, and a value of a size for it.
pub(crate) struct Case {
    /// The keyword, and what is special.
    pub(crate) keyword: &'static str,
    /// A schema that refers to itself as `#/$defs/value`.
    pub(crate) schema: Value,
    pub(crate) value: fn(usize) -> Value,
}

/// The sizes that are measured.
pub(crate) const SIZES: [usize; 3] = [400, 800, 1600];

/// The input schema of a tool whose argument `value` has this schema.
pub(crate) fn input_schema(schema: &Value) -> Value {
    json!({
        "type": "object",
        "properties": {"value": {"$ref": "#/$defs/value"}},
        "$defs": {"value": schema},
    })
}

/// The arguments of that tool.
pub(crate) fn arguments(value: &Value) -> Value {
    json!({"value": value})
}

fn numbers(size: usize) -> Value {
    (0..size).collect()
}

fn floats(size: usize) -> Value {
    vec![5.0; size].into()
}

fn last(size: usize) -> Value {
    vec![499; size].into()
}

fn lists(size: usize) -> Value {
    vec![json!([1]); size].into()
}

fn objects(size: usize) -> Value {
    vec![json!({"a": 1}); size].into()
}

fn members(size: usize) -> Value {
    Value::Object((0..size).map(|n| (format!("k{n:04}"), json!(n))).collect())
}

fn nulls(size: usize) -> Value {
    vec![json!({"a": null}); size].into()
}

fn text(size: usize) -> Value {
    "ab".repeat(size).into()
}

fn texts(size: usize) -> Value {
    vec!["a text of some words, thirty-two"; size].into()
}

fn addresses(size: usize) -> Value {
    vec!["ada.lovelace@mail.example.org"; size].into()
}

fn deep(size: usize) -> Value {
    (0..size.min(100)).fold(json!([size]), |inner, _| json!([inner]))
}

fn filters(size: usize) -> Value {
    vec![json!({"of": {"of": "x", "op": "is"}, "op": "not"}); size].into()
}

/// All cases.
#[expect(clippy::too_many_lines, reason = "a table")]
pub(crate) fn cases() -> Vec<Case> {
    let many: Vec<usize> = (0..500).collect();
    let one_of_many: Vec<Value> = many.iter().map(|n| json!({"const": n})).collect();
    let names = |count| (0..count).map(|n| format!("k{n:04}"));
    let properties = names(500).map(|name| (name, json!({"type": "integer"})));
    let properties = Value::Object(properties.collect());
    let required: Vec<String> = names(50).collect();
    let case = |keyword, schema, value| Case {
        keyword,
        schema,
        value,
    };
    vec![
        case("type", json!({"items": {"type": "integer"}}), numbers),
        case(
            "type, of a float",
            json!({"items": {"type": "integer"}}),
            floats,
        ),
        case("const", json!({"items": {"not": {"const": -1}}}), numbers),
        case("enum", json!({"items": {"enum": many}}), numbers),
        case(
            "enum, of texts",
            json!({"items": {"enum": ["a text of some words, thirty-two"]}}),
            texts,
        ),
        case(
            "minimum, maximum",
            json!({"items": {"minimum": 0, "maximum": 10_000}}),
            numbers,
        ),
        case("multipleOf", json!({"items": {"multipleOf": 1}}), numbers),
        case("maxLength", json!({"maxLength": 1_000_000}), text),
        case(
            "maxLength, of each",
            json!({"items": {"maxLength": 40}}),
            texts,
        ),
        case("pattern", json!({"pattern": "^[ab]*$"}), text),
        case(
            "pattern, with a group",
            json!({"pattern": "^(a|b)*c$"}),
            text,
        ),
        case(
            "pattern, large",
            json!({"pattern": "([ab]{1,50}x){1,5}$"}),
            text,
        ),
        case(
            "pattern, of classes",
            json!({"pattern": "^([\\w ,-]{1,40})*$"}),
            text,
        ),
        case(
            "pattern, of each",
            json!({"items": {"pattern": "two$"}}),
            texts,
        ),
        case("format", json!({"items": {"format": "email"}}), addresses),
        case(
            "items",
            json!({"items": {"items": {"type": "integer"}}}),
            lists,
        ),
        case(
            "prefixItems",
            json!({"items": {"prefixItems": [{"type": "integer"}]}}),
            lists,
        ),
        case("contains", json!({"contains": {"const": -1}}), numbers),
        case(
            "minContains",
            json!({"contains": {"minimum": 0}, "minContains": 1_000_000}),
            numbers,
        ),
        case(
            "minItems, maxItems",
            json!({"items": {"minItems": 1, "maxItems": 3}}),
            lists,
        ),
        case("uniqueItems", json!({"uniqueItems": true}), numbers),
        case("uniqueItems, of texts", json!({"uniqueItems": true}), texts),
        case(
            "uniqueItems, deep",
            json!({"uniqueItems": true, "items": {"$ref": "#/$defs/value"}}),
            deep,
        ),
        case(
            "maxItems before uniqueItems",
            json!({"maxItems": 3, "uniqueItems": true}),
            numbers,
        ),
        case("properties", json!({"properties": properties}), members),
        case(
            "properties, of each",
            json!({"items": {"properties": {"a": {"type": "integer"}}}}),
            objects,
        ),
        case(
            "properties, null dropped",
            json!({"items": {"properties": {"a": {"type": "integer"}}}}),
            nulls,
        ),
        case(
            "patternProperties",
            json!({"patternProperties": {"9$": {"type": "integer"}}}),
            members,
        ),
        case(
            "additionalProperties",
            json!({"additionalProperties": {"type": "integer"}}),
            members,
        ),
        case(
            "additionalProperties, false",
            json!({"additionalProperties": false}),
            members,
        ),
        case(
            "unevaluatedProperties",
            json!({
                "anyOf": [{"patternProperties": {"1$": true}}, {"patternProperties": {"2$": true}}],
                "unevaluatedProperties": {"type": "integer"},
            }),
            members,
        ),
        case(
            "propertyNames",
            json!({"propertyNames": {"maxLength": 5}}),
            members,
        ),
        case(
            "propertyNames, pattern",
            json!({"propertyNames": {"pattern": "^k[0-9]+$"}}),
            members,
        ),
        case("required", json!({"required": required}), members),
        case(
            "required, of each",
            json!({"items": {"required": ["a"]}}),
            objects,
        ),
        case(
            "dependentRequired",
            json!({"dependentRequired": {"k0001": ["k0002", "k0003"]}}),
            members,
        ),
        case(
            "dependentSchemas",
            json!({"dependentSchemas": {"k0001": {"minProperties": 3}}}),
            members,
        ),
        case(
            "minProperties",
            json!({"items": {"minProperties": 1}}),
            objects,
        ),
        case("$ref", json!({"items": {"$ref": "#/$defs/value"}}), lists),
        case(
            "allOf",
            json!({"items": {"allOf": [{"minimum": 0}, {"maximum": 10_000}]}}),
            numbers,
        ),
        case("anyOf", json!({"items": {"anyOf": one_of_many}}), last),
        case("oneOf", json!({"items": {"oneOf": one_of_many}}), last),
        case(
            "oneOf, tagged",
            json!({"items": {"$ref": "#/$defs/value/$defs/filter"}, "$defs": {"filter": {"oneOf": [
                {
                    "properties": {"op": {"const": "is"}, "of": {"type": "string"}},
                    "required": ["op", "of"],
                },
                {
                    "properties": {"op": {"const": "not"}, "of": {"$ref": "#/$defs/value/$defs/filter"}},
                    "required": ["op", "of"],
                },
            ]}}}),
            filters,
        ),
        case("not", json!({"items": {"not": {"const": 50_000}}}), numbers),
        case(
            "if",
            json!({"items": {"if": {"minimum": 5}, "then": {"maximum": 10_000}}}),
            numbers,
        ),
    ]
}
