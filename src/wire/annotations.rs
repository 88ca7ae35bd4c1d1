//! Annotations and icons, which several pages of the specification share.

use serde::Serialize;

use crate::wire::timestamp;
use crate::wire::version::ProtocolVersion;

/// The sender of a message, or the intended audience of content.
///
/// Specification: *Resources, Annotations*.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize)]
#[serde(rename_all = "lowercase")]
pub enum Role {
    /// The user.
    User,
    /// The model.
    Assistant,
}

/// Hints for the client about a piece of content or a resource.
///
/// Clients may use them to sort and filter what they show or hand to the model. Specification:
/// *Resources, Annotations*.
///
/// # Examples
///
/// ```
/// use lambda_mcp::content::{Annotations, Content, Role};
///
/// let hints = Annotations::new()
///     .audience(Role::Assistant)
///     .priority(0.8)
///     .last_modified("2026-01-12");
/// assert_eq!(hints.last_modified.as_deref(), Some("2026-01-12T00:00:00Z"));
///
/// let content = Content::text("Internal notes").annotations(hints);
/// ```
#[derive(Debug, Clone, Default, PartialEq, Serialize)]
#[serde(rename_all = "camelCase")]
#[non_exhaustive]
pub struct Annotations {
    /// The intended audience. Empty means no preference.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub audience: Vec<Role>,
    /// The importance, from 0 (optional) to 1 (required).
    #[serde(skip_serializing_if = "Option::is_none")]
    pub priority: Option<f64>,
    /// The time of the last change, as an ISO 8601 timestamp with an offset from UTC.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub last_modified: Option<String>,
}

impl Annotations {
    /// Creates annotations without any hint.
    #[must_use]
    pub fn new() -> Self {
        Self::default()
    }

    /// Adds a role to the intended audience.
    #[must_use]
    pub fn audience(mut self, role: Role) -> Self {
        self.audience.push(role);
        self
    }

    /// Sets the importance. Values outside 0 to 1 are clamped.
    #[must_use]
    pub fn priority(mut self, priority: f64) -> Self {
        self.priority = Some(priority.clamp(0.0, 1.0));
        self
    }

    /// Sets the time of the last change, as an ISO 8601 date or timestamp.
    ///
    /// A date means midnight, and a time without an offset is UTC. Any other text is ignored,
    /// because the TypeScript SDK rejects a whole list that holds an invalid timestamp.
    #[must_use]
    pub fn last_modified(mut self, timestamp: impl AsRef<str>) -> Self {
        self.last_modified = timestamp::complete(timestamp.as_ref());
        self
    }

    /// Removes the members that a version does not define.
    pub(crate) fn reduce_to(&mut self, version: ProtocolVersion) {
        if !version.has_structured_content() {
            self.last_modified = None;
        }
    }
}

/// An icon that a client can show for a server, tool, prompt or resource.
///
/// Specification: *Base Protocol, Icons*.
///
/// # Examples
///
/// ```
/// use lambda_mcp::content::Icon;
///
/// let icon = Icon::new("https://example.com/icon.png")
///     .mime_type("image/png")
///     .size("48x48");
/// assert_eq!(icon.sizes, ["48x48"]);
/// ```
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
#[serde(rename_all = "camelCase")]
#[non_exhaustive]
pub struct Icon {
    /// The URI of the image: `https:` or `data:`.
    pub src: String,
    /// The media type, such as `image/png`.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub mime_type: Option<String>,
    /// The sizes, such as `48x48`, or `any` for scalable images.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub sizes: Vec<String>,
}

impl Icon {
    /// Creates an icon from an `https:` or `data:` URI.
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

    /// Adds a size, such as `48x48`, or `any` for scalable images.
    #[must_use]
    pub fn size(mut self, size: impl Into<String>) -> Self {
        self.sizes.push(size.into());
        self
    }
}
