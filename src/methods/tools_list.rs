//! `tools/list`. Specification: *Tools, Listing Tools*; *Pagination*.

use bytes::Bytes;

use super::Prepared;
use crate::era::Call;
use crate::error::ProtocolError;
use crate::wire::tools::ListParams;

/// Answers with a page that was written at start.
pub(super) fn answer(prepared: &Prepared, call: &Call<'_>) -> Result<Bytes, ProtocolError> {
    let ListParams { cursor } = super::params(call)?;
    prepared
        .at(call.version)
        .tools
        .page(cursor.as_deref())
        .ok_or_else(|| {
            ProtocolError::invalid_params(
                "`cursor` is not one of this list; start again without it",
            )
        })
}
