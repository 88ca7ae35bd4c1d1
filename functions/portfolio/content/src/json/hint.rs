//! Explains in plain words why a text is not JSON.
//!
//! The place comes from the parser's error. The reason is read from the text around it, so that it
//! does not depend on the wording of another library.

/// A syntax error: where, and the probable reason.
#[derive(Debug, PartialEq, Eq)]
pub(super) struct SyntaxError {
    /// Line, from 1.
    pub(super) line: usize,
    /// Column in characters, from 1.
    pub(super) column: usize,
    pub(super) reason: String,
}

impl SyntaxError {
    fn new(before: &str, reason: impl Into<String>) -> Self {
        let (line, column) = position(before);
        Self {
            line,
            column,
            reason: reason.into(),
        }
    }
}

/// How to convert YAML, as a part of a message.
pub(crate) const CONVERT_YAML: &str = "put dates in quotes (YAML reads `2019.10` as the number \
    2019.1), then convert it: `yq -o=json resume.yaml > resume.json`";

/// Names the format of a text that is not an attempt at JSON.
pub(super) fn other_format(text: &str) -> Option<String> {
    let text = text.trim_start();
    let is_comment = |line: &&str| line.is_empty() || line.starts_with('#');
    let first_line = text
        .lines()
        .find(|line| !is_comment(line))
        .unwrap_or_default();
    if text.is_empty() {
        Some("is empty; it must contain a JSON Resume".to_owned())
    } else if text.starts_with('<') {
        Some("is XML or HTML, not JSON; it must contain a JSON Resume".to_owned())
    } else if text.starts_with("---") || is_yaml_member(first_line) {
        Some(format!("is YAML, not JSON; {CONVERT_YAML}"))
    } else if !text.starts_with(['{', '[', '"', '/']) && !is_scalar(text) {
        Some("is not JSON; a JSON Resume starts with `{`".to_owned())
    } else {
        None
    }
}

fn is_scalar(text: &str) -> bool {
    serde_json::from_str::<serde::de::IgnoredAny>(text).is_ok()
}

/// Returns whether a line starts as a member of a YAML mapping does: `basics:`.
fn is_yaml_member(line: &str) -> bool {
    line.split_once(':').is_some_and(|(name, _)| {
        !name.is_empty()
            && name
                .chars()
                .all(|c| c.is_alphanumeric() || "_$-".contains(c))
    })
}

/// Explains a syntax error of the parser.
pub(super) fn explain(text: &str, error: &serde_json::Error) -> SyntaxError {
    let at = if error.is_eof() {
        text.trim_end().len()
    } else {
        offset(text, error.line(), error.column())
    };
    let before = text.get(..at).unwrap_or(text);
    let previous = before.trim_end();
    let found = text
        .get(at..)
        .and_then(|rest| rest.chars().next())
        .filter(|_| !error.is_eof());
    if let Some(close @ (']' | '}')) = found
        && let Some(upto_comma) = previous.strip_suffix(',')
        && !inside_string(before)
    {
        let reason = format!("trailing comma before `{close}`; remove the comma");
        return SyntaxError::new(upto_comma, reason);
    }
    if let Some((before, reason)) = broken_escape(text, at) {
        return SyntaxError::new(before, reason);
    }
    SyntaxError::new(before, reason(before, previous.chars().next_back(), found))
}

