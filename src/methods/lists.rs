//! The list methods: `tools/list`, `resources/list`, `resources/templates/list`, `prompts/list`.
//! Specification: *Pagination*, and the page of each.
//!
//! They differ in nothing but the list. Most pages are written once.

use std::borrow::Cow;

use super::context::Request;
use super::listing::List;
use super::params;
use super::result::CacheHints;
use crate::era::Call;
use crate::error::ProtocolError;
use crate::reply::SharedJson;
use crate::wire::tools::ListParams;

/// The cursor of a request. Most have none.
fn cursor<'a>(call: &Call<'a>) -> Result<Option<Cow<'a, str>>, ProtocolError> {
    let params = call.params.as_ref();
    if params.is_none_or(|params| params.cursor.is_none()) {
        return Ok(None);
    }
    let ListParams { cursor } = params::decode(call)?;
    Ok(cursor)
}

/// Answers with the page that the cursor leads to.
///
/// # Errors
///
/// The cursor leads to no page, or an entry of the list has a fault.
pub(super) fn answer(request: &Request<'_>, list: List) -> Result<SharedJson, ProtocolError> {
    let cursor = cursor(request.call)?;
    let context = request.context;
    let shows_views = request.call.client.capabilities.supports_apps();
    let prepared = context
        .prepared
        .at(context.registry, request.call.version)?;
    let listing = prepared.list(list, shows_views)?;
    let hints = CacheHints::private(context.registry.settings.cache_ttl);
    let shape = request.result().cache(hints);
    let page = listing.page(list, cursor.as_deref(), context.principal, shape)?;
    page.ok_or_else(|| {
        ProtocolError::invalid_params("`cursor` is not one of this list; start again without it")
    })
}
