//! The version of a request, from its header and its envelope. Specification: *Versioning*;
//! *Streamable HTTP, Protocol Version Header*.

use std::str::FromStr as _;

use http::HeaderMap;

use super::header_value::{self, InvalidHeader};
use crate::error::ProtocolError;
use crate::error::protocol::excerpt;
use crate::wire::meta;
use crate::wire::version::{Era, ProtocolVersion};

const HEADER: &str = "MCP-Protocol-Version";

/// The version header.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum VersionHeader<'a> {
    /// The header is absent or empty.
    Absent,
    /// A version, supported or not.
    Version(&'a str),
    /// The header is not one version.
    Malformed(InvalidHeader),
}

impl<'a> VersionHeader<'a> {
    /// Parses the header.
    pub(super) fn read(headers: &'a HeaderMap) -> Self {
        match header_value::single(headers, HEADER) {
            Ok(None | Some("")) => Self::Absent,
            Ok(Some(version)) => Self::Version(version),
            Err(invalid) => Self::Malformed(invalid),
        }
    }

    /// Returns the era of the header, which determines the form of errors before the body is parsed.
    pub(super) fn era(self) -> Era {
        match self {
            Self::Version(version) => {
                ProtocolVersion::from_str(version).map_or(Era::Legacy, ProtocolVersion::era)
            }
            Self::Absent | Self::Malformed(_) => Era::Legacy,
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
    header: VersionHeader<'_>,
    envelope: Option<&str>,
) -> Result<ProtocolVersion, ProtocolError> {
    let supported = |version: &str| {
        ProtocolVersion::from_str(version).map_err(|_| ProtocolError::UnsupportedProtocolVersion {
            requested: excerpt(version),
        })
    };
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

#[cfg(test)]
mod tests {
    use super::*;
    use crate::error::code;

    #[test]
    fn header_and_envelope_determine_the_version() {
        use VersionHeader::{Absent, Malformed, Version};
        let modern = "2026-07-28";
        let cases = [
            (Absent, None, Ok("2025-03-26")),
            (Version("2025-06-18"), None, Ok("2025-06-18")),
            (Version(modern), None, Ok(modern)),
            (Version(modern), Some(modern), Ok(modern)),
            (Version("2025-11-25"), Some("2025-11-25"), Ok("2025-11-25")),
            (Absent, Some("2025-11-25"), Ok("2025-11-25")),
            (Absent, Some(modern), Err(code::HEADER_MISMATCH)),
            (
                Version("2025-11-25"),
                Some(modern),
                Err(code::HEADER_MISMATCH),
            ),
            (Version(modern), Some("v999"), Err(code::HEADER_MISMATCH)),
            (
                Version("v999"),
                Some("v999"),
                Err(code::UNSUPPORTED_PROTOCOL_VERSION),
            ),
            (
                Version("2099-01-01"),
                None,
                Err(code::UNSUPPORTED_PROTOCOL_VERSION),
            ),
            (
                Absent,
                Some("2099-01-01"),
                Err(code::UNSUPPORTED_PROTOCOL_VERSION),
            ),
            (
                Version("2024-11-05"),
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
            let decided = decide(header, envelope);
            let got = decided
                .as_ref()
                .map(|v| v.as_str())
                .map_err(|error| error.code(Era::Modern));
            assert_eq!(got, expected, "{header:?} {envelope:?}");
        }
    }
}
