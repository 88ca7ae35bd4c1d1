//! What is wrong with a value that does not match: which field, and which rule.

use std::cmp::Ordering;

use serde_json::Number;

use super::budget::Stop;
use super::invalid_arguments::sentence;
use super::meant::Meant;
use super::node::{ArrayRules, Bounds, Enumeration, Node};
use super::number::is_multiple_of;
use super::run::Run;
use super::words;
use crate::error::protocol::excerpt;
use crate::json::{Items, Kind, Members, ValueRef};

/// Maximum number of violations in one error.
const MAX_VIOLATIONS: usize = 5;

/// The violations of one value.
#[derive(Debug)]
pub(super) struct Explanation<'r, 'v> {
    run: &'r mut Run<'v>,
    /// The value as a whole, in words.
    whole: &'static str,
    path: String,
    /// The tags that chose the alternatives on the way, in words.
    conditions: Vec<String>,
    violations: Vec<String>,
}

impl<'r, 'v> Explanation<'r, 'v> {
    pub(super) const fn new(run: &'r mut Run<'v>, whole: &'static str) -> Self {
        Self {
            run,
            whole,
            path: String::new(),
            conditions: Vec::new(),
            violations: Vec::new(),
        }
    }

    /// The violations found.
    pub(super) fn into_violations(self) -> Vec<String> {
        self.violations
    }

    /// Adds the violations of a schema by a value.
    pub(super) fn add(&mut self, node: &'v Node, value: ValueRef<'_>) -> Result<(), Stop> {
        if self.violations.len() >= MAX_VIOLATIONS || self.run.matches(node, value)? {
            return Ok(());
        }
        if node.never {
            self.tell("is not allowed");
            return Ok(());
        }
        if !node.types.allow(value) {
            let (types, kind) = (words::types(node.types), words::kind(value));
            self.tell(&format!("must be {types}, not {kind}"));
            return Ok(());
        }
        if let Some(listed) = &node.values
            && !self.run.is_listed(listed, value)?
        {
            self.tell(&unlisted(listed));
            return Ok(());
        }
        match value.kind() {
            Kind::String(text) => self.string(node, text)?,
            Kind::Number(number) => self.number(node, &number),
            Kind::Array(items) => self.array(&node.array, items)?,
            Kind::Object(members) => self.object(node, members)?,
            Kind::Null | Kind::Bool(_) => {}
        }
        if let Some(target) = self.run.validator.target(node) {
            self.add(target, value)?;
        }
        self.in_place(node, value)?;
        match (&node.object.unevaluated, value.kind()) {
            (Some(rest), Kind::Object(members)) => self.unevaluated(node, rest, value, members),
            _ => Ok(()),
        }
    }

    /// Adds members that are refused although the schema allows them.
    pub(super) fn add_unknown(&mut self, root: &'v Node, names: &[&str]) {
        for name in names {
            self.unknown(root, name);
        }
    }

    fn tell(&mut self, rule: &str) {
        let condition = self.conditions.last().map_or("", String::as_str);
        let violation = sentence(self.whole, &self.path, rule) + condition;
        if self.violations.len() < MAX_VIOLATIONS && !self.violations.contains(&violation) {
            self.violations.push(violation);
        }
    }

    fn string(&mut self, node: &Node, text: &str) -> Result<(), Stop> {
        let length = text.chars().count();
        self.bounds(node.length, length, "character");
        if let Some(format) = node.format
            && node.length.contain(length)
            && !format.matches(text)
        {
            self.tell(&format!("must be {}", format.description()));
        }
        if let Some(pattern) = &node.pattern
            && node.length.contain(length)
            && !pattern.check(text, &mut self.run.budget)?
        {
            self.tell(&format!("must match the pattern {}", pattern.as_str()));
        }
        Ok(())
    }

