//! Where a `$ref` leads inside its own schema, and that following it comes to an end. JSON Schema
//! 2020-12, section 8.2.

use serde_json::{Map, Value};

use super::{InvalidSchema, Node, Validator};
use crate::wire::percent;

/// The schema that `reference` leads to: `#`, a JSON pointer behind `#`, or the name of an anchor.
pub(super) fn find<'s>(root: &'s Value, reference: &str) -> Option<&'s Value> {
    let fragment = percent::decode(reference.strip_prefix('#')?)?;
    if fragment.is_empty() || fragment.starts_with('/') {
        return root.pointer(&fragment);
    }
    anchored(root, &fragment)
}

fn anchored<'s>(schema: &'s Value, name: &str) -> Option<&'s Value> {
    let keywords = schema.as_object()?;
    if keywords.get("$anchor").and_then(Value::as_str) == Some(name) {
        return Some(schema);
    }
    below(keywords).find_map(|schema| anchored(schema, name))
}

/// The schemas right below one; values such as those of `enum` are none.
fn below(keywords: &Map<String, Value>) -> impl Iterator<Item = &Value> {
    keywords.iter().flat_map(|(keyword, value)| {
        let schemas: Vec<&Value> = match (keyword.as_str(), value) {
            ("properties" | "$defs", Value::Object(named)) => named.values().collect(),
            ("prefixItems" | "anyOf" | "oneOf" | "allOf", Value::Array(listed)) => {
                listed.iter().collect()
            }
            ("items" | "additionalProperties" | "not" | "if" | "then" | "else", schema) => {
                vec![schema]
            }
            _ => Vec::new(),
        };
        schemas
    })
}

impl Validator {
    /// Refuses references that lead back to themselves without going deeper into the value: no
    /// check of one would end.
    pub(super) fn check_references_end(&self) -> Result<(), InvalidSchema> {
        let ends = |index| !self.comes_back(index, index, &mut vec![false; self.referenced.len()]);
        if (0..self.referenced.len()).all(ends) {
            Ok(())
        } else {
            Err(InvalidSchema::Circle)
        }
    }

    /// Whether checking one value against the node at `from` checks it against that at `to`.
    fn comes_back(&self, from: usize, to: usize, seen: &mut Vec<bool>) -> bool {
        let mut next = Vec::new();
        if let Some(node) = self.referenced.get(from) {
            node.references_in_place(&mut next);
        }
        next.into_iter().any(|index| {
            let known = seen
                .get_mut(index)
                .is_none_or(|seen| std::mem::replace(seen, true));
            index == to || (!known && self.comes_back(index, to, seen))
        })
    }
}

impl Node {
    /// The references that hold for the value itself, not for its members or items.
    fn references_in_place(&self, found: &mut Vec<usize>) {
        found.extend(self.reference);
        let listed = self.any_of.iter().chain(&self.one_of).chain(&self.all_of);
        let single = [&self.not, &self.condition, &self.then, &self.otherwise];
        listed
            .chain(single.into_iter().filter_map(Option::as_deref))
            .for_each(|node| node.references_in_place(found));
    }
}
