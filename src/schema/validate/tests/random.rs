//! A second opinion: an independent implementation of JSON Schema agrees on random schemas and
//! values.

use proptest::collection::{btree_map, vec};
use proptest::prelude::*;
use serde_json::{Map, Value, json};

use crate::json::Document;
use crate::schema::validate::hash::equal;
use crate::schema::validate::invalid_schema::Fault;
use crate::schema::validate::{Budget, Validator};

/// Values with few names, numbers and texts, so that rules are met and broken.
pub(super) fn any_value() -> impl Strategy<Value = Value> {
    let leaf = prop_oneof![
        Just(Value::Null),
        any::<bool>().prop_map(Value::from),
        (-3..4_i64).prop_map(Value::from),
        prop_oneof![Just(1.0), Just(0.5), Just(-2.0), Just(1e300)].prop_map(Value::from),
        any::<i64>().prop_map(Value::from),
        "[ab]{0,3}".prop_map(Value::from),
    ];
    leaf.prop_recursive(4, 32, 4, |inner| {
        prop_oneof![
            vec(inner.clone(), 0..4).prop_map(Value::from),
            btree_map("[a-d]", inner, 0..4)
                .prop_map(|members| Value::Object(members.into_iter().collect())),
        ]
    })
}

fn keywords(json: Value) -> Map<String, Value> {
    let Value::Object(keywords) = json else {
        panic!("{json}");
    };
    keywords
}

/// Keywords without schemas.
fn assertion() -> impl Strategy<Value = Map<String, Value>> {
    let names = || vec("[a-d]", 0..3);
    prop_oneof![
        prop_oneof![
            Just("null"),
            Just("boolean"),
            Just("integer"),
            Just("number"),
            Just("string"),
            Just("array"),
            Just("object")
        ]
        .prop_map(|ty| json!({"type": ty})),
        Just(json!({"type": ["object", "array", "integer"]})),
        vec(any_value(), 1..4).prop_map(|values| json!({"enum": values})),
        any_value().prop_map(|value| json!({"const": value})),
        (-2..3_i64).prop_map(|n| json!({"minimum": n})),
        (-2..3_i64).prop_map(|n| json!({"exclusiveMaximum": n})),
        (1..3_i64).prop_map(|n| json!({"multipleOf": n})),
        (0..3_u64).prop_map(|n| json!({"minLength": n, "maxLength": n + 1})),
        Just(json!({"pattern": "^a"})),
        (0..3_u64).prop_map(|n| json!({"minItems": n, "maxItems": n + 1})),
        Just(json!({"uniqueItems": true})),
        (0..2_u64).prop_map(|n| json!({"minProperties": n, "maxProperties": n + 2})),
        names().prop_map(|names| json!({"required": unique(names)})),
        (names(), "[a-d]").prop_map(|(names, name)| json!({
            "dependentRequired": {name: unique(names)}
        })),
    ]
    .prop_map(keywords)
}

fn unique(mut names: Vec<String>) -> Vec<String> {
    names.sort();
    names.dedup();
    names
}

/// Keywords with schemas.
fn applicator(
    inner: impl Strategy<Value = Value> + Clone + 'static,
) -> impl Strategy<Value = Map<String, Value>> {
    let one = |name: &'static str| inner.clone().prop_map(move |schema| json!({name: schema}));
    let many = |name: &'static str| {
        vec(inner.clone(), 1..4).prop_map(move |schemas| json!({name: schemas}))
    };
    let named = |name: &'static str| {
        btree_map("[a-d]", inner.clone(), 1..4).prop_map(move |schemas| json!({name: schemas}))
    };
    prop_oneof![
        3 => named("properties"),
        1 => named("dependentSchemas"),
        1 => inner.clone().prop_map(|schema| json!({"patternProperties": {"^[ab]": schema}})),
        1 => one("additionalProperties"),
        1 => one("unevaluatedProperties"),
        1 => one("propertyNames"),
        2 => one("items"),
        1 => many("prefixItems"),
        1 => (inner.clone(), 0..3_u64, 0..3_u64).prop_map(|(schema, min, max)| json!({
            "contains": schema, "minContains": min, "maxContains": max
        })),
        1 => one("contains"),
        2 => many("anyOf"),
        2 => many("oneOf"),
        1 => many("allOf"),
        1 => one("not"),
        1 => (inner.clone(), inner.clone(), inner).prop_map(|(a, b, c)| json!({
            "if": a, "then": b, "else": c
        })),
    ]
    .prop_map(keywords)
}

/// Schemas with up to three groups of keywords, and references to two definitions.
pub(super) fn any_schema() -> impl Strategy<Value = Value> {
    let leaf = prop_oneof![
        1 => any::<bool>().prop_map(Value::from),
        2 => prop_oneof![Just("#/$defs/x"), Just("#/$defs/y"), Just("#")]
            .prop_map(|reference| json!({"$ref": reference})),
        6 => vec(assertion(), 1..3)
            .prop_map(|groups| Value::Object(groups.into_iter().flatten().collect())),
    ];
    let schema = leaf
        .prop_recursive(3, 24, 4, |inner| {
            vec(
                prop_oneof![assertion().boxed(), applicator(inner).boxed()],
                1..4,
            )
            .prop_map(|groups| Value::Object(groups.into_iter().flatten().collect()))
        })
        .boxed();
    (schema.clone(), schema.clone(), schema).prop_map(|(mut root, x, y)| {
        if let Value::Object(root) = &mut root {
            root.insert("$defs".to_owned(), json!({"x": x, "y": y}));
        }
        root
    })
}

/// Whether the schema compiles; one that refers to itself endlessly does not.
pub(super) fn compiled(schema: &Value) -> Option<Validator> {
    match Validator::compile(schema) {
        Ok(validator) => Some(validator),
        Err(refused) => {
            assert_eq!(refused.fault, Fault::Cycle, "{schema}");
            None
        }
    }
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 8000, ..ProptestConfig::default() })]

    #[test]
    fn an_independent_validator_agrees(schema in any_schema(), value in any_value()) {
        let Some(validator) = compiled(&schema) else { return Ok(()) };
        let independent = jsonschema::validator_for(&schema).unwrap();
        let mut document = Document::of(&value);
        let checked = validator.check(&mut document, Budget::steps_only());
        let edited = document.root().to_value();
        prop_assert_eq!(
            checked.is_ok(),
            independent.is_valid(&edited),
            "{} for {} as {}: {:?}", schema, value, edited, checked
        );
        // What is valid as it is stays so, and means the same.
        if independent.is_valid(&value) {
            prop_assert!(checked.is_ok(), "{} for {}: {:?}", schema, value, checked);
            prop_assert!(equal(Document::of(&value).root(), document.root()));
        }
        if let Err(invalid) = checked {
            prop_assert!(!invalid.to_string().contains("do not match the input schema"));
            prop_assert!(!invalid.to_string().contains("too long to check"));
        }
    }
}
