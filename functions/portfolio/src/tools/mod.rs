//! The tools: what agents can ask about the person, and the message that they can send.
//!
//! A module holds one tool: its name and description, its arguments, its answer, and a function
//! `tool` that builds it. Answers that depend on the content alone are serialized once, on first need.

mod check_availability;
pub(crate) mod contact;
pub(crate) mod contact_task;
mod fetch;
mod get_capabilities;
mod get_manifest;
mod get_projects;
mod get_resume;
mod manifest_entries;
mod pages;
mod prepared;
mod read_only;
mod search;
mod search_index;

use std::sync::Arc;

use lambda_mcp::content;
use lambda_mcp::server::Tool;

use crate::about::About;
use crate::content::{ByLanguage, Icon, Localized};
use crate::offers::Offers;
use crate::resources::Documents;
use search_index::SearchIndex;

/// The tools that only read and are always offered.
pub(crate) const READ_ONLY: [About; 5] = [
    get_manifest::ABOUT,
    get_resume::ABOUT,
    get_projects::ABOUT,
    get_capabilities::ABOUT,
    check_availability::ABOUT,
];

/// The tools that are offered if `profile.toml` says so.
pub(crate) const SEARCHING: [About; 2] = [search::ABOUT, fetch::ABOUT];

/// Returns the tools that only read, in the order in which clients see them.
pub(crate) fn listed(content: &Localized) -> Vec<About> {
    let mut listed = READ_ONLY.to_vec();
    if has_search(content) {
        listed.extend(SEARCHING);
    }
    listed
}

/// Returns whether `search` and `fetch` are offered.
fn has_search(content: &Localized) -> bool {
    content.default_content().profile.server.search
}

/// Builds the tools that only read, in the order of [`listed`]; `offers` is what the manifest lists.
pub(crate) fn read_only_tools(
    content: &Arc<Localized>,
    documents: &Arc<ByLanguage<Documents>>,
    offers: Offers,
) -> Vec<Tool<()>> {
    let public_url = offers.public_url.clone();
    let mut tools = vec![
        get_manifest::tool(content, offers),
        get_resume::tool(content),
        get_projects::tool(content),
        get_capabilities::tool(content),
        check_availability::tool(content),
    ];
    if has_search(content) {
        let index = Arc::new(SearchIndex::new(content, documents, public_url));
        tools.push(search::tool(&index));
        tools.push(fetch::tool(&index));
    }
    if let Some(icon) = content.default_content().icon().filter(Icon::is_short) {
        tools = { tools.into_iter() }
            .map(|tool| tool.icon(icon_of(&icon)))
            .collect();
    }
    tools
}

/// Returns an icon in the form of the protocol.
pub(crate) fn icon_of(icon: &Icon) -> content::Icon {
    let mut shown = content::Icon::new(&icon.src);
    if let Some(mime_type) = icon.mime_type {
        shown = shown.mime_type(mime_type);
    }
    if icon.is_scalable() {
        shown = shown.size("any");
    }
    shown
}

#[cfg(test)]
mod tests;
