//! What the page and the view of the MCP App share: colours, the style sheet of their components, and how a style
//! sheet and a script are sent.

mod accent;

use crate::content::Accent;

const BASE_CSS: &str = include_str!("assets/base.css");

/// Returns the shared style sheet in the owner's colours.
pub(crate) fn components(accent: Option<Accent>) -> String {
    format!("{}{}", accent::properties(accent), compact(BASE_CSS))
}

/// Returns a script without indentation and lines that are comments.
pub(crate) fn compact_script(script: &str) -> String {
    script
        .lines()
        .map(str::trim)
        .filter(|line| !line.starts_with("//"))
        .fold(String::with_capacity(script.len()), |text, line| {
            text + line + "\n"
        })
}

/// Returns a style sheet without comments and indentation.
pub(crate) fn compact(css: &str) -> String {
    let lines = css.lines().map(str::trim);
    lines.filter(|line| !line.starts_with("/*")).collect()
}
