//! Whether a value matches a schema, as cheaply as that can be said.
//!
//! A check stops at the first assertion that fails, looks at what is cheap before what is deep (so the
//! tag of an alternative decides before its content), and never checks one value against one
//! alternative twice. So the work is at most proportional to the size of the value times that of the
//! schema.

use std::cmp::Ordering;
use std::collections::HashMap;

use serde_json::Number;

use super::budget::{Budget, Stop, text_steps};
use super::hash::{Hashes, address, equal};
use super::node::{ArrayRules, Enumeration, Limit, Node, Validator};
use super::number::{compare, is_multiple_of};
use crate::json::{Document, Items, Kind, Members, ValueRef};

/// One check of one value.
#[derive(Debug)]
pub(super) struct Run<'v> {
    pub(super) validator: &'v Validator,
    pub(super) budget: Budget,
    /// Whether a `null` for an optional member counts as its absence.
    pub(super) drops_nulls: bool,
    /// What matched and what did not: by the address of the node and the index of the value.
    known: HashMap<(usize, usize), bool>,
    /// Whether the value is a temporary, whose index says nothing.
    is_temporary: bool,
    hashes: Hashes<'v>,
}

/// Whether an assertion holds.
pub(super) type Checked = Result<(), Stop>;

pub(super) const fn ensure(holds: bool) -> Checked {
    if holds { Ok(()) } else { Err(Stop::Mismatch) }
}

impl<'v> Run<'v> {
    pub(super) fn new(validator: &'v Validator, budget: Budget) -> Self {
        Self {
            validator,
            budget,
            drops_nulls: false,
            known: HashMap::new(),
            is_temporary: false,
            hashes: Hashes::new(&validator.hash_state),
        }
    }

    /// Forgets what is known of the values, since they have changed.
    pub(super) fn forget(&mut self) {
        self.known.clear();
        self.hashes.clear();
    }

    /// Whether a value matches a schema.
    pub(super) fn matches(&mut self, node: &Node, value: ValueRef<'_>) -> Result<bool, Stop> {
        let key = (address(node), value.at());
        // A leaf is cheaper to check than to look up.
        let is_kept = !node.is_leaf() && !self.is_temporary;
        if is_kept && let Some(known) = self.known.get(&key) {
            self.budget.spend(1)?;
            return Ok(*known);
        }
        let matches = match self.check(node, value) {
            Ok(()) => true,
            Err(Stop::Mismatch) => false,
            Err(Stop::Exhausted) => return Err(Stop::Exhausted),
        };
        if is_kept {
            self.known.insert(key, matches);
        }
        Ok(matches)
    }

    fn check(&mut self, node: &Node, value: ValueRef<'_>) -> Checked {
        self.budget.spend(1)?;
        ensure(!node.never && node.types.allow(value))?;
        if let Some(listed) = &node.values {
            ensure(self.is_listed(listed, value)?)?;
        }
        match value.kind() {
            Kind::String(text) => self.string(node, text)?,
            Kind::Number(number) => ensure(is_in_range(node, &number))?,
            Kind::Array(items) => self.array(&node.array, items)?,
            Kind::Object(members) => self.object(node, members)?,
            Kind::Null | Kind::Bool(_) => {}
        }
        if let Some(target) = self.validator.target(node) {
            ensure(self.matches(target, value)?)?;
        }
        self.in_place(node, value)?;
        if let (Some(rest), Kind::Object(members)) = (&node.object.unevaluated, value.kind()) {
            let evaluated = self.evaluated(node, value, members)?;
            for (name, member) in members {
                if !evaluated.contains(name) && !self.is_dropped(node, name, member)? {
                    self.check(rest, member)?;
                }
            }
        }
        Ok(())
    }

    pub(super) fn is_listed(
        &mut self,
        listed: &Enumeration,
        value: ValueRef<'_>,
    ) -> Result<bool, Stop> {
        let hash = self.hashes.of(value, &mut self.budget)?;
        Ok(listed.of_hash(hash).any(|known| equal(known, value)))
    }

