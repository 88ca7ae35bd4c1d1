//! The tools, resources and prompts, as the manifest lists them.

use schemars::JsonSchema;
use serde::Serialize;

use crate::about::About;
use crate::resources::Offer;

/// A tool of this server.
#[derive(Debug, Serialize, JsonSchema)]
pub(super) struct ToolEntry {
    /// Name, as `tools/call` takes it.
    name: String,
    /// Display name.
    title: String,
    /// What the tool does and when to use it.
    description: String,
}

impl ToolEntry {
    pub(super) fn of(about: &About) -> Self {
        Self {
            name: about.name.to_owned(),
            title: about.title.to_owned(),
            description: about.description.to_owned(),
        }
    }
}

/// A resource, or a template of resources, of this server.
#[derive(Debug, Serialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
pub(super) struct ResourceEntry {
    /// URI, or URI template with its variables in braces.
    uri: String,
    /// Display name.
    title: String,
    /// What the resource contains.
    description: String,
    /// Media type.
    mime_type: String,
}

impl ResourceEntry {
    pub(super) fn of(offer: &Offer) -> Self {
        Self {
            uri: offer.uri.to_owned(),
            title: offer.title.to_owned(),
            description: offer.description.to_owned(),
            mime_type: offer.form.mime_type().to_owned(),
        }
    }
}

/// A prompt of this server.
#[derive(Debug, Serialize, JsonSchema)]
pub(super) struct PromptEntry {
    /// Name, as `prompts/get` takes it.
    name: String,
    /// Display name.
    title: String,
    /// What the prompt is for.
    description: String,
}

impl PromptEntry {
    pub(super) fn of(about: &About) -> Self {
        Self {
            name: about.name.to_owned(),
            title: about.title.to_owned(),
            description: about.description.to_owned(),
        }
    }
}
