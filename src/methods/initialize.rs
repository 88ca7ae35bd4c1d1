//! `initialize` (legacy era). Specification: 2025-11-25, *Lifecycle*.
//!
//! Over HTTP it is answered for clients that need it, and remembered by nobody. On a connection it
//! must come first, and holds for all that follows.

use std::borrow::Cow;

use bytes::Bytes;
use serde::Deserialize;

use super::context::MethodContext;
use super::params;
use super::prepared;
use crate::era::Call;
use crate::error::ProtocolError;
use crate::wire::params::Params;
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
        registry, prepared, ..
    } = *context;
    match call.connection {
        None => prepared.at(registry, agreed)?.initialize(),
        Some(connection) => {
            let result = prepared::initialize_connection(registry, prepared, agreed)?;
            connection.open(agreed, call.params.as_ref().and_then(Params::raw));
            Ok(result)
        }
    }
}
