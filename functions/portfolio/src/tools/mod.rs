//! The tools of the portfolio: what agents can ask about the person.
//!
//! All of them only read, and what they can answer is known at start: every answer is written once
//! and handed out as it is.

mod check_availability;
pub(crate) mod contact;
mod get_capabilities;
mod get_manifest;
mod get_projects;
mod get_resume;
mod offers;
mod prepared;

use std::sync::Arc;

use lambda_mcp::handler::{Handler, IntoToolOutput};
use lambda_mcp::server::{ServerBuilder, Tool};
use lambda_mcp::tool;

use crate::about::About;
use crate::content::Content;
use crate::portfolio::Portfolio;
use check_availability::Availability;
use get_capabilities::Capabilities;
use get_manifest::Manifest;
use get_projects::Projects;
use get_resume::Sections;
use prepared::Prepared;

/// The tools, in the order in which clients see them.
const TOOLS: [About; 5] = [
    get_manifest::ABOUT,
    get_resume::ABOUT,
    get_projects::ABOUT,
    get_capabilities::ABOUT,
    check_availability::ABOUT,
];

/// Everything the tools answer.
#[derive(Debug)]
pub(crate) struct Answers {
    resume: Sections,
    all_projects: Prepared<Projects>,
    featured_projects: Prepared<Projects>,
    capabilities: Prepared<Capabilities>,
    availability: Prepared<Availability>,
    manifest: Prepared<Manifest>,
}

impl Answers {
    /// Writes the answers.
    ///
    /// # Errors
    ///
    /// A value cannot be written as JSON.
    pub(crate) fn new(
        content: &Content,
        public_url: Option<&str>,
    ) -> Result<Self, serde_json::Error> {
        Ok(Self {
            resume: Sections::new(&content.resume)?,
            all_projects: Prepared::new(&get_projects::projects(content, false))?,
            featured_projects: Prepared::new(&get_projects::projects(content, true))?,
            capabilities: Prepared::new(&get_capabilities::capabilities(content))?,
            availability: Prepared::new(&check_availability::availability(content))?,
            manifest: Prepared::new(&get_manifest::manifest(content, public_url))?,
        })
    }
}

/// Registers the tools.
pub(crate) fn register(server: ServerBuilder<Arc<Portfolio>>) -> ServerBuilder<Arc<Portfolio>> {
    server
        .tool(presented(get_manifest::ABOUT, get_manifest::get_manifest))
        .tool(presented(get_resume::ABOUT, get_resume::get_resume))
        .tool(presented(get_projects::ABOUT, get_projects::get_projects))
        .tool(presented(
            get_capabilities::ABOUT,
            get_capabilities::get_capabilities,
        ))
        .tool(presented(
            check_availability::ABOUT,
            check_availability::check_availability,
        ))
}

fn presented<M, H>(about: About, handler: H) -> Tool<Arc<Portfolio>>
where
    H: Handler<Arc<Portfolio>, M>,
    H::Output: IntoToolOutput + 'static,
{
    tool(about.name, handler)
        .title(about.title)
        .description(about.description)
        .read_only()
}

#[cfg(test)]
pub(crate) mod tests;
