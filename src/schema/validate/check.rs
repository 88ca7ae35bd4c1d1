//! From a [`Validator`] and arguments to what is wrong with them.

use std::cmp::Ordering;
use std::fmt;

use serde_json::{Map, Number, Value};

use super::{Additional, Bounds, Limit, Node, Type, Validator};

/// The most violations one error tells of.
const MAX_TOLD: usize = 5;

/// Arguments that do not fit, in words a model can act on: which field, and which rule.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct InvalidArguments {
    violations: Vec<String>,
}

impl InvalidArguments {
    /// One violation, found elsewhere: `path` names the field, empty for all arguments.
    #[must_use]
    pub(crate) fn new(path: &str, rule: &str) -> Self {
        Self {
            violations: vec![told(path, rule)],
        }
    }
}

impl fmt::Display for InvalidArguments {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.violations.join("; "))
    }
}

fn told(path: &str, rule: &str) -> String {
    if path.is_empty() {
        format!("the arguments {rule}")
    } else {
        format!("`{path}` {rule}")
    }
}

impl Validator {
    /// Checks arguments, after a `null` for an optional member is taken as its absence.
    ///
    /// # Errors
    ///
    /// Every field that breaks a rule, up to a few.
    pub(crate) fn check(&self, arguments: &mut Value) -> Result<(), InvalidArguments> {
        self.drop_nulls(&self.root, arguments);
        let mut found = Found {
            validator: self,
            path: String::new(),
            violations: Vec::new(),
        };
        found.check(&self.root, arguments);
        if found.violations.is_empty() {
            Ok(())
        } else {
            Err(InvalidArguments {
                violations: found.violations,
            })
        }
    }

    /// Many clients write `null` for an optional argument that they leave out.
    fn drop_nulls(&self, node: &Node, value: &mut Value) {
        let node = self.resolve(node);
        let Value::Object(members) = value else {
            return;
        };
        members.retain(|name, value| {
            let optional = !node.required.contains(name);
            let takes_null = node
                .property(name)
                .is_none_or(|node| self.fits(node, &Value::Null));
            !(value.is_null() && optional && !takes_null)
        });
        for (name, value) in members.iter_mut() {
            if let Some(node) = node.property(name) {
                self.drop_nulls(node, value);
            }
        }
    }

    fn fits(&self, node: &Node, value: &Value) -> bool {
        let mut found = Found {
            validator: self,
            path: String::new(),
            violations: Vec::new(),
        };
        found.check(node, value);
        found.violations.is_empty()
    }

    fn resolve<'v>(&'v self, node: &'v Node) -> &'v Node {
        node.reference
            .and_then(|index| self.referenced.get(index))
            .unwrap_or(node)
    }
}

impl Node {
    fn property(&self, name: &str) -> Option<&Self> {
        self.properties
            .iter()
            .find(|(known, _)| known == name)
            .map(|(_, node)| node)
    }
}

struct Found<'v> {
    validator: &'v Validator,
    path: String,
    violations: Vec<String>,
}

