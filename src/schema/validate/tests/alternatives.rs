//! `anyOf`, `oneOf`, conditions and references.

use serde_json::json;

use super::violations;

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
        violations(&schema, &json!({"shape": 1, "tree": {"next": {"n": 1}}})),
        ""
    );
    assert_eq!(
        violations(&schema, &json!({"shape": []})),
        "`shape` must be an integer or a string, not an array"
    );
    assert_eq!(
        violations(&schema, &json!({"tree": {"next": {"n": "x"}}})),
        "`tree.next.n` must be an integer, not a string"
    );
}

#[expect(clippy::too_many_lines, reason = "a table")]
#[test]
fn a_failed_alternative_is_the_one_that_its_tag_names() {
    let tagged = json!({"properties": {"shape": {"oneOf": [
        {"type": "object", "properties": {"kind": {"const": "circle"}, "radius": {"type": "number"}}, "required": ["kind", "radius"]},
        {"type": "object", "properties": {"kind": {"const": "square"}, "side": {"type": "number"}}, "required": ["kind", "side"]},
    ]}}});
    let by_key = json!({"properties": {"shape": {"oneOf": [
        {"type": "string", "enum": ["Point", "Line"]},
        {"type": "object", "properties": {"Circle": {"type": "number"}}, "required": ["Circle"], "additionalProperties": false},
        {"type": "object", "properties": {"Square": {"type": "number"}}, "required": ["Square"], "additionalProperties": false},
    ]}}});
    let by_fields = json!({"properties": {"shape": {"anyOf": [
        {"type": "object", "properties": {"radius": {"type": "number"}}, "required": ["radius"]},
        {"type": "object", "properties": {"side": {"type": "number"}}, "required": ["side"]},
    ]}}});
    let cases = [
        (
            &tagged,
            json!({"kind": "circle"}),
            "`shape.radius` is required (`shape.kind` is \"circle\")",
        ),
        (
            &tagged,
            json!({"kind": "square", "side": "x"}),
            "`shape.side` must be a number, not a string (`shape.kind` is \"square\")",
        ),
        (
            &tagged,
            json!({"kind": "line"}),
            "`shape.kind` must be one of \"circle\", \"square\"",
        ),
        (
            &tagged,
            json!({"side": 1}),
            "`shape.kind` is required: one of \"circle\", \"square\"",
        ),
        (
            &tagged,
            json!(5),
            "`shape` must be an object, not an integer",
        ),
        (
            &by_key,
            json!("Dot"),
            "`shape` must be one of \"Point\", \"Line\"",
        ),
        (
            &by_key,
            json!({"Circle": "x"}),
            "`shape.Circle` must be a number, not a string",
        ),
        (
            &by_key,
            json!({"Oval": 1}),
            "`shape` must have exactly one of the fields `Circle`, `Square`",
        ),
        (
            &by_key,
            json!({"Circle": 1, "Squar": 1}),
            "`shape.Squar` is not a known field; known are `Circle`",
        ),
        (
            &by_key,
            json!(5),
            "`shape` must be a string or an object, not an integer",
        ),
        (
            &by_fields,
            json!({"side": "x"}),
            "`shape.side` must be a number, not a string",
        ),
        (
            &by_fields,
            json!({}),
            "`shape` must have one of the fields `radius`, `side`",
        ),
    ];
    for (schema, shape, expected) in cases {
        assert_eq!(
            violations(schema, &json!({"shape": shape})),
            expected,
            "{shape}"
        );
    }
}

#[test]
fn one_of_takes_exactly_one() {
    let schema = json!({"properties": {"x": {"oneOf": [{"minimum": 0}, {"maximum": 10}]}}});
    assert_eq!(violations(&schema, &json!({"x": 11})), "");
    let both = violations(&schema, &json!({"x": 5}));
    assert_eq!(
        both,
        "`x` matches more than one of the allowed forms; it must match one"
    );
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
            "`phone` has a form that is not allowed",
        ),
        (json!({"email": "", "never": 1}), "`never` is not allowed"),
    ];
    for (value, expected) in cases {
        assert_eq!(violations(&schema, &value), expected, "{value}");
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
    assert_eq!(violations(&schema, &good), "");
    for (value, expected) in [
        (
            json!({"pointed": "x"}),
            "`pointed` must be an integer, not a string",
        ),
        (json!({"escaped": 2}), "`escaped` must be 1"),
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
        assert_eq!(violations(&schema, &value), expected, "{value}");
    }
}
