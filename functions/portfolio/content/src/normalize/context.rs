//! [`Context`]: how strictly a document is read, and where its findings go.

use std::collections::HashMap;

use serde_json::Value;

use crate::finding::FileReport;
use crate::place::Place;
use crate::shape::Shape;
use crate::suggestion::did_you_mean;

/// What becomes of a value that cannot be used.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Policy {
    /// It is left out, with a warning: a résumé as people keep it.
    Lenient,
    /// It is an error: a file in this server's own format.
    Strict,
}

/// How a document is read.
pub(crate) struct Context<'c, 'r> {
    pub report: &'c mut FileReport<'r>,
    policy: Policy,
    /// Whether a link of a scheme is served.
    allows_scheme: &'c dyn Fn(&str) -> bool,
    /// Suggestions that were already made, by shape and name. `None` outside a check: suggestions
    /// take time that a start does not have.
    suggestions: Option<HashMap<(&'static str, String), String>>,
}

impl<'c, 'r> Context<'c, 'r> {
    /// Creates a context.
    pub(crate) fn new(
        report: &'c mut FileReport<'r>,
        policy: Policy,
        allows_scheme: &'c dyn Fn(&str) -> bool,
        suggests: bool,
    ) -> Self {
        Self {
            report,
            policy,
            allows_scheme,
            suggestions: suggests.then(HashMap::new),
        }
    }

    /// Returns whether names are suggested.
    pub(super) const fn suggests(&self) -> bool {
        self.suggestions.is_some()
    }

    pub(super) fn allows_scheme(&self, scheme: &str) -> bool {
        (self.allows_scheme)(scheme)
    }

    pub(super) fn warning(&mut self, at: Place<'_>, message: impl Into<String>) {
        self.report.warning(at, message);
    }

    /// Reports a value that cannot be used. Returns `None`, for the caller to return.
    pub(super) fn unusable<T>(&mut self, at: Place<'_>, wanted: &str, found: &Value) -> Option<T> {
        self.refuse(at, format!("must be {wanted}, not {}", kind_of(found)))
    }

    /// Reports a value that cannot be used, with a message. Returns `None`.
    pub(super) fn refuse<T>(&mut self, at: Place<'_>, message: String) -> Option<T> {
        match self.policy {
            Policy::Lenient => self.report.warning(at, message + "; left out"),
            Policy::Strict => self.report.error(at, message),
        }
        None
    }

    /// Returns the end of a message that suggests a field for an unknown name. Empty if none is
    /// close, or outside a check.
    pub(super) fn suggestion(
        &mut self,
        name: &str,
        shape: &'static Shape,
        is_free: impl Fn(&str) -> bool,
    ) -> String {
        /// The longest name that can be a field with a spelling mistake.
        const LONGEST_NAME: usize = 30;
        let Some(known) = &mut self.suggestions else {
            return String::new();
        };
        if name.len() > LONGEST_NAME || !name.starts_with(char::is_alphabetic) {
            return String::new();
        }
        known
            .entry((shape.one, name.to_owned()))
            .or_insert_with(|| did_you_mean(name, shape.names().filter(|name| is_free(name))))
            .clone()
    }
}

/// Returns what a value is, with its article.
fn kind_of(value: &Value) -> &'static str {
    match value {
        Value::Null => "null",
        Value::Bool(_) => "true or false",
        Value::Number(_) => "a number",
        Value::String(_) => "a text",
        Value::Array(_) => "a list",
        Value::Object(_) => "an object",
    }
}
