//! Protocol versions and what each one changes on the wire.
//!
//! This is the only file that knows revisions by date; all other code asks a [`ProtocolVersion`]
//! what it allows. Specification: *Versioning and Compatibility*.

use std::fmt;

use serde::{Serialize, Serializer};

/// The two ways a client can speak: with an envelope in each request, or after a handshake.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Era {
    /// Version, identity and capabilities travel in each request's `_meta` (2026-07-28 and later).
    Modern,
    /// They were exchanged by `initialize` (2025-11-25 and earlier); served here without a session.
    Legacy,
}

impl Era {
    /// The word used in logs.
    #[must_use]
    pub const fn as_str(self) -> &'static str {
        match self {
            Self::Modern => "modern",
            Self::Legacy => "legacy",
        }
    }
}

/// A protocol version this library serves.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
#[non_exhaustive]
pub enum ProtocolVersion {
    /// Revision 2025-03-26, the only one with JSON-RPC batches.
    V2025_03_26,
    /// Revision 2025-06-18, which brought structured content and the version header.
    V2025_06_18,
    /// Revision 2025-11-25, the last one with a handshake.
    V2025_11_25,
    /// Revision 2026-07-28, the first stateless one.
    V2026_07_28,
}

impl ProtocolVersion {
    /// Every served version, newest first, as it is named to clients.
    pub const ALL: [Self; 4] = [
        Self::V2026_07_28,
        Self::V2025_11_25,
        Self::V2025_06_18,
        Self::V2025_03_26,
    ];

    /// The newest version with a handshake: what `initialize` answers when it cannot agree.
    pub const NEWEST_LEGACY: Self = Self::V2025_11_25;

    /// The version of a request that names none, as the specification allows.
    pub const UNNAMED: Self = Self::V2025_03_26;

    /// The version with this date, if it is served.
    #[must_use]
    pub fn parse(text: &str) -> Option<Self> {
        Self::ALL
            .into_iter()
            .find(|version| version.as_str() == text)
    }

    /// The date that names this version on the wire.
    #[must_use]
    pub const fn as_str(self) -> &'static str {
        match self {
            Self::V2025_03_26 => "2025-03-26",
            Self::V2025_06_18 => "2025-06-18",
            Self::V2025_11_25 => "2025-11-25",
            Self::V2026_07_28 => "2026-07-28",
        }
    }

    /// The era this version belongs to.
    #[must_use]
    pub const fn era(self) -> Era {
        match self {
            Self::V2025_03_26 | Self::V2025_06_18 | Self::V2025_11_25 => Era::Legacy,
            Self::V2026_07_28 => Era::Modern,
        }
    }

    /// Whether an HTTP body may be a JSON-RPC batch.
    #[must_use]
    pub const fn has_batches(self) -> bool {
        matches!(self, Self::V2025_03_26)
    }

    /// Whether results carry `structuredContent` and tools an `outputSchema` and a `title`.
    #[must_use]
    pub const fn has_structured_content(self) -> bool {
        !matches!(self, Self::V2025_03_26)
    }

    /// Whether structured content may be any JSON value; before, it had to be an object.
    #[must_use]
    pub const fn has_any_structured_content(self) -> bool {
        matches!(self, Self::V2026_07_28)
    }

    /// Whether tools and implementations carry icons.
    #[must_use]
    pub const fn has_icons(self) -> bool {
        matches!(self, Self::V2025_11_25 | Self::V2026_07_28)
    }

    /// Whether tools carry `execution`.
    #[must_use]
    pub const fn has_execution(self) -> bool {
        matches!(self, Self::V2025_11_25)
    }

    /// Whether arguments that do not fit are a tool error, which a model can correct.
    ///
    /// Before 2025-11-25 they were a protocol error.
    #[must_use]
    pub const fn has_argument_tool_errors(self) -> bool {
        matches!(self, Self::V2025_11_25 | Self::V2026_07_28)
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
    fn every_served_version_parses_back() {
        for version in ProtocolVersion::ALL {
            assert_eq!(ProtocolVersion::parse(version.as_str()), Some(version));
        }
    }

    #[test]
    fn unserved_versions_do_not_parse() {
        for text in [
            "2024-11-05",
            "2099-01-01",
            "",
            "2026-07-28 ",
            "DRAFT-2026-v1",
        ] {
            assert_eq!(ProtocolVersion::parse(text), None, "{text}");
        }
    }

    #[test]
    fn the_newest_version_comes_first() {
        assert!(ProtocolVersion::ALL.is_sorted_by(|a, b| a > b));
    }
}
