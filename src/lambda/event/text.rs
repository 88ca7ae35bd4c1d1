//! [`Text`]: a string of an event.

use std::borrow::Cow;

use serde::Deserialize;

/// A string that borrows from the event if it has no escapes.
#[derive(Debug, Deserialize)]
#[serde(transparent)]
pub(super) struct Text<'a>(#[serde(borrow)] pub(super) Cow<'a, str>);

impl Text<'_> {
    pub(super) fn as_str(&self) -> &str {
        &self.0
    }
}

/// The text of a member, if it is present.
pub(super) fn text<'t>(text: Option<&'t Text<'_>>) -> Option<&'t str> {
    text.map(Text::as_str)
}
