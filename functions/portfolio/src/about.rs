//! How the server and what it offers are named, in lists and in the manifest alike.

use crate::content::Content;

/// The server's name in the protocol and in the log.
pub(crate) const SERVER_NAME: &str = "portfolio";

/// The server's version.
pub(crate) const SERVER_VERSION: &str = env!("CARGO_PKG_VERSION");

/// The name of a tool or prompt, with the texts by which a model or a person chooses it.
#[derive(Debug, Clone, Copy)]
pub(crate) struct About {
    pub(crate) name: &'static str,
    pub(crate) title: &'static str,
    pub(crate) description: &'static str,
}

/// Returns what the server is, in one sentence.
pub(crate) fn server_description(content: &Content) -> String {
    format!(
        "Answers questions of AI agents about the résumé and projects of {}.",
        content.person()
    )
}
