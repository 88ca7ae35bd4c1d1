//! `server/discover` (modern era). Specification: *Discovery*.

use bytes::Bytes;

use super::prepared::Prepared;
use crate::error::ProtocolError;

#[expect(clippy::unnecessary_wraps, reason = "all methods answer alike")]
pub(super) fn answer(prepared: &Prepared) -> Result<Bytes, ProtocolError> {
    Ok(prepared.discover.clone())
}
