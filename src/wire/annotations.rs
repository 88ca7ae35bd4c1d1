//! Annotations and icons, shared by several pages of the specification.

use serde::Serialize;

use super::timestamp;
use crate::wire::version::ProtocolVersion;

/// Who a piece of content is for. Specification: *Resources, Annotations*.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize)]
#[serde(rename_all = "lowercase")]
pub enum Role {
    /// The person.
    User,
    /// The model.
    Assistant,
}

/// Hints for the client about a piece of content. Specification: *Resources, Annotations*.
#[derive(Debug, Clone, Default, PartialEq, Serialize)]
#[serde(rename_all = "camelCase")]
#[non_exhaustive]
pub struct Annotations {
    /// Who it is for.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub audience: Vec<Role>,
    /// How important it is, from 0 (optional) to 1 (required).
    #[serde(skip_serializing_if = "Option::is_none")]
    pub priority: Option<f64>,
    /// When it last changed, as an ISO 8601 timestamp with its offset from UTC.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub last_modified: Option<String>,
}

impl Annotations {
    /// No hint yet.
    #[must_use]
    pub fn new() -> Self {
        Self::default()
    }

    /// Adds someone it is for.
    #[must_use]
    pub fn audience(mut self, role: Role) -> Self {
        self.audience.push(role);
        self
    }

    /// Sets the importance, which is kept between 0 and 1.
    #[must_use]
    pub fn priority(mut self, priority: f64) -> Self {
        self.priority = Some(priority.clamp(0.0, 1.0));
        self
    }

    /// Sets when it last changed, as an ISO 8601 date or timestamp.
    ///
    /// A date is its first second, and without an offset the time is UTC. Anything else is left out:
    /// clients of the TypeScript SDK refuse the whole list in which a timestamp is not as they expect.
    #[must_use]
    pub fn last_modified(mut self, timestamp: impl AsRef<str>) -> Self {
        self.last_modified = timestamp::complete(timestamp.as_ref());
        self
    }

    /// Leaves out the members that came after a version.
    pub(crate) fn reduce_to(&mut self, version: ProtocolVersion) {
        if !version.has_structured_content() {
            self.last_modified = None;
        }
    }
}

/// A picture for a user interface. Specification: *Base Protocol, Icons*.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
#[serde(rename_all = "camelCase")]
#[non_exhaustive]
pub struct Icon {
    /// An `https:` or `data:` URI.
    pub src: String,
    /// The media type, where the URI does not tell.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub mime_type: Option<String>,
    /// Sizes such as `48x48` or `any`.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub sizes: Vec<String>,
}

impl Icon {
    /// An icon at an `https:` or `data:` URI.
    #[must_use]
    pub fn new(src: impl Into<String>) -> Self {
        Self {
            src: src.into(),
            mime_type: None,
            sizes: Vec::new(),
        }
    }

    /// Sets the media type.
    #[must_use]
    pub fn mime_type(mut self, mime_type: impl Into<String>) -> Self {
        self.mime_type = Some(mime_type.into());
        self
    }

    /// Adds a size such as `48x48` or `any`.
    #[must_use]
    pub fn size(mut self, size: impl Into<String>) -> Self {
        self.sizes.push(size.into());
        self
    }
}
