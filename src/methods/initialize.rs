//! `initialize` (legacy era). Specification: 2025-11-25, *Lifecycle*.
//!
//! Answered for clients that need it, and remembered by nobody.

use std::borrow::Cow;

use bytes::Bytes;
use serde::Deserialize;

use super::params;
use super::prepared::Prepared;
use crate::era::Call;
use crate::error::ProtocolError;
use crate::wire::version::{Era, ProtocolVersion};

#[derive(Deserialize)]
#[serde(rename_all = "camelCase")]
struct InitializeParams<'a> {
    #[serde(borrow)]
    protocol_version: Cow<'a, str>,
}

/// Agrees on the version the client asks for if it is a served one with a handshake, else on the
/// newest of those. A modern version is never agreed on: its client would go on without envelopes.
pub(super) fn answer(prepared: &Prepared, call: &Call<'_>) -> Result<Bytes, ProtocolError> {
    let InitializeParams { protocol_version } = params::decode(call)?;
    let agreed = ProtocolVersion::parse(&protocol_version)
        .filter(|version| version.era() == Era::Legacy)
        .unwrap_or(ProtocolVersion::NEWEST_LEGACY);
    Ok(prepared.at(agreed).initialize.clone())
}