    fn number(&mut self, node: &Node, number: &Number) {
        let limits = [
            (&node.minimum, Ordering::Greater, "greater than", "at least"),
            (&node.maximum, Ordering::Less, "less than", "at most"),
        ];
        for (limits, inner, exclusive, inclusive) in limits {
            for limit in limits.iter().filter(|limit| !limit.allows(number, inner)) {
                let word = if limit.exclusive {
                    exclusive
                } else {
                    inclusive
                };
                self.tell(&format!("must be {word} {}, not {number}", limit.value));
            }
        }
        if let Some(step) = &node.multiple_of
            && !is_multiple_of(number, step)
        {
            self.tell(&format!("must be a multiple of {step}, not {number}"));
        }
    }

    fn array(&mut self, rules: &'v ArrayRules, items: Items<'_>) -> Result<(), Stop> {
        if !rules.count.contain(items.len()) {
            self.bounds(rules.count, items.len(), "item");
            return Ok(());
        }
        if rules.unique && !self.run.are_unique(items)? {
            self.tell("must not contain the same item twice");
        }
        for (index, item) in items.enumerate() {
            if let Some(node) = rules.prefix.get(index).or(rules.items.as_deref()) {
                self.at(&format!("[{index}]"), |found| found.add(node, item))?;
            }
        }
        if let Some(contains) = &rules.contains {
            let count = self.run.count_matches(contains, rules, items)?;
            let (word, bound) = match (rules.contained.min, rules.contained.max) {
                (_, Some(max)) if count > max => ("at most", max),
                (Some(min), _) if count < min => ("at least", min),
                _ => return Ok(()),
            };
            let plural = words::plural(bound);
            self.tell(&format!(
                "must contain {word} {bound} item{plural} of the required form"
            ));
        }
        Ok(())
    }

    fn object(&mut self, node: &'v Node, members: Members<'_>) -> Result<(), Stop> {
        let rules = &node.object;
        self.bounds(rules.count, members.count(), "field");
        let is_missing = |name: &&String| !members.contains(name);
        for name in rules.required.iter().filter(is_missing) {
            self.tell_at(name, "is required");
        }
        for (present, required) in &rules.dependent_required {
            if members.contains(present) {
                for name in required.iter().filter(is_missing) {
                    self.tell_at(name, &format!("is required when `{present}` is present"));
                }
            }
        }
        for (name, member) in members {
            if let Some(property) = rules.properties.get(name) {
                self.at(&segment(name), |found| found.add(property, member))?;
            }
            for unnamed in self.run.unnamed(node, name)? {
                self.unnamed(node, unnamed, name, member)?;
            }
            if let Some(names) = &rules.names
                && !self.run.name_matches(names, name)?
            {
                self.tell_at(name, "does not have an allowed name");
            }
        }
        Ok(())
    }

    /// Adds the violations of a schema by a member that `properties` does not name.
    fn unnamed(
        &mut self,
        owner: &'v Node,
        schema: &'v Node,
        name: &str,
        member: ValueRef<'_>,
    ) -> Result<(), Stop> {
        if schema.never {
            self.unknown(owner, name);
            return Ok(());
        }
        self.at(&segment(name), |found| found.add(schema, member))
    }

    fn unevaluated(
        &mut self,
        node: &'v Node,
        rest: &'v Node,
        value: ValueRef<'_>,
        members: Members<'_>,
    ) -> Result<(), Stop> {
        let evaluated = self.run.evaluated(node, value, members)?;
        for (name, member) in members {
            if !evaluated.contains(name) {
                self.unnamed(node, rest, name, member)?;
            }
        }
        Ok(())
    }

    /// Adds a member that `owner` does not know.
    fn unknown(&mut self, owner: &'v Node, name: &str) {
        let mut known = Vec::new();
        self.run.validator.known_names(owner, &mut |name| {
            if !known.contains(&name) {
                known.push(name);
            }
        });
        // Another alternative may know it.
        known.retain(|known| *known != name);
        self.tell_at(name, &words::unknown(name, &known));
    }

