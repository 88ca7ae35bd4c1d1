//! [`Report`]: what a check of the owner's files found.
//!
//! Each finding names the file, the place in it and what to do. Private values are never quoted;
//! other values are cut to [`QUOTE_LIMIT`] characters.

use std::collections::HashSet;
use std::fmt;

use super::place::Place;

/// Maximum length, in characters, of an owner's value in a finding.
const QUOTE_LIMIT: usize = 40;

/// How serious a finding is.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum Severity {
    /// The function does not start.
    Error,
    /// The function starts, but the result is probably not what the owner wants.
    Warning,
}

/// One finding.
#[derive(Debug, Clone, PartialEq, Eq, Hash)]
pub struct Finding {
    severity: Severity,
    /// The file and the place in it, as text.
    place: String,
    message: String,
}

impl fmt::Display for Finding {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let severity = match self.severity {
            Severity::Error => "error",
            Severity::Warning => "warning",
        };
        write!(f, "{severity}: {}: {}", self.place, self.message)
    }
}

/// The findings of one set of files, in the order found and without repetition.
#[derive(Debug, Clone, Default)]
pub struct Report {
    findings: Vec<Finding>,
    known: HashSet<Finding>,
}

impl Report {
    fn add(&mut self, finding: Finding) {
        if self.known.insert(finding.clone()) {
            self.findings.push(finding);
        }
    }

    /// Drops the warnings about values at these places, written with their files: values that are
    /// removed after they were checked are private, and warnings quote values.
    pub fn drop_warnings_at(&mut self, removed: &[String]) {
        let removed: HashSet<&str> = removed.iter().map(String::as_str).collect();
        self.findings.retain(|finding| {
            finding.severity == Severity::Error || !removed.contains(finding.place.as_str())
        });
    }

    /// Returns whether the function must not start.
    #[must_use]
    pub fn has_errors(&self) -> bool {
        self.count(Severity::Error) > 0
    }

    /// Returns the number of findings of one severity.
    #[must_use]
    pub fn count(&self, severity: Severity) -> usize {
        self.of(severity).count()
    }

    /// Returns the findings of one severity, in the order found.
    pub fn of(&self, severity: Severity) -> impl Iterator<Item = &Finding> {
        self.findings
            .iter()
            .filter(move |finding| finding.severity == severity)
    }

    /// Returns all findings: errors, then warnings.
    #[must_use]
    pub fn sorted(&self) -> Vec<&Finding> {
        let mut all: Vec<_> = self.findings.iter().collect();
        all.sort_by_key(|finding| finding.severity);
        all
    }
}

/// How the places of a file are written.
#[derive(Debug, Clone, Copy)]
enum Format {
    /// As JSON Pointers.
    Json,
    /// As dotted keys.
    Toml,
}

/// A report about one file.
#[derive(Debug)]
pub(crate) struct FileReport<'r> {
    file: &'r str,
    format: Format,
    report: &'r mut Report,
}

impl<'r> FileReport<'r> {
    /// Creates a report about a JSON file.
    pub(crate) const fn json(file: &'r str, report: &'r mut Report) -> Self {
        Self {
            file,
            format: Format::Json,
            report,
        }
    }

    /// Creates a report about a TOML file.
    pub(crate) const fn toml(file: &'r str, report: &'r mut Report) -> Self {
        Self {
            file,
            format: Format::Toml,
            report,
        }
    }

    /// Adds an error about a value.
    pub(crate) fn error(&mut self, at: Place<'_>, message: impl Into<String>) {
        self.add(Severity::Error, at, message.into());
    }

    /// Adds a warning about a value.
    pub(crate) fn warning(&mut self, at: Place<'_>, message: impl Into<String>) {
        self.add(Severity::Warning, at, message.into());
    }

    /// Adds a warning about a value whose place is already written.
    pub(crate) fn warning_at(&mut self, written: &str, message: impl Into<String>) {
        self.push(Severity::Warning, &format!(": {written}"), message.into());
    }

    /// Adds an error about a line and a column, both from 1.
    pub(crate) fn error_at_line(
        &mut self,
        (line, column): (usize, usize),
        message: impl Into<String>,
    ) {
        let place = format!(":{line}:{column}");
        self.push(Severity::Error, &place, message.into());
    }

    /// Returns a place as the findings of this file write it.
    fn written(&self, at: Place<'_>) -> String {
        match self.format {
            Format::Json => at.pointer(),
            Format::Toml => at.dotted(),
        }
    }

    fn add(&mut self, severity: Severity, at: Place<'_>, message: String) {
        let place = if at.is_root() {
            String::new()
        } else {
            format!(": {}", self.written(at))
        };
        self.push(severity, &place, message);
    }

    fn push(&mut self, severity: Severity, place: &str, message: String) {
        self.report.add(Finding {
            severity,
            place: self.file.to_owned() + place,
            message,
        });
    }
}

/// Quotes an owner's value in a finding: one line, cut to [`QUOTE_LIMIT`] characters.
pub(crate) fn quoted(text: &str) -> String {
    let mut shown: String = text
        .chars()
        .take(QUOTE_LIMIT)
        .map(|c| if c.is_control() { ' ' } else { c })
        .collect();
    if text.chars().nth(QUOTE_LIMIT).is_some() {
        shown.push('…');
    }
    format!("\"{shown}\"")
}

#[cfg(test)]
mod tests {
    use super::*;

    fn lines(report: &Report) -> Vec<String> {
        report.sorted().iter().map(|f| f.to_string()).collect()
    }

    #[test]
    fn a_finding_names_severity_file_place_and_message() {
        let mut report = Report::default();
        let publish = Place::Root.member("publish");
        let mut json = FileReport::json("resume.json", &mut report);
        json.error(Place::Root, "bad");
        json.error_at_line((3, 9), "bad");
        json.error(publish.item(0), "bad");
        FileReport::toml("profile.toml", &mut report).error(publish.member("phone"), "bad");
        assert_eq!(
            lines(&report),
            [
                "error: resume.json: bad",
                "error: resume.json:3:9: bad",
                "error: resume.json: /publish/0: bad",
                "error: profile.toml: publish.phone: bad",
            ]
        );
    }

    #[test]
    fn errors_come_before_warnings_and_nothing_is_repeated() {
        let mut report = Report::default();
        let mut file = FileReport::json("f", &mut report);
        file.warning_at("/a", "third");
        file.error(Place::Root, "first");
        file.warning_at("/a", "third");
        assert_eq!(lines(&report), ["error: f: first", "warning: f: /a: third"]);
        assert!(report.has_errors());
    }

    #[test]
    fn a_quote_is_one_short_line() {
        let long = "x".repeat(QUOTE_LIMIT);
        assert_eq!(quoted("a\nb\u{7}c"), "\"a b c\"");
        assert_eq!(quoted(&format!("{long}y")), format!("\"{long}…\""));
        assert_eq!(quoted(&long), format!("\"{long}\""));
    }
}
