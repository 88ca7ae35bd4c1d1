//! The list methods: `tools/list`, `resources/list`, `resources/templates/list`, `prompts/list`.
//! Specification: *Pagination*, and the page of each.
//!
//! They differ in nothing but the list. Most pages are written once.

use super::context::Request;
use super::listing::List;
use super::params;
use super::result::CacheHints;
use crate::error::ProtocolError;
use crate::reply::SharedJson;
use crate::wire::tools::ListParams;

/// Answers with the page that the cursor leads to.
pub(super) fn answer(request: &Request<'_>, list: List) -> Result<SharedJson, ProtocolError> {
    let ListParams { cursor } = params::decode(request.call)?;
    let context = request.context;
    let shows_views = request.call.client.capabilities.supports_apps();
    let prepared = context.prepared.at(context.registry, request.call.version);
    let listing = prepared.list(list, shows_views);
    let hints = CacheHints::private(context.registry.settings.cache_ttl);
    let shape = request.result().cache(hints);
    let page = listing.page(list, cursor.as_deref(), context.principal, shape)?;
    page.ok_or_else(|| {
        ProtocolError::invalid_params("`cursor` is not one of this list; start again without it")
    })
}