/// Finds the `\\u` escape that the parser could not read at `at`. Returns the text before it and the
/// reason.
fn broken_escape(text: &str, at: usize) -> Option<(&str, &'static str)> {
    /// The length of an escape such as `\\ud83d`.
    const ESCAPE: usize = 6;
    let code = |at: usize| {
        let escape = text.get(at..at + ESCAPE)?.strip_prefix("\\u")?;
        u16::from_str_radix(escape, 16).ok()
    };
    let is_high = |at| code(at).is_some_and(|code| (0xD800..0xDC00).contains(&code));
    let is_low = |at| code(at).is_some_and(|code| (0xDC00..0xE000).contains(&code));
    let start = at.saturating_sub(2 * ESCAPE + 1);
    let escapes = (start..=at).filter(|at| text.get(*at..).is_some_and(|t| t.starts_with("\\u")));
    let reason = |at: usize| {
        let follows_high = at.checked_sub(ESCAPE).is_some_and(is_high);
        if code(at).is_none() {
            Some("incomplete escape; `\\u` takes four hexadecimal digits")
        } else if (is_high(at) && !is_low(at + ESCAPE)) || (is_low(at) && !follows_high) {
            Some("`\\u` with half of a character (a lone surrogate); write the character itself")
        } else {
            None
        }
    };
    escapes
        .filter_map(|at| Some((text.get(..at)?, reason(at)?)))
        .next()
}

fn reason(before: &str, previous: Option<char>, found: Option<char>) -> String {
    let Some(found) = found else {
        return "the file ends too early; a `}`, `]` or `\"` is missing".to_owned();
    };
    let is_text = inside_string(before);
    let text = match (previous, found) {
        (_, c) if c.is_control() && is_text => {
            "a text cannot contain a line break or tab; write `\\n` or `\\t`"
        }
        (Some('\\'), _) if is_text => "unknown escape; write a backslash as `\\\\`",
        _ if is_complete(before) => "there is more text after the end of the document",
        (_, '/' | '#') => "JSON has no comments; remove it",
        (_, '\'' | '“' | '”' | '‘' | '’' | '`') => {
            "names and texts need straight double quotes (`\"`)"
        }
        (Some(',' | '[' | '{') | None, ',') => "a comma with nothing before it; remove the comma",
        (Some('[' | ':'), '[' | '{') => "lists and objects are nested too deeply",
        (Some('{' | ','), '{' | '[') => "a name in double quotes and a colon are missing here",
        (_, '"' | '{' | '[' | '-' | '0'..='9') => "a comma (or, after a name, a colon) is missing",
        (Some(':'), '}' | ']' | ',') => "a value is missing after the colon",
        (_, '}' | ']') => "this bracket closes nothing, or a value is missing before it",
        (_, c) if c.is_alphabetic() || c == '_' || c == '$' => {
            "unknown word; only `true`, `false` and `null` are written without double quotes"
        }
        _ => return format!("`{}` is not expected here", found.escape_default()),
    };
    text.to_owned()
}

fn is_complete(before: &str) -> bool {
    serde_json::from_str::<serde::de::IgnoredAny>(before).is_ok()
}

/// Returns whether the end of this text is inside a JSON string.
fn inside_string(before: &str) -> bool {
    let mut inside = false;
    let mut escaped = false;
    for c in before.chars() {
        match c {
            _ if escaped => escaped = false,
            '\\' if inside => escaped = true,
            '"' => inside = !inside,
            _ => {}
        }
    }
    inside
}

/// Returns the byte offset of a line and a column as `serde_json` counts them: from 1, columns in
/// bytes. Column 0 is the line break before the line.
fn offset(text: &str, line: usize, column: usize) -> usize {
    let start: usize = text
        .split_inclusive('\n')
        .take(line.saturating_sub(1))
        .map(str::len)
        .sum();
    let mut at = (start + column).saturating_sub(1).min(text.len());
    while !text.is_char_boundary(at) {
        at -= 1;
    }
    at
}

