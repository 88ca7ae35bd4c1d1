//! What a check of the owner's files found: errors that stop the function, warnings about what is
//! served anyway, notes about what is kept back.
//!
//! Each finding names the file, the place in it and the rule. Private values are never quoted;
//! other values at most at [`QUOTE_LIMIT`] characters.

use std::fmt;

/// The most characters of an owner's value that a finding repeats.
const QUOTE_LIMIT: usize = 40;

/// How much a finding weighs.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) enum Severity {
    /// The function does not start on this.
    Error,
    /// Served anyway, but probably not what the owner wants.
    Warning,
    /// For the owner to know; nothing is wrong.
    Note,
}

/// Where in a file a finding is.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) enum Place {
    /// The file as a whole.
    File,
    /// A line and a column, both from 1.
    Line(usize, usize),
    /// A member, as a JSON Pointer (RFC 6901).
    Pointer(Pointer),
    /// A key of a TOML file, dotted.
    Key(String),
}

/// One thing the check found.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct Finding {
    severity: Severity,
    file: String,
    place: Place,
    rule: String,
}

impl Finding {
    /// How much it weighs.
    pub(crate) const fn severity(&self) -> Severity {
        self.severity
    }
}

impl fmt::Display for Finding {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let severity = match self.severity {
            Severity::Error => "error",
            Severity::Warning => "warning",
            Severity::Note => "note",
        };
        write!(f, "{severity}: {}", self.file)?;
        match &self.place {
            Place::File => {}
            Place::Line(line, column) => write!(f, ":{line}:{column}")?,
            Place::Pointer(pointer) => write!(f, ": {pointer}")?,
            Place::Key(key) => write!(f, ": {key}")?,
        }
        write!(f, ": {}", self.rule)
    }
}

/// Everything the check of one set of files found, in the order it was found.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub(crate) struct Report {
    findings: Vec<Finding>,
}

impl Report {
    /// Adds a finding.
    pub(crate) fn add(
        &mut self,
        severity: Severity,
        file: &str,
        place: Place,
        rule: impl Into<String>,
    ) {
        self.findings.push(Finding {
            severity,
            file: file.to_owned(),
            place,
            rule: rule.into(),
        });
    }

    /// Whether the function must not start.
    pub(crate) fn has_errors(&self) -> bool {
        self.count(Severity::Error) > 0
    }

    /// How many findings have this weight.
    pub(crate) fn count(&self, severity: Severity) -> usize {
        self.of(severity).count()
    }

    /// The findings of one weight.
    pub(crate) fn of(&self, severity: Severity) -> impl Iterator<Item = &Finding> {
        self.findings
            .iter()
            .filter(move |finding| finding.severity() == severity)
    }

    /// All findings, the heaviest first, else in the order found.
    pub(crate) fn sorted(&self) -> Vec<&Finding> {
        let mut all: Vec<_> = self.findings.iter().collect();
        all.sort_by_key(|finding| finding.severity());
        all
    }
}

/// A report bound to one file, so that a check says only place and rule.
#[derive(Debug)]
pub(crate) struct FileReport<'r> {
    file: &'r str,
    toml: bool,
    report: &'r mut Report,
}

impl<'r> FileReport<'r> {
    /// Binds the report to a JSON file: places are written as JSON Pointers.
    pub(crate) const fn json(file: &'r str, report: &'r mut Report) -> Self {
        Self {
            file,
            toml: false,
            report,
        }
    }

    /// Binds the report to a TOML file: places are written as dotted keys.
    pub(crate) const fn toml(file: &'r str, report: &'r mut Report) -> Self {
        Self {
            file,
            toml: true,
            report,
        }
    }

    /// Adds an error about the member at `at`.
    pub(crate) fn error(&mut self, at: &Pointer, rule: impl Into<String>) {
        let place = self.place(at);
        self.report.add(Severity::Error, self.file, place, rule);
    }

    /// Adds a warning about the member at `at`.
    pub(crate) fn warning(&mut self, at: &Pointer, rule: impl Into<String>) {
        let place = self.place(at);
        self.report.add(Severity::Warning, self.file, place, rule);
    }

    /// Adds an error about a line.
    pub(crate) fn error_at(&mut self, line: usize, column: usize, rule: impl Into<String>) {
        self.report
            .add(Severity::Error, self.file, Place::Line(line, column), rule);
    }

    fn place(&self, at: &Pointer) -> Place {
        if at.is_root() {
            Place::File
        } else if self.toml {
            Place::Key(at.dotted())
        } else {
            Place::Pointer(at.clone())
        }
    }
}

/// A place in a JSON document, as RFC 6901 writes it: `/work/0/startDate`.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub(crate) struct Pointer {
    tokens: Vec<String>,
}

impl Pointer {
    /// The whole document.
    pub(crate) const fn root() -> Self {
        Self { tokens: Vec::new() }
    }

    /// The member or item `token` of the place.
    pub(crate) fn join(&self, token: impl fmt::Display) -> Self {
        let mut tokens = self.tokens.clone();
        tokens.push(token.to_string());
        Self { tokens }
    }

    /// Whether it is the whole document.
    pub(crate) const fn is_root(&self) -> bool {
        self.tokens.is_empty()
    }

    /// The same place as a dotted key.
    pub(crate) fn dotted(&self) -> String {
        self.tokens.join(".")
    }
}

impl fmt::Display for Pointer {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        for token in &self.tokens {
            write!(f, "/{}", token.replace('~', "~0").replace('/', "~1"))?;
        }
        Ok(())
    }
}

/// Quotes an owner's value for a finding: one line, no control characters, cut to
/// [`QUOTE_LIMIT`] characters.
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

    #[test]
    fn a_finding_names_severity_file_place_and_rule() {
        let at = Pointer::root().join("work").join(0).join("a/b~c");
        let rows = [
            (Place::File, "error: resume.json: bad"),
            (Place::Line(3, 9), "error: resume.json:3:9: bad"),
            (
                Place::Pointer(at),
                "error: resume.json: /work/0/a~1b~0c: bad",
            ),
            (
                Place::Key("publish.phone".to_owned()),
                "error: resume.json: publish.phone: bad",
            ),
        ];
        for (place, expected) in rows {
            let mut report = Report::default();
            report.add(Severity::Error, "resume.json", place, "bad");
            assert_eq!(report.sorted()[0].to_string(), expected);
        }
    }

    #[test]
    fn errors_come_before_warnings_and_notes() {
        let mut report = Report::default();
        report.add(Severity::Note, "f", Place::File, "third");
        report.add(Severity::Warning, "f", Place::File, "second");
        report.add(Severity::Error, "f", Place::File, "first");
        let words: Vec<_> = report.sorted().iter().map(|f| f.to_string()).collect();
        assert_eq!(
            words,
            ["error: f: first", "warning: f: second", "note: f: third"]
        );
        assert!(report.has_errors());
    }

    #[test]
    fn a_quote_is_one_short_line() {
        assert_eq!(quoted("a\nb\u{7}c"), "\"a b c\"");
        assert_eq!(
            quoted(&"x".repeat(50)),
            format!("\"{}…\"", "x".repeat(QUOTE_LIMIT))
        );
        assert_eq!(
            quoted(&"x".repeat(QUOTE_LIMIT)),
            format!("\"{}\"", "x".repeat(QUOTE_LIMIT))
        );
    }
}
