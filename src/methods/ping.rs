//! `ping` (legacy era). Specification: 2025-11-25, *Ping*.

use bytes::Bytes;

use crate::error::ProtocolError;

#[expect(clippy::unnecessary_wraps, reason = "all methods answer alike")]
pub(super) const fn answer() -> Result<Bytes, ProtocolError> {
    Ok(Bytes::from_static(b"{}"))
}
