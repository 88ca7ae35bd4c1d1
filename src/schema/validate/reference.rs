//! The targets of `$ref` within a schema. JSON Schema 2020-12, section 8.2.

use serde_json::{Map, Value};

use super::node::{Node, Validator};
use crate::wire::percent;

/// The schema that `reference` points to: `#`, a JSON pointer after `#`, or the name of an anchor.
pub(in crate::schema) fn find<'s>(root: &'s Value, reference: &str) -> Option<&'s Value> {
    let fragment = percent::decode(reference.strip_prefix('#')?)?;
    if fragment.is_empty() || fragment.starts_with('/') {
        return root.pointer(&fragment);
    }
    anchored(root, &fragment)
}

/// The name under which errors mention the target of a reference: that of the definition.
pub(super) fn field(reference: &str) -> String {
    let name = reference.trim_start_matches('#').rsplit('/').next();
    name.unwrap_or_default().to_owned()
}

fn anchored<'s>(schema: &'s Value, name: &str) -> Option<&'s Value> {
    let keywords = schema.as_object()?;
    if keywords.get("$anchor").and_then(Value::as_str) == Some(name) {
        return Some(schema);
    }
    below(keywords).find_map(|schema| anchored(schema, name))
}

/// The schemas directly below one. Values such as those of `enum` are not schemas.
fn below(keywords: &Map<String, Value>) -> impl Iterator<Item = &Value> {
    keywords.iter().flat_map(|(keyword, value)| {
        let schemas: Vec<&Value> = match (keyword.as_str(), value) {
            (
                "properties" | "patternProperties" | "dependentSchemas" | "$defs",
                Value::Object(named),
            ) => named.values().collect(),
            ("prefixItems" | "anyOf" | "oneOf" | "allOf", Value::Array(listed)) => {
                listed.iter().collect()
            }
            (
                "items"
                | "contains"
                | "additionalProperties"
                | "unevaluatedProperties"
                | "propertyNames"
                | "not"
                | "if"
                | "then"
                | "else",
                schema,
            ) => vec![schema],
            _ => Vec::new(),
        };
        schemas
    })
}

/// Whether a reference leads back to itself without going deeper into the value, so that a check
/// would not end.
pub(super) fn has_cycle(validator: &Validator) -> bool {
    let count = validator.referenced.len();
    (0..count).any(|index| leads_back(validator, index, index, &mut vec![false; count]))
}

/// Whether checking a value against the target `from` checks the same value against `to`.
fn leads_back(validator: &Validator, from: usize, to: usize, seen: &mut Vec<bool>) -> bool {
    let mut next = Vec::new();
    if let Some(node) = validator.referenced.get(from) {
        references_in_place(node, &mut next);
    }
    next.into_iter().any(|index| {
        let known = seen
            .get_mut(index)
            .is_none_or(|seen| std::mem::replace(seen, true));
        index == to || (!known && leads_back(validator, index, to, seen))
    })
}

/// The references that hold for the value itself, not for its members or items.
fn references_in_place(node: &Node, found: &mut Vec<usize>) {
    found.extend(node.reference);
    node.in_place()
        .for_each(|node| references_in_place(node, found));
}
