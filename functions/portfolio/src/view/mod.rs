//! The view of `get_projects`, `get_resume` and `check_availability`: HTML that hosts show beside the result.
//! Extension *MCP Apps* (`io.modelcontextprotocol/ui`), revision 2026-01-26.
//!
//! The HTML has no data of its own: the host hands it the result of the call. It loads nothing, so it asks
//! for no exception from the host's content security policy.

use lambda_mcp::content::{Contents, ResourceContents};
use lambda_mcp::resource;
use lambda_mcp::server::Resource;
use maud::{DOCTYPE, PreEscaped, html};
use serde_json::{Map, json};

use crate::about::SERVER_VERSION;
use crate::content::Content;
use crate::style;

/// The URI that the tools name.
pub(crate) const URI: &str = "ui://portfolio/view";
const MIME_TYPE: &str = "text/html;profile=mcp-app";

const CSS: &str = include_str!("assets/view.css");
const SCRIPT: &str = include_str!("assets/view.js");

/// Builds the resource.
pub(crate) fn view(content: &Content) -> Resource<()> {
    let accent = content.profile.page.accent;
    let read = move || {
        let meta = Map::from_iter([("ui".to_owned(), json!({"prefersBorder": true}))]);
        let contents = ResourceContents::text(URI, MIME_TYPE, document(&style::components(accent)));
        std::future::ready(Contents::from(contents.meta(meta)))
    };
    resource(URI, "view", read)
        .title("Portfolio")
        .description(
            "Shows projects, a résumé or an availability in a host that supports MCP Apps.",
        )
        .mime_type(MIME_TYPE)
        .public_cache()
}

/// The document, with the style sheet that it shares with the page.
fn document(shared: &str) -> String {
    let sheet = format!("{shared}{}", style::compact(CSS));
    let script = style::compact_script(SCRIPT);
    let document = html! {
        (DOCTYPE)
        html lang="en" data-version=(SERVER_VERSION) {
            head {
                meta charset="utf-8";
                meta name="viewport" content="width=device-width, initial-scale=1";
                title { "Portfolio" }
                style { (PreEscaped(sheet)) }
            }
            body {
                main aria-live="polite" { p.muted { "Waiting for the result …" } }
                script { (PreEscaped(script)) }
            }
        }
    };
    document.into_string()
}
