//! What the page for people has no room for.

use std::io::{self, Write};
use std::sync::Arc;

use crate::config::Config;
use crate::content::Localized;
use crate::page::MAX_BYTES;
use crate::serve;

/// Returns the parts of the content that the page leaves out. None if there is no page, or if the server cannot
/// be built, which the start reports.
pub(super) fn left_out(content: &Arc<Localized>) -> Vec<String> {
    let portfolio = Config::read(|_| None)
        .ok()
        .and_then(|config| serve::portfolio(config, content).ok());
    let published = portfolio.map(|portfolio| portfolio.published);
    let documents = published.into_iter().flatten();
    documents.flat_map(|one| (one.left_out)()).collect()
}

/// Writes what is left out, if anything is.
pub(super) fn write(left_out: &[String], out: &mut impl Write) -> io::Result<()> {
    if left_out.is_empty() {
        return Ok(());
    }
    writeln!(
        out,
        "warning: the page has room for {MAX_BYTES} bytes and leaves out: {}. It links to /resume.md, which \
         has everything. Shorten the longest texts to show more.\n",
        left_out.join(", ")
    )
}
