//! The work of a check is at most proportional to the size of the value times that of the schema.

use std::time::Instant;

use proptest::prelude::*;
use serde_json::{Value, json};

use super::cases::{Case, SIZES, arguments, cases, input_schema};
use super::random::{any_schema, any_value, compiled};
use crate::json::Document;
use crate::schema::validate::run::Run;
use crate::schema::validate::{Budget, Validator};

/// The steps that a check takes, and whether the value matches.
fn steps(validator: &Validator, value: &Value) -> (u64, bool) {
    let mut run = Run::new(validator, Budget::steps_only());
    let checked = validator.check_with(&mut run, &mut Document::of(value));
    (run.budget.spent(), checked.is_ok())
}

/// The number of values and names in a JSON text, long ones more than once.
fn size(value: &Value) -> u64 {
    let text = |text: &str| 1 + text.len() as u64 / 32;
    match value {
        Value::Null | Value::Bool(_) | Value::Number(_) => 1,
        Value::String(string) => text(string),
        Value::Array(items) => 1 + items.iter().map(size).sum::<u64>(),
        Value::Object(members) => {
            let member = |(name, value): (&String, &Value)| text(name) + size(value);
            1 + members.iter().map(member).sum::<u64>()
        }
    }
}

/// Steps for each value and each part of a schema, at most. A check matches, collects edits, matches
/// again and explains; each of them looks at a pair a few times.
const STEPS_PER_PAIR: u64 = 24;

proptest! {
    #![proptest_config(ProptestConfig { cases: 8000, ..ProptestConfig::default() })]

    #[test]
    fn steps_are_bounded_by_the_sizes(schema in any_schema(), value in any_value()) {
        let Some(validator) = compiled(&schema) else { return Ok(()) };
        let (steps, _) = steps(&validator, &value);
        let bound = STEPS_PER_PAIR * size(&schema) * size(&value);
        prop_assert!(steps <= bound, "{} > {} for {} with {}", steps, bound, schema, value);
    }
}

/// The schema of `enum Filter { Not { of: Box<Filter> }, Any { of: Vec<Filter> }, .. }`.
fn filter(is_tagged: bool) -> Value {
    let variant = |op: &str, of: Value| {
        if is_tagged {
            json!({"type": "object", "properties": {"op": {"const": op}, "of": of}, "required": ["op", "of"]})
        } else {
            json!({"type": "object", "properties": {"of": of}, "required": ["of"]})
        }
    };
    let one = || json!({"$ref": "#/$defs/Filter"});
    let many = || json!({"type": "array", "items": {"$ref": "#/$defs/Filter"}});
    json!({
        "type": "object",
        "properties": {"filter": one()},
        "$defs": {"Filter": {"oneOf": [
            variant("not", one()),
            variant("maybe", one()),
            variant("any", many()),
            variant("all", many()),
            variant("is", json!({"type": "string"})),
        ]}},
    })
}

/// A filter of this depth, with its tag behind the content, and a leaf that does not match.
fn nested(depth: usize, leaf: Value, as_list: bool) -> Value {
    let wrap = |inner: Value, _| {
        if as_list {
            json!({"of": [inner], "op": "any"})
        } else {
            json!({"of": inner, "op": "not"})
        }
    };
    json!({"filter": (0..depth).fold(leaf, wrap)})
}

#[test]
fn recursive_alternatives_take_linear_time() {
    for is_tagged in [true, false] {
        let validator = Validator::compile(&filter(is_tagged)).unwrap();
        for as_list in [true, false] {
            for leaf in [
                json!({"op": "is", "of": "x"}),
                json!({"op": "is", "of": 5}),
                json!(5),
            ] {
                let cost = |depth| steps(&validator, &nested(depth, leaf.clone(), as_list)).0;
                let (short, long) = (cost(10), cost(60));
                assert!(
                    long <= 7 * short,
                    "{is_tagged} {as_list} {leaf}: {short} {long}"
                );
            }
        }
    }
}

#[test]
fn no_keyword_takes_more_than_linear_steps() {
    for Case {
        keyword,
        schema,
        value,
    } in cases()
    {
        let validator = Validator::compile(&input_schema(&schema)).unwrap();
        let value = |size| arguments(&value(size));
        let (small, large) = (
            steps(&validator, &value(50)).0,
            steps(&validator, &value(5000)).0,
        );
        assert!(
            large <= 110 * small,
            "{keyword}: {small} steps grow to {large}"
        );
    }
}

#[test]
fn a_spent_budget_refuses_the_arguments_in_words() {
    let schema = json!({"properties": {"list": {"items": {"type": "integer"}}}});
    let validator = Validator::compile(&schema).unwrap();
    let items: Vec<usize> = (0..100_000).collect();
    let mut value = Document::of(&json!({"list": items}));
    let late = validator
        .check(&mut value, Budget::until(Instant::now()))
        .unwrap_err();
    assert_eq!(
        late.to_string(),
        "the arguments take too long to check; send fewer or simpler values"
    );
    assert!(validator.check(&mut value, Budget::steps_only()).is_ok());
}

/// For `make bench-validation`, which sets them beside the instructions of the same checks.
#[test]
#[ignore = "prints the steps for `make bench-validation`"]
#[expect(clippy::print_stdout, reason = "it is what the benchmark reads")]
fn the_steps_of_all_cases_are_printed() {
    for case in cases() {
        let validator = Validator::compile(&input_schema(&case.schema)).unwrap();
        for size in SIZES {
            let (steps, _) = steps(&validator, &arguments(&(case.value)(size)));
            println!(
                "{}",
                json!({"keyword": case.keyword, "size": size, "steps": steps})
            );
        }
    }
}
