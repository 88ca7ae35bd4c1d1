use proptest::prelude::*;
use serde_json::{Value, json};

use super::*;

fn violations(schema: &Value, mut value: Value) -> String {
    let validator = Validator::compile(schema).unwrap();
    validator
        .check(&mut value)
        .err()
        .map_or_else(String::new, |invalid| invalid.to_string())
}

#[test]
#[expect(clippy::too_many_lines, reason = "a table, one row a rule")]
fn each_rule_is_checked_and_named_with_its_field() {
    let schema = json!({
        "type": "object",
        "properties": {
            "name": {"type": "string", "minLength": 2, "maxLength": 3},
            "count": {"type": "integer", "minimum": 1, "maximum": 50},
            "ratio": {"type": "number", "exclusiveMinimum": 0, "exclusiveMaximum": 1},
            "even": {"type": "integer", "multipleOf": 2},
            "level": {"type": "string", "enum": ["low", "high"]},
            "code": {"type": "string", "pattern": "^[a-z]+$"},
            "tags": {"type": "array", "items": {"type": "string"}, "maxItems": 2, "uniqueItems": true},
            "nested": {"type": "object", "properties": {"deep": {"type": "boolean"}}, "required": ["deep"]},
        },
        "required": ["name"],
        "additionalProperties": false,
    });
    let cases = [
        (json!({"name": "ab"}), ""),
        (json!({"name": "äöü"}), ""),
        (json!({}), "`name` is required"),
        (
            json!({"name": "a"}),
            "`name` must have at least 2 characters, not 1",
        ),
        (
            json!({"name": "abcd"}),
            "`name` must have at most 3 characters, not 4",
        ),
        (
            json!({"name": 5}),
            "`name` must be a string, not an integer",
        ),
        (json!({"name": null}), "`name` must be a string, not null"),
        (
            json!({"name": "ab", "count": 0}),
            "`count` must be at least 1, not 0",
        ),
        (
            json!({"name": "ab", "count": 200}),
            "`count` must be at most 50, not 200",
        ),
        (
            json!({"name": "ab", "count": 1.5}),
            "`count` must be an integer, not a fraction",
        ),
        (
            json!({"name": "ab", "ratio": 1}),
            "`ratio` must be less than 1, not 1",
        ),
        (json!({"name": "ab", "ratio": 0.5, "even": 4}), ""),
        (
            json!({"name": "ab", "even": 3}),
            "`even` must be a multiple of 2",
        ),
        (
            json!({"name": "ab", "level": "mid"}),
            "`level` must be one of \"low\", \"high\"",
        ),
        (
            json!({"name": "ab", "code": "A1"}),
            "`code` must match the pattern ^[a-z]+$",
        ),
        (
            json!({"name": "ab", "tags": ["a", 1]}),
            "`tags[1]` must be a string, not an integer",
        ),
        (
            json!({"name": "ab", "tags": ["a", "a"]}),
            "`tags` must not hold an item twice",
        ),
        (
            json!({"name": "ab", "nested": {}}),
            "`nested.deep` is required",
        ),
        (
            json!({"name": "ab", "nmae": 1}),
            "`nmae` is not known; known are `name`, `count`, `ratio`, `even`, `level`, `code`, `tags`, `nested`",
        ),
        (json!([]), "the arguments must be an object, not an array"),
        (
            json!({"name": "a", "count": 0}),
            "`name` must have at least 2 characters, not 1; `count` must be at least 1, not 0",
        ),
    ];
    for (value, expected) in cases {
        assert_eq!(violations(&schema, value.clone()), expected, "{value}");
    }
}

#[test]
fn null_for_an_optional_member_is_its_absence() {
    let schema = json!({
        "type": "object",
        "properties": {"a": {"type": "integer"}, "b": {}, "c": {"type": "object", "properties": {"d": {"type": "string"}}}},
    });
    let mut value = json!({"a": null, "b": null, "c": {"d": null}, "other": null});
    Validator::compile(&schema)
        .unwrap()
        .check(&mut value)
        .unwrap();
    assert_eq!(value, json!({"b": null, "c": {}, "other": null}));
}

#[test]
fn alternatives_and_references_are_followed() {
    let schema = json!({
        "type": "object",
        "properties": {
            "shape": {"oneOf": [{"type": "integer"}, {"type": "string"}]},
            "tree": {"$ref": "#/$defs/tree"},
        },
        "$defs": {"tree": {"type": "object", "properties": {"next": {"$ref": "#/$defs/tree"}, "n": {"type": "integer"}}}},
    });
    assert_eq!(
        violations(&schema, json!({"shape": 1, "tree": {"next": {"n": 1}}})),
        ""
    );
    assert_eq!(
        violations(&schema, json!({"shape": []})),
        "`shape` must fit exactly one of the forms its schema allows"
    );
    assert_eq!(
        violations(&schema, json!({"tree": {"next": {"n": "x"}}})),
        "`tree.next.n` must be an integer, not a string"
    );
}

