//! Says in an owner's words what is wrong with text that is not JSON.
//!
//! The parser's error gives the place alone; the reason is read from the text around it, so that
//! nothing hangs on the wording of another library.

/// What is wrong, and where.
#[derive(Debug, PartialEq, Eq)]
pub(super) struct Fault {
    pub(super) line: usize,
    pub(super) column: usize,
    pub(super) reason: String,
}

/// Names the other format, when the text is not an attempt at JSON.
pub(super) fn not_json_at_all(text: &str) -> Option<&'static str> {
    let text = text.trim_start();
    let first_line = text.lines().next().unwrap_or_default();
    if text.is_empty() {
        Some("is empty; it should hold a JSON Resume")
    } else if text.starts_with('<') {
        Some("is not JSON but XML or HTML; it should hold a JSON Resume")
    } else if text.starts_with("---") || is_yaml_member(first_line) {
        Some("is not JSON but looks like YAML; convert it to JSON")
    } else if !text.starts_with(['{', '[', '"', '/']) && !is_scalar(text) {
        Some("is not JSON; a JSON Resume starts with `{`")
    } else {
        None
    }
}

fn is_scalar(text: &str) -> bool {
    serde_json::from_str::<serde::de::IgnoredAny>(text).is_ok()
}

fn is_yaml_member(line: &str) -> bool {
    line.split_once(':').is_some_and(|(name, _)| {
        !name.is_empty()
            && name
                .chars()
                .all(|c| c.is_alphanumeric() || "_$-".contains(c))
    })
}

/// Explains the syntax error that the parser met in the text.
pub(super) fn explain(text: &str, error: &serde_json::Error) -> Fault {
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
    {
        let (line, column) = position(upto_comma);
        let reason = format!("trailing comma before `{close}`; remove the comma");
        return Fault {
            line,
            column,
            reason,
        };
    }
    let (line, column) = position(before);
    Fault {
        line,
        column,
        reason: reason(before, previous.chars().next_back(), found),
    }
}

fn reason(before: &str, previous: Option<char>, found: Option<char>) -> String {
    let Some(found) = found else {
        return "the file ends too early; a `}`, `]` or `\"` is missing".to_owned();
    };
    let text = match (previous, found) {
        _ if is_complete(before) => "something follows the end of the document",
        (_, c) if c.is_control() && inside_string(before) => {
            "a text may not contain a line break or tab; write `\\n` or `\\t`"
        }
        (Some('\\'), _) => "not an escape that JSON knows; write a backslash as `\\\\`",
        (_, '/' | '#') => "JSON has no comments; remove it",
        (_, '\'' | '“' | '”' | '‘' | '’' | '`') => {
            "names and texts stand in straight double quotes (`\"`)"
        }
        (Some(',' | '[' | '{') | None, ',') => "a comma with nothing before it; remove the comma",
        (Some('[' | ':'), '[' | '{') => "lists and objects are nested too deeply",
        (Some('{' | ','), '{' | '[') => "a name in double quotes and a colon are missing here",
        (_, '"' | '{' | '[' | '-' | '0'..='9') => "a comma (or, after a name, a colon) is missing",
        (Some(':'), '}' | ']' | ',') => "a value is missing after the colon",
        (_, '}' | ']') => "this bracket closes nothing, or a value is missing before it",
        (_, c) if c.is_alphabetic() || c == '_' || c == '$' => {
            "a bare word; only `true`, `false` and `null` stand without double quotes"
        }
        _ => return format!("`{}` is not expected here", found.escape_default()),
    };
    text.to_owned()
}

fn is_complete(before: &str) -> bool {
    serde_json::from_str::<serde::de::IgnoredAny>(before).is_ok()
}

/// Whether an odd number of unescaped quotes stands before.
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

/// The byte offset of the character at a line and a column as `serde_json` counts them: from 1,
/// columns in bytes; column 0 is the line break before the line.
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

/// Line and column, in characters from 1, of what follows this text.
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

    fn fault(text: &str) -> (usize, usize, String) {
        let error = serde_json::from_str::<serde_json::Value>(text).unwrap_err();
        let fault = explain(text, &error);
        (fault.line, fault.column, fault.reason)
    }

    #[test]
    fn each_common_slip_has_its_own_words_and_place() {
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
            ("{a: 1}", 1, 2, "a bare word"),
            ("{\"a\": None}", 1, 7, "a bare word"),
            ("{\"a\": \"one\ntwo\"}", 1, 11, "line break"),
            ("{\"a\": \"C:\\dir\"}", 1, 11, "backslash"),
            ("{\"a\": 1}\n{\"b\": 2}", 2, 1, "follows the end"),
            ("{\"a\": 1}}", 1, 9, "follows the end"),
            (deep.as_str(), 1, 128, "nested too deeply"),
        ];
        for (text, line, column, words) in rows {
            let (at_line, at_column, reason) = fault(text);
            assert!(reason.contains(words), "{text:?} gives {reason:?}");
            assert_eq!(
                (at_line, at_column),
                (line, column),
                "{text:?} gives {reason:?}"
            );
        }
    }

    #[test]
    fn other_formats_are_told_apart() {
        let rows = [
            ("", Some("empty")),
            (" \n", Some("empty")),
            ("<html>", Some("HTML")),
            ("---\nbasics:\n", Some("YAML")),
            ("basics:\n  name: A\n", Some("YAML")),
            ("../data/resume.json", Some("starts with `{`")),
            ("{\"basics\": {}}", None),
            ("// me\n{}", None),
            ("[1]", None),
            ("12", None),
        ];
        for (text, expected) in rows {
            let guess = not_json_at_all(text);
            assert_eq!(guess.is_some(), expected.is_some(), "{text:?}");
            assert!(
                guess
                    .unwrap_or_default()
                    .contains(expected.unwrap_or_default()),
                "{guess:?}"
            );
        }
    }
}
