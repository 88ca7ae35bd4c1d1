//! [`Document`]: the nodes of a JSON text.

use std::ops::Range;

use serde_json::{Number, Value};

/// A JSON text as a list of nodes, in the order of the text. The names of members are nodes as well.
/// The default is `null`.
#[derive(Debug, Clone, Default)]
pub(crate) struct Document<'a> {
    /// What nodes borrow their texts from.
    source: &'a str,
    /// The texts that the source does not have as they are, since it escapes them.
    texts: String,
    nodes: Vec<Node>,
}

/// A value, or the name of a member.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct Node {
    pub(super) tag: Tag,
    /// What a tag says of these is in its description.
    pub(super) low: u32,
    pub(super) high: u32,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Tag {
    Null,
    False,
    True,
    /// An `i64`, half by half.
    Signed,
    /// A `u64`, half by half.
    Unsigned,
    /// The bits of an `f64`, half by half.
    Float,
    /// A text in the source: where it starts and ends.
    Borrowed,
    /// A text among the texts: where it starts and ends.
    Owned,
    /// The name of a member that was left out, with its value.
    LeftOut,
    /// How many items, and the index of the node behind the last one.
    Array,
    /// How many members, those that were left out included, and the index of the node behind the last one.
    Object,
}

impl Node {
    pub(super) const NULL: Self = Self {
        tag: Tag::Null,
        low: 0,
        high: 0,
    };

    fn of_bits(tag: Tag, bits: u64) -> Self {
        let [low, high] = [bits & u64::from(u32::MAX), bits >> 32];
        Self {
            tag,
            low: offset(low),
            high: offset(high),
        }
    }

    pub(super) fn bits(self) -> u64 {
        u64::from(self.high) << 32 | u64::from(self.low)
    }
}

/// A place in a text or in the list of nodes. [`Document::MAX_BYTES`] keeps them within 32 bits.
fn offset(place: impl TryInto<u32>) -> u32 {
    place.try_into().unwrap_or(u32::MAX)
}

/// A place as an index.
pub(super) fn index(offset: u32) -> usize {
    usize::try_from(offset).unwrap_or(usize::MAX)
}

impl<'a> Document<'a> {
    /// The largest text that a document is made from, in bytes. No platform sends such a request.
    pub(super) const MAX_BYTES: usize = 1 << 31;

    /// A document without nodes, whose texts can be in `source`.
    pub(super) fn new(source: &'a str) -> Self {
        // A list that grows is copied, so it gets the room that a text of this size usually needs. Memory
        // that is not written to is not used.
        const BYTES_OF_NODE: usize = 8;
        Self {
            source,
            texts: String::new(),
            nodes: Vec::with_capacity(source.len() / BYTES_OF_NODE + 2),
        }
    }

    /// The document `{}`.
    pub(crate) fn empty_object() -> Self {
        let mut document = Self::new("");
        let at = document.open();
        document.close(at, Tag::Object, 0);
        document
    }

    /// The document that is a text.
    pub(crate) fn of_text(text: &'a str) -> Self {
        let mut document = Self::new(text);
        document.push_text(text);
        document
    }

    /// The document of a value, which is smaller than [`Self::MAX_BYTES`].
    pub(crate) fn of(value: &Value) -> Self {
        let mut document = Self::new("");
        document.push_value(value);
        document
    }

    /// Whether it holds a `null`, or a number that is written with a fraction or an exponent.
    pub(crate) fn has_null_or_float(&self) -> bool {
        let mut tags = self.nodes.iter().map(|node| node.tag);
        tags.any(|tag| matches!(tag, Tag::Null | Tag::Float))
    }

    /// The number of bytes of text that are not borrowed.
    #[cfg(test)]
    pub(super) const fn owned_bytes(&self) -> usize {
        self.texts.len()
    }

    /// Replaces the number at an index.
    pub(crate) fn set_number(&mut self, at: usize, number: &Number) {
        if let Some(node) = self.nodes.get_mut(at) {
            *node = number_node(number);
        }
    }

    /// Leaves out the member whose value is at an index.
    pub(crate) fn leave_out(&mut self, at: usize) {
        // A name is in front of its value.
        let name = at.checked_sub(1).and_then(|name| self.nodes.get_mut(name));
        if let Some(name) = name {
            name.tag = Tag::LeftOut;
        }
    }

