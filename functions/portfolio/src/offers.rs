//! What the server offers besides the content: the manifest lists it, and the page names some of it.

use crate::about::About;
use crate::resources::Offer;

/// The tools, resources and prompts, and where they are.
#[derive(Debug, Clone)]
pub(crate) struct Offers {
    /// The tools.
    pub(crate) tools: Vec<About>,
    /// The resources and templates that exist whatever sections the résumé has.
    pub(crate) resources: Vec<Offer>,
    /// The prompts.
    pub(crate) prompts: &'static [About],
    /// The base URL of the endpoint, if it is configured.
    pub(crate) public_url: Option<String>,
}
