//! Resources and resource templates. Specification: *Resources*.

use std::borrow::Cow;

use serde::{Deserialize, Serialize};
use serde_json::value::RawValue;
use serde_json::{Map, Value};

use crate::wire::annotations::{Annotations, Icon};
use crate::wire::resource_contents::ResourceContents;

/// A resource or resource template, as the list methods return it.
#[derive(Debug, Clone, Serialize)]
#[serde(rename_all = "camelCase")]
pub(crate) struct Resource {
    /// The URI, or the URI template.
    #[serde(flatten)]
    pub(crate) address: Address,
    /// The identifier.
    pub(crate) name: String,
    /// The display name.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(crate) title: Option<String>,
    /// A description.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(crate) description: Option<String>,
    /// The media type.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(crate) mime_type: Option<String>,
    /// The size in bytes, if known.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(crate) size: Option<u64>,
    /// The icons.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub(crate) icons: Vec<Icon>,
    /// Hints for the client.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(crate) annotations: Option<Annotations>,
    /// Additional metadata.
    #[serde(rename = "_meta", skip_serializing_if = "Option::is_none")]
    pub(crate) meta: Option<Map<String, Value>>,
}

/// The member that distinguishes a resource from a resource template.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
#[serde(rename_all = "camelCase")]
pub(crate) enum Address {
    Uri(String),
    UriTemplate(String),
}

impl Address {
    pub(crate) fn as_str(&self) -> &str {
        match self {
            Self::Uri(text) | Self::UriTemplate(text) => text,
        }
    }
}

/// The parameters of `resources/read`.
#[derive(Debug, Deserialize)]
#[serde(rename_all = "camelCase")]
pub(crate) struct ReadResourceParams<'a> {
    #[serde(borrow)]
    pub(crate) uri: Cow<'a, str>,
    #[serde(borrow, default)]
    pub(crate) input_responses: Option<&'a RawValue>,
    #[serde(borrow, default)]
    pub(crate) request_state: Option<&'a RawValue>,
}

/// One page of `resources/list`.
#[derive(Debug, Serialize)]
#[serde(rename_all = "camelCase")]
pub(crate) struct ListResourcesResult<'a, T> {
    pub(crate) resources: &'a [T],
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(crate) next_cursor: Option<&'a str>,
}

/// One page of `resources/templates/list`.
#[derive(Debug, Serialize)]
#[serde(rename_all = "camelCase")]
pub(crate) struct ListResourceTemplatesResult<'a, T> {
    pub(crate) resource_templates: &'a [T],
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(crate) next_cursor: Option<&'a str>,
}

/// The result of `resources/read`.
#[derive(Debug, Serialize)]
pub(crate) struct ReadResourceResult<'a> {
    pub(crate) contents: &'a [ResourceContents],
}
