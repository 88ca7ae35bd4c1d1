//! The name and version of the server. Specification: schema, *Implementation*.

use serde::Serialize;

use crate::wire::annotations::Icon;
use crate::wire::version::ProtocolVersion;

/// The server's identity.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
#[serde(rename_all = "camelCase")]
pub(crate) struct Implementation {
    /// The programmatic name.
    pub name: String,
    /// The display name.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub title: Option<String>,
    /// The version of the software.
    pub version: String,
    /// A one-sentence description.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub description: Option<String>,
    /// The URL of the server's website.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub website_url: Option<String>,
    /// The icons.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub icons: Vec<Icon>,
}

impl Implementation {
    /// Returns the identity with only the members that a version defines.
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
