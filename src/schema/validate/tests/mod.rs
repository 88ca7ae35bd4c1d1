//! The rules and their messages, one test for each kind. `random` compares with an independent
//! implementation, `cost` bounds the work.

mod alternatives;
mod cases;
mod cost;
mod edits;
mod random;
mod unsupported;

use serde_json::{Value, json};

use super::*;
use crate::json::Document;

fn violations(schema: &Value, value: &Value) -> String {
    let validator = Validator::compile(schema).unwrap();
    validator
        .check(&mut Document::of(value), Budget::steps_only())
        .err()
        .map_or_else(String::new, |invalid| invalid.to_string())
}

#[test]
#[expect(clippy::too_many_lines, reason = "a table, one row for each rule")]
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
            "`even` must be a multiple of 2, not 3",
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
            "`tags` must not contain the same item twice",
        ),
        (
            json!({"name": "ab", "nested": {}}),
            "`nested.deep` is required",
        ),
        (
            json!({"name": "ab", "nmae": 1}),
            "`nmae` is not a known field; did you mean `name`?",
        ),
        (json!([]), "the arguments must be an object, not an array"),
        (
            json!({"name": "a", "count": 0}),
            "`name` must have at least 2 characters, not 1; `count` must be at least 1, not 0",
        ),
    ];
    for (value, expected) in cases {
        assert_eq!(violations(&schema, &value), expected, "{value}");
    }
}

#[test]
#[expect(clippy::too_many_lines, reason = "a table, one row for each rule")]
fn keywords_of_objects_and_arrays_are_checked() {
    let cases = [
        (
            json!({"patternProperties": {"^n_": {"type": "integer"}}}),
            json!({"n_a": 1, "b": "x"}),
            "",
        ),
        (
            json!({"patternProperties": {"^n_": {"type": "integer"}}}),
            json!({"n_a": "x"}),
            "`n_a` must be an integer, not a string",
        ),
        (
            json!({"patternProperties": {"^n_": {}}, "additionalProperties": false}),
            json!({"n_a": 1, "b": 1}),
            "`b` is not a known field; there are none",
        ),
        (
            json!({"propertyNames": {"maxLength": 2}}),
            json!({"ab": 1}),
            "",
        ),
        (
            json!({"propertyNames": {"maxLength": 2}}),
            json!({"abc": 1}),
            "`abc` does not have an allowed name",
        ),
        (
            json!({"propertyNames": {"anyOf": [{"const": "a"}, {"pattern": "^b"}]}}),
            json!({"a": 1, "bc": 1}),
            "",
        ),
        (
            json!({"propertyNames": {"anyOf": [{"const": "a"}, {"pattern": "^b"}]}}),
            json!({"a": 1, "ca": 1, "bc": 1}),
            "`ca` does not have an allowed name",
        ),
        (
            json!({"dependentRequired": {"card": ["address"]}}),
            json!({"other": 1}),
            "",
        ),
        (
            json!({"dependentRequired": {"card": ["address"]}}),
            json!({"card": 1}),
            "`address` is required when `card` is present",
        ),
        (
            json!({"dependentSchemas": {"card": {"required": ["address"]}}}),
            json!({"card": 1}),
            "`address` is required",
        ),
        (
            json!({"minProperties": 1}),
            json!({}),
            "the arguments must have at least 1 field, not 0",
        ),
        (
            json!({"properties": {"a": {"contains": {"const": 5}}}}),
            json!({"a": [1, 5]}),
            "",
        ),
        (
            json!({"properties": {"a": {"contains": {"const": 5}}}}),
            json!({"a": [1]}),
            "`a` must contain at least 1 item of the required form",
        ),
        (
            json!({"properties": {"a": {"contains": {"const": 5}, "minContains": 2}}}),
            json!({"a": [5]}),
            "`a` must contain at least 2 items of the required form",
        ),
        (
            json!({"properties": {"a": {"contains": {"const": 5}, "maxContains": 1}}}),
            json!({"a": [5, 5, 5]}),
            "`a` must contain at most 1 item of the required form",
        ),
        (
            json!({"properties": {"a": {"contains": {"const": 5}, "minContains": 0}}}),
            json!({"a": []}),
            "",
        ),
        (
            json!({"properties": {"a": {"uniqueItems": true}}}),
            json!({"a": [1, 1.0]}),
            "`a` must not contain the same item twice",
        ),
        (
            json!({"properties": {"a": {"uniqueItems": true}}}),
            json!({"a": [{"x": 1, "y": 2}, {"y": 2, "x": 1}]}),
            "`a` must not contain the same item twice",
        ),
        (
            json!({"properties": {"a": {"uniqueItems": true}}}),
            json!({"a": [1, "1", [1], true]}),
            "",
        ),
        (
            json!({"properties": {"a": {"maxItems": 1, "uniqueItems": true, "items": {"type": "string"}}}}),
            json!({"a": [1, 1]}),
            "`a` must have at most 1 item, not 2",
        ),
        (
            json!({"properties": {"a": {"prefixItems": [{"type": "string"}], "items": {"type": "integer"}}}}),
            json!({"a": ["x", "y"]}),
            "`a[1]` must be an integer, not a string",
        ),
    ];
    for (schema, value, expected) in cases {
        assert_eq!(violations(&schema, &value), expected, "{schema} {value}");
    }
}

