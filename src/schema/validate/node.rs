//! A compiled schema: the assertions of each subschema, ready to be checked.

use std::collections::HashMap;
use std::hash::RandomState;
use std::sync::Arc;

use serde_json::{Number, Value};

use super::pattern::Pattern;
use crate::json::{Document, Kind, ValueRef};
use crate::schema::format::Format;

/// A compiled schema. A clone is cheap and shares what was compiled.
#[derive(Debug, Clone)]
pub(crate) struct Validator {
    pub(super) root: Arc<Node>,
    /// The targets of references; [`Node::reference`] is an index into them.
    pub(super) referenced: Arc<[Node]>,
    /// The key of all hashes.
    pub(super) hash_state: RandomState,
    /// Whether members that the schema does not name are refused, although it allows them.
    pub(super) refuses_unknown: bool,
}

/// The assertions of one subschema. What is `None` or empty asserts nothing.
#[derive(Debug, Default)]
pub(super) struct Node {
    /// The schema `false`: no value matches.
    pub(super) never: bool,
    pub(super) types: Types,
    pub(super) values: Option<Enumeration>,
    pub(super) format: Option<Format>,
    pub(super) object: ObjectRules,
    pub(super) array: ArrayRules,
    /// The length of a string, in characters.
    pub(super) length: Bounds,
    pub(super) pattern: Option<Pattern>,
    pub(super) minimum: Vec<Limit>,
    pub(super) maximum: Vec<Limit>,
    pub(super) multiple_of: Option<Number>,
    pub(super) any_of: Vec<Self>,
    pub(super) one_of: Vec<Self>,
    pub(super) all_of: Vec<Self>,
    pub(super) not: Option<Box<Self>>,
    pub(super) condition: Option<Box<Self>>,
    pub(super) then: Option<Box<Self>>,
    pub(super) otherwise: Option<Box<Self>>,
    /// The index of the referenced node, which also holds.
    pub(super) reference: Option<usize>,
}

/// The assertions about an object.
#[derive(Debug, Default)]
pub(super) struct ObjectRules {
    pub(super) properties: Properties,
    pub(super) patterns: Vec<(Pattern, Node)>,
    /// For members that neither `properties` nor `patternProperties` names.
    pub(super) additional: Option<Box<Node>>,
    /// For members that no other keyword has evaluated.
    pub(super) unevaluated: Option<Box<Node>>,
    pub(super) names: Option<Box<Node>>,
    pub(super) required: Vec<String>,
    /// Members that are required where another one is present.
    pub(super) dependent_required: Vec<(String, Vec<String>)>,
    /// Schemas for the whole object where a member is present.
    pub(super) dependent_schemas: Vec<(String, Node)>,
    pub(super) count: Bounds,
}

/// The assertions about an array.
#[derive(Debug, Default)]
pub(super) struct ArrayRules {
    pub(super) prefix: Vec<Node>,
    pub(super) items: Option<Box<Node>>,
    pub(super) contains: Option<Box<Node>>,
    /// How many items match `contains`; at least one if nothing else is said.
    pub(super) contained: Bounds,
    pub(super) count: Bounds,
    pub(super) unique: bool,
}

/// The number of members up to which a name is found by comparison.
const FEW: usize = 8;

/// The schemas of an object's named members.
#[derive(Debug, Default)]
pub(super) struct Properties {
    list: Vec<(String, Node)>,
    /// The positions of the names, unless they are few.
    by_name: HashMap<String, usize>,
}

impl Properties {
    pub(super) fn new(list: Vec<(String, Node)>) -> Self {
        let mut by_name = HashMap::new();
        if list.len() > FEW {
            let names = list.iter().map(|(name, _)| name.clone());
            by_name.extend(names.enumerate().map(|(at, name)| (name, at)));
        }
        Self { list, by_name }
    }

    pub(super) fn get(&self, name: &str) -> Option<&Node> {
        // To hash a name costs more than to compare it with a few.
        let (_, node) = if self.list.len() <= FEW {
            self.list.iter().find(|(known, _)| known == name)?
        } else {
            self.list.get(*self.by_name.get(name)?)?
        };
        Some(node)
    }

    pub(super) fn iter(&self) -> impl Iterator<Item = (&str, &Node)> {
        self.list.iter().map(|(name, node)| (name.as_str(), node))
    }

    pub(super) fn for_each_mut(&mut self, visit: &mut impl FnMut(&mut Node)) {
        self.list.iter_mut().for_each(|(_, node)| visit(node));
    }

    pub(super) const fn is_empty(&self) -> bool {
        self.list.is_empty()
    }
}

/// The values of `enum` or `const`, by hash.
#[derive(Debug)]
pub(super) struct Enumeration {
    /// An array of the values.
    document: Document<'static>,
    /// Where the values of a hash are in the list of values.
    pub(super) by_hash: HashMap<u64, Vec<usize>>,
}