    fn string(&mut self, node: &Node, text: &str) -> Checked {
        if !node.length.is_unbounded() {
            self.budget.spend(text_steps(text))?;
            ensure(node.length.contain(text.chars().count()))?;
        }
        if let Some(format) = node.format {
            self.budget.spend(text_steps(text))?;
            ensure(format.matches(text))?;
        }
        if let Some(pattern) = &node.pattern {
            ensure(pattern.check(text, &mut self.budget)?)?;
        }
        Ok(())
    }

    fn array(&mut self, rules: &ArrayRules, items: Items<'_>) -> Checked {
        ensure(rules.count.contain(items.len()))?;
        if rules.unique {
            ensure(self.are_unique(items)?)?;
        }
        for (index, item) in items.enumerate() {
            if let Some(node) = rules.prefix.get(index).or(rules.items.as_deref()) {
                self.check(node, item)?;
            }
        }
        if let Some(contains) = &rules.contains {
            ensure(
                rules
                    .contained
                    .contain(self.count_matches(contains, rules, items)?),
            )?;
        }
        Ok(())
    }

    pub(super) fn are_unique(&mut self, items: Items<'_>) -> Result<bool, Stop> {
        let mut seen = HashMap::<u64, Vec<ValueRef<'_>>>::new();
        for item in items {
            let alike = seen
                .entry(self.hashes.of(item, &mut self.budget)?)
                .or_default();
            if alike.iter().any(|known| equal(*known, item)) {
                return Ok(false);
            }
            alike.push(item);
        }
        Ok(true)
    }

    /// The number of items that match `contains`, counted no further than the bounds need.
    pub(super) fn count_matches(
        &mut self,
        contains: &Node,
        rules: &ArrayRules,
        items: Items<'_>,
    ) -> Result<usize, Stop> {
        let enough = match rules.contained.max {
            Some(max) => max.saturating_add(1),
            None => rules.contained.min.unwrap_or(0),
        };
        let mut count = 0;
        for item in items {
            if count >= enough {
                break;
            }
            count += usize::from(self.matches(contains, item)?);
        }
        Ok(count)
    }

    fn object(&mut self, node: &Node, members: Members<'_>) -> Checked {
        let rules = &node.object;
        self.budget
            .spend((members.max_len() + rules.required.len()) as u64)?;
        let mut deep = Vec::new();
        let mut count = 0;
        for (name, member) in members {
            if self.is_dropped(node, name, member)? {
                continue;
            }
            count += 1;
            if let Some(property) = rules.properties.get(name) {
                if property.is_leaf() {
                    self.check(property, member)?;
                } else {
                    deep.push((property, member));
                }
            }
            self.patterns(node, name, member, &mut deep)?;
        }
        ensure(rules.count.contain(count))?;
        for name in &rules.required {
            ensure(members.contains(name))?;
        }
        for (name, required) in &rules.dependent_required {
            if members.contains(name) {
                self.budget.spend(required.len() as u64)?;
                ensure(required.iter().all(|name| members.contains(name)))?;
            }
        }
        if let Some(names) = &rules.names {
            for name in members.names() {
                ensure(self.name_matches(names, name)?)?;
            }
        }
        for (node, member) in deep {
            self.check(node, member)?;
        }
        Ok(())
    }

    /// Whether the name of a member matches `propertyNames`.
    pub(super) fn name_matches(&mut self, names: &Node, name: &str) -> Result<bool, Stop> {
        self.is_temporary = true;
        let matches = self.matches(names, Document::of_text(name).root());
        self.is_temporary = false;
        matches
    }

