//! The rules and their messages, one test for each kind. `random` compares with an independent
//! implementation, `cost` bounds the work.

mod cost;
mod random;

use serde_json::{Value, json};

use super::invalid_schema::Fault;
use super::*;

fn violations(schema: &Value, mut value: Value) -> String {
    let validator = Validator::compile(schema).unwrap();
    validator
        .check(&mut value, Budget::steps_only())
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
        assert_eq!(violations(&schema, value.clone()), expected, "{value}");
    }
}

/// The value as the handler gets it.
fn edited(schema: &Value, mut value: Value) -> Value {
    let validator = Validator::compile(schema).unwrap();
    let checked = validator.check(&mut value, Budget::steps_only());
    checked.unwrap_or_else(|invalid| panic!("{value}: {invalid}"));
    value
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
        assert_eq!(edited(&schema, value.clone()), expected, "{value}");
    }
    let required = violations(&schema, json!({"c": {"d": null, "e": null}}));
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
        assert_eq!(edited(&schema, value).to_string(), expected, "{text}");
    }
    let over = violations(&schema, json!({"a": 101.0}));
    assert_eq!(over, "`a` must be at most 100, not 101");
    let half = violations(&schema, json!({"a": 1.5}));
    assert_eq!(half, "`a` must be an integer, not a fraction");
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
        "`shape` must be an integer or a string, not an array"
    );
    assert_eq!(
        violations(&schema, json!({"tree": {"next": {"n": "x"}}})),
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
            violations(schema, json!({"shape": shape})),
            expected,
            "{shape}"
        );
    }
}

#[test]
fn one_of_takes_exactly_one() {
    let schema = json!({"properties": {"x": {"oneOf": [{"minimum": 0}, {"maximum": 10}]}}});
    assert_eq!(violations(&schema, json!({"x": 11})), "");
    let both = violations(&schema, json!({"x": 5}));
    assert_eq!(
        both,
        "`x` matches more than one of the allowed forms; it must match one"
    );
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
        assert_eq!(
            violations(&schema, value.clone()),
            expected,
            "{schema} {value}"
        );
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
        assert_eq!(violations(&schema, value.clone()), expected, "{value}");
    }
    let typed = json!({"properties": {"a": {}}, "unevaluatedProperties": {"type": "integer"}});
    assert_eq!(violations(&typed, json!({"a": "x", "b": 1})), "");
    assert_eq!(
        violations(&typed, json!({"b": "x"})),
        "`b` must be an integer, not a string"
    );
}

#[test]
fn long_lists_of_values_are_cut_in_messages() {
    let values: Vec<u32> = (0..1000).collect();
    let schema = json!({"properties": {"n": {"enum": values}}});
    assert_eq!(violations(&schema, json!({"n": 999})), "");
    let text = violations(&schema, json!({"n": 1000}));
    assert!(text.ends_with("18, 19 and 980 more"), "{text}");
}

#[test]
fn schemas_that_would_not_be_checked_do_not_compile() {
    let compile = |schema: Value| Validator::compile(&schema).unwrap_err().to_string();
    for (schema, words) in [
        (json!({"unevaluatedItems": false}), "`unevaluatedItems`"),
        (json!({"$dynamicRef": "#x"}), "`$dynamicRef`"),
        (
            json!({"items": {"$ref": "https://example.com/x"}}),
            "`$ref`",
        ),
        (json!({"items": {"$id": "https://example.com/x"}}), "`$id`"),
        (json!({"minLength": -1}), "`minLength` has an invalid value"),
        (
            json!({"multipleOf": 0}),
            "`multipleOf` has an invalid value",
        ),
        (json!({"anyOf": []}), "`anyOf` has an invalid value"),
        (
            json!({"properties": {"a": {"dependencies": {}}}}),
            "field `a`: the keyword `dependencies`",
        ),
        (
            json!({"properties": {"a": {"items": {"properties": {"b": {"pattern": "("}}}}}}),
            "field `a[].b`: the pattern `(` is not supported: ",
        ),
        (
            json!({"patternProperties": {"(?=x)": {}}}),
            "the pattern `(?=x)` is not supported: ",
        ),
        (json!({"pattern": "(a{1000}){1000}"}), "is not supported: "),
        (
            json!({"$schema": "http://json-schema.org/draft-07/schema#"}),
            "only JSON Schema 2020-12 is supported",
        ),
        (
            json!({"items": {"$schema": "https://example.com/x"}}),
            "field `[]`: its `$schema`",
        ),
    ] {
        let text = compile(schema.clone());
        assert!(text.contains(words), "{schema}: {text}");
    }
    for reference in ["#/$defs/x", "#x", "#/properties/%zz"] {
        let text = compile(json!({"items": {"$ref": reference}, "enum": [{"$anchor": "x"}]}));
        assert!(text.contains(&format!("`{reference}`")), "{text}");
    }
    let ours = json!({"$schema": "https://json-schema.org/draft/2020-12/schema#"});
    assert!(Validator::compile(&ours).is_ok());
}

#[test]
fn a_reference_that_never_goes_deeper_does_not_compile() {
    let cycles = [
        json!({"$ref": "#"}),
        json!({"$ref": "#/$defs/a", "$defs": {"a": {"$ref": "#/$defs/b"}, "b": {"allOf": [{"$ref": "#/$defs/a"}]}}}),
        json!({"properties": {"x": {"$ref": "#a"}}, "$defs": {"a": {"$anchor": "a", "not": {"if": {"$ref": "#a"}}}}}),
        json!({"dependentSchemas": {"x": {"$ref": "#"}}}),
    ];
    for schema in cycles {
        let refused = Validator::compile(&schema).unwrap_err();
        assert_eq!(refused.fault, Fault::Cycle, "{schema}");
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
            "`phone` has a form that is not allowed",
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
