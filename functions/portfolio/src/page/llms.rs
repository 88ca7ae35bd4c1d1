//! `llms.txt`: what a model that reads websites finds here. <https://llmstxt.org>.

use crate::content::Content;
use crate::markdown::{inline, one_line};
use crate::offers::Offers;

/// Returns the text. `base` is the URL of the page without its slash, or nothing.
pub(super) fn llms_txt(content: &Content, offers: &Offers, base: &str) -> String {
    let basics = content.resume.basics.as_ref();
    let label = basics.and_then(|basics| basics.label.as_deref());
    let person = inline(&content.person());
    let mut text = format!("# {person}\n");
    if let Some(label) = label {
        text.push_str(&format!("\n> {}\n", inline(label)));
    }
    text.push_str(&format!(
        "\nThis site serves the résumé and projects of {person} to AI agents with the Model Context Protocol \
         (MCP), at {base}/mcp. The endpoint accepts POST only.\n\n## Documents\n\n\
         - [Résumé as Markdown]({base}/resume.md)\n\
         - [Résumé as JSON]({base}/resume.json): follows JSON Resume\n\
         - [Server card]({base}/mcp/server-card): how to connect\n\n## Tools of the MCP server\n\n"
    ));
    for tool in &offers.tools {
        text.push_str(&format!(
            "- `{}`: {}\n",
            tool.name,
            one_line(tool.description)
        ));
    }
    text
}
