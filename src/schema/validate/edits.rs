//! What is put right in arguments before their handler gets them: whole numbers that are written as
//! floats become integers, and a `null` for an optional member that cannot be `null` is left out.

use std::collections::HashSet;

use serde_json::Value;

use super::budget::Stop;
use super::hash::address;
use super::meant::Meant;
use super::node::{Node, Type};
use super::number::as_integer;
use super::run::Run;

/// The values to edit, by address. Nothing may move before they are applied.
#[derive(Debug, Default)]
pub(super) struct Edits {
    values: HashSet<usize>,
    /// The nodes and values that were visited, by address.
    visited: HashSet<(usize, usize)>,
}

impl Edits {
    /// Edits a value. Returns whether anything was edited.
    pub(super) fn apply(&self, value: &mut Value) -> bool {
        if self.values.is_empty() {
            return false;
        }
        if self.values.contains(&address(value))
            && let Some(integer) = as_integer(value)
        {
            *value = integer;
        }
        match value {
            Value::Array(items) => items.iter_mut().for_each(|item| {
                self.apply(item);
            }),
            Value::Object(members) => {
                let is_left_out =
                    |value: &Value| value.is_null() && self.values.contains(&address(value));
                let left_out = members.iter().filter(|(_, value)| is_left_out(value));
                let left_out: HashSet<String> = left_out.map(|(name, _)| name.clone()).collect();
                // Members below are edited first: leaving one out moves the others.
                members.values_mut().for_each(|value| {
                    self.apply(value);
                });
                if !left_out.is_empty() {
                    members.retain(|name, _| !left_out.contains(name));
                }
            }
            Value::Null | Value::Bool(_) | Value::Number(_) | Value::String(_) => {}
        }
        true
    }
}

/// Whether a value holds anything that may have to be edited.
pub(super) fn may_need_edits(value: &Value) -> bool {
    match value {
        Value::Null => true,
        Value::Number(number) => number.is_f64(),
        Value::Array(items) => items.iter().any(may_need_edits),
        Value::Object(members) => members.values().any(may_need_edits),
        Value::Bool(_) | Value::String(_) => false,
    }
}

impl<'v> Run<'v> {
    /// Collects the edits that the schema suggests, following the alternatives that match.
    pub(super) fn collect_edits(
        &mut self,
        node: &'v Node,
        value: &Value,
        edits: &mut Edits,
    ) -> Result<(), Stop> {
        self.budget.spend(1)?;
        if !edits.visited.insert((address(node), address(value))) {
            return Ok(());
        }
        match value {
            Value::Number(number) if number.is_f64() => {
                let only_integers =
                    node.types.contains(Type::Integer) && !node.types.contains(Type::Number);
                let is_listed = |listed: &Value| as_integer(value).as_ref() == Some(listed);
                let listed = node.values.as_ref();
                if only_integers || listed.is_some_and(|e| e.values.iter().any(is_listed)) {
                    edits.values.insert(address(value));
                }
            }
            Value::Array(items) => {
                for (index, item) in items.iter().enumerate() {
                    let rules = &node.array;
                    if let Some(node) = rules.prefix.get(index).or(rules.items.as_deref()) {
                        self.collect_edits(node, item, edits)?;
                    }
                }
            }
            Value::Object(members) => {
                for (name, member) in members {
                    if self.is_dropped(node, name, member)? {
                        edits.values.insert(address(member));
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
            Value::Null | Value::Bool(_) | Value::Number(_) | Value::String(_) => {}
        }
        self.collect_in_place(node, value, edits)
    }

    fn collect_in_place(
        &mut self,
        node: &'v Node,
        value: &Value,
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
    fn chosen(&mut self, nodes: &'v [Node], value: &Value) -> Result<Option<&'v Node>, Stop> {
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
