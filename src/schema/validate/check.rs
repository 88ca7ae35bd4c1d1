//! Checking arguments against a [`Validator`].

use std::collections::HashSet;

use super::budget::{Budget, Stop};
use super::edits::{Edits, may_need_edits};
use super::explain::Explanation;
use super::invalid_arguments::InvalidArguments;
use super::node::{Node, Validator};
use super::run::Run;
use crate::json::{Document, Kind, ValueRef};

/// What a client reads when the budget is spent.
const TOO_COMPLEX: &str = "take too long to check; send fewer or simpler values";

impl Validator {
    /// Checks arguments, and puts right what clients commonly write otherwise: a `null` for an
    /// optional member that cannot be `null` is left out, and `5.0` for an integer becomes `5`.
    ///
    /// # Errors
    ///
    /// Returns what is wrong, field by field, up to a few of them.
    pub(crate) fn check(
        &self,
        arguments: &mut Document<'_>,
        budget: Budget,
    ) -> Result<(), InvalidArguments> {
        self.check_with(&mut Run::new(self, budget), arguments)
    }

    /// Checks a result, without edits.
    ///
    /// # Errors
    ///
    /// Returns what is wrong, field by field, up to a few of them.
    pub(crate) fn check_unchanged(
        &self,
        result: ValueRef<'_>,
        budget: Budget,
    ) -> Result<(), InvalidArguments> {
        let mut run = Run::new(self, budget);
        match run.matches(&self.root, result) {
            Ok(true) => Ok(()),
            Ok(false) => Err(self.explain(&mut run, "the structured content", result, &[])),
            Err(_) => Err(InvalidArguments::new("", TOO_COMPLEX)),
        }
    }

    pub(super) fn check_with<'v>(
        &'v self,
        run: &mut Run<'v>,
        arguments: &mut Document<'_>,
    ) -> Result<(), InvalidArguments> {
        let checked = self.matches_after_edits(run, arguments);
        let unknown = checked
            .and_then(|matches| Ok((matches, self.unknown(run, matches, arguments.root())?)));
        let Ok((matches, unknown)) = unknown else {
            return Err(InvalidArguments::new("", TOO_COMPLEX));
        };
        if matches && unknown.is_empty() {
            return Ok(());
        }
        Err(self.explain(run, "the arguments", arguments.root(), &unknown))
    }

    /// What is wrong with a value: what does not match, and members that are refused although the schema
    /// allows them. `whole` names the value.
    fn explain<'v>(
        &'v self,
        run: &mut Run<'v>,
        whole: &'static str,
        value: ValueRef<'_>,
        unknown: &[&str],
    ) -> InvalidArguments {
        let mut explanation = Explanation::new(run, whole);
        let is_complete = explanation.add(&self.root, value).is_ok();
        explanation.add_unknown(&self.root, unknown);
        let violations = explanation.into_violations();
        match (violations.is_empty(), is_complete) {
            (false, _) => InvalidArguments::from_violations(violations),
            (true, false) => InvalidArguments::new("", TOO_COMPLEX),
            (true, true) => InvalidArguments::new("", "do not match the input schema"),
        }
    }

    /// The members that the schema does not name, if they are refused.
    ///
    /// Which members are named can depend on the alternative. If none matches, a member is unknown
    /// only if no alternative names it.
    fn unknown<'v, 'a>(
        &'v self,
        run: &mut Run<'v>,
        matches: bool,
        arguments: ValueRef<'a>,
    ) -> Result<Vec<&'a str>, Stop> {
        let Kind::Object(members) = arguments.kind() else {
            return Ok(Vec::new());
        };
        if !self.refuses_unknown {
            return Ok(Vec::new());
        }
        let names = members.names();
        if matches {
            let evaluated = run.evaluated(&self.root, arguments, members)?;
            return Ok(names.filter(|name| !evaluated.contains(name)).collect());
        }
        let mut known = HashSet::new();
        self.known_names(&self.root, &mut |name| {
            known.insert(name);
        });
        run.budget.spend((known.len() + members.max_len()) as u64)?;
        Ok(names.filter(|name| !known.contains(name)).collect())
    }

    /// Visits the names that a schema gives to members, and those of the schemas it applies.
    pub(super) fn known_names<'v>(&'v self, node: &'v Node, visit: &mut impl FnMut(&'v str)) {
        node.object
            .properties
            .iter()
            .for_each(|(name, _)| visit(name));
        if let Some(target) = self.target(node) {
            self.known_names(target, visit);
        }
        node.in_place()
            .for_each(|node| self.known_names(node, visit));
    }

    /// Whether the arguments match, after they were edited.
    fn matches_after_edits<'v>(
        &'v self,
        run: &mut Run<'v>,
        arguments: &mut Document<'_>,
    ) -> Result<bool, Stop> {
        let matches = run.matches(&self.root, arguments.root())?;
        if !may_need_edits(arguments) {
            return Ok(matches);
        }
        let mut edits = Edits::default();
        run.drops_nulls = !matches;
        run.forget();
        run.collect_edits(&self.root, arguments.root(), &mut edits)?;
        run.drops_nulls = false;
        run.forget();
        if edits.apply(arguments) {
            run.matches(&self.root, arguments.root())
        } else {
            Ok(matches)
        }
    }
}