    pub(super) fn node(&self, at: usize) -> Node {
        self.nodes.get(at).copied().unwrap_or(Node::NULL)
    }

    /// The text of a node that is one, or empty text.
    pub(super) fn text(&self, node: Node) -> &str {
        let place = index(node.low)..index(node.high);
        let is_owned = node.tag == Tag::Owned;
        let texts = if is_owned { &self.texts } else { self.source };
        texts.get(place).unwrap_or_default()
    }

    /// The index of the node behind a value.
    pub(super) fn after(&self, at: usize) -> usize {
        let node = self.node(at);
        if matches!(node.tag, Tag::Array | Tag::Object) {
            index(node.high)
        } else {
            at + 1
        }
    }

    pub(super) fn push(&mut self, node: Node) {
        self.nodes.push(node);
    }

    pub(super) fn push_bool(&mut self, value: bool) {
        let tag = if value { Tag::True } else { Tag::False };
        self.push(Node { tag, ..Node::NULL });
    }

    pub(super) fn push_signed(&mut self, value: i64) {
        self.push(Node::of_bits(Tag::Signed, value.cast_unsigned()));
    }

    pub(super) fn push_unsigned(&mut self, value: u64) {
        self.push(Node::of_bits(Tag::Unsigned, value));
    }

    /// Adds a float. One that JSON cannot write is `null`, as in `serde_json::Value`.
    pub(super) fn push_float(&mut self, value: f64) {
        self.push(if value.is_finite() {
            Node::of_bits(Tag::Float, value.to_bits())
        } else {
            Node::NULL
        });
    }

    /// Adds a text, which is borrowed where it is part of the source.
    pub(super) fn push_text(&mut self, text: &str) {
        let (tag, place) = match self.place_in_source(text) {
            Some(place) => (Tag::Borrowed, place),
            None => {
                let start = self.texts.len();
                self.texts.push_str(text);
                (Tag::Owned, start..self.texts.len())
            }
        };
        self.push(Node {
            tag,
            low: offset(place.start),
            high: offset(place.end),
        });
    }

    fn place_in_source(&self, text: &str) -> Option<Range<usize>> {
        let start = text
            .as_ptr()
            .addr()
            .checked_sub(self.source.as_ptr().addr())?;
        let place = start..start.checked_add(text.len())?;
        (self.source.get(place.clone())?.as_ptr() == text.as_ptr()).then_some(place)
    }

    /// Starts an array or object. Returns its index, for [`close`](Self::close).
    pub(super) fn open(&mut self) -> usize {
        let at = self.nodes.len();
        self.push(Node::NULL);
        at
    }

    /// Ends an array or object, all of whose nodes were added since it was started.
    pub(super) fn close(&mut self, at: usize, tag: Tag, count: usize) {
        let end = offset(self.nodes.len());
        if let Some(node) = self.nodes.get_mut(at) {
            *node = Node {
                tag,
                low: offset(count),
                high: end,
            };
        }
    }

    fn push_value(&mut self, value: &Value) {
        match value {
            Value::Null => self.push(Node::NULL),
            Value::Bool(value) => self.push_bool(*value),
            Value::Number(number) => self.push(number_node(number)),
            Value::String(text) => self.push_text(text),
            Value::Array(items) => {
                let at = self.open();
                items.iter().for_each(|item| self.push_value(item));
                self.close(at, Tag::Array, items.len());
            }
            Value::Object(members) => {
                let at = self.open();
                for (name, value) in members {
                    self.push_text(name);
                    self.push_value(value);
                }
                self.close(at, Tag::Object, members.len());
            }
        }
    }
}

fn number_node(number: &Number) -> Node {
    if let Some(value) = number.as_u64() {
        Node::of_bits(Tag::Unsigned, value)
    } else if let Some(value) = number.as_i64() {
        Node::of_bits(Tag::Signed, value.cast_unsigned())
    } else {
        let float = number.as_f64().map(f64::to_bits);
        float.map_or(Node::NULL, |bits| Node::of_bits(Tag::Float, bits))
    }
}
