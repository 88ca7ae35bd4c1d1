//! The rule which content of a result a version defines, for results that are written now and for those
//! that were written before, such as the results of tasks. Specification: *Tools, Tool Result*, and the
//! schema of each version.

use serde_json::value::RawValue;
use serde_json::{Map, Value};

use crate::wire::version::ProtocolVersion;

/// The kinds of content blocks that not every version defines.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Kind {
    Audio,
    ResourceLink,
    /// Every version defines it.
    Other,
}

/// The members that not every version defines.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Member {
    /// `icons` of a link.
    Icons,
    /// `lastModified` of the annotations.
    LastModified,
    /// `_meta` of the block, and of the resource in it.
    Meta,
}

/// A content block.
pub(super) trait Block {
    fn kind(&self) -> Kind;

    /// Removes a member, if it is there.
    fn remove(&mut self, member: Member);
}

/// Whether a version defines a kind of blocks.
pub(super) fn is_defined(kind: Kind, version: ProtocolVersion) -> bool {
    match kind {
        Kind::Audio => version.has_audio(),
        Kind::ResourceLink => version.has_structured_content(),
        Kind::Other => true,
    }
}

/// Removes the members that a version does not define.
pub(super) fn reduce(block: &mut impl Block, version: ProtocolVersion) {
    if !version.has_icons() {
        block.remove(Member::Icons);
    }
    if !version.has_structured_content() {
        block.remove(Member::LastModified);
        block.remove(Member::Meta);
    }
}

/// Whether a version defines all kinds and members: no later version adds one.
pub(super) const fn is_complete(version: ProtocolVersion) -> bool {
    version.has_icons()
}

/// Returns the structured content if the version has such content. Before 2026-07-28, only an object is.
pub(crate) fn structured(json: &RawValue, version: ProtocolVersion) -> Option<&RawValue> {
    let is_defined = version.has_any_structured_content()
        || (version.has_structured_content() && json.get().starts_with('{'));
    is_defined.then_some(json)
}

/// Returns content that was written for the newest version in the form of another, or `None` if that is
/// the same. It is read as a whole, so it must be as short as a result.
///
/// # Errors
///
/// It is not an array.
pub(crate) fn written(
    content: &RawValue,
    version: ProtocolVersion,
) -> Result<Option<Box<RawValue>>, serde_json::Error> {
    if is_complete(version) {
        return Ok(None);
    }
    let mut blocks: Vec<Map<String, Value>> = serde_json::from_str(content.get())?;
    blocks.retain_mut(|block| {
        reduce(block, version);
        is_defined(block.kind(), version)
    });
    serde_json::value::to_raw_value(&blocks).map(Some)
}

/// A block as JSON.
impl Block for Map<String, Value> {
    fn kind(&self) -> Kind {
        match self.get("type").and_then(Value::as_str) {
            Some("audio") => Kind::Audio,
            Some("resource_link") => Kind::ResourceLink,
            _ => Kind::Other,
        }
    }

    fn remove(&mut self, member: Member) {
        match member {
            Member::Icons => {
                self.shift_remove("icons");
            }
            Member::LastModified => remove_within(self, "annotations", "lastModified"),
            Member::Meta => {
                self.shift_remove("_meta");
                remove_within(self, "resource", "_meta");
            }
        }
    }
}

fn remove_within(block: &mut Map<String, Value>, object: &str, member: &str) {
    if let Some(Value::Object(object)) = block.get_mut(object) {
        object.shift_remove(member);
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::wire::annotations::{Annotations, Icon};
    use crate::wire::content::{self, Content};
    use crate::wire::resource_contents::{ResourceContents, ResourceLink};
    use serde_json::json;

    fn raw(json: &Value) -> Box<RawValue> {
        serde_json::value::to_raw_value(json).unwrap()
    }

    #[test]
    fn content_that_was_written_before_is_reduced_as_content_is() {
        let meta = || Map::from_iter([("a".to_owned(), json!(1))]);
        let hints = || Annotations::new().priority(1.0).last_modified("2025-01-01");
        let mut link = ResourceLink::new("file:///a", "a").title("A").size(1);
        link.icons.push(Icon::new("https://example.com/a.png"));
        let pieces = [
            Content::text("hello"),
            Content::image(b"a", "image/png"),
            Content::audio(b"a", "audio/wav"),
            link.into(),
            ResourceContents::text("file:///a", "text/plain", "A")
                .meta(meta())
                .into(),
        ];
        let pieces = pieces.map(|piece| piece.meta(meta()).annotations(hints()));
        let newest = serde_json::value::to_raw_value(&pieces).unwrap();
        for version in ProtocolVersion::ALL {
            let expected = serde_json::to_string(&content::at(&pieces, version)).unwrap();
            let written = written(&newest, version).unwrap();
            let written = written.as_deref().unwrap_or(&newest);
            assert_eq!(written.get(), expected, "{version}");
        }
        assert!(written(&raw(&json!("a")), ProtocolVersion::V2025_06_18).is_err());
    }

    #[test]
    fn structured_content_is_an_object_before_it_is_anything() {
        for (value, before, newest) in [(json!({"a": 1}), true, true), (json!([1]), false, true)] {
            let has = |version| structured(&raw(&value), version).is_some();
            assert!(!has(ProtocolVersion::V2025_03_26), "{value}");
            assert_eq!(has(ProtocolVersion::V2025_06_18), before, "{value}");
            assert_eq!(has(ProtocolVersion::V2025_11_25), before, "{value}");
            assert_eq!(has(ProtocolVersion::V2026_07_28), newest, "{value}");
        }
    }
}
