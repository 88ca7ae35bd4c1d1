//! The version of a request, from its header and its envelope. Specification: *Versioning*;
//! *Streamable HTTP, Protocol Version Header*.

use std::borrow::Cow;
use std::str::FromStr as _;

use http::HeaderMap;

use super::header_value::{self, InvalidHeader};
use crate::error::ProtocolError;
use crate::error::protocol::excerpt;
use crate::reply::ErrorId;
use crate::wire::meta;
use crate::wire::version::{Era, ProtocolVersion};

const HEADER: &str = "MCP-Protocol-Version";

/// The version header.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) enum VersionHeader<'a> {
    /// The header is absent or empty.
    Absent,
    /// A version, supported or not.
    Version(Cow<'a, str>),
    /// The header is not one version.
    Malformed(InvalidHeader),
}

impl<'a> VersionHeader<'a> {
    /// Parses the header.
    pub(super) fn read(headers: &'a HeaderMap) -> Self {
        match header_value::repeatable(headers, HEADER) {
            Ok(None) => Self::Absent,
            Ok(Some(version)) if version.is_empty() => Self::Absent,
            Ok(Some(version)) => Self::Version(version),
            Err(invalid) => Self::Malformed(invalid),
        }
    }

    /// Returns the era that the header declares, or `None` if it is absent or malformed.
    pub(super) fn era(&self) -> Option<Era> {
        match self {
            Self::Version(version) => Some(Era::of(version)),
            Self::Absent | Self::Malformed(_) => None,
        }
    }
}

/// The version that a message names, which determines the form of errors before the version is
/// decided.
#[derive(Debug)]
pub(super) struct Named<'v>(Option<Cow<'v, str>>);

impl<'v> Named<'v> {
    /// `envelope` is the version in `_meta`. The header takes precedence.
    pub(super) fn new(header: &VersionHeader<'v>, envelope: Option<Cow<'v, str>>) -> Self {
        Self(match header {
            VersionHeader::Version(version) => Some(version.clone()),
            VersionHeader::Absent => {
                envelope.or(Some(Cow::Borrowed(ProtocolVersion::UNNAMED.as_str())))
            }
            VersionHeader::Malformed(_) => None,
        })
    }

    /// A version that is known.
    pub(super) const fn of(version: ProtocolVersion) -> Self {
        Self(Some(Cow::Borrowed(version.as_str())))
    }

    /// Returns the era of the version.
    pub(super) fn era(&self) -> Era {
        self.0.as_deref().map_or(Era::Legacy, Era::of)
    }

    /// Returns the id of an error response to a message whose id cannot be read.
    pub(super) fn unreadable_id(&self) -> ErrorId {
        let version = self.0.as_deref().and_then(|version| version.parse().ok());
        if version.is_some_and(ProtocolVersion::has_null_ids) {
            ErrorId::Null
        } else {
            ErrorId::Absent
        }
    }
}

/// Returns the version of a request. `envelope` is the version in `_meta`, if present.
///
/// # Errors
///
/// Header and envelope differ, a modern envelope comes without the header, or the version is not
/// supported.
pub(super) fn decide(
    header: &VersionHeader<'_>,
    envelope: Option<&str>,
) -> Result<ProtocolVersion, ProtocolError> {
    match (header, envelope) {
        (VersionHeader::Malformed(invalid), _) => {
            Err(ProtocolError::header_mismatch(HEADER, invalid.reason()))
        }
        (VersionHeader::Absent, None) => Ok(ProtocolVersion::UNNAMED),
        (VersionHeader::Version(version), None) => supported(version),
        (VersionHeader::Absent, Some(version)) => match supported(version)?.era() {
            Era::Legacy => supported(version),
            Era::Modern => Err(ProtocolError::header_mismatch(
                HEADER,
                format!("header is missing, while `_meta` names {version}"),
            )),
        },
        (VersionHeader::Version(header), Some(version)) if header == version => supported(version),
        (VersionHeader::Version(header), Some(version)) => Err(ProtocolError::header_mismatch(
            HEADER,
            format!(
                "header value '{}' does not match '{}' in `{}`",
                excerpt(header),
                excerpt(version),
                meta::PROTOCOL_VERSION
            ),
        )),
    }
}

/// Parses a version.
///
/// # Errors
///
/// The version is not supported.
pub(super) fn supported(version: &str) -> Result<ProtocolVersion, ProtocolError> {
    ProtocolVersion::from_str(version).map_err(|_| ProtocolError::UnsupportedProtocolVersion {
        requested: excerpt(version),
    })
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::error::code;

    #[test]
    fn header_and_envelope_determine_the_version() {
        use VersionHeader::{Absent, Malformed};
        let named = |version: &'static str| VersionHeader::Version(version.into());
        let modern = "2026-07-28";
        let cases = [
            (Absent, None, Ok("2025-03-26")),
            (named("2025-06-18"), None, Ok("2025-06-18")),
            (named(modern), None, Ok(modern)),
            (named(modern), Some(modern), Ok(modern)),
            (named("2025-11-25"), Some("2025-11-25"), Ok("2025-11-25")),
            (Absent, Some("2025-11-25"), Ok("2025-11-25")),
            (Absent, Some(modern), Err(code::HEADER_MISMATCH)),
            (
                named("2025-11-25"),
                Some(modern),
                Err(code::HEADER_MISMATCH),
            ),
            (named(modern), Some("v999"), Err(code::HEADER_MISMATCH)),
            (
                named("v999"),
                Some("v999"),
                Err(code::UNSUPPORTED_PROTOCOL_VERSION),
            ),
            (
                named("2099-01-01"),
                None,
                Err(code::UNSUPPORTED_PROTOCOL_VERSION),
            ),
            (
                Absent,
                Some("2099-01-01"),
                Err(code::UNSUPPORTED_PROTOCOL_VERSION),
            ),
            (named("2024-11-05"), None, Ok("2024-11-05")),
            (
                named("2024-10-07"),
                None,
                Err(code::UNSUPPORTED_PROTOCOL_VERSION),
            ),
            (
                Malformed(InvalidHeader::Contradiction),
                Some(modern),
                Err(code::HEADER_MISMATCH),
            ),
            (
                Malformed(InvalidHeader::Characters),
                None,
                Err(code::HEADER_MISMATCH),
            ),
        ];
        for (header, envelope, expected) in cases {
            let decided = decide(&header, envelope);
            let got = decided
                .as_ref()
                .map(|v| v.as_str())
                .map_err(|error| error.code(Era::Modern));
            assert_eq!(got, expected, "{header:?} {envelope:?}");
        }
    }
}
