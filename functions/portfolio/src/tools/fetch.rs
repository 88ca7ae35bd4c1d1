//! `fetch`: the text of a section or a project that `search` found, in the form that `ChatGPT`'s
//! connectors and deep research require.

use std::sync::Arc;

use lambda_mcp::server::Tool;
use lambda_mcp::{Args, Json, ToolError};
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use super::search_index::SearchIndex;
use crate::about::About;
use crate::content::tokens::{self, PAGE};

pub(super) const ABOUT: About = About {
    name: "fetch",
    title: "Read a search result",
    description: "Returns the text of a section of the person's résumé, or of a project, by an id \
        that search returned, with the URL to cite. Use it after search; use get_resume or \
        get_projects to read the same as structured data.",
};

/// Arguments of `fetch`.
#[derive(Debug, Deserialize, JsonSchema)]
struct Fetch {
    /// Identifier from a result of `search`.
    #[schemars(length(max = 1000))]
    id: String,
}

/// The answer of `fetch`.
#[derive(Debug, Serialize, JsonSchema)]
struct Document {
    /// The identifier.
    id: String,
    /// Title.
    title: String,
    /// The text as Markdown.
    text: String,
    /// URL to cite. Empty if the person publishes no web page.
    url: String,
    /// What the document is.
    metadata: Metadata,
}

/// What a document is.
#[derive(Debug, Serialize, JsonSchema)]
struct Metadata {
    /// The person's name.
    person: String,
    /// `section` or `project`.
    kind: String,
    /// Language of the text, as a BCP 47 tag. Absent if the person does not name it.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schemars(with = "String")]
    language: Option<String>,
}

/// Builds the tool.
pub(super) fn tool(index: &Arc<SearchIndex>) -> Tool<()> {
    let index = Arc::clone(index);
    let handler = move |Args(Fetch { id }): Args<Fetch>| {
        let document = document(&index, &id);
        async move { document }
    };
    lambda_mcp::tool(ABOUT.name, handler)
        .title(ABOUT.title)
        .description(ABOUT.description)
        .read_only()
}

fn document(index: &SearchIndex, id: &str) -> Result<Json<Document>, ToolError> {
    let Some(entry) = index.get(id)? else {
        return Err(ToolError::new(
            "`id` is not the id of a section or a project. Call search to find ids.",
        ));
    };
    let text = match tokens::start(&entry.text, PAGE) {
        None => entry.text.to_string(),
        Some(start) => format!(
            "{start}\n\n[The text is longer and ends here. get_resume and get_projects return it \
             in pages.]"
        ),
    };
    Ok(Json(Document {
        id: entry.id.clone(),
        title: entry.title.clone(),
        text,
        url: entry.url.clone(),
        metadata: Metadata {
            person: entry.person.clone(),
            kind: entry.kind.as_str().to_owned(),
            language: entry.language.clone(),
        },
    }))
}
