//! Argument completion. Specification: *Completion*.

use std::borrow::Cow;
use std::collections::BTreeMap;

use serde::{Deserialize, Serialize};

/// Maximum number of values in one response.
pub(crate) const MAX_VALUES: usize = 100;

/// The parameters of `completion/complete`.
#[derive(Debug, Deserialize)]
pub(crate) struct CompleteParams<'a> {
    #[serde(rename = "ref", borrow)]
    pub(crate) reference: Reference<'a>,
    #[serde(borrow)]
    pub(crate) argument: Argument<'a>,
    #[serde(default)]
    pub(crate) context: Option<CompleteContext>,
}

/// The prompt or resource template that the argument belongs to.
#[derive(Debug, Deserialize)]
#[serde(tag = "type")]
pub(crate) enum Reference<'a> {
    #[serde(rename = "ref/prompt")]
    Prompt { name: Cow<'a, str> },
    #[serde(rename = "ref/resource")]
    Resource { uri: Cow<'a, str> },
}

/// The argument to complete, and the text typed so far.
#[derive(Debug, Deserialize)]
pub(crate) struct Argument<'a> {
    #[serde(borrow)]
    pub(crate) name: Cow<'a, str>,
    #[serde(borrow)]
    pub(crate) value: Cow<'a, str>,
}

/// The arguments that already have a value. `null` is the same as absent.
#[derive(Debug, Default, Deserialize)]
pub(crate) struct CompleteContext {
    #[serde(default)]
    arguments: Option<BTreeMap<String, Option<String>>>,
}

impl CompleteContext {
    /// The arguments that have a value.
    pub(crate) fn into_arguments(self) -> BTreeMap<String, String> {
        let arguments = self.arguments.unwrap_or_default().into_iter();
        arguments
            .filter_map(|(name, value)| Some((name, value?)))
            .collect()
    }
}

/// The result of `completion/complete`.
#[derive(Debug, Serialize)]
pub(crate) struct CompleteResult<'a> {
    pub(crate) completion: Completion<'a>,
}

/// The suggestions, best first.
#[derive(Debug, Serialize)]
#[serde(rename_all = "camelCase")]
pub(crate) struct Completion<'a> {
    pub(crate) values: &'a [String],
    pub(crate) total: usize,
    pub(crate) has_more: bool,
}