/// Returns line and column, in characters from 1, of what follows this text.
pub(crate) fn position(before: &str) -> (usize, usize) {
    let line = before.matches('\n').count() + 1;
    let column = before
        .rsplit('\n')
        .next()
        .unwrap_or_default()
        .chars()
        .count()
        + 1;
    (line, column)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn explained(text: &str) -> (usize, usize, String) {
        let error = serde_json::from_str::<serde_json::Value>(text).unwrap_err();
        let syntax = explain(text, &error);
        (syntax.line, syntax.column, syntax.reason)
    }

    #[test]
    fn each_common_mistake_has_a_reason_and_a_place() {
        let deep = "[".repeat(200);
        let rows = [
            ("{\"a\": 1,}", 1, 8, "trailing comma before `}`"),
            ("{\"a\": [1,\n 2,\n\n]}", 2, 3, "trailing comma before `]`"),
            ("{\"a\": \"ü\",}", 1, 10, "trailing comma before `}`"),
            ("{\n// me\n\"a\": 1}", 2, 1, "no comments"),
            ("{\"a\": 1 # me\n}", 1, 9, "no comments"),
            ("{'a': 1}", 1, 2, "straight double quotes"),
            ("{\"a\": “b”}", 1, 7, "straight double quotes"),
            (
                "{\"a\": 1 \"b\": 2}",
                1,
                9,
                "a comma (or, after a name, a colon) is missing",
            ),
            (
                "{\"a\": [\"b\" \"c\"]}",
                1,
                12,
                "a comma (or, after a name, a colon) is missing",
            ),
            ("{\"a\": [1,,2]}", 1, 10, "a comma with nothing before it"),
            ("{{\"a\": 1}}", 1, 2, "a name in double quotes"),
            ("{\"a\": 1", 1, 8, "ends too early"),
            ("{\"a\": 1,\n", 1, 9, "ends too early"),
            ("{\"a\": }", 1, 7, "a value is missing after the colon"),
            ("{a: 1}", 1, 2, "unknown word"),
            ("{\"a\": None}", 1, 7, "unknown word"),
            ("{\"a\": \"one\ntwo\"}", 1, 11, "line break"),
            ("{\"a\": \"C:\\dir\"}", 1, 11, "backslash"),
            ("{\"a\": 1}\n{\"b\": 2}", 2, 1, "after the end"),
            ("{\"a\": 1}}", 1, 9, "after the end"),
            ("{\"a\": \"x\\ud83d\", \"b\": 1}", 1, 9, "lone surrogate"),
            ("{\"a\": \"\\ud83d x\"}", 1, 8, "lone surrogate"),
            ("{\"a\": \"\\uDE00 x\"}", 1, 8, "lone surrogate"),
            ("{\"a\": \"\\ud83d\\u0041\"}", 1, 8, "lone surrogate"),
            (
                "{\"a\": \"\\ud83d\\ude00\\ud83d\"}",
                1,
                20,
                "lone surrogate",
            ),
            ("{\"a\": \"\\ud83d\\ude00 \\q\"}", 1, 22, "unknown escape"),
            ("{\"a\": \"\\u12\"}", 1, 8, "four hexadecimal digits"),
            (deep.as_str(), 1, 128, "nested too deeply"),
        ];
        for (text, line, column, words) in rows {
            let (at_line, at_column, reason) = explained(text);
            assert!(reason.contains(words), "{text:?} gives {reason:?}");
            assert_eq!(
                (at_line, at_column),
                (line, column),
                "{text:?} gives {reason:?}"
            );
        }
    }

    #[test]
    fn other_formats_are_recognized() {
        let rows = [
            ("", Some("empty")),
            (" \n", Some("empty")),
            ("<html>", Some("HTML")),
            ("---\nbasics:\n", Some("YAML")),
            ("basics:\n  name: A\n", Some("YAML")),
            ("# me\nbasics:\n", Some("yq -o=json")),
            ("../data/resume.json", Some("starts with `{`")),
            ("{\"basics\": {}}", None),
            ("// me\n{}", None),
            ("[1]", None),
            ("12", None),
        ];
        for (text, expected) in rows {
            let guess = other_format(text);
            assert_eq!(guess.is_some(), expected.is_some(), "{text:?}");
            assert!(
                guess
                    .clone()
                    .unwrap_or_default()
                    .contains(expected.unwrap_or_default()),
                "{guess:?}"
            );
        }
    }
}
