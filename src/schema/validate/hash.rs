//! Comparing JSON values by hash, so that many of them are compared in one pass.
//!
//! Equality is that of JSON Schema 2020-12, section 4.2.2: numbers by value, objects without regard
//! to the order of their members. The hash is keyed with random numbers: no client can make values
//! collide.

use std::collections::HashMap;
use std::hash::{BuildHasher, Hash, Hasher, RandomState};

use super::budget::{Budget, Stop, text_steps};
use super::number::{Exact, exact};
use crate::json::{Kind, ValueRef};

/// The address of a node, which identifies it as long as nothing moves.
pub(super) fn address<T>(value: &T) -> usize {
    std::ptr::from_ref(value).addr()
}

/// Hashes values, each array and object once.
#[derive(Debug)]
pub(super) struct Hashes<'v> {
    state: &'v RandomState,
    /// The hashes of arrays and objects, by their index.
    known: HashMap<usize, u64>,
}

impl<'v> Hashes<'v> {
    pub(super) fn new(state: &'v RandomState) -> Self {
        Self {
            state,
            known: HashMap::new(),
        }
    }

    /// Forgets all hashes, since values have changed.
    pub(super) fn clear(&mut self) {
        self.known.clear();
    }

    /// The hash of a value.
    pub(super) fn of(&mut self, value: ValueRef<'_>, budget: &mut Budget) -> Result<u64, Stop> {
        let is_container = value.is_container();
        if is_container && let Some(known) = self.known.get(&value.at()) {
            budget.spend(1)?;
            return Ok(*known);
        }
        let mut hasher = self.state.build_hasher();
        match value.kind() {
            Kind::Null => hasher.write_u8(0),
            Kind::Bool(boolean) => hasher.write_u8(1 + u8::from(boolean)),
            Kind::Number(number) => match exact(&number) {
                Exact::Integer(integer) => integer.hash(&mut hasher),
                Exact::Float(float) => float.to_bits().hash(&mut hasher),
            },
            Kind::String(text) => {
                budget.spend(text_steps(text))?;
                text.hash(&mut hasher);
            }
            Kind::Array(items) => {
                hasher.write_u8(3);
                for item in items {
                    hasher.write_u64(self.of(item, budget)?);
                }
            }
            Kind::Object(members) => {
                let mut sum = 0_u64;
                for (name, value) in members {
                    budget.spend(text_steps(name))?;
                    let member = (name, self.of(value, budget)?);
                    sum = sum.wrapping_add(self.state.hash_one(member));
                }
                hasher.write_u8(4);
                hasher.write_u64(sum);
            }
        }
        budget.spend(1)?;
        let hash = hasher.finish();
        if is_container {
            self.known.insert(value.at(), hash);
        }
        Ok(hash)
    }
}

/// Whether two values are equal.
pub(super) fn equal(a: ValueRef<'_>, b: ValueRef<'_>) -> bool {
    match (a.kind(), b.kind()) {
        (Kind::Null, Kind::Null) => true,
        (Kind::Bool(a), Kind::Bool(b)) => a == b,
        (Kind::String(a), Kind::String(b)) => a == b,
        (Kind::Number(a), Kind::Number(b)) => exact(&a) == exact(&b),
        (Kind::Array(a), Kind::Array(b)) => {
            a.len() == b.len() && a.zip(b).all(|(a, b)| equal(a, b))
        }
        (Kind::Object(a), Kind::Object(b)) => {
            // Looking up each name would cost the square of their number.
            let (a, b) = (a.sorted(), b.sorted());
            let mut pairs = a.iter().zip(&b);
            a.len() == b.len()
                && pairs.all(|((name, a), (known, b))| name == known && equal(*a, *b))
        }
        _ => false,
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::json::Document;
    use serde_json::{Value, json};

    #[test]
    fn equal_values_have_one_hash_and_others_do_not() {
        let state = RandomState::new();
        let mut hashes = Hashes::new(&state);
        let mut hash = |value: &Value| {
            // Each value is a document of its own, with the same indexes.
            hashes.clear();
            let document = Document::of(value);
            hashes
                .of(document.root(), &mut Budget::steps_only())
                .unwrap()
        };
        let equal = |a: &Value, b: &Value| equal(Document::of(a).root(), Document::of(b).root());
        let same = [
            (json!(1), json!(1.0)),
            (json!(-0.0), json!(0)),
            (json!({"a": 1, "b": [2]}), json!({"b": [2.0], "a": 1})),
        ];
        for (a, b) in &same {
            assert!(equal(a, b), "{a} {b}");
            assert_eq!(hash(a), hash(b), "{a} {b}");
        }
        let others = [
            json!(null),
            json!(false),
            json!(0),
            json!(""),
            json!("0"),
            json!([]),
            json!({}),
            json!([0]),
            json!([[0]]),
            json!({"a": 0}),
            json!({"a": [0]}),
            json!({"0": "a"}),
            json!(0.5),
        ];
        for (index, a) in others.iter().enumerate() {
            for b in &others[..index] {
                assert!(!equal(a, b), "{a} {b}");
                assert_ne!(hash(a), hash(b), "{a} {b}");
            }
        }
    }
}
