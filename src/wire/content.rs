//! Content of tool results, prompts and messages. Specification: *Tools, Tool Result*.

use std::borrow::Cow;

use serde::Serialize;
use serde_json::{Map, Value};

use crate::wire::annotations::{Annotations, Icon};
use crate::wire::version::ProtocolVersion;

/// One piece of content.
#[derive(Debug, Clone, PartialEq, Serialize)]
#[serde(tag = "type", rename_all = "snake_case")]
#[non_exhaustive]
pub enum Content {
    /// Plain text.
    Text(TextContent),
    /// A picture.
    Image(MediaContent),
    /// A sound.
    Audio(MediaContent),
    /// A pointer to a resource.
    ResourceLink(ResourceLink),
    /// A resource's contents.
    Resource(EmbeddedResource),
}

impl Content {
    /// Plain text.
    #[must_use]
    pub fn text(text: impl Into<String>) -> Self {
        Self::Text(TextContent {
            text: text.into(),
            annotations: None,
            meta: None,
        })
    }

    /// A picture; `bytes` are encoded as Base64.
    #[must_use]
    pub fn image(bytes: &[u8], mime_type: impl Into<String>) -> Self {
        Self::Image(MediaContent::new(bytes, mime_type))
    }

    /// A sound; `bytes` are encoded as Base64.
    #[must_use]
    pub fn audio(bytes: &[u8], mime_type: impl Into<String>) -> Self {
        Self::Audio(MediaContent::new(bytes, mime_type))
    }

    /// Sets hints for the client.
    #[must_use]
    pub fn annotations(mut self, annotations: Annotations) -> Self {
        let slot = match &mut self {
            Self::Text(content) => &mut content.annotations,
            Self::Image(content) | Self::Audio(content) => &mut content.annotations,
            Self::ResourceLink(content) => &mut content.annotations,
            Self::Resource(content) => &mut content.annotations,
        };
        *slot = Some(annotations);
        self
    }

    /// Sets `_meta`, for what the protocol has no member for.
    #[must_use]
    pub fn meta(mut self, meta: Map<String, Value>) -> Self {
        let slot = match &mut self {
            Self::Text(content) => &mut content.meta,
            Self::Image(content) | Self::Audio(content) => &mut content.meta,
            Self::ResourceLink(content) => &mut content.meta,
            Self::Resource(content) => &mut content.meta,
        };
        *slot = Some(meta);
        self
    }

    /// The content as a version knows it: without the members that came later, and none where the
    /// kind itself did.
    fn at(&self, version: ProtocolVersion) -> Option<Self> {
        if matches!(self, Self::ResourceLink(_)) && !version.has_structured_content() {
            return None;
        }
        let mut content = self.clone();
        let (annotations, meta) = match &mut content {
            Self::Text(content) => (&mut content.annotations, &mut content.meta),
            Self::Image(content) | Self::Audio(content) => {
                (&mut content.annotations, &mut content.meta)
            }
            Self::ResourceLink(content) => {
                if !version.has_icons() {
                    content.icons.clear();
                }
                (&mut content.annotations, &mut content.meta)
            }
            Self::Resource(content) => {
                content.resource.reduce_to(version);
                (&mut content.annotations, &mut content.meta)
            }
        };
        if let Some(annotations) = annotations {
            annotations.reduce_to(version);
        }
        if !version.has_structured_content() {
            *meta = None;
        }
        Some(content)
    }
}

/// Pieces of content as a version knows them.
pub(crate) fn at(content: &[Content], version: ProtocolVersion) -> Cow<'_, [Content]> {
    if version.has_icons() {
        // Nothing came after icons.
        return Cow::Borrowed(content);
    }
    content
        .iter()
        .filter_map(|piece| piece.at(version))
        .collect()
}

/// Plain text.
#[derive(Debug, Clone, PartialEq, Serialize)]
#[non_exhaustive]
pub struct TextContent {
    /// The text.
    pub text: String,
    /// Hints for the client.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub annotations: Option<Annotations>,
    /// What the protocol has no member for.
    #[serde(rename = "_meta", skip_serializing_if = "Option::is_none")]
    pub meta: Option<Map<String, Value>>,
}

/// A picture or a sound.
#[derive(Debug, Clone, PartialEq, Serialize)]
#[serde(rename_all = "camelCase")]
#[non_exhaustive]
pub struct MediaContent {
    /// The bytes, as Base64.
    pub data: String,
    /// The media type.
    pub mime_type: String,
    /// Hints for the client.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub annotations: Option<Annotations>,
    /// What the protocol has no member for.
    #[serde(rename = "_meta", skip_serializing_if = "Option::is_none")]
    pub meta: Option<Map<String, Value>>,
}

impl MediaContent {
    fn new(bytes: &[u8], mime_type: impl Into<String>) -> Self {
        Self {
            data: encode_base64(bytes),
            mime_type: mime_type.into(),
            annotations: None,
            meta: None,
        }
    }
}

/// A pointer to a resource, which the client may read.
#[derive(Debug, Clone, PartialEq, Serialize)]
#[serde(rename_all = "camelCase")]
#[non_exhaustive]
pub struct ResourceLink {
    /// Where it is.
    pub uri: String,
    /// Its programmatic name.
    pub name: String,
    /// Its name for people.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub title: Option<String>,
    /// What it is.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub description: Option<String>,
    /// Its media type.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub mime_type: Option<String>,
    /// Its size in bytes.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub size: Option<u64>,
    /// Pictures of it.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub icons: Vec<Icon>,
    /// Hints for the client.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub annotations: Option<Annotations>,
    /// What the protocol has no member for.
    #[serde(rename = "_meta", skip_serializing_if = "Option::is_none")]
    pub meta: Option<Map<String, Value>>,
}

