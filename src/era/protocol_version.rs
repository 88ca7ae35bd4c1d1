//! The version of a request, from its header and its envelope. Specification: *Versioning*;
//! *Streamable HTTP, Protocol Version Header*.

use http::HeaderMap;

use super::header_value::{self, InvalidHeader};
use crate::error::ProtocolError;
use crate::error::protocol::excerpt;
use crate::wire::meta;
use crate::wire::version::{Era, ProtocolVersion};

const HEADER: &str = "MCP-Protocol-Version";

/// What the header says.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Declared<'a> {
    /// No header.
    Nothing,
    /// A version, served or not.
    Version(&'a str),
    /// Something that cannot be read as one version.
    Unreadable(InvalidHeader),
}

impl<'a> Declared<'a> {
    /// Reads the header.
    pub(super) fn read(headers: &'a HeaderMap) -> Self {
        match header_value::single(headers, HEADER) {
            Ok(None | Some("")) => Self::Nothing,
            Ok(Some(version)) => Self::Version(version),
            Err(invalid) => Self::Unreadable(invalid),
        }
    }

    /// The era of the header alone, which decides how an error looks before the body is read.
    pub(super) fn era(self) -> Era {
        match self {
            Self::Version(version) => {
                ProtocolVersion::parse(version).map_or(Era::Legacy, ProtocolVersion::era)
            }
            Self::Nothing | Self::Unreadable(_) => Era::Legacy,
        }
    }
}

/// The version both agree on.
///
/// `envelope` is the version in `_meta`, if there is one.
///
/// # Errors
///
/// They contradict each other, a modern envelope comes without its header, or the version is not
/// served.
pub(super) fn decide(
    declared: Declared<'_>,
    envelope: Option<&str>,
) -> Result<ProtocolVersion, ProtocolError> {
    let served = |version: &str| {
        ProtocolVersion::parse(version).ok_or_else(|| ProtocolError::UnsupportedProtocolVersion {
            requested: excerpt(version),
        })
    };
    match (declared, envelope) {
        (Declared::Unreadable(invalid), _) => {
            Err(ProtocolError::header_mismatch(HEADER, invalid.reason()))
        }
        (Declared::Nothing, None) => Ok(ProtocolVersion::UNNAMED),
        (Declared::Version(version), None) => served(version),
        (Declared::Nothing, Some(version)) => match served(version)?.era() {
            Era::Legacy => served(version),
            Era::Modern => Err(ProtocolError::header_mismatch(
                HEADER,
                format!("header is missing, while `_meta` names {version}"),
            )),
        },
        (Declared::Version(header), Some(version)) if header == version => served(version),
        (Declared::Version(header), Some(version)) => Err(ProtocolError::header_mismatch(
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
    fn the_version_is_decided_by_header_and_envelope_together() {
        use Declared::{Nothing, Unreadable, Version};
        let modern = "2026-07-28";
        let cases = [
            (Nothing, None, Ok("2025-03-26")),
            (Version("2025-06-18"), None, Ok("2025-06-18")),
            (Version(modern), None, Ok(modern)),
            (Version(modern), Some(modern), Ok(modern)),
            (Version("2025-11-25"), Some("2025-11-25"), Ok("2025-11-25")),
            (Nothing, Some("2025-11-25"), Ok("2025-11-25")),
            (Nothing, Some(modern), Err(code::HEADER_MISMATCH)),
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
                Nothing,
                Some("2099-01-01"),
                Err(code::UNSUPPORTED_PROTOCOL_VERSION),
            ),
            (
                Version("2024-11-05"),
                None,
                Err(code::UNSUPPORTED_PROTOCOL_VERSION),
            ),
            (
                Unreadable(InvalidHeader::Contradiction),
                Some(modern),
                Err(code::HEADER_MISMATCH),
            ),
            (
                Unreadable(InvalidHeader::Characters),
                None,
                Err(code::HEADER_MISMATCH),
            ),
        ];
        for (declared, envelope, expected) in cases {
            let decided = decide(declared, envelope);
            let got = decided
                .as_ref()
                .map(|v| v.as_str())
                .map_err(|error| error.code(Era::Modern));
            assert_eq!(got, expected, "{declared:?} {envelope:?}");
        }
    }
}
