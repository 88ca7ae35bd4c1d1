//! Who is speaking: the name and version of a client or server.

use serde::Serialize;

use crate::wire::annotations::Icon;
use crate::wire::version::ProtocolVersion;

/// The server's identity. Specification: schema, *Implementation*.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
#[serde(rename_all = "camelCase")]
pub(crate) struct Implementation {
    /// The programmatic name.
    pub name: String,
    /// The name for people.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub title: Option<String>,
    /// The version of the software.
    pub version: String,
    /// What it does, in a sentence.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub description: Option<String>,
    /// A page about it.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub website_url: Option<String>,
    /// Pictures of it.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub icons: Vec<Icon>,
}

impl Implementation {
    /// The members that a version knows.
    #[must_use]
    pub(crate) fn at(&self, version: ProtocolVersion) -> Self {
        let mut shown = self.clone();
        if !version.has_icons() {
            shown.description = None;
            shown.website_url = None;
            shown.icons.clear();
        }
        if !version.has_structured_content() {
            shown.title = None;
        }
        shown
    }
}
