//! The members of an object that a schema has evaluated, for `unevaluatedProperties`. JSON Schema
//! 2020-12, section 11.3.

use std::collections::HashSet;

use super::budget::Stop;
use super::hash::address;
use super::node::Node;
use super::run::Run;
use crate::json::{Members, ValueRef};

impl Run<'_> {
    /// The names of the members of `value`, an object, that `node` has evaluated, apart from its own
    /// `unevaluatedProperties`. The object matches the rest of `node`.
    pub(super) fn evaluated<'m>(
        &mut self,
        node: &Node,
        value: ValueRef<'m>,
        members: Members<'m>,
    ) -> Result<HashSet<&'m str>, Stop> {
        let mut evaluated = Evaluated {
            value,
            members,
            names: HashSet::new(),
            visited: HashSet::new(),
        };
        evaluated.visit(self, node, true)?;
        Ok(evaluated.names)
    }
}

struct Evaluated<'m> {
    value: ValueRef<'m>,
    members: Members<'m>,
    names: HashSet<&'m str>,
    /// The nodes that were visited, by address.
    visited: HashSet<usize>,
}

impl<'m> Evaluated<'m> {
    fn visit(&mut self, run: &mut Run<'_>, node: &Node, is_outermost: bool) -> Result<(), Stop> {
        run.budget.spend(1)?;
        if !self.visited.insert(address(node)) {
            return Ok(());
        }
        let evaluates_all = node.object.additional.is_some()
            || (node.object.unevaluated.is_some() && !is_outermost);
        run.budget.spend(self.members.max_len() as u64)?;
        for name in self.members.names() {
            if evaluates_all
                || node.object.properties.get(name).is_some()
                || !run.unnamed(node, name)?.is_empty()
            {
                self.names.insert(name);
            }
        }
        if let Some(target) = run.validator.target(node) {
            self.visit(run, target, false)?;
        }
        for node in &node.all_of {
            self.visit(run, node, false)?;
        }
        for node in node.any_of.iter().chain(&node.one_of) {
            if run.matches(node, self.value)? {
                self.visit(run, node, false)?;
            }
        }
        for (name, dependent) in &node.object.dependent_schemas {
            if self.members.contains(name) {
                self.visit(run, dependent, false)?;
            }
        }
        if let Some(condition) = &node.condition
            && run.matches(condition, self.value)?
        {
            self.visit(run, condition, false)?;
        }
        if let Some(branch) = run.branch(node, self.value)? {
            self.visit(run, branch, false)?;
        }
        Ok(())
    }
}
