//! Where a message came from, and what is known of its version besides its body.
//!
//! Over HTTP, headers name the version of each request. On a connection there are no headers: the
//! first request decided its era. Specification: *Streamable HTTP, Protocol Version Header*; *stdio,
//! Request Metadata*.

use std::borrow::Cow;

use http::HeaderMap;

use super::connection::{INITIALIZE, LegacyConnection, Speaks};
use super::envelope::Envelope;
use super::header_only::HeaderOnlyRequests;
use super::protocol_version::{self, Named, VersionHeader};
use super::standard_headers::{self, Mirrored};
use crate::error::ProtocolError;
use crate::wire::version::{Era, ProtocolVersion};

/// Where a message came from.
#[derive(Debug)]
pub(super) enum Source<'a> {
    /// An HTTP request.
    Http {
        headers: &'a HeaderMap,
        version: VersionHeader<'a>,
        header_only: HeaderOnlyRequests,
    },
    /// A line of a connection.
    #[cfg_attr(
        not(feature = "stdio"),
        expect(dead_code, reason = "only stdio has connections")
    )]
    Connection(&'a Speaks),
}

impl<'a> Source<'a> {
    pub(super) fn http(headers: &'a HeaderMap, header_only: HeaderOnlyRequests) -> Self {
        Self::Http {
            headers,
            version: VersionHeader::read(headers),
            header_only,
        }
    }

    /// The era that is known before the body is read.
    pub(super) fn era(&self) -> Option<Era> {
        match self {
            Self::Http { version, .. } => version.era(),
            Self::Connection(speaks) => speaks.era(),
        }
    }

    /// The version of a message, which determines the form of errors. `envelope` is that in `_meta`.
    pub(super) fn named(&self, envelope: Option<Cow<'a, str>>) -> Named<'a> {
        match self {
            Self::Http { version, .. } => Named::new(version, envelope),
            Self::Connection(speaks) => match speaks.version() {
                Some(version) => Named::of(version),
                None => Named::new(&VersionHeader::Absent, envelope),
            },
        }
    }

    /// Decides the version of a message.
    ///
    /// # Errors
    ///
    /// The version is not supported, or contradicts the headers or the connection.
    pub(super) fn decide(
        &self,
        method: Option<&str>,
        envelope: Option<&str>,
    ) -> Result<ProtocolVersion, ProtocolError> {
        match self {
            Self::Http { version, .. } => protocol_version::decide(version, envelope),
            Self::Connection(speaks) => speaks.decide(method, envelope),
        }
    }

    /// Checks that a handshake can begin. Over HTTP it always can, since it is remembered by nobody.
    ///
    /// # Errors
    ///
    /// The connection has another era, or had its handshake.
    pub(super) fn check_initialize(&self) -> Result<(), ProtocolError> {
        match self {
            Self::Http { .. } => Ok(()),
            Self::Connection(speaks) => speaks.decide(Some(INITIALIZE), None).map(|_| ()),
        }
    }

    /// The connection of the legacy era that a message came on.
    pub(super) fn legacy_connection(&self) -> Option<&'a LegacyConnection> {
        match self {
            Self::Http { .. } => None,
            Self::Connection(speaks) => speaks.legacy().map(|connection| &**connection),
        }
    }

    /// Checks the rules of modern requests, and returns the headers that methods compare with the body.
    ///
    /// # Errors
    ///
    /// `_meta` lacks a required key, or a header does not match the body.
    pub(super) fn check_modern(
        &self,
        envelope: &Envelope<'_>,
        mirrored: Mirrored<'_>,
    ) -> Result<Option<&'a HeaderMap>, ProtocolError> {
        match self {
            Self::Http {
                headers,
                header_only,
                ..
            } => {
                let is_header_only =
                    envelope.version.is_none() && *header_only == HeaderOnlyRequests::Allow;
                if !is_header_only {
                    envelope.check()?;
                }
                standard_headers::check(headers, mirrored, !is_header_only)?;
                Ok(Some(headers))
            }
            Self::Connection(_) => envelope.check().map(|()| None),
        }
    }
}