    fn in_place(&mut self, node: &'v Node, value: ValueRef<'_>) -> Result<(), Stop> {
        for (name, dependent) in &node.object.dependent_schemas {
            if value.get(name).is_some() {
                self.add(dependent, value)?;
            }
        }
        for node in &node.all_of {
            self.add(node, value)?;
        }
        if !node.any_of.is_empty() && self.run.count_alternatives(&node.any_of, value, 1)? == 0 {
            self.alternatives(&node.any_of, value)?;
        }
        if !node.one_of.is_empty() {
            match self.run.count_alternatives(&node.one_of, value, 2)? {
                0 => self.alternatives(&node.one_of, value)?,
                1 => {}
                _ => self.tell("matches more than one of the allowed forms; it must match one"),
            }
        }
        if let Some(not) = &node.not
            && self.run.matches(not, value)?
        {
            self.tell("has a form that is not allowed");
        }
        match self.run.branch(node, value)? {
            Some(branch) => self.add(branch, value),
            None => Ok(()),
        }
    }

    /// Adds the violations of the alternative that the value is meant for.
    fn alternatives(&mut self, nodes: &'v [Node], value: ValueRef<'_>) -> Result<(), Stop> {
        match self.run.meant(nodes, value)? {
            Meant::Node(node, None) => self.add(node, value)?,
            Meant::Node(node, Some(tag)) => {
                let given = value.get(tag).map(text).unwrap_or_default();
                let mut field = self.path.clone();
                append(&mut field, &segment(tag));
                self.conditions
                    .push(format!(" (`{field}` is {})", excerpt(&given)));
                let added = self.add(node, value);
                self.conditions.pop();
                added?;
            }
            Meant::Tag(tag, values) => {
                let values: Vec<String> = values.into_iter().map(text).collect();
                let is_there = value.get(tag).is_some();
                let rule = if is_there { "must be" } else { "is required:" };
                self.tell_at(tag, &format!("{rule} one of {}", words::list(&values)));
            }
            Meant::Key(keys) => {
                let keys = words::names(keys);
                self.tell(&format!("must have exactly one of the fields {keys}"));
            }
            Meant::Missing(names) => {
                let names = words::names(names);
                self.tell(&format!("must have one of the fields {names}"));
            }
            Meant::Types(types) => {
                let (types, kind) = (words::types(types), words::kind(value));
                self.tell(&format!("must be {types}, not {kind}"));
            }
            Meant::Unknown => self.tell("does not match any of the allowed forms"),
        }
        Ok(())
    }

    fn bounds(&mut self, bounds: Bounds, count: usize, unit: &str) {
        let (word, bound) = match (bounds.min, bounds.max) {
            (Some(min), _) if count < min => ("at least", min),
            (_, Some(max)) if count > max => ("at most", max),
            _ => return,
        };
        let plural = words::plural(bound);
        self.tell(&format!(
            "must have {word} {bound} {unit}{plural}, not {count}"
        ));
    }

    fn tell_at(&mut self, name: &str, rule: &str) {
        self.at(&segment(name), |found| found.tell(rule));
    }

    fn at<T>(&mut self, segment: &str, visit: impl FnOnce(&mut Self) -> T) -> T {
        let length = self.path.len();
        append(&mut self.path, segment);
        let visited = visit(self);
        self.path.truncate(length);
        visited
    }
}

/// A value as JSON.
fn text(value: ValueRef<'_>) -> String {
    serde_json::to_string(&value).unwrap_or_default()
}

fn unlisted(listed: &Enumeration) -> String {
    let shown = listed.values().map(|value| excerpt(&text(value)));
    let shown: Vec<String> = shown.collect();
    match shown.as_slice() {
        [only] => format!("must be {only}"),
        _ => format!("must be one of {}", words::list(&shown)),
    }
}

/// A member's name in a path, cut, since it can be the client's own text.
fn segment(name: &str) -> String {
    format!(".{}", excerpt(name))
}

/// Appends a segment to a path, which does not begin with a dot.
fn append(path: &mut String, segment: &str) {
    let is_first = path.is_empty();
    path.push_str(if is_first {
        segment.strip_prefix('.').unwrap_or(segment)
    } else {
        segment
    });
}
