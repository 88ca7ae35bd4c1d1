//! The list methods: `tools/list`, `resources/list`, `resources/templates/list`, `prompts/list`.
//! Specification: *Pagination*, and the page of each.
//!
//! They differ in nothing but the list: every page was written at start.

use bytes::Bytes;

use super::params;
use super::prepared::{List, Prepared};
use crate::era::Call;
use crate::error::ProtocolError;
use crate::wire::tools::ListParams;

/// Answers with the page that the cursor leads to.
pub(super) fn answer(
    prepared: &Prepared,
    list: List,
    call: &Call<'_>,
) -> Result<Bytes, ProtocolError> {
    let ListParams { cursor } = params::decode(call)?;
    prepared
        .at(call.version)
        .pages(list)
        .page(cursor.as_deref())
        .ok_or_else(|| {
            ProtocolError::invalid_params(
                "`cursor` is not one of this list; start again without it",
            )
        })
}
