//! Resource contents, and content blocks that link to or embed a resource.
//!
//! Specification: *Resources, Resource Contents*; *Tools, Tool Result*.

use serde::Serialize;
use serde_json::{Map, Value};

use crate::wire::annotations::{Annotations, Icon};
use crate::wire::base64;
use crate::wire::version::ProtocolVersion;

/// A content block that links to a resource. The client can read it with `resources/read`.
///
/// Revisions before 2025-06-18 do not define it; it is left out of results for their clients.
/// Specification: *Tools, Resource Links*.
///
/// # Examples
///
/// ```
/// use lambda_mcp::content::{Content, ResourceLink};
///
/// let link = ResourceLink::new("file:///report.md", "report")
///     .mime_type("text/markdown")
///     .size(1024);
/// let content: Content = link.into();
/// ```
#[derive(Debug, Clone, PartialEq, Serialize)]
#[serde(rename_all = "camelCase")]
#[non_exhaustive]
pub struct ResourceLink {
    /// The URI of the resource.
    pub uri: String,
    /// The identifier of the resource.
    pub name: String,
    /// The display name.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub title: Option<String>,
    /// A description for the model.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub description: Option<String>,
    /// The media type.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub mime_type: Option<String>,
    /// The size in bytes.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub size: Option<u64>,
    /// The icons.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub icons: Vec<Icon>,
    /// Hints for the client.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub annotations: Option<Annotations>,
    /// Additional metadata.
    #[serde(rename = "_meta", skip_serializing_if = "Option::is_none")]
    pub meta: Option<Map<String, Value>>,
}

impl ResourceLink {
    /// Creates a link to the resource at `uri`.
    #[must_use]
    pub fn new(uri: impl Into<String>, name: impl Into<String>) -> Self {
        Self {
            uri: uri.into(),
            name: name.into(),
            title: None,
            description: None,
            mime_type: None,
            size: None,
            icons: Vec::new(),
            annotations: None,
            meta: None,
        }
    }

    /// Sets the display name.
    #[must_use]
    pub fn title(mut self, title: impl Into<String>) -> Self {
        self.title = Some(title.into());
        self
    }

    /// Sets the description for the model.
    #[must_use]
    pub fn description(mut self, description: impl Into<String>) -> Self {
        self.description = Some(description.into());
        self
    }

    /// Sets the media type.
    #[must_use]
    pub fn mime_type(mut self, mime_type: impl Into<String>) -> Self {
        self.mime_type = Some(mime_type.into());
        self
    }

    /// Sets the size in bytes.
    #[must_use]
    pub const fn size(mut self, bytes: u64) -> Self {
        self.size = Some(bytes);
        self
    }
}

/// A content block that embeds the contents of a resource.
///
/// Convert [`ResourceContents`] into [`Content`](crate::content::Content) to create one.
/// Specification: *Tools, Embedded Resources*.
#[derive(Debug, Clone, PartialEq, Serialize)]
#[non_exhaustive]
pub struct EmbeddedResource {
    /// The contents of the resource.
    pub resource: ResourceContents,
    /// Hints for the client.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub annotations: Option<Annotations>,
    /// Additional metadata.
    #[serde(rename = "_meta", skip_serializing_if = "Option::is_none")]
    pub meta: Option<Map<String, Value>>,
}

impl From<ResourceContents> for EmbeddedResource {
    fn from(resource: ResourceContents) -> Self {
        Self {
            resource,
            annotations: None,
            meta: None,
        }
    }
}

/// The contents of a resource: text or bytes.
///
/// A resource handler returns it. Tools and prompts can embed it in their results. Specification:
/// *Resources, Resource Contents*.
///
/// # Examples
///
/// ```
/// use lambda_mcp::content::{Content, ResourceContents};
///
/// let text = ResourceContents::text("file:///notes.md", "text/markdown", "# Notes");
/// assert_eq!(text.text.as_deref(), Some("# Notes"));
///
/// let bytes = ResourceContents::blob("file:///logo.png", "image/png", b"\x89PNG");
/// assert_eq!(bytes.blob.as_deref(), Some("iVBORw=="));
///
/// let embedded: Content = text.into();
/// ```
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
#[serde(rename_all = "camelCase")]
#[non_exhaustive]
pub struct ResourceContents {
    /// The URI of the resource.
    pub uri: String,
    /// The media type.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub mime_type: Option<String>,
    /// The text, for text contents.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub text: Option<String>,
    /// The bytes as Base64, for binary contents.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub blob: Option<String>,
    /// Additional metadata.
    #[serde(rename = "_meta", skip_serializing_if = "Option::is_none")]
    pub meta: Option<Map<String, Value>>,
}

impl ResourceContents {
    /// Creates text contents.
    #[must_use]
    pub fn text(
        uri: impl Into<String>,
        mime_type: impl Into<String>,
        text: impl Into<String>,
    ) -> Self {
        Self {
            uri: uri.into(),
            mime_type: Some(mime_type.into()),
            text: Some(text.into()),
            blob: None,
            meta: None,
        }
    }

    /// Creates binary contents. The bytes are encoded as Base64.
    #[must_use]
    pub fn blob(uri: impl Into<String>, mime_type: impl Into<String>, bytes: &[u8]) -> Self {
        Self {
            uri: uri.into(),
            mime_type: Some(mime_type.into()),
            text: None,
            blob: Some(base64::encode(bytes)),
            meta: None,
        }
    }

    /// Sets `_meta`, which holds additional metadata.
    #[must_use]
    pub fn meta(mut self, meta: Map<String, Value>) -> Self {
        self.meta = Some(meta);
        self
    }

    /// Removes the members that a version does not define.
    pub(crate) fn reduce_to(&mut self, version: ProtocolVersion) {
        if !version.has_structured_content() {
            self.meta = None;
        }
    }
}