#[test]
fn what_would_not_be_checked_does_not_compile() {
    let compile = |schema: Value| Validator::compile(&schema).unwrap_err().to_string();
    assert!(compile(json!({"unevaluatedProperties": false})).contains("`unevaluatedProperties`"));
    assert!(
        compile(json!({"properties": {"a": {"dependentRequired": {}}}}))
            .contains("`dependentRequired`")
    );
    assert!(compile(json!({"pattern": "("})).contains("`pattern`"));
    for reference in ["#/$defs/x", "#x", "#/properties/%zz"] {
        let text = compile(json!({"items": {"$ref": reference}, "enum": [{"$anchor": "x"}]}));
        assert!(text.contains(&format!("`{reference}`")), "{text}");
    }
    assert!(compile(json!({"items": {"$ref": "https://example.com/x"}})).contains("`$ref`"));
    assert!(compile(json!({"items": {"$id": "https://example.com/x"}})).contains("`$id`"));
}

#[test]
fn a_reference_that_never_goes_deeper_does_not_compile() {
    let circles = [
        json!({"$ref": "#"}),
        json!({"$ref": "#/$defs/a", "$defs": {"a": {"$ref": "#/$defs/b"}, "b": {"allOf": [{"$ref": "#/$defs/a"}]}}}),
        json!({"properties": {"x": {"$ref": "#a"}}, "$defs": {"a": {"$anchor": "a", "not": {"if": {"$ref": "#a"}}}}}),
    ];
    for schema in circles {
        let refused = Validator::compile(&schema).unwrap_err();
        assert_eq!(refused, InvalidSchema::Circle, "{schema}");
    }
    let deeper = json!({"anyOf": [{"type": "null"}, {"properties": {"next": {"$ref": "#"}}}]});
    assert!(Validator::compile(&deeper).is_ok());
}

#[test]
fn conditions_and_exclusions_are_checked() {
    let schema = json!({
        "type": "object",
        "properties": {
            "how": {"enum": ["phone", "email"]},
            "phone": {"type": "string", "not": {"maxLength": 2}},
            "never": false,
        },
        "if": {"properties": {"how": {"const": "phone"}}, "required": ["how"]},
        "then": {"required": ["phone"]},
        "else": {"required": ["email"]},
    });
    let cases = [
        (json!({"how": "phone", "phone": "123"}), ""),
        (json!({"email": "a@b"}), ""),
        (
            json!({"how": "phone", "email": "a@b"}),
            "`phone` is required",
        ),
        (
            json!({"how": "email", "phone": "123"}),
            "`email` is required",
        ),
        (json!({}), "`email` is required"),
        (
            json!({"email": "", "phone": "12"}),
            "`phone` has the form that its schema excludes",
        ),
        (json!({"email": "", "never": 1}), "`never` is not allowed"),
    ];
    for (value, expected) in cases {
        assert_eq!(violations(&schema, value.clone()), expected, "{value}");
    }
}

#[test]
fn references_lead_anywhere_in_the_schema() {
    let schema = json!({
        "type": "object",
        "properties": {
            "a": {"type": "integer"},
            "pointed": {"$ref": "#/properties/a"},
            "escaped": {"$ref": "#/$defs/x~1y%20z"},
            "nested": {"$ref": "#/$defs/outer/$defs/inner"},
            "anchored": {"$ref": "#here"},
            "whole": {"$ref": "#"},
        },
        "$defs": {
            "x/y z": {"const": 1},
            "outer": {"$defs": {"inner": {"type": "boolean"}, "far": {"items": {"$anchor": "here", "type": "null"}}}},
        },
    });
    let good =
        json!({"pointed": 1, "escaped": 1, "nested": true, "anchored": null, "whole": {"a": 1}});
    assert_eq!(violations(&schema, good), "");
    for (value, expected) in [
        (
            json!({"pointed": "x"}),
            "`pointed` must be an integer, not a string",
        ),
        (json!({"escaped": 2}), "`escaped` must be one of 1"),
        (
            json!({"nested": 2}),
            "`nested` must be a boolean, not an integer",
        ),
        (
            json!({"anchored": 2}),
            "`anchored` must be null, not an integer",
        ),
        (
            json!({"whole": {"whole": {"a": ""}}}),
            "`whole.whole.a` must be an integer, not a string",
        ),
    ] {
        assert_eq!(violations(&schema, value.clone()), expected, "{value}");
    }
}

