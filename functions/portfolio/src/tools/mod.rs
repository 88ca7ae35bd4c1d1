//! The tools: what agents can ask about the person, and the message that they can send.
//!
//! A module holds one tool: its name and description, its arguments, its answer, and a function
//! `tool` that builds it. Answers that depend on the content alone are serialized once, at start.

mod check_availability;
pub(crate) mod contact;
mod get_capabilities;
mod get_manifest;
mod get_projects;
mod get_resume;
mod offers;
mod prepared;
mod read_only;

use lambda_mcp::server::Tool;

use crate::about::About;
use crate::content::Content;

pub(crate) use offers::Offers;

/// The tools that only read, in the order in which clients see them.
pub(crate) const READ_ONLY: [About; 5] = [
    get_manifest::ABOUT,
    get_resume::ABOUT,
    get_projects::ABOUT,
    get_capabilities::ABOUT,
    check_availability::ABOUT,
];

/// Builds the tools that only read, in the order of [`READ_ONLY`]; `offers` is what the manifest
/// lists.
///
/// # Errors
///
/// An answer cannot be serialized.
pub(crate) fn read_only_tools(
    content: &Content,
    offers: &Offers<'_>,
) -> Result<Vec<Tool<()>>, serde_json::Error> {
    Ok(vec![
        get_manifest::tool(content, offers)?,
        get_resume::tool(content)?,
        get_projects::tool(content)?,
        get_capabilities::tool(content)?,
        check_availability::tool(content)?,
    ])
}

#[cfg(test)]
mod tests;
