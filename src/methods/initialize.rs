//! `initialize` (legacy era). Specification: 2025-11-25, *Lifecycle*.
//!
//! Answered for clients that need it, and remembered by nobody.

use std::borrow::Cow;

use bytes::Bytes;
use serde::Deserialize;

use super::context::MethodContext;
use super::params;
use crate::era::Call;
use crate::error::ProtocolError;
use crate::wire::version::ProtocolVersion;

#[derive(Deserialize)]
#[serde(rename_all = "camelCase")]
struct InitializeParams<'a> {
    #[serde(borrow)]
    protocol_version: Cow<'a, str>,
}

/// Answers with the negotiated version.
pub(super) fn answer(context: &MethodContext<'_>, call: &Call<'_>) -> Result<Bytes, ProtocolError> {
    let InitializeParams { protocol_version } = params::decode(call)?;
    let agreed = ProtocolVersion::negotiate(&protocol_version);
    let MethodContext {
        prepared, registry, ..
    } = context;
    Ok(prepared.at(registry, agreed).initialize.clone())
}
