//! `portfolio check-content [DIR]`: checks the owner's files, and shows what agents will see.
//!
//! The findings are those with which the function would refuse to start, in the same words, and
//! advice. After them come a summary of what is served and what is not, the size of each answer, and
//! what the page has no room for.

mod answers;
mod page;
mod summary;

use std::io::{self, Write};
use std::path::Path;
use std::process::ExitCode;
use std::sync::Arc;

use crate::built_in;
use crate::content::{self, Loaded, Severity};

/// Checks the files in a directory, or the copies that are built into the binary. The exit code is
/// a failure if the function would not start.
///
/// # Errors
///
/// The findings cannot be written.
pub(crate) fn run(directory: Option<&Path>, out: &mut impl Write) -> io::Result<ExitCode> {
    let sources = built_in::sources_in(directory);
    let mut loaded = content::check(&sources);
    let content = loaded.content.take().map(Arc::new);
    for finding in loaded.report.sorted() {
        writeln!(out, "{finding}")?;
    }
    let mut warnings = loaded.report.count(Severity::Warning);
    if let Some(content) = &content {
        let answers = answers::measure(content);
        warnings += answers::too_long(&answers).count();
        summary::write(&loaded, content, out)?;
        answers::write(&answers, out)?;
        let left_out = page::left_out(content);
        warnings += usize::from(!left_out.is_empty());
        page::write(&left_out, out)?;
    }
    write_verdict(&loaded, warnings, out)?;
    Ok(if loaded.report.has_errors() {
        ExitCode::FAILURE
    } else {
        ExitCode::SUCCESS
    })
}

fn write_verdict(loaded: &Loaded, warnings: usize, out: &mut impl Write) -> io::Result<()> {
    let verdict = if loaded.report.has_errors() {
        "The function would not start"
    } else {
        "Ready to serve"
    };
    let errors = counted(loaded.report.count(Severity::Error), "error");
    let warnings = counted(warnings, "warning");
    let withheld = summary::withheld(loaded).len();
    writeln!(out, "{verdict}: {errors}, {warnings}, {withheld} withheld.")
}

fn counted(count: usize, what: &str) -> String {
    let plural = if count == 1 { "" } else { "s" };
    format!("{count} {what}{plural}")
}

#[cfg(test)]
mod tests;
