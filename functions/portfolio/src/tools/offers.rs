//! What a server offers, as the manifest lists it.

use schemars::JsonSchema;
use serde::Serialize;

use crate::about::About;
use crate::resources::Offer;

/// A tool of this server.
#[derive(Debug, Serialize, JsonSchema)]
pub(super) struct ToolFacts {
    /// Its name.
    name: String,
    /// Its name for people.
    title: String,
    /// What it does and when to choose it.
    description: String,
}

impl ToolFacts {
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
pub(super) struct ResourceFacts {
    /// Its URI; with a name in braces, how such URIs are made.
    uri: String,
    /// Its name for people.
    title: String,
    /// What it holds.
    description: String,
    /// Its media type.
    mime_type: String,
}

impl ResourceFacts {
    pub(super) fn of(offer: Offer) -> Self {
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
pub(super) struct PromptFacts {
    /// Its name.
    name: String,
    /// Its name for people.
    title: String,
    /// What it is for.
    description: String,
}

impl PromptFacts {
    pub(super) fn of(about: &About) -> Self {
        Self {
            name: about.name.to_owned(),
            title: about.title.to_owned(),
            description: about.description.to_owned(),
        }
    }
}
