//! Builds a [`Value`] and notices members that stand twice, which `serde_json` alone would let the
//! last one win.

use std::cell::RefCell;
use std::fmt;

use serde::de::{DeserializeSeed, Deserializer, MapAccess, SeqAccess, Visitor};
use serde_json::{Map, Number, Value};

use crate::content::finding::Pointer;

/// Where the reader is, and the repeated members it met.
#[derive(Debug, Default)]
pub(super) struct Trace {
    path: RefCell<Vec<String>>,
    repeated: RefCell<Vec<Pointer>>,
}

impl Trace {
    /// The members that stand twice, in the order of the second one.
    pub(super) fn into_repeated(self) -> Vec<Pointer> {
        self.repeated.into_inner()
    }

    fn enter(&self, token: String) {
        self.path.borrow_mut().push(token);
    }

    fn leave(&self) {
        self.path.borrow_mut().pop();
    }

    fn repeat(&self) {
        let place = self
            .path
            .borrow()
            .iter()
            .fold(Pointer::root(), |at, token| at.join(token));
        self.repeated.borrow_mut().push(place);
    }
}

/// One value of the document.
#[derive(Debug, Clone, Copy)]
pub(super) struct Node<'t> {
    trace: &'t Trace,
}

impl<'t> Node<'t> {
    /// The root, or any value below it: all share one trace.
    pub(super) const fn new(trace: &'t Trace) -> Self {
        Self { trace }
    }
}

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
            self.trace.enter(list.len().to_string());
            let item = items.next_element_seed(self)?;
            self.trace.leave();
            match item {
                Some(item) => list.push(item),
                None => return Ok(Value::Array(list)),
            }
        }
    }

    fn visit_map<A: MapAccess<'de>>(self, mut members: A) -> Result<Value, A::Error> {
        let mut object = Map::new();
        while let Some(name) = members.next_key::<String>()? {
            self.trace.enter(name.clone());
            let value = members.next_value_seed(self)?;
            if object.insert(name, value).is_some() {
                self.trace.repeat();
            }
            self.trace.leave();
        }
        Ok(Value::Object(object))
    }
}