impl Enumeration {
    /// An enumeration whose values are not hashed yet.
    pub(super) fn new(values: Vec<Value>) -> Self {
        Self {
            document: Document::of(&Value::Array(values)),
            by_hash: HashMap::new(),
        }
    }

    /// The values.
    pub(super) fn values(&self) -> impl Iterator<Item = ValueRef<'_>> {
        self.document.root().items().into_iter().flatten()
    }

    /// The values of a hash.
    pub(super) fn of_hash(&self, hash: u64) -> impl Iterator<Item = ValueRef<'_>> {
        let places = self.by_hash.get(&hash).into_iter().flatten();
        places.map(|at| self.document.at(*at))
    }
}

/// The types that a value may have.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct Types(u8);

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
#[repr(u8)]
pub(super) enum Type {
    Null = 1,
    Boolean = 2,
    Integer = 4,
    Number = 8,
    String = 16,
    Array = 32,
    Object = 64,
}

impl Type {
    pub(super) const ALL: [Self; 7] = [
        Self::Null,
        Self::Boolean,
        Self::Integer,
        Self::Number,
        Self::String,
        Self::Array,
        Self::Object,
    ];
}

impl Default for Types {
    fn default() -> Self {
        Self(u8::MAX)
    }
}

impl Types {
    pub(super) fn new(types: &[Type]) -> Self {
        Self(types.iter().fold(0, |all, ty| all | *ty as u8))
    }

    /// The types that any of the sets allows.
    pub(super) fn any_of(sets: impl Iterator<Item = Self>) -> Self {
        Self(sets.fold(0, |all, set| all | set.0))
    }

    pub(super) const fn contains(self, ty: Type) -> bool {
        self.0 & ty as u8 != 0
    }

    /// Whether `type` was not set, so that any type is allowed.
    pub(super) const fn is_any(self) -> bool {
        self.0 == u8::MAX
    }

    pub(super) fn allow(self, value: ValueRef<'_>) -> bool {
        match value.kind() {
            Kind::Null => self.contains(Type::Null),
            Kind::Bool(_) => self.contains(Type::Boolean),
            Kind::Number(number) => {
                self.contains(Type::Number)
                    || (self.contains(Type::Integer) && super::number::is_integer(&number))
            }
            Kind::String(_) => self.contains(Type::String),
            Kind::Array(_) => self.contains(Type::Array),
            Kind::Object(_) => self.contains(Type::Object),
        }
    }
}

#[derive(Debug, Default, Clone, Copy)]
pub(super) struct Bounds {
    pub(super) min: Option<usize>,
    pub(super) max: Option<usize>,
}

impl Bounds {
    pub(super) fn contain(self, count: usize) -> bool {
        self.min.is_none_or(|min| count >= min) && self.max.is_none_or(|max| count <= max)
    }

    pub(super) const fn is_unbounded(self) -> bool {
        self.min.is_none() && self.max.is_none()
    }
}

#[derive(Debug, Clone)]
pub(super) struct Limit {
    pub(super) value: Number,
    pub(super) exclusive: bool,
}

impl Validator {
    /// The same check, which also refuses arguments that the schema does not name.
    #[must_use]
    pub(crate) fn without_unknown(self) -> Self {
        Self {
            refuses_unknown: true,
            ..self
        }
    }

    /// The target of a node's reference.
    pub(super) fn target(&self, node: &Node) -> Option<&Node> {
        self.referenced.get(node.reference?)
    }
}

impl Node {
    /// The schemas that apply to the value itself if they are reached, apart from the reference.
    pub(super) fn in_place(&self) -> impl Iterator<Item = &Self> {
        let listed = self.any_of.iter().chain(&self.one_of).chain(&self.all_of);
        let single = [&self.not, &self.condition, &self.then, &self.otherwise];
        let dependent = self.object.dependent_schemas.iter().map(|(_, node)| node);
        listed
            .chain(single.into_iter().filter_map(Option::as_deref))
            .chain(dependent)
    }

    /// Whether no other schema is reached from this one, so that a check of it is cheap.
    pub(super) fn is_leaf(&self) -> bool {
        let ObjectRules {
            properties,
            patterns,
            additional,
            unevaluated,
            names,
            ..
        } = &self.object;
        let ArrayRules {
            prefix,
            items,
            contains,
            unique,
            ..
        } = &self.array;
        self.reference.is_none()
            && self.in_place().next().is_none()
            && properties.is_empty()
            && patterns.is_empty()
            && additional.as_ref().is_none_or(|node| node.never)
            && unevaluated.is_none()
            && names.is_none()
            && prefix.is_empty()
            && items.is_none()
            && contains.is_none()
            && !unique
            && self.pattern.is_none()
    }
}
