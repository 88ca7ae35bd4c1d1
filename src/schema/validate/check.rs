//! Checking arguments against a [`Validator`].

use serde_json::Value;

use super::budget::{Budget, Stop};
use super::edits::{Edits, may_need_edits};
use super::explain::Explanation;
use super::invalid_arguments::InvalidArguments;
use super::node::Validator;
use super::run::Run;

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
        arguments: &mut Value,
        budget: Budget,
    ) -> Result<(), InvalidArguments> {
        self.check_with(&mut Run::new(self, budget), arguments)
    }

    /// Checks a result as it stands.
    ///
    /// # Errors
    ///
    /// Returns what is wrong, field by field, up to a few of them.
    pub(crate) fn check_unchanged(
        &self,
        result: &Value,
        budget: Budget,
    ) -> Result<(), InvalidArguments> {
        let mut run = Run::new(self, budget);
        match run.matches(&self.root, result) {
            Ok(true) => Ok(()),
            Ok(false) => Err(self.explain(&mut run, "the structured content", result)),
            Err(_) => Err(InvalidArguments::new("", TOO_COMPLEX)),
        }
    }

    pub(super) fn check_with<'v>(
        &'v self,
        run: &mut Run<'v>,
        arguments: &mut Value,
    ) -> Result<(), InvalidArguments> {
        match self.matches_after_edits(run, arguments) {
            Ok(true) => return Ok(()),
            Ok(false) => {}
            Err(_) => return Err(InvalidArguments::new("", TOO_COMPLEX)),
        }
        Err(self.explain(run, "the arguments", arguments))
    }

    /// What is wrong with a value that does not match; `whole` names it.
    fn explain<'v>(
        &'v self,
        run: &mut Run<'v>,
        whole: &'static str,
        value: &Value,
    ) -> InvalidArguments {
        let mut explanation = Explanation::new(run, whole);
        let is_complete = explanation.add(&self.root, value).is_ok();
        let violations = explanation.into_violations();
        match (violations.is_empty(), is_complete) {
            (false, _) => InvalidArguments::from_violations(violations),
            (true, false) => InvalidArguments::new("", TOO_COMPLEX),
            (true, true) => InvalidArguments::new("", "do not match the input schema"),
        }
    }

    /// Whether the arguments match, after they were edited.
    fn matches_after_edits<'v>(
        &'v self,
        run: &mut Run<'v>,
        arguments: &mut Value,
    ) -> Result<bool, Stop> {
        let matches = run.matches(&self.root, arguments)?;
        if !may_need_edits(arguments) {
            return Ok(matches);
        }
        let mut edits = Edits::default();
        run.drops_nulls = !matches;
        run.forget();
        run.collect_edits(&self.root, arguments, &mut edits)?;
        run.drops_nulls = false;
        run.forget();
        if edits.apply(arguments) {
            run.matches(&self.root, arguments)
        } else {
            Ok(matches)
        }
    }
}
