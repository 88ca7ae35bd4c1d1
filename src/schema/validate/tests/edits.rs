//! What a check puts right in the arguments before the handler gets them.

use serde_json::{Value, json};

use super::violations;
use crate::json::Document;
use crate::schema::validate::{Budget, Validator};

/// The value as the handler gets it.
fn edited(schema: &Value, value: &Value) -> Value {
    let validator = Validator::compile(schema).unwrap();
    let mut document = Document::of(value);
    let checked = validator.check(&mut document, Budget::steps_only());
    checked.unwrap_or_else(|invalid| panic!("{value}: {invalid}"));
    document.root().to_value()
}

#[test]
fn null_for_an_optional_member_is_its_absence_at_any_depth() {
    let inner = json!({"type": "object", "properties": {"d": {"type": "string"}, "e": {"type": "integer"}}, "required": ["e"]});
    let schema = json!({
        "type": "object",
        "properties": {
            "a": {"type": "integer"},
            "b": {},
            "c": inner,
            "listed": {"type": "array", "items": inner},
            "mapped": {"type": "object", "additionalProperties": inner},
            "tagged": {"oneOf": [
                {"type": "object", "properties": {"kind": {"const": "x"}, "d": {"type": "string"}}, "required": ["kind"]},
                {"type": "object", "properties": {"kind": {"const": "y"}, "d": {"type": ["string", "null"]}}, "required": ["kind"]},
            ]},
            "untagged": {"anyOf": [inner, {"type": "object", "properties": {"f": {"type": "integer"}}, "required": ["f"]}]},
            "referred": {"$ref": "#/$defs/tree"},
        },
        "$defs": {"tree": {"type": "object", "properties": {"next": {"$ref": "#/$defs/tree"}}, "additionalProperties": false}},
    });
    let cases = [
        (
            json!({"a": null, "b": null, "other": null}),
            json!({"b": null, "other": null}),
        ),
        (json!({"c": {"d": null, "e": 1}}), json!({"c": {"e": 1}})),
        (
            json!({"listed": [{"d": null, "e": 1}, {"e": 2, "d": null}]}),
            json!({"listed": [{"e": 1}, {"e": 2}]}),
        ),
        (
            json!({"mapped": {"x": {"d": null, "e": 1}}}),
            json!({"mapped": {"x": {"e": 1}}}),
        ),
        (
            json!({"tagged": {"kind": "x", "d": null}}),
            json!({"tagged": {"kind": "x"}}),
        ),
        (
            json!({"tagged": {"kind": "y", "d": null}}),
            json!({"tagged": {"kind": "y", "d": null}}),
        ),
        (
            json!({"untagged": {"d": null, "e": 1}}),
            json!({"untagged": {"e": 1}}),
        ),
        (
            json!({"untagged": {"d": null, "f": 1}}),
            json!({"untagged": {"d": null, "f": 1}}),
        ),
        (
            json!({"referred": {"next": {"next": null}}}),
            json!({"referred": {"next": {}}}),
        ),
    ];
    for (value, expected) in cases {
        assert_eq!(edited(&schema, &value), expected, "{value}");
    }
    let required = violations(&schema, &json!({"c": {"d": null, "e": null}}));
    assert_eq!(required, "`c.e` must be an integer, not null");
}

#[test]
fn whole_numbers_reach_the_handler_as_integers() {
    let integer = json!({"type": "integer", "maximum": 100});
    let schema = json!({
        "properties": {
            "a": integer,
            "either": {"anyOf": [{"type": "string"}, integer]},
            "listed": {"enum": [1, 2]},
            "number": {"type": "number"},
            "list": {"items": integer},
            "map": {"additionalProperties": integer, "patternProperties": {"^x": {"type": "number"}}},
        },
    });
    for (text, expected) in [
        (r#"{"a": 5.0}"#, r#"{"a":5}"#),
        (r#"{"a": 6e0}"#, r#"{"a":6}"#),
        (r#"{"a": 1e2}"#, r#"{"a":100}"#),
        (r#"{"a": -0.0}"#, r#"{"a":0}"#),
        (r#"{"either": 2.0}"#, r#"{"either":2}"#),
        (r#"{"listed": 2.0}"#, r#"{"listed":2}"#),
        (r#"{"number": 2.0}"#, r#"{"number":2.0}"#),
        (r#"{"list": [1, 2.0]}"#, r#"{"list":[1,2]}"#),
        (
            r#"{"map": {"a": 1.0, "x": 1.0}}"#,
            r#"{"map":{"a":1,"x":1.0}}"#,
        ),
    ] {
        let value: Value = serde_json::from_str(text).unwrap();
        assert_eq!(edited(&schema, &value).to_string(), expected, "{text}");
    }
    let over = violations(&schema, &json!({"a": 101.0}));
    assert_eq!(over, "`a` must be at most 100, not 101");
    let half = violations(&schema, &json!({"a": 1.5}));
    assert_eq!(half, "`a` must be an integer, not a fraction");
}
