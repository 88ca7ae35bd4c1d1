//! Which alternative a value is meant for when it matches none: by its type, its tag, or the one
//! member that names it.

use super::budget::Stop;
use super::hash::equal;
use super::node::{Node, Types};
use super::run::Run;
use crate::json::{Kind, Members, ValueRef};

/// The alternative that a value is meant for.
#[derive(Debug)]
pub(super) enum Meant<'n> {
    /// This one; a tag, if one decided.
    Node(&'n Node, Option<&'n str>),
    /// None: the tag must have one of these values.
    Tag(&'n str, Vec<ValueRef<'n>>),
    /// None: exactly one of these members is needed.
    Key(Vec<&'n str>),
    /// None: one of these members is needed.
    Missing(Vec<&'n str>),
    /// None: the value must have one of these types.
    Types(Types),
    /// It cannot be told.
    Unknown,
}

impl<'v> Run<'v> {
    /// The alternative that a value is meant for.
    pub(super) fn meant(
        &mut self,
        nodes: &'v [Node],
        value: ValueRef<'_>,
    ) -> Result<Meant<'v>, Stop> {
        self.budget.spend(nodes.len() as u64)?;
        let resolved: Vec<&Node> = nodes.iter().map(|node| self.resolved(node)).collect();
        let of_type = resolved.iter().filter(|node| node.types.allow(value));
        let candidates: Vec<&Node> = of_type.copied().collect();
        Ok(match (candidates.as_slice(), value.kind()) {
            ([], _) => Meant::Types(Types::any_of(resolved.iter().map(|node| node.types))),
            ([only], _) => Meant::Node(only, None),
            (_, Kind::Object(members)) => by_members(&candidates, members),
            _ => Meant::Unknown,
        })
    }

    /// A node, or the target of its reference if it says nothing by itself.
    fn resolved(&self, mut node: &'v Node) -> &'v Node {
        while let Some(target) = self.validator.target(node)
            && node.types.is_any()
        {
            node = target;
        }
        node
    }
}

fn by_members<'n>(candidates: &[&'n Node], members: Members<'_>) -> Meant<'n> {
    if let Some(tag) = common_tag(candidates) {
        let given = members.get(tag);
        let values = |node: &&'n Node| tag_values(node, tag).unwrap_or_default();
        let is_given = |node: &&&'n Node| {
            given.is_some_and(|given| values(node).iter().any(|value| equal(*value, given)))
        };
        let mut tagged = candidates.iter().filter(is_given);
        return match (tagged.next(), tagged.next()) {
            (Some(only), None) => Meant::Node(only, Some(tag)),
            (Some(_), Some(_)) => Meant::Unknown,
            (None, _) => Meant::Tag(tag, candidates.iter().flat_map(values).collect()),
        };
    }
    let keys: Option<Vec<&'n str>> = candidates.iter().map(|node| only_key(node)).collect();
    if let Some(keys) = keys {
        let is_given = |(_, key): &(&&'n Node, &&'n str)| members.contains(key);
        let mut named = candidates.iter().zip(&keys).filter(is_given);
        return match (named.next(), named.next()) {
            (Some((only, _)), None) => Meant::Node(only, None),
            _ => Meant::Key(keys),
        };
    }
    let first_missing = |node: &&'n Node| {
        let mut required = node.object.required.iter().map(String::as_str);
        required.find(|name| !members.contains(name))
    };
    let mut complete = candidates
        .iter()
        .filter(|node| first_missing(node).is_none());
    match (complete.next(), complete.next()) {
        (Some(only), None) => Meant::Node(only, None),
        (Some(_), Some(_)) => Meant::Unknown,
        (None, _) => Meant::Missing(candidates.iter().filter_map(first_missing).collect()),
    }
}

/// The member that all nodes require with texts of their own.
fn common_tag<'n>(nodes: &[&'n Node]) -> Option<&'n str> {
    let first = nodes.first()?;
    let is_common = |tag: &&'n str| nodes.iter().all(|node| tag_values(node, tag).is_some());
    let names = first.object.properties.iter().map(|(name, _)| name);
    { names }.find(is_common)
}

/// The texts that a required member may have.
fn tag_values<'n>(node: &&'n Node, tag: &str) -> Option<Vec<ValueRef<'n>>> {
    let is_required = node.object.required.iter().any(|name| name == tag);
    let listed = node.object.properties.get(tag)?.values.as_ref()?;
    let are_texts = listed.values().all(|value| value.as_str().is_some());
    (is_required && are_texts).then(|| listed.values().collect())
}

/// The only member that a node requires and allows.
fn only_key(node: &Node) -> Option<&str> {
    let rules = &node.object;
    let is_closed = rules.additional.as_ref().is_some_and(|node| node.never);
    match rules.required.as_slice() {
        [only] if is_closed && rules.properties.iter().count() == 1 => Some(only),
        _ => None,
    }
}
