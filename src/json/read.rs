//! From JSON text to the nodes of a [`Document`].

use std::collections::HashSet;
use std::fmt;

use serde::de::{self, DeserializeSeed, Deserializer, MapAccess, SeqAccess, Visitor};
use serde_json::{Error, Map, Value};

use super::document::{Document, Node, Tag};

/// The number of members up to which names are compared with each other.
const FEW: usize = 8;

impl<'a> Document<'a> {
    /// Reads a JSON text.
    ///
    /// # Errors
    ///
    /// It is not JSON, or two members of an object have the same name. A parser in front of the server
    /// may have read the other one of them.
    pub(crate) fn parse(json: &'a str) -> Result<Self, Error> {
        let mut deserializer = serde_json::Deserializer::from_str(json);
        let document = Self::within(json).deserialize(&mut deserializer)?;
        deserializer.end()?;
        Ok(document)
    }

    /// Reads a value of a JSON text, from which it borrows.
    pub(crate) const fn within(json: &'a str) -> Within<'a> {
        Within(json)
    }

    /// Reads the text of an object as one with room for changes. `None` if it is not such a text.
    pub(crate) fn parse_object(json: &str) -> Option<Map<String, Value>> {
        let document = Document::parse(json).ok()?;
        let Value::Object(members) = document.root().to_value() else {
            return None;
        };
        Some(members)
    }

    /// A name that two members of the object at this index have.
    fn duplicate(&self, at: usize) -> Option<&str> {
        let members = self.at(at).members()?;
        if members.max_len() > FEW {
            let mut known = HashSet::with_capacity(members.max_len());
            return members.names().find(|name| !known.insert(*name));
        }
        let mut rest = members;
        while let Some((name, _)) = rest.next() {
            if rest.contains(name) {
                return Some(name);
            }
        }
        None
    }
}

/// Returns serde's message without its position, which is relative to a fragment of the body.
pub(crate) fn describe(error: &Error) -> String {
    let text = error.to_string();
    text.split(" at line ")
        .next()
        .unwrap_or_default()
        .to_owned()
}

/// Reads a value of this JSON text.
#[derive(Debug)]
pub(crate) struct Within<'a>(&'a str);

impl<'a> DeserializeSeed<'a> for Within<'a> {
    type Value = Document<'a>;

    fn deserialize<D: Deserializer<'a>>(self, deserializer: D) -> Result<Document<'a>, D::Error> {
        if self.0.len() > Document::MAX_BYTES {
            return Err(de::Error::custom("too long"));
        }
        let mut document = Document::new(self.0);
        Reader(&mut document).deserialize(deserializer)?;
        Ok(document)
    }
}

/// Adds a value to a document.
struct Reader<'r, 'a>(&'r mut Document<'a>);

impl<'a> DeserializeSeed<'a> for Reader<'_, 'a> {
    type Value = ();

    fn deserialize<D: Deserializer<'a>>(self, deserializer: D) -> Result<(), D::Error> {
        deserializer.deserialize_any(self)
    }
}

impl<'a> Visitor<'a> for Reader<'_, 'a> {
    type Value = ();

    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("a JSON value")
    }

    fn visit_unit<E: de::Error>(self) -> Result<(), E> {
        self.0.push(Node::NULL);
        Ok(())
    }

    fn visit_bool<E: de::Error>(self, value: bool) -> Result<(), E> {
        self.0.push_bool(value);
        Ok(())
    }

    fn visit_i64<E: de::Error>(self, value: i64) -> Result<(), E> {
        self.0.push_signed(value);
        Ok(())
    }

    fn visit_u64<E: de::Error>(self, value: u64) -> Result<(), E> {
        self.0.push_unsigned(value);
        Ok(())
    }

    fn visit_f64<E: de::Error>(self, value: f64) -> Result<(), E> {
        self.0.push_float(value);
        Ok(())
    }

    fn visit_str<E: de::Error>(self, value: &str) -> Result<(), E> {
        self.0.push_text(value);
        Ok(())
    }

    fn visit_seq<A: SeqAccess<'a>>(self, mut seq: A) -> Result<(), A::Error> {
        let at = self.0.open();
        let mut count = 0;
        while seq.next_element_seed(Reader(self.0))?.is_some() {
            count += 1;
        }
        self.0.close(at, Tag::Array, count);
        Ok(())
    }

    fn visit_map<A: MapAccess<'a>>(self, mut map: A) -> Result<(), A::Error> {
        let at = self.0.open();
        let mut count = 0;
        while map.next_key_seed(Reader(self.0))?.is_some() {
            map.next_value_seed(Reader(self.0))?;
            count += 1;
        }
        self.0.close(at, Tag::Object, count);
        match self.0.duplicate(at) {
            Some(name) => Err(de::Error::custom(format_args!("duplicate member `{name}`"))),
            None => Ok(()),
        }
    }
}
