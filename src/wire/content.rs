//! Content blocks of tool results, prompts and messages. Specification: *Tools, Tool Result*.

use std::borrow::Cow;

use serde::{Serialize, Serializer};
use serde_json::{Map, Value};

use crate::wire::annotations::Annotations;
use crate::wire::base64;
use crate::wire::reduction::{self, Block, Kind, Member};
use crate::wire::resource_contents::{EmbeddedResource, ResourceContents, ResourceLink};
use crate::wire::text::quote_into;
use crate::wire::version::ProtocolVersion;
use crate::wire::written_json::WrittenJson;

/// A content block of a tool result, a prompt or a message.
///
/// Blocks that the client's protocol version does not define are left out of the result.
/// Specification: *Tools, Tool Result*.
///
/// # Examples
///
/// ```
/// use lambda_mcp::content::{Content, ResourceLink};
///
/// let text = Content::text("Three rooms are free.");
/// let image = Content::image(b"\x89PNG", "image/png");
/// let link = Content::from(ResourceLink::new("file:///rooms.csv", "rooms"));
/// assert!(matches!(image, Content::Image(_)));
/// ```
#[derive(Debug, Clone, PartialEq, Serialize)]
#[serde(tag = "type", rename_all = "snake_case")]
#[non_exhaustive]
pub enum Content {
    /// Text.
    Text(TextContent),
    /// An image.
    Image(MediaContent),
    /// Audio.
    Audio(MediaContent),
    /// A link to a resource.
    ResourceLink(ResourceLink),
    /// The contents of a resource.
    Resource(EmbeddedResource),
}

impl Content {
    /// Creates a text block.
    #[must_use]
    pub fn text(text: impl Into<String>) -> Self {
        Self::Text(TextContent {
            text: text.into(),
            annotations: None,
            meta: None,
        })
    }

    /// Creates an image block. The bytes are encoded as Base64.
    #[must_use]
    pub fn image(bytes: &[u8], mime_type: impl Into<String>) -> Self {
        Self::Image(MediaContent::new(bytes, mime_type))
    }

    /// Creates an audio block. The bytes are encoded as Base64.
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

    /// Sets `_meta`, which holds additional metadata.
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

    /// Returns the block with only the members that a version defines, or `None` if the version
    /// does not define this kind of block.
    fn at(&self, version: ProtocolVersion) -> Option<Self> {
        reduction::is_defined(self.kind(), version).then(|| {
            let mut content = self.clone();
            reduction::reduce(&mut content, version);
            content
        })
    }
}

impl Block for Content {
    fn kind(&self) -> Kind {
        match self {
            Self::Audio(_) => Kind::Audio,
            Self::ResourceLink(_) => Kind::ResourceLink,
            Self::Text(_) | Self::Image(_) | Self::Resource(_) => Kind::Other,
        }
    }

    fn remove(&mut self, member: Member) {
        let (annotations, meta) = match self {
            Self::Text(content) => (&mut content.annotations, &mut content.meta),
            Self::Image(content) | Self::Audio(content) => {
                (&mut content.annotations, &mut content.meta)
            }
            Self::ResourceLink(content) => {
                if member == Member::Icons {
                    content.icons.clear();
                }
                (&mut content.annotations, &mut content.meta)
            }
            Self::Resource(content) => {
                if member == Member::Meta {
                    content.resource.meta = None;
                }
                (&mut content.annotations, &mut content.meta)
            }
        };
        match (member, annotations) {
            (Member::LastModified, Some(annotations)) => annotations.last_modified = None,
            (Member::Meta, _) => *meta = None,
            (Member::Icons | Member::LastModified, _) => {}
        }
    }
}

/// Returns the content blocks in the form that a version defines.
pub(crate) fn at(content: &[Content], version: ProtocolVersion) -> Cow<'_, [Content]> {
    if reduction::is_complete(version) {
        return Cow::Borrowed(content);
    }
    content
        .iter()
        .filter_map(|piece| piece.at(version))
        .collect()
}

