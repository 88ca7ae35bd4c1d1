//! Resources: how they are listed and read. Specification: *Resources*.

use std::borrow::Cow;

use serde::{Deserialize, Serialize};
use serde_json::value::RawValue;
use serde_json::{Map, Value};

use super::present;
use crate::wire::annotations::{Annotations, Icon};
use crate::wire::content::ResourceContents;

/// A resource or a template of resources, as its list shows it.
#[derive(Debug, Clone, Serialize)]
#[serde(rename_all = "camelCase")]
pub(crate) struct Resource {
    /// Where it is; for a template, how its URIs are made.
    #[serde(flatten)]
    pub(crate) address: Address,
    /// Its programmatic name.
    pub(crate) name: String,
    /// Its name for people.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(crate) title: Option<String>,
    /// What it is.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(crate) description: Option<String>,
    /// Its media type.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(crate) mime_type: Option<String>,
    /// Its size in bytes, if it is known.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(crate) size: Option<u64>,
    /// Pictures of it.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub(crate) icons: Vec<Icon>,
    /// Hints for the client.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(crate) annotations: Option<Annotations>,
    /// What the protocol has no member for.
    #[serde(rename = "_meta", skip_serializing_if = "Option::is_none")]
    pub(crate) meta: Option<Map<String, Value>>,
}

/// The member that tells one resource from a template of many.
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
    #[serde(borrow, default, deserialize_with = "present")]
    pub(crate) input_responses: Option<&'a RawValue>,
    #[serde(borrow, default, deserialize_with = "present")]
    pub(crate) request_state: Option<&'a RawValue>,
}

/// One page of `resources/list`.
#[derive(Debug, Serialize)]
#[serde(rename_all = "camelCase")]
pub(crate) struct ListResourcesResult<'a> {
    pub(crate) resources: &'a [Resource],
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(crate) next_cursor: Option<&'a str>,
}

/// One page of `resources/templates/list`.
#[derive(Debug, Serialize)]
#[serde(rename_all = "camelCase")]
pub(crate) struct ListResourceTemplatesResult<'a> {
    pub(crate) resource_templates: &'a [Resource],
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(crate) next_cursor: Option<&'a str>,
}

/// The result of `resources/read`.
#[derive(Debug, Serialize)]
pub(crate) struct ReadResourceResult<'a> {
    pub(crate) contents: &'a [ResourceContents],
}
