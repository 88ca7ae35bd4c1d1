//! Schemas that do not compile.

use serde_json::{Value, json};

use crate::schema::validate::Validator;
use crate::schema::validate::invalid_schema::Fault;

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
