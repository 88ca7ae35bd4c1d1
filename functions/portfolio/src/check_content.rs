//! `portfolio check-content [DIR]`: says what is wrong with the owner's files, in the words in which
//! the function would refuse to start.

use std::io::{self, Write};
use std::path::Path;
use std::process::ExitCode;

use crate::content::{self, Report, Severity, Sources};

/// Checks the files in a directory, or the copies built into the binary.
///
/// # Errors
///
/// When the findings cannot be written.
pub(crate) fn run(directory: Option<&Path>, out: &mut impl Write) -> io::Result<ExitCode> {
    let sources = directory.map_or_else(Sources::built_in, Sources::in_directory);
    let (_, report) = content::check(&sources);
    write(&report, out)?;
    Ok(if report.has_errors() {
        ExitCode::FAILURE
    } else {
        ExitCode::SUCCESS
    })
}

fn write(report: &Report, out: &mut impl Write) -> io::Result<()> {
    for finding in report.sorted() {
        writeln!(out, "{finding}")?;
    }
    let errors = counted(report.count(Severity::Error), "error");
    let warnings = counted(report.count(Severity::Warning), "warning");
    let kept_back = report.count(Severity::Note);
    let verdict = if report.has_errors() {
        "The function would not start"
    } else {
        "Ready to serve"
    };
    writeln!(
        out,
        "{verdict}: {errors}, {warnings}, {kept_back} kept back."
    )
}

fn counted(count: usize, what: &str) -> String {
    let plural = if count == 1 { "" } else { "s" };
    format!("{count} {what}{plural}")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_shipped_content_is_ready_and_a_missing_directory_is_not() {
        let mut out = Vec::new();
        assert_eq!(run(None, &mut out).unwrap(), ExitCode::SUCCESS);
        let text = String::from_utf8(out).unwrap();
        assert!(
            text.ends_with("Ready to serve: 0 errors, 0 warnings, 4 kept back.\n"),
            "{text}"
        );

        let mut out = Vec::new();
        let nowhere = Path::new("no/such/directory");
        assert_eq!(run(Some(nowhere), &mut out).unwrap(), ExitCode::FAILURE);
        let text = String::from_utf8(out).unwrap();
        assert!(
            text.starts_with("error: no/such/directory/resume.json: cannot be read:"),
            "{text}"
        );
        assert!(text.ends_with("The function would not start: 1 error, 1 warning, 0 kept back.\n"));
    }
}
