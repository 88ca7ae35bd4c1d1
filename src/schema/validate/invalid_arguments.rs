//! [`InvalidArguments`]: what is wrong with arguments.

use std::fmt;

/// Arguments that do not match, in words that a model can act on: which field, and which rule.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct InvalidArguments {
    violations: Vec<String>,
}

impl InvalidArguments {
    /// One violation: `path` names the field, and is empty for the arguments as a whole; `rule`
    /// completes the sentence.
    #[must_use]
    pub(crate) fn new(path: &str, rule: &str) -> Self {
        Self {
            violations: vec![sentence("the arguments", path, rule)],
        }
    }

    pub(super) const fn from_violations(violations: Vec<String>) -> Self {
        Self { violations }
    }
}

impl fmt::Display for InvalidArguments {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.violations.join("; "))
    }
}

/// A sentence about a field, or about the `whole`.
pub(super) fn sentence(whole: &str, path: &str, rule: &str) -> String {
    if path.is_empty() {
        format!("{whole} {rule}")
    } else {
        format!("`{path}` {rule}")
    }
}
