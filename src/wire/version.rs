//! Protocol versions and the differences between them.
//!
//! Only this file compares revisions. All other code asks a [`ProtocolVersion`] whether it has a
//! feature. Specification: *Versioning and Compatibility*.

use std::fmt;
use std::str::FromStr;

use serde::{Serialize, Serializer};
use thiserror::Error;

/// The two generations of the protocol. Specification: *Versioning, Terminology*.
///
/// # Examples
///
/// ```
/// use lambda_mcp::protocol::{Era, ProtocolVersion};
///
/// assert_eq!(ProtocolVersion::V2026_07_28.era(), Era::Modern);
/// assert_eq!(ProtocolVersion::V2025_11_25.era(), Era::Legacy);
/// ```
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Era {
    /// Revision 2026-07-28 and later: each request carries version, identity and capabilities in
    /// `_meta`.
    Modern,
    /// Revision 2025-11-25 and earlier: client and server exchange them once with `initialize`. This
    /// server keeps no session.
    Legacy,
}

impl Era {
    /// Returns the era of a version, supported or not. A date after the newest supported version is
    /// modern. Any other unknown text is legacy.
    pub(crate) fn of(version: &str) -> Self {
        let [newest, ..] = ProtocolVersion::ALL;
        match version.parse::<ProtocolVersion>() {
            Ok(version) => version.era(),
            Err(_) if is_date(version) && version > newest.as_str() => Self::Modern,
            Err(_) => Self::Legacy,
        }
    }

    /// Returns the name of the era in logs.
    #[must_use]
    pub(crate) const fn as_str(self) -> &'static str {
        match self {
            Self::Modern => "modern",
            Self::Legacy => "legacy",
        }
    }
}

/// A protocol version that this library supports. Versions compare by date.
///
/// [`Context::protocol_version`](crate::Context::protocol_version) returns the version of a request.
///
/// # Examples
///
/// ```
/// use lambda_mcp::protocol::ProtocolVersion;
///
/// let version: ProtocolVersion = "2025-06-18".parse()?;
/// assert!(version < ProtocolVersion::V2026_07_28);
/// assert_eq!(version.to_string(), "2025-06-18");
///
/// assert!("2099-01-01".parse::<ProtocolVersion>().is_err());
/// # Ok::<(), lambda_mcp::protocol::UnsupportedVersion>(())
/// ```
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
#[non_exhaustive]
pub enum ProtocolVersion {
    /// Revision 2024-11-05, the first one. It is served over Streamable HTTP as well, because clients
    /// in use require it.
    V2024_11_05,
    /// Revision 2025-03-26, the only one with JSON-RPC batches.
    V2025_03_26,
    /// Revision 2025-06-18. It added structured content and the version header.
    V2025_06_18,
    /// Revision 2025-11-25, the last one with `initialize`.
    V2025_11_25,
    /// Revision 2026-07-28, the first stateless one.
    V2026_07_28,
}

impl ProtocolVersion {
    /// All supported versions, newest first.
    pub const ALL: [Self; 5] = [
        Self::V2026_07_28,
        Self::V2025_11_25,
        Self::V2025_06_18,
        Self::V2025_03_26,
        Self::V2024_11_05,
    ];

    /// The newest version.
    pub(crate) const NEWEST: Self = Self::V2026_07_28;

    /// The newest legacy version.
    const NEWEST_LEGACY: Self = Self::V2025_11_25;

    /// The version of a request that names none. Specification: *Streamable HTTP, Protocol Version
    /// Header*.
    pub(crate) const UNNAMED: Self = Self::V2025_03_26;

    /// Returns the version that `initialize` answers with: the requested version if it is a supported
    /// legacy version, otherwise the newest legacy version.
    ///
    /// It never answers with a modern version, because the client would continue without `_meta`.
    pub(crate) fn negotiate(requested: &str) -> Self {
        requested
            .parse()
            .ok()
            .filter(|version: &Self| version.era() == Era::Legacy)
            .unwrap_or(Self::NEWEST_LEGACY)
    }

