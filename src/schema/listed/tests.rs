//! Enums, flattened enums and schemas written by hand, as clients list them.

use schemars::JsonSchema;
use serde::Deserialize;
use serde_json::{Value, json};

use super::{NotAnObject, closes};
use crate::schema::input;

fn listed(schema: &Value, is_closed: bool) -> Result<Value, NotAnObject> {
    super::listed(schema.clone(), is_closed)
}

#[derive(Deserialize, JsonSchema)]
#[serde(tag = "shape", rename_all = "lowercase")]
#[expect(dead_code, reason = "only its schema is looked at")]
enum Shape {
    /// A round one.
    Circle {
        /// In metres.
        radius: f64,
    },
    Square {
        /// In metres.
        side: f64,
        turned: Option<bool>,
    },
    Nothing,
}

#[test]
fn a_tagged_enum_is_listed_as_one_object_with_its_tag() {
    let schema = input::<Shape>();
    assert!(schema.get("oneOf").is_some(), "{schema}");
    let expected = json!({
        "type": "object",
        "properties": {
            "shape": {
                "type": "string",
                "enum": ["circle", "square", "nothing"],
                "description": "`circle`: A round one.",
            },
            "radius": {
                "type": "number",
                "description": "In metres. Required if `shape` is `circle`.",
            },
            "side": {
                "type": "number",
                "description": "In metres. Required if `shape` is `square`.",
            },
            "turned": {"type": "boolean", "description": "Optional if `shape` is `square`."},
        },
        "required": ["shape"],
    });
    assert_eq!(listed(&schema, false), Ok(expected.clone()));
    let mut closed = expected;
    closed["additionalProperties"] = json!(false);
    assert_eq!(listed(&schema, true), Ok(closed));
}

#[test]
fn an_enum_that_is_flattened_into_a_struct_is_merged_with_it() {
    #[derive(Deserialize, JsonSchema)]
    #[expect(dead_code, reason = "only its schema is looked at")]
    struct Drawing {
        name: String,
        #[serde(flatten)]
        shape: Shape,
    }
    let listed = listed(&input::<Drawing>(), true).unwrap();
    let names: Vec<&String> = listed["properties"].as_object().unwrap().keys().collect();
    assert_eq!(names, ["name", "shape", "radius", "side", "turned"]);
    assert_eq!(listed["required"], json!(["name", "shape"]));
    assert_eq!(listed.get("oneOf"), None);
}

#[test]
fn a_property_of_several_types_keeps_them_as_alternatives_below_the_root() {
    let schema = json!({"type": "object", "anyOf": [
        {"type": "object", "properties": {"id": {"type": "integer"}}, "required": ["id"]},
        {"type": "object", "properties": {"id": {"type": "string"}}, "required": ["id"]},
    ]});
    assert_eq!(
        listed(&schema, false),
        Ok(json!({
            "type": "object",
            "properties": {"id": {"anyOf": [{"type": "integer"}, {"type": "string"}]}},
            "required": ["id"],
        }))
    );
}

#[test]
fn rules_about_the_whole_object_do_not_show_at_its_root() {
    let schema = json!({
        "type": "object",
        "properties": {"phone": {"type": "string"}, "email": {"type": "string"}},
        "anyOf": [{"required": ["phone"]}, {"required": ["email"]}],
        "allOf": [{"required": ["name"], "properties": {"name": {"type": "string"}}}],
        "not": {"required": ["fax"]},
    });
    assert_eq!(
        listed(&schema, false),
        Ok(json!({
            "type": "object",
            "properties": {
                "phone": {"type": "string"}, "email": {"type": "string"}, "name": {"type": "string"},
            },
            "required": ["name"],
        }))
    );
}

#[test]
fn references_are_followed_and_definitions_kept_only_where_they_are_used() {
    let schema = json!({
        "type": "object",
        "oneOf": [{"$ref": "#/$defs/A"}, {"$ref": "#/$defs/B"}],
        "$defs": {
            "A": {"type": "object", "properties": {"a": {"type": "string"}}, "required": ["a"]},
            "B": {"type": "object", "properties": {"b": {"type": "string"}}, "required": ["b"]},
        },
    });
    assert_eq!(
        listed(&schema, false),
        Ok(json!({
            "type": "object",
            "properties": {"a": {"type": "string"}, "b": {"type": "string"}},
        }))
    );
    let mut recursive = schema;
    recursive["$defs"]["A"]["properties"]["a"] = json!({"$ref": "#/$defs/A"});
    let listed = listed(&recursive, false).unwrap();
    assert!(listed.get("$defs").is_some(), "{listed}");
}

#[test]
fn an_alternative_that_is_no_object_cannot_be_listed() {
    #[derive(Deserialize, JsonSchema)]
    #[expect(dead_code, reason = "only its schema is looked at")]
    enum Mixed {
        Range { from: u32 },
        Everything,
    }
    let not_an_object = |schema: &Value| match listed(schema, true) {
        Err(NotAnObject(what)) => what,
        Ok(listed) => panic!("{listed}"),
    };
    assert_eq!(not_an_object(&input::<Mixed>()), "the text `Everything`");
    let number = json!({"type": "object", "anyOf": [{"type": "object"}, {"type": "integer"}]});
    assert_eq!(not_an_object(&number), "an integer");
}

#[test]
fn only_a_schema_that_names_its_arguments_closes() {
    #[derive(Deserialize, JsonSchema)]
    #[expect(dead_code, reason = "only its schema is looked at")]
    struct Named {
        name: String,
    }
    let map = input::<std::collections::HashMap<String, u8>>();
    let cases = [
        (input::<Named>(), true),
        (input::<Shape>(), true),
        (input::<Value>(), false),
        (input::<serde_json::Map<String, Value>>(), false),
        (map, false),
        (json!({"type": "object"}), false),
        (json!({"type": "object", "properties": {}}), true),
        (
            json!({"type": "object", "properties": {}, "additionalProperties": true}),
            false,
        ),
        (
            json!({"type": "object", "properties": {}, "patternProperties": {"^x-": {}}}),
            false,
        ),
    ];
    for (schema, expected) in cases {
        assert_eq!(closes(&schema), expected, "{schema}");
    }
}