impl Found<'_> {
    fn tell(&mut self, rule: &str) {
        if self.violations.len() < MAX_TOLD {
            self.violations.push(told(&self.path, rule));
        }
    }

    fn check(&mut self, node: &Node, value: &Value) {
        if node.never {
            return self.tell("is not allowed");
        }
        if node.reference.is_some() {
            // It ends: a reference that leads back to itself did not compile.
            self.check(self.validator.resolve(node), value);
        }
        if !node.types.is_empty() && !node.types.iter().any(|ty| ty.is_of(value)) {
            let names: Vec<_> = node.types.iter().map(|ty| ty.name()).collect();
            return self.tell(&format!(
                "must be {}, not {}",
                names.join(" or "),
                kind(value)
            ));
        }
        if let Some(values) = &node.values
            && !values.contains(value)
        {
            let listed: Vec<_> = values.iter().map(Value::to_string).collect();
            return self.tell(&format!("must be one of {}", listed.join(", ")));
        }
        match value {
            Value::String(text) => self.string(node, text),
            Value::Number(number) => self.number(node, number),
            Value::Array(items) => self.array(node, items),
            Value::Object(members) => self.object(node, members),
            Value::Null | Value::Bool(_) => {}
        }
        self.alternatives(node, value);
    }

    fn string(&mut self, node: &Node, text: &str) {
        self.bounds(node.length, text.chars().count(), "character");
        if let Some(pattern) = &node.pattern
            && !pattern.is_match(text)
        {
            self.tell(&format!("must match the pattern {}", pattern.as_str()));
        }
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
        if let (Some(step), Some(value)) = (node.multiple_of, number.as_f64()) {
            let steps = value / step;
            if (steps - steps.round()).abs() > f64::EPSILON * steps.abs().max(1.0) {
                self.tell(&format!("must be a multiple of {step}"));
            }
        }
    }

    fn array(&mut self, node: &Node, items: &[Value]) {
        self.bounds(node.count, items.len(), "item");
        if node.unique
            && items
                .iter()
                .enumerate()
                .any(|(i, item)| items.iter().take(i).any(|e| e == item))
        {
            self.tell("must not hold an item twice");
        }
        for (index, item) in items.iter().enumerate() {
            if let Some(node) = node.prefix_items.get(index).or(node.items.as_deref()) {
                self.below(&format!("[{index}]"), node, item);
            }
        }
    }

    fn object(&mut self, node: &Node, members: &Map<String, Value>) {
        self.bounds(node.members, members.len(), "member");
        for name in &node.required {
            if !members.contains_key(name) {
                self.at(&segment(name), |found| found.tell("is required"));
            }
        }
        for (name, value) in members {
            match (node.property(name), &node.additional) {
                (Some(node), _) => self.below(&segment(name), node, value),
                (None, Additional::Each(node)) => self.below(&segment(name), node, value),
                (None, Additional::Nothing) => {
                    let known: Vec<_> = node
                        .properties
                        .iter()
                        .map(|(name, _)| format!("`{name}`"))
                        .collect();
                    let rule = if known.is_empty() {
                        "is not known; there are no arguments".to_owned()
                    } else {
                        format!("is not known; known are {}", known.join(", "))
                    };
                    self.at(&segment(name), |found| found.tell(&rule));
                }
                (None, Additional::Anything) => {}
            }
        }
    }

    fn alternatives(&mut self, node: &Node, value: &Value) {
        for node in &node.all_of {
            self.check(node, value);
        }
        if !node.any_of.is_empty() && self.fitting(&node.any_of, value) == 0 {
            self.tell("fits none of the forms its schema allows");
        }
        if !node.one_of.is_empty() && self.fitting(&node.one_of, value) != 1 {
            self.tell("must fit exactly one of the forms its schema allows");
        }
        if node
            .not
            .as_ref()
            .is_some_and(|not| self.validator.fits(not, value))
        {
            self.tell("has the form that its schema excludes");
        }
        if let Some(condition) = &node.condition {
            let holds = self.validator.fits(condition, value);
            let branch = if holds { &node.then } else { &node.otherwise };
            if let Some(branch) = branch {
                self.check(branch, value);
            }
        }
    }

    fn fitting(&self, nodes: &[Node], value: &Value) -> usize {
        let fits = |node: &&Node| self.validator.fits(node, value);
        nodes.iter().filter(fits).count()
    }

    fn bounds(&mut self, bounds: Bounds, count: usize, unit: &str) {
        let plural = |n: usize| if n == 1 { "" } else { "s" };
        if let Some(min) = bounds.min
            && count < min
        {
            self.tell(&format!(
                "must have at least {min} {unit}{}, not {count}",
                plural(min)
            ));
        }
        if let Some(max) = bounds.max
            && count > max
        {
            self.tell(&format!(
                "must have at most {max} {unit}{}, not {count}",
                plural(max)
            ));
        }
    }

    fn below(&mut self, segment: &str, node: &Node, value: &Value) {
        self.at(segment, |found| found.check(node, value));
    }

    fn at(&mut self, segment: &str, visit: impl FnOnce(&mut Self)) {
        let length = self.path.len();
        self.path.push_str(segment);
        if length == 0 && self.path.starts_with('.') {
            self.path.remove(0);
        }
        visit(self);
        self.path.truncate(length);
    }
}

/// A member's name in a path, cut: it can be the client's own text.
fn segment(name: &str) -> String {
    format!(".{}", crate::error::protocol::excerpt(name))
}

impl Limit {
    /// Whether `number` is on the `inner` side of the limit, or on it where that is allowed.
    fn allows(&self, number: &Number, inner: Ordering) -> bool {
        match compare(number, &self.value) {
            Some(Ordering::Equal) => !self.exclusive,
            Some(ordering) => ordering == inner,
            None => false,
        }
    }
}

/// Compares integers as integers: as floats, large neighbours would be equal.
fn compare(a: &Number, b: &Number) -> Option<Ordering> {
    let integer = |n: &Number| {
        n.as_i64()
            .map(i128::from)
            .or_else(|| n.as_u64().map(i128::from))
    };
    match (integer(a), integer(b)) {
        (Some(a), Some(b)) => Some(a.cmp(&b)),
        _ => a.as_f64()?.partial_cmp(&b.as_f64()?),
    }
}

impl Type {
    fn is_of(self, value: &Value) -> bool {
        match self {
            Self::Null => value.is_null(),
            Self::Boolean => value.is_boolean(),
            Self::Integer => value.is_i64() || value.is_u64(),
            Self::Number => value.is_number(),
            Self::String => value.is_string(),
            Self::Array => value.is_array(),
            Self::Object => value.is_object(),
        }
    }

    const fn name(self) -> &'static str {
        match self {
            Self::Null => "null",
            Self::Boolean => "a boolean",
            Self::Integer => "an integer",
            Self::Number => "a number",
            Self::String => "a string",
            Self::Array => "an array",
            Self::Object => "an object",
        }
    }
}

fn kind(value: &Value) -> &'static str {
    match value {
        Value::Null => "null",
        Value::Bool(_) => "a boolean",
        Value::Number(number) if number.is_f64() => "a fraction",
        Value::Number(_) => "an integer",
        Value::String(_) => "a string",
        Value::Array(_) => "an array",
        Value::Object(_) => "an object",
    }
}