    /// Returns the date that identifies this version on the wire, such as `2026-07-28`.
    #[must_use]
    pub const fn as_str(self) -> &'static str {
        match self {
            Self::V2024_11_05 => "2024-11-05",
            Self::V2025_03_26 => "2025-03-26",
            Self::V2025_06_18 => "2025-06-18",
            Self::V2025_11_25 => "2025-11-25",
            Self::V2026_07_28 => "2026-07-28",
        }
    }

    /// Returns the era of this version.
    #[must_use]
    pub const fn era(self) -> Era {
        match self {
            Self::V2024_11_05 | Self::V2025_03_26 | Self::V2025_06_18 | Self::V2025_11_25 => {
                Era::Legacy
            }
            Self::V2026_07_28 => Era::Modern,
        }
    }

    /// Returns whether an HTTP body can be a JSON-RPC batch.
    #[must_use]
    pub(crate) const fn has_batches(self) -> bool {
        matches!(self, Self::V2025_03_26)
    }

    /// Returns whether an error response has `id: null` if the id of its request cannot be read, as
    /// JSON-RPC 2.0 requires. From 2025-11-25 on, the schema requires that the member is absent.
    #[must_use]
    pub(crate) fn has_null_ids(self) -> bool {
        self < Self::V2025_11_25
    }

    /// Returns whether content can be audio.
    #[must_use]
    pub(crate) fn has_audio(self) -> bool {
        self >= Self::V2025_03_26
    }

    /// Returns whether clients can be asked to fill in a form.
    #[must_use]
    pub(crate) fn has_elicitation(self) -> bool {
        self >= Self::V2025_06_18
    }

    /// Returns whether elicitation has modes, so that clients can be asked to open a page.
    #[must_use]
    pub(crate) fn has_elicitation_modes(self) -> bool {
        self >= Self::V2025_11_25
    }

    /// Returns whether a request to open a page has an id, `elicitationId`. 2026-07-28 dropped it.
    #[must_use]
    pub(crate) fn has_elicitation_ids(self) -> bool {
        self == Self::V2025_11_25
    }

    /// Returns whether the choices of a form have titles. Before, their names were a second list.
    #[must_use]
    pub(crate) fn has_titled_choices(self) -> bool {
        self >= Self::V2025_11_25
    }

    /// Returns whether tools have annotations.
    #[must_use]
    pub(crate) fn has_tool_annotations(self) -> bool {
        self >= Self::V2025_03_26
    }

    /// Returns whether the server declares `completions`. `completion/complete` is older.
    #[must_use]
    pub(crate) fn has_completions_capability(self) -> bool {
        self >= Self::V2025_03_26
    }

    /// Returns whether progress notifications have a message.
    #[must_use]
    pub(crate) fn has_progress_messages(self) -> bool {
        self >= Self::V2025_03_26
    }

    /// Returns whether results have `structuredContent`, and tools `outputSchema` and `title`.
    #[must_use]
    pub(crate) fn has_structured_content(self) -> bool {
        self >= Self::V2025_06_18
    }

    /// Returns whether structured content can be any JSON value. Before, it had to be an object.
    #[must_use]
    pub(crate) const fn has_any_structured_content(self) -> bool {
        matches!(self, Self::V2026_07_28)
    }

    /// Returns whether definitions and implementations have icons.
    #[must_use]
    pub(crate) const fn has_icons(self) -> bool {
        matches!(self, Self::V2025_11_25 | Self::V2026_07_28)
    }

    /// Returns whether tools have `execution`.
    #[must_use]
    pub(crate) const fn has_execution(self) -> bool {
        matches!(self, Self::V2025_11_25)
    }

    /// Returns whether invalid arguments are a tool error, which the model can correct. Before
    /// 2025-11-25 they are a protocol error.
    #[must_use]
    pub(crate) const fn has_argument_tool_errors(self) -> bool {
        matches!(self, Self::V2025_11_25 | Self::V2026_07_28)
    }
}

fn is_date(text: &str) -> bool {
    let is_digit_or_dash = |(index, byte): (usize, u8)| match index {
        4 | 7 => byte == b'-',
        _ => byte.is_ascii_digit(),
    };
    text.len() == "2024-11-05".len() && text.bytes().enumerate().all(is_digit_or_dash)
}

/// The error for a text that is not a supported protocol version.
#[derive(Debug, Clone, PartialEq, Eq, Error)]
#[error("`{0}` is not a supported protocol version")]
pub struct UnsupportedVersion(String);

impl FromStr for ProtocolVersion {
    type Err = UnsupportedVersion;

    fn from_str(text: &str) -> Result<Self, UnsupportedVersion> {
        Self::ALL
            .into_iter()
            .find(|version| version.as_str() == text)
            .ok_or_else(|| UnsupportedVersion(text.to_owned()))
    }
}

impl fmt::Display for ProtocolVersion {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.as_str())
    }
}

impl Serialize for ProtocolVersion {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.serialize_str(self.as_str())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_supported_version_parses_back() {
        for version in ProtocolVersion::ALL {
            assert_eq!(version.as_str().parse(), Ok(version));
        }
    }

    #[test]
    fn other_texts_do_not_parse() {
        for text in [
            "2024-10-07",
            "2099-01-01",
            "",
            "2026-07-28 ",
            "DRAFT-2026-v1",
        ] {
            let error = text.parse::<ProtocolVersion>().unwrap_err();
            assert!(
                error.to_string().starts_with(&format!("`{text}`")),
                "{error}"
            );
        }
    }

    #[test]
    fn later_versions_are_modern() {
        for text in ["2026-07-28", "2026-07-29", "2027-01-01", "9999-12-31"] {
            assert_eq!(Era::of(text), Era::Modern, "{text}");
        }
        for text in [
            "2024-11-05",
            "2025-11-25",
            "2026-07-27",
            "2024-10-07",
            "latest",
            "DRAFT-2027-v1",
            "2027-1-1",
            "2027-01-01x",
            "",
        ] {
            assert_eq!(Era::of(text), Era::Legacy, "{text}");
        }
    }

    #[test]
    fn the_newest_version_comes_first() {
        assert!(ProtocolVersion::ALL.is_sorted_by(|a, b| a > b));
    }
}