#[test]
fn unevaluated_properties_see_what_other_keywords_have_seen() {
    // As serde's `flatten` with `deny_unknown_fields` is described.
    let schema = json!({
        "properties": {"name": {"type": "string"}},
        "required": ["name"],
        "oneOf": [
            {"properties": {"kind": {"const": "x"}, "x": {"type": "integer"}}, "required": ["kind"]},
            {"properties": {"kind": {"const": "y"}, "y": {"type": "integer"}}, "required": ["kind"]},
        ],
        "allOf": [{"$ref": "#/$defs/more"}],
        "unevaluatedProperties": false,
        "$defs": {"more": {"if": {"required": ["deep"]}, "then": {"properties": {"deep": true}}}},
    });
    let cases = [
        (json!({"name": "a", "kind": "x", "x": 1}), ""),
        (json!({"name": "a", "kind": "y", "y": 1, "deep": 2}), ""),
        (
            json!({"name": "a", "kind": "x", "y": 1}),
            "`y` is not a known field; did you mean `x`?",
        ),
        (
            json!({"name": "a", "kind": "x", "nam": 1}),
            "`nam` is not a known field; did you mean `name`?",
        ),
    ];
    for (value, expected) in cases {
        assert_eq!(violations(&schema, &value), expected, "{value}");
    }
    let typed = json!({"properties": {"a": {}}, "unevaluatedProperties": {"type": "integer"}});
    assert_eq!(violations(&typed, &json!({"a": "x", "b": 1})), "");
    assert_eq!(
        violations(&typed, &json!({"b": "x"})),
        "`b` must be an integer, not a string"
    );
}

#[test]
fn long_lists_of_values_are_cut_in_messages() {
    let values: Vec<u32> = (0..1000).collect();
    let schema = json!({"properties": {"n": {"enum": values}}});
    assert_eq!(violations(&schema, &json!({"n": 999})), "");
    let text = violations(&schema, &json!({"n": 1000}));
    assert!(text.ends_with("18, 19 and 980 more"), "{text}");
}

#[test]
fn rules_of_one_kind_hold_side_by_side() {
    let schema = json!({"minimum": 5, "exclusiveMinimum": 1, "exclusiveMaximum": 9, "maximum": 20});
    assert_eq!(violations(&schema, &json!(5)), "");
    assert_eq!(
        violations(&schema, &json!(3)),
        "the arguments must be at least 5, not 3"
    );
    assert_ne!(violations(&schema, &json!(9)), "");
    let schema = json!({"enum": [1, 2], "const": 2});
    assert_eq!(violations(&schema, &json!(2)), "");
    assert_ne!(violations(&schema, &json!(1)), "");
}

#[test]
fn large_integers_are_compared_exactly() {
    let schema = json!({"maximum": 9_007_199_254_740_992_u64});
    assert_eq!(violations(&schema, &json!(9_007_199_254_740_992_u64)), "");
    assert_ne!(violations(&schema, &json!(9_007_199_254_740_993_u64)), "");
}
