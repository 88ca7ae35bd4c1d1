//! Builds a [`Value`] and records members that are repeated in one object. `serde_json` alone keeps
//! the last one and says nothing.

use std::cell::RefCell;
use std::fmt;

use serde::de::{DeserializeSeed, Deserializer, MapAccess, SeqAccess, Visitor};
use serde_json::map::Entry;
use serde_json::{Map, Number, Value};

/// A place below the document: the names and positions that lead to it.
pub(super) type Path = Vec<String>;

/// The repeated members, each with its path from the innermost name outwards.
#[derive(Debug, Default)]
pub(super) struct Repeated(RefCell<Vec<Path>>);

impl Repeated {
    /// Returns the paths of the repeated members, in the order of the second one.
    pub(super) fn into_paths(self) -> Vec<Path> {
        let mut paths = self.0.into_inner();
        paths.iter_mut().for_each(|path| path.reverse());
        paths
    }

    fn count(&self) -> usize {
        self.0.borrow().len()
    }

    /// Extends the paths that were recorded after the first `count` by the value they are in.
    fn enclose(&self, count: usize, token: &dyn fmt::Display) {
        for path in self.0.borrow_mut().iter_mut().skip(count) {
            path.push(token.to_string());
        }
    }

    fn record(&self, name: &str) {
        self.0.borrow_mut().push(vec![name.to_owned()]);
    }
}

/// Reads one value. All values of a document share the record.
#[derive(Debug, Clone, Copy)]
pub(super) struct Node<'r>(pub(super) &'r Repeated);

impl<'de> DeserializeSeed<'de> for Node<'_> {
    type Value = Value;

    fn deserialize<D: Deserializer<'de>>(self, deserializer: D) -> Result<Value, D::Error> {
        deserializer.deserialize_any(self)
    }
}

impl<'de> Visitor<'de> for Node<'_> {
    type Value = Value;

    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("a JSON value")
    }

    fn visit_unit<E>(self) -> Result<Value, E> {
        Ok(Value::Null)
    }

    fn visit_bool<E>(self, value: bool) -> Result<Value, E> {
        Ok(Value::Bool(value))
    }

    fn visit_i64<E>(self, value: i64) -> Result<Value, E> {
        Ok(Value::Number(value.into()))
    }

    fn visit_u64<E>(self, value: u64) -> Result<Value, E> {
        Ok(Value::Number(value.into()))
    }

    fn visit_f64<E>(self, value: f64) -> Result<Value, E> {
        Ok(Number::from_f64(value).map_or(Value::Null, Value::Number))
    }

    fn visit_str<E>(self, value: &str) -> Result<Value, E> {
        Ok(Value::String(value.to_owned()))
    }

    fn visit_string<E>(self, value: String) -> Result<Value, E> {
        Ok(Value::String(value))
    }

    fn visit_seq<A: SeqAccess<'de>>(self, mut items: A) -> Result<Value, A::Error> {
        let mut list = Vec::new();
        loop {
            let count = self.0.count();
            let Some(item) = items.next_element_seed(self)? else {
                return Ok(Value::Array(list));
            };
            self.0.enclose(count, &list.len());
            list.push(item);
        }
    }

    fn visit_map<A: MapAccess<'de>>(self, mut members: A) -> Result<Value, A::Error> {
        let mut object = Map::new();
        while let Some(name) = members.next_key::<String>()? {
            let count = self.0.count();
            let value = members.next_value_seed(self)?;
            self.0.enclose(count, &name);
            match object.entry(name) {
                Entry::Vacant(entry) => {
                    entry.insert(value);
                }
                Entry::Occupied(mut entry) => {
                    self.0.record(entry.key());
                    entry.insert(value);
                }
            }
        }
        Ok(Value::Object(object))
    }
}
