//! `search`: finds sections and projects by words, in the form that `ChatGPT`'s connectors and deep
//! research require.

use std::sync::Arc;

use lambda_mcp::server::Tool;
use lambda_mcp::{Args, Json, ToolError};
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use super::search_index::SearchIndex;
use crate::about::About;

pub(super) const ABOUT: About = About {
    name: "search",
    title: "Search the résumé",
    description: "Finds the sections of the person's résumé and the projects that contain the words \
        of a query, best first. Returns an id, a title and a URL of each; fetch returns the text for \
        an id. Use it if you do not know where in the résumé a topic occurs.",
};

/// The most results.
const MOST: usize = 20;

/// Arguments of `search`.
#[derive(Debug, Deserialize, JsonSchema)]
struct Search {
    /// Words to look for, such as `rust event sourcing`.
    #[schemars(length(max = 1000))]
    query: String,
}

/// The answer of `search`.
#[derive(Debug, Serialize, JsonSchema)]
struct Results {
    /// The results, best first. Empty if nothing matches.
    results: Vec<Found>,
}

/// A section or a project.
#[derive(Debug, Serialize, JsonSchema)]
struct Found {
    /// Identifier, as `fetch` takes it.
    id: String,
    /// Title.
    title: String,
    /// URL to cite. Empty if the person publishes no web page.
    url: String,
}

/// Builds the tool.
pub(super) fn tool(index: &Arc<SearchIndex>) -> Tool<()> {
    let index = Arc::clone(index);
    let handler = move |Args(Search { query }): Args<Search>| {
        let results = results(&index, &query);
        async move { results }
    };
    lambda_mcp::tool(ABOUT.name, handler)
        .title(ABOUT.title)
        .description(ABOUT.description)
        .read_only()
}

fn results(index: &SearchIndex, query: &str) -> Result<Json<Results>, ToolError> {
    let found = index.search(query)?.into_iter().take(MOST);
    let results = found.map(|entry| Found {
        id: entry.id.clone(),
        title: entry.title.clone(),
        url: entry.url.clone(),
    });
    Ok(Json(Results {
        results: results.collect(),
    }))
}
