//! `logging/setLevel` (legacy era, on a connection). Specification: 2025-11-25, *Logging*.
//!
//! Over HTTP it does not exist: nothing is remembered between requests.

use bytes::Bytes;
use serde::Deserialize;

use super::params;
use crate::era::Call;
use crate::error::ProtocolError;
use crate::wire::logging::LoggingLevel;

#[derive(Deserialize)]
struct SetLevelParams {
    level: LoggingLevel,
}

/// Sets the minimum level of log notifications on the connection.
pub(super) fn answer(call: &Call<'_>) -> Result<Bytes, ProtocolError> {
    let SetLevelParams { level } = params::decode(call)?;
    if let Some(connection) = call.connection {
        connection.set_log_level(level);
    }
    Ok(Bytes::from_static(b"{}"))
}