impl ResourceLink {
    /// A pointer to the resource at `uri`.
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

    /// Sets the name for people.
    #[must_use]
    pub fn title(mut self, title: impl Into<String>) -> Self {
        self.title = Some(title.into());
        self
    }

    /// Sets what it is.
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

impl From<ResourceLink> for Content {
    fn from(link: ResourceLink) -> Self {
        Self::ResourceLink(link)
    }
}

/// A resource's contents inside a result.
#[derive(Debug, Clone, PartialEq, Serialize)]
#[non_exhaustive]
pub struct EmbeddedResource {
    /// The contents.
    pub resource: ResourceContents,
    /// Hints for the client.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub annotations: Option<Annotations>,
    /// What the protocol has no member for.
    #[serde(rename = "_meta", skip_serializing_if = "Option::is_none")]
    pub meta: Option<Map<String, Value>>,
}

impl From<ResourceContents> for Content {
    fn from(resource: ResourceContents) -> Self {
        Self::Resource(EmbeddedResource {
            resource,
            annotations: None,
            meta: None,
        })
    }
}

/// The contents of a resource: text or bytes. Specification: *Resources, Resource Contents*.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
#[serde(rename_all = "camelCase")]
#[non_exhaustive]
pub struct ResourceContents {
    /// Where it is.
    pub uri: String,
    /// Its media type.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub mime_type: Option<String>,
    /// Its text, if it is text.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub text: Option<String>,
    /// Its bytes as Base64, if it is not.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub blob: Option<String>,
    /// What the protocol has no member for.
    #[serde(rename = "_meta", skip_serializing_if = "Option::is_none")]
    pub meta: Option<Map<String, Value>>,
}

impl ResourceContents {
    /// Text at `uri`.
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

    /// Bytes at `uri`, which are encoded as Base64.
    #[must_use]
    pub fn blob(uri: impl Into<String>, mime_type: impl Into<String>, bytes: &[u8]) -> Self {
        Self {
            uri: uri.into(),
            mime_type: Some(mime_type.into()),
            text: None,
            blob: Some(encode_base64(bytes)),
            meta: None,
        }
    }

    /// Sets `_meta`, for what the protocol has no member for.
    #[must_use]
    pub fn meta(mut self, meta: Map<String, Value>) -> Self {
        self.meta = Some(meta);
        self
    }

    /// Leaves out the members that came after a version.
    pub(crate) fn reduce_to(&mut self, version: ProtocolVersion) {
        if !version.has_structured_content() {
            self.meta = None;
        }
    }
}

fn encode_base64(bytes: &[u8]) -> String {
    use base64::Engine as _;
    base64::engine::general_purpose::STANDARD.encode(bytes)
}

#[cfg(test)]
mod tests {
    use super::*;
    use serde_json::json;

    #[test]
    fn a_version_gets_what_it_knows() {
        let meta = || Map::from_iter([("a".to_owned(), json!(1))]);
        let hints = || Annotations::new().last_modified("2025-01-01T00:00:00Z");
        let mut link = ResourceLink::new("file:///a", "a");
        link.icons.push(Icon::new("https://example.com/a.png"));
        let contents = ResourceContents::text("file:///a", "text/plain", "A").meta(meta());
        let pieces = [
            Content::text("hello").meta(meta()).annotations(hints()),
            link.into(),
            contents.into(),
        ];
        let at = |version| serde_json::to_value(at(&pieces, version)).unwrap();
        let newest = at(ProtocolVersion::V2026_07_28);
        assert_eq!(newest, serde_json::to_value(&pieces).unwrap());
        assert_eq!(newest, at(ProtocolVersion::V2025_11_25));

        let mut expected = newest;
        let text = json!({"uri": "file:///a", "mimeType": "text/plain", "text": "A"});
        expected[1] = json!({"type": "resource_link", "uri": "file:///a", "name": "a"});
        assert_eq!(at(ProtocolVersion::V2025_06_18), expected);
        expected = json!([
            {"type": "text", "text": "hello", "annotations": {}},
            {"type": "resource", "resource": text},
        ]);
        assert_eq!(at(ProtocolVersion::V2025_03_26), expected);
    }

    #[test]
    fn content_is_tagged_by_its_kind() {
        let pieces = [
            Content::text("hello"),
            Content::image(b"\x89PNG", "image/png").annotations(Annotations::new().priority(2.0)),
            ResourceLink::new("file:///a", "a").into(),
            ResourceContents::text("file:///a", "text/plain", "A").into(),
        ];
        assert_eq!(
            serde_json::to_value(pieces).unwrap(),
            json!([
                {"type": "text", "text": "hello"},
                {"type": "image", "data": "iVBORw==", "mimeType": "image/png", "annotations": {"priority": 1.0}},
                {"type": "resource_link", "uri": "file:///a", "name": "a"},
                {"type": "resource", "resource": {"uri": "file:///a", "mimeType": "text/plain", "text": "A"}},
            ])
        );
    }
}
