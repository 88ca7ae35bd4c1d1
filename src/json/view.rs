//! [`ValueRef`]: a value of a document.

use serde::{Serialize, Serializer};
use serde_json::{Number, Value};

use super::document::{Document, Tag, index};

/// A value of a [`Document`]. A copy is as cheap as that of a reference.
#[derive(Debug, Clone, Copy)]
pub(crate) struct ValueRef<'d> {
    document: &'d Document<'d>,
    at: usize,
}

/// What a value is.
#[derive(Debug, Clone)]
pub(crate) enum Kind<'d> {
    /// `null`.
    Null,
    /// `true` or `false`.
    Bool(bool),
    /// A number.
    Number(Number),
    /// A text.
    String(&'d str),
    /// An array.
    Array(Items<'d>),
    /// An object.
    Object(Members<'d>),
}

/// The items of an array.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Items<'d> {
    document: &'d Document<'d>,
    count: usize,
    at: usize,
}

/// The members of an object. Their names differ.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Members<'d> {
    document: &'d Document<'d>,
    /// How many there are, those that were left out included.
    count: usize,
    at: usize,
    end: usize,
}

impl Document<'_> {
    /// The value as a whole.
    pub(crate) const fn root(&self) -> ValueRef<'_> {
        ValueRef::new(self, 0)
    }

    /// The value at an index, which is that of a value.
    pub(crate) const fn at(&self, at: usize) -> ValueRef<'_> {
        ValueRef::new(self, at)
    }
}

impl<'d> ValueRef<'d> {
    pub(super) const fn new(document: &'d Document<'d>, at: usize) -> Self {
        Self { document, at }
    }

    /// The index of its node, which identifies the value in its document.
    pub(crate) const fn at(self) -> usize {
        self.at
    }

    /// What it is.
    pub(crate) fn kind(self) -> Kind<'d> {
        let node = self.document.node(self.at);
        match node.tag {
            Tag::Null => Kind::Null,
            Tag::False => Kind::Bool(false),
            Tag::True => Kind::Bool(true),
            Tag::Signed => Kind::Number(node.bits().cast_signed().into()),
            Tag::Unsigned => Kind::Number(node.bits().into()),
            Tag::Float => {
                let number = Number::from_f64(f64::from_bits(node.bits()));
                number.map_or(Kind::Null, Kind::Number)
            }
            Tag::Borrowed | Tag::Owned | Tag::LeftOut => Kind::String(self.document.text(node)),
            Tag::Array => Kind::Array(Items {
                document: self.document,
                count: index(node.low),
                at: self.at + 1,
            }),
            Tag::Object => Kind::Object(Members {
                document: self.document,
                count: index(node.low),
                at: self.at + 1,
                end: index(node.high),
            }),
        }
    }

    /// Whether it is `null`.
    pub(crate) fn is_null(self) -> bool {
        self.document.node(self.at).tag == Tag::Null
    }

    /// Whether it is an array or an object.
    pub(crate) fn is_container(self) -> bool {
        matches!(self.document.node(self.at).tag, Tag::Array | Tag::Object)
    }

    /// Its text, if it is one.
    pub(crate) fn as_str(self) -> Option<&'d str> {
        let Kind::String(text) = self.kind() else {
            return None;
        };
        Some(text)
    }

    /// The number, if it is one.
    pub(crate) fn as_number(self) -> Option<Number> {
        let Kind::Number(number) = self.kind() else {
            return None;
        };
        Some(number)
    }

    /// The items, if it is an array.
    pub(crate) fn items(self) -> Option<Items<'d>> {
        let Kind::Array(items) = self.kind() else {
            return None;
        };
        Some(items)
    }

    /// The members, if it is an object.
    pub(crate) fn members(self) -> Option<Members<'d>> {
        let Kind::Object(members) = self.kind() else {
            return None;
        };
        Some(members)
    }

    /// The member of this name, if it is an object that has it.
    pub(crate) fn get(self, name: &str) -> Option<Self> {
        self.members()?.get(name)
    }

    /// The same value with room for changes.
    pub(crate) fn to_value(self) -> Value {
        match self.kind() {
            Kind::Null => Value::Null,
            Kind::Bool(value) => Value::Bool(value),
            Kind::Number(number) => Value::Number(number),
            Kind::String(text) => Value::String(text.to_owned()),
            Kind::Array(items) => items.map(Self::to_value).collect(),
            Kind::Object(members) => {
                let members = members.map(|(name, value)| (name.to_owned(), value.to_value()));
                Value::Object(members.collect())
            }
        }
    }
}

impl Serialize for ValueRef<'_> {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        match self.kind() {
            Kind::Null => serializer.serialize_unit(),
            Kind::Bool(value) => serializer.serialize_bool(value),
            Kind::Number(number) => number.serialize(serializer),
            Kind::String(text) => serializer.serialize_str(text),
            Kind::Array(items) => serializer.collect_seq(items),
            Kind::Object(members) => serializer.collect_map(members),
        }
    }
}

impl Items<'_> {
    /// How many items are left.
    pub(crate) const fn len(self) -> usize {
        self.count
    }
}

impl<'d> Iterator for Items<'d> {
    type Item = ValueRef<'d>;

    fn next(&mut self) -> Option<ValueRef<'d>> {
        self.count = self.count.checked_sub(1)?;
        let item = ValueRef::new(self.document, self.at);
        self.at = self.document.after(self.at);
        Some(item)
    }

    fn size_hint(&self) -> (usize, Option<usize>) {
        (self.count, Some(self.count))
    }
}

impl<'d> Members<'d> {
    /// The most members that there can be: all that the text has.
    pub(crate) const fn max_len(self) -> usize {
        self.count
    }

    /// The member of this name.
    pub(crate) fn get(mut self, name: &str) -> Option<ValueRef<'d>> {
        self.find(|(known, _)| *known == name)
            .map(|(_, value)| value)
    }

    /// Whether there is a member of this name.
    pub(crate) fn contains(self, name: &str) -> bool {
        self.get(name).is_some()
    }

    /// All members, by their names.
    pub(crate) fn sorted(self) -> Vec<(&'d str, ValueRef<'d>)> {
        let mut members: Vec<_> = self.collect();
        members.sort_unstable_by_key(|(name, _)| *name);
        members
    }

    /// The names.
    pub(crate) fn names(self) -> impl Iterator<Item = &'d str> {
        self.map(|(name, _)| name)
    }
}

impl<'d> Iterator for Members<'d> {
    type Item = (&'d str, ValueRef<'d>);

    fn next(&mut self) -> Option<Self::Item> {
        while self.at < self.end {
            let name = self.document.node(self.at);
            let value = ValueRef::new(self.document, self.at + 1);
            self.at = self.document.after(value.at);
            if name.tag != Tag::LeftOut {
                return Some((self.document.text(name), value));
            }
        }
        None
    }

    fn size_hint(&self) -> (usize, Option<usize>) {
        (0, Some(self.count))
    }
}