    /// Checks a member against `patternProperties` and `additionalProperties`; adds what is deep.
    fn patterns<'n>(
        &mut self,
        node: &'n Node,
        name: &str,
        member: ValueRef<'n>,
        deep: &mut Vec<(&'n Node, ValueRef<'n>)>,
    ) -> Checked {
        for node in self.unnamed(node, name)? {
            if node.is_leaf() {
                self.check(node, member)?;
            } else {
                deep.push((node, member));
            }
        }
        Ok(())
    }

    /// The schemas of a member by `patternProperties` and `additionalProperties`.
    pub(super) fn unnamed<'n>(
        &mut self,
        node: &'n Node,
        name: &str,
    ) -> Result<Vec<&'n Node>, Stop> {
        let rules = &node.object;
        let mut found = Vec::new();
        for (pattern, node) in &rules.patterns {
            if pattern.check(name, &mut self.budget)? {
                found.push(node);
            }
        }
        if found.is_empty() && rules.properties.get(name).is_none() {
            found.extend(rules.additional.as_deref());
        }
        Ok(found)
    }

    /// Whether a member counts as absent: an optional one that is `null` although its schema does not
    /// allow that.
    pub(super) fn is_dropped(
        &mut self,
        node: &Node,
        name: &str,
        member: ValueRef<'_>,
    ) -> Result<bool, Stop> {
        if !self.drops_nulls || !member.is_null() {
            return Ok(false);
        }
        let Some(property) = node.object.properties.get(name) else {
            return Ok(false);
        };
        self.budget.spend(node.object.required.len() as u64)?;
        let is_optional = !node.object.required.iter().any(|required| required == name);
        Ok(is_optional && !self.matches(property, member)?)
    }

    /// The schemas that hold for the value as a whole.
    fn in_place(&mut self, node: &Node, value: ValueRef<'_>) -> Checked {
        if let Kind::Object(members) = value.kind() {
            for (name, dependent) in &node.object.dependent_schemas {
                if members.contains(name) {
                    ensure(self.matches(dependent, value)?)?;
                }
            }
        }
        for node in &node.all_of {
            ensure(self.matches(node, value)?)?;
        }
        if !node.any_of.is_empty() {
            ensure(self.count_alternatives(&node.any_of, value, 1)? == 1)?;
        }
        if !node.one_of.is_empty() {
            ensure(self.count_alternatives(&node.one_of, value, 2)? == 1)?;
        }
        if let Some(not) = &node.not {
            ensure(!self.matches(not, value)?)?;
        }
        if let Some(branch) = self.branch(node, value)? {
            ensure(self.matches(branch, value)?)?;
        }
        Ok(())
    }

    /// `then` or `else`, whichever `if` chooses.
    pub(super) fn branch<'n>(
        &mut self,
        node: &'n Node,
        value: ValueRef<'_>,
    ) -> Result<Option<&'n Node>, Stop> {
        let Some(condition) = &node.condition else {
            return Ok(None);
        };
        let holds = self.matches(condition, value)?;
        Ok(if holds { &node.then } else { &node.otherwise }.as_deref())
    }

    /// The number of alternatives that match, counted up to `enough`.
    pub(super) fn count_alternatives(
        &mut self,
        nodes: &[Node],
        value: ValueRef<'_>,
        enough: usize,
    ) -> Result<usize, Stop> {
        let mut count = 0;
        for node in nodes {
            count += usize::from(self.matches(node, value)?);
            if count == enough {
                break;
            }
        }
        Ok(count)
    }
}

/// Whether a number is within its bounds and a multiple of what it has to be.
fn is_in_range(node: &Node, number: &Number) -> bool {
    node.minimum
        .iter()
        .all(|limit| limit.allows(number, Ordering::Greater))
        && node
            .maximum
            .iter()
            .all(|limit| limit.allows(number, Ordering::Less))
        && node
            .multiple_of
            .as_ref()
            .is_none_or(|step| is_multiple_of(number, step))
}

impl Limit {
    /// Whether `number` is on the `inner` side of the limit, or equal to it where that is allowed.
    pub(super) fn allows(&self, number: &Number, inner: Ordering) -> bool {
        match compare(number, &self.value) {
            Some(Ordering::Equal) => !self.exclusive,
            Some(ordering) => ordering == inner,
            None => false,
        }
    }
}
