//! What is put right in arguments before their handler gets them: whole numbers that are written as
//! floats become integers, and a `null` for an optional member that cannot be `null` is left out.

use std::collections::HashSet;

use super::budget::Stop;
use super::hash::address;
use super::meant::Meant;
use super::node::{Enumeration, Node, Type};
use super::number::as_integer;
use super::run::Run;
use crate::json::{Document, Kind, ValueRef};

/// The values to edit, by their index.
#[derive(Debug, Default)]
pub(super) struct Edits {
    values: HashSet<usize>,
    /// The nodes and values that were visited: by the address of the one and the index of the other.
    visited: HashSet<(usize, usize)>,
}

impl Edits {
    /// Edits the values of a document. Returns whether anything was edited.
    pub(super) fn apply(&self, document: &mut Document<'_>) -> bool {
        for at in &self.values {
            match document.at(*at).kind() {
                Kind::Null => document.leave_out(*at),
                Kind::Number(number) => {
                    if let Some(integer) = as_integer(&number) {
                        document.set_number(*at, &integer);
                    }
                }
                Kind::Bool(_) | Kind::String(_) | Kind::Array(_) | Kind::Object(_) => {}
            }
        }
        !self.values.is_empty()
    }
}

/// Whether a value holds anything that may have to be edited.
pub(super) fn may_need_edits(document: &Document<'_>) -> bool {
    document.has_null_or_float()
}

impl<'v> Run<'v> {
    /// Collects the edits that the schema suggests, following the alternatives that match.
    pub(super) fn collect_edits(
        &mut self,
        node: &'v Node,
        value: ValueRef<'_>,
        edits: &mut Edits,
    ) -> Result<(), Stop> {
        self.budget.spend(1)?;
        if !edits.visited.insert((address(node), value.at())) {
            return Ok(());
        }
        match value.kind() {
            Kind::Number(number) if number.is_f64() => {
                let only_integers =
                    node.types.contains(Type::Integer) && !node.types.contains(Type::Number);
                let integer = as_integer(&number);
                let is_listed = |listed: &Enumeration| {
                    let mut values = listed.values();
                    values.any(|value| integer.is_some() && value.as_number() == integer)
                };
                if only_integers || node.values.as_ref().is_some_and(is_listed) {
                    edits.values.insert(value.at());
                }
            }
            Kind::Array(items) => {
                for (index, item) in items.enumerate() {
                    let rules = &node.array;
                    if let Some(node) = rules.prefix.get(index).or(rules.items.as_deref()) {
                        self.collect_edits(node, item, edits)?;
                    }
                }
            }
            Kind::Object(members) => {
                for (name, member) in members {
                    if self.is_dropped(node, name, member)? {
                        edits.values.insert(member.at());
                        continue;
                    }
                    if let Some(property) = node.object.properties.get(name) {
                        self.collect_edits(property, member, edits)?;
                    }
                    for node in self.unnamed(node, name)? {
                        self.collect_edits(node, member, edits)?;
                    }
                    if let Some(rest) = &node.object.unevaluated {
                        self.collect_edits(rest, member, edits)?;
                    }
                }
            }
            Kind::Null | Kind::Bool(_) | Kind::Number(_) | Kind::String(_) => {}
        }
        self.collect_in_place(node, value, edits)
    }

    fn collect_in_place(
        &mut self,
        node: &'v Node,
        value: ValueRef<'_>,
        edits: &mut Edits,
    ) -> Result<(), Stop> {
        if let Some(target) = self.validator.target(node) {
            self.collect_edits(target, value, edits)?;
        }
        for node in &node.all_of {
            self.collect_edits(node, value, edits)?;
        }
        for alternatives in [&node.any_of, &node.one_of] {
            if let Some(chosen) = self.chosen(alternatives, value)? {
                self.collect_edits(chosen, value, edits)?;
            }
        }
        for (name, dependent) in &node.object.dependent_schemas {
            if value.get(name).is_some() {
                self.collect_edits(dependent, value, edits)?;
            }
        }
        match self.branch(node, value)? {
            Some(branch) => self.collect_edits(branch, value, edits),
            None => Ok(()),
        }
    }

    /// The first alternative that matches, or else the one that the value is meant for.
    fn chosen(&mut self, nodes: &'v [Node], value: ValueRef<'_>) -> Result<Option<&'v Node>, Stop> {
        for node in nodes {
            if self.matches(node, value)? {
                return Ok(Some(node));
            }
        }
        Ok(match self.meant(nodes, value)? {
            Meant::Node(node, _) => Some(node),
            Meant::Tag(..)
            | Meant::Key(_)
            | Meant::Missing(_)
            | Meant::Types(_)
            | Meant::Unknown => None,
        })
    }
}