/// Serializes content with `serde_json`. Texts are written in one pass.
pub(crate) fn serialize_written<S: Serializer>(
    content: &[Content],
    serializer: S,
) -> Result<S::Ok, S::Error> {
    let written = written(content).map_err(serde::ser::Error::custom)?;
    WrittenJson::new(written).serialize(serializer)
}

/// Content as a JSON array.
fn written(content: &[Content]) -> Result<Vec<u8>, serde_json::Error> {
    let mut json = Vec::new();
    json.push(b'[');
    for (index, piece) in content.iter().enumerate() {
        if index > 0 {
            json.push(b',');
        }
        match piece {
            Content::Text(TextContent {
                text,
                annotations: None,
                meta: None,
            }) => {
                json.extend_from_slice(br#"{"type":"text","text":"#);
                quote_into(&mut json, text);
                json.push(b'}');
            }
            Content::Text(_)
            | Content::Image(_)
            | Content::Audio(_)
            | Content::ResourceLink(_)
            | Content::Resource(_) => serde_json::to_writer(&mut json, piece)?,
        }
    }
    json.push(b']');
    Ok(json)
}

/// A text block.
#[derive(Debug, Clone, PartialEq, Serialize)]
#[non_exhaustive]
pub struct TextContent {
    /// The text.
    pub text: String,
    /// Hints for the client.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub annotations: Option<Annotations>,
    /// Additional metadata.
    #[serde(rename = "_meta", skip_serializing_if = "Option::is_none")]
    pub meta: Option<Map<String, Value>>,
}

/// An image or audio block.
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
    /// Additional metadata.
    #[serde(rename = "_meta", skip_serializing_if = "Option::is_none")]
    pub meta: Option<Map<String, Value>>,
}

impl MediaContent {
    fn new(bytes: &[u8], mime_type: impl Into<String>) -> Self {
        Self {
            data: base64::encode(bytes),
            mime_type: mime_type.into(),
            annotations: None,
            meta: None,
        }
    }
}

impl From<ResourceLink> for Content {
    fn from(link: ResourceLink) -> Self {
        Self::ResourceLink(link)
    }
}

impl From<ResourceContents> for Content {
    fn from(resource: ResourceContents) -> Self {
        Self::Resource(resource.into())
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::wire::annotations::Icon;
    use serde_json::json;

    #[test]
    fn a_version_gets_only_the_members_it_defines() {
        let meta = || Map::from_iter([("a".to_owned(), json!(1))]);
        let hints = || Annotations::new().last_modified("2025-01-01T00:00:00Z");
        let mut link = ResourceLink::new("file:///a", "a");
        link.icons.push(Icon::new("https://example.com/a.png"));
        let contents = ResourceContents::text("file:///a", "text/plain", "A").meta(meta());
        let pieces = [
            Content::text("hello").meta(meta()).annotations(hints()),
            link.into(),
            contents.into(),
            Content::audio(b"", "audio/wav"),
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
            {"type": "audio", "data": "", "mimeType": "audio/wav"},
        ]);
        assert_eq!(at(ProtocolVersion::V2025_03_26), expected);
        expected.as_array_mut().unwrap().pop();
        assert_eq!(at(ProtocolVersion::V2024_11_05), expected);
    }

    #[test]
    fn content_is_tagged_by_its_kind() {
        let pieces = [
            Content::text("hello"),
            Content::text("\"hints\"").annotations(Annotations::new()),
            Content::image(b"\x89PNG", "image/png").annotations(Annotations::new().priority(2.0)),
            ResourceLink::new("file:///a", "a").into(),
            ResourceContents::text("file:///a", "text/plain", "A").into(),
        ];
        assert_eq!(
            written(&pieces).unwrap(),
            serde_json::to_vec(&pieces).unwrap()
        );
        assert_eq!(
            serde_json::to_value(pieces).unwrap(),
            json!([
                {"type": "text", "text": "hello"},
                {"type": "text", "text": "\"hints\"", "annotations": {}},
                {"type": "image", "data": "iVBORw==", "mimeType": "image/png", "annotations": {"priority": 1.0}},
                {"type": "resource_link", "uri": "file:///a", "name": "a"},
                {"type": "resource", "resource": {"uri": "file:///a", "mimeType": "text/plain", "text": "A"}},
            ])
        );
    }
}