#[test]
fn rules_of_one_kind_hold_side_by_side() {
    let schema = json!({"minimum": 5, "exclusiveMinimum": 1, "exclusiveMaximum": 9, "maximum": 20});
    assert_eq!(violations(&schema, json!(5)), "");
    assert_eq!(
        violations(&schema, json!(3)),
        "the arguments must be at least 5, not 3"
    );
    assert_ne!(violations(&schema, json!(9)), "");
    let schema = json!({"enum": [1, 2], "const": 2});
    assert_eq!(violations(&schema, json!(2)), "");
    assert_ne!(violations(&schema, json!(1)), "");
}

#[test]
fn large_integers_are_compared_exactly() {
    let schema = json!({"maximum": 9_007_199_254_740_992_u64});
    assert_eq!(violations(&schema, json!(9_007_199_254_740_992_u64)), "");
    assert_ne!(violations(&schema, json!(9_007_199_254_740_993_u64)), "");
}

fn any_json() -> impl Strategy<Value = Value> {
    let leaf = prop_oneof![
        Just(Value::Null),
        any::<bool>().prop_map(Value::from),
        any::<i64>().prop_map(Value::from),
        any::<f64>().prop_map(Value::from),
        "[a-c]{0,4}".prop_map(Value::from),
    ];
    leaf.prop_recursive(3, 24, 4, |inner| {
        prop_oneof![
            proptest::collection::vec(inner.clone(), 0..4).prop_map(Value::from),
            proptest::collection::vec(("[a-d]", inner), 0..4)
                .prop_map(|members| Value::Object(members.into_iter().collect())),
        ]
    })
}

/// Integers written as fractions are integers to JSON Schema; here they are refused.
fn has_whole_fraction(value: &Value) -> bool {
    match value {
        Value::Number(number) => {
            number.is_f64() && number.as_f64().is_some_and(|value| value.fract() == 0.0)
        }
        Value::Array(items) => items.iter().any(has_whole_fraction),
        Value::Object(members) => members.values().any(has_whole_fraction),
        Value::Null | Value::Bool(_) | Value::String(_) => false,
    }
}

proptest! {
    /// A second opinion: an independent implementation of JSON Schema agrees on every value.
    #[test]
    fn an_independent_validator_agrees(value in any_json()) {
        let schema = json!({
            "type": "object",
            "properties": {
                "a": {"type": "integer", "minimum": -5, "maximum": 5},
                "b": {"type": "string", "minLength": 1, "maxLength": 2, "pattern": "^[ab]"},
                "c": {"type": "array", "items": {"type": "number"}, "minItems": 1, "uniqueItems": true},
                "d": {"anyOf": [{"type": "boolean"}, {"type": "object", "required": ["a"]}]},
            },
            "required": ["a"],
            "additionalProperties": false,
        });
        prop_assume!(!has_whole_fraction(&value));
        let mut given = value;
        let ours = Validator::compile(&schema).unwrap().check(&mut given).is_ok();
        prop_assert_eq!(ours, jsonschema::is_valid(&schema, &given), "{}", given);
    }

    /// The same for what no type gives: conditions, exclusions, references of every kind.
    #[test]
    fn an_independent_validator_agrees_on_schemas_written_by_hand(
        members in proptest::collection::btree_map("[a-d]", any_json(), 0..4),
    ) {
        let value = Value::Object(members.into_iter().collect());
        let schema = json!({
            "$schema": "https://json-schema.org/draft/2020-12/schema",
            "type": ["object", "array"],
            "properties": {
                "a": {"$ref": "#/$defs/outer/$defs/inner"},
                "b": {"$ref": "#short"},
                "c": {"$ref": "#"},
                "d": {"not": {"type": ["integer", "object"]}},
            },
            "items": {"$ref": "#/properties/b"},
            "if": {"required": ["a"]},
            "then": {"not": {"required": ["b"]}},
            "else": {"anyOf": [{"required": ["c"]}, {"required": ["d"]}, {"type": "array"}]},
            "$defs": {
                "outer": {
                    "$defs": {"inner": {"if": {"type": "number"}, "then": {"minimum": 0, "exclusiveMinimum": -3}, "else": {"maxLength": 2}}},
                    "items": {"$anchor": "short", "type": ["string", "boolean"], "maxLength": 3, "const": "ab"},
                },
            },
            "additionalProperties": false,
        });
        prop_assume!(!has_whole_fraction(&value));
        let mut given = value;
        let ours = Validator::compile(&schema).unwrap().check(&mut given).is_ok();
        prop_assert_eq!(ours, jsonschema::is_valid(&schema, &given), "{}", given);
    }
}
