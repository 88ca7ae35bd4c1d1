//! Reads a file's bytes as JSON, in the order of the file.
//!
//! Syntax errors have line, column and the probable reason ([`hint`]). A member that is repeated in
//! one object is an error too: one of the two would be lost without a word.

pub(crate) mod hint;
mod tree;

use serde::de::DeserializeSeed;
use serde_json::Value;

use super::finding::FileReport;
use super::place::Place;

/// Maximum size of a file: 8 MiB.
pub(crate) const MAX_FILE_BYTES: usize = 8 * 1024 * 1024;

/// Decodes a file as UTF-8 text and drops a byte order mark.
///
/// Returns `None` and reports the reason if that is not possible.
pub(crate) fn decode<'b>(bytes: &'b [u8], report: &mut FileReport<'_>) -> Option<&'b str> {
    if bytes.len() > MAX_FILE_BYTES {
        let message = format!(
            "is {} bytes long; the maximum is {MAX_FILE_BYTES}",
            bytes.len()
        );
        report.error(Place::Root, message);
        return None;
    }
    if bytes.starts_with(&[0xFF, 0xFE]) || bytes.starts_with(&[0xFE, 0xFF]) {
        report.error(Place::Root, "is UTF-16 text; save it as UTF-8");
        return None;
    }
    match std::str::from_utf8(bytes) {
        Ok(text) => Some(text.strip_prefix('\u{feff}').unwrap_or(text)),
        Err(error) => {
            let before = bytes.get(..error.valid_up_to()).unwrap_or_default();
            let at = hint::position(&String::from_utf8_lossy(before));
            report.error_at_line(at, "is not UTF-8 text; save the file as UTF-8");
            None
        }
    }
}

/// Parses JSON text. Returns `None` and reports what is wrong and where if that is not possible.
pub(crate) fn parse(text: &str, report: &mut FileReport<'_>) -> Option<Value> {
    if let Some(guess) = hint::other_format(text) {
        report.error(Place::Root, guess);
        return None;
    }
    let repeated = tree::Repeated::default();
    let mut deserializer = serde_json::Deserializer::from_str(text);
    let parsed = tree::Node(&repeated)
        .deserialize(&mut deserializer)
        .and_then(|value| deserializer.end().map(|()| value));
    match parsed {
        Ok(value) => {
            let paths = repeated.into_paths();
            for path in &paths {
                report_repeated(Place::Root, path, report);
            }
            paths.is_empty().then_some(value)
        }
        Err(error) => {
            let syntax = hint::explain(text, &error);
            let message = format!("is not JSON: {}", syntax.reason);
            report.error_at_line((syntax.line, syntax.column), message);
            None
        }
    }
}

fn report_repeated(at: Place<'_>, path: &[String], report: &mut FileReport<'_>) {
    match path {
        [] => report.error(
            at,
            "is repeated in the same object; keep one of the two members",
        ),
        [token, rest @ ..] => report_repeated(at.member(token), rest, report),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::finding::Report;

    fn findings(bytes: &[u8]) -> (Option<Value>, Vec<String>) {
        let mut report = Report::default();
        let mut file = FileReport::json("resume.json", &mut report);
        let value = decode(bytes, &mut file).and_then(|text| parse(text, &mut file));
        (
            value,
            report.sorted().iter().map(|f| f.to_string()).collect(),
        )
    }

    #[test]
    fn the_order_of_members_is_kept_and_a_byte_order_mark_dropped() {
        let (value, found) =
            findings("\u{feff}{\"z\": 1, \"a\": [1.5, -2, true, null, \"ü\"]}".as_bytes());
        assert_eq!(found, Vec::<String>::new());
        assert_eq!(
            value.unwrap().to_string(),
            r#"{"z":1,"a":[1.5,-2,true,null,"ü"]}"#
        );
    }

    #[test]
    fn bytes_that_are_not_utf_8_or_too_many_are_refused() {
        let rows: [(&[u8], &str); 3] = [
            (
                b"\xff\xfe{\0}\0",
                "error: resume.json: is UTF-16 text; save it as UTF-8",
            ),
            (
                b"{\n  \"a\": \"\xe9\"}",
                "error: resume.json:2:9: is not UTF-8 text; save the file as UTF-8",
            ),
            (
                &vec![b' '; MAX_FILE_BYTES + 1],
                "error: resume.json: is 8388609 bytes long; the maximum is 8388608",
            ),
        ];
        for (bytes, expected) in rows {
            assert_eq!(findings(bytes), (None, vec![expected.to_owned()]));
        }
    }

    #[test]
    fn a_repeated_member_is_reported_with_its_place() {
        let text = br#"{"work": [{"name": "a", "name": "b"}], "basics": {}, "work": []}"#;
        let (value, found) = findings(text);
        assert_eq!(value, None);
        assert_eq!(
            found,
            [
                "error: resume.json: /work/0/name: is repeated in the same object; keep one of the two members",
                "error: resume.json: /work: is repeated in the same object; keep one of the two members",
            ]
        );
    }

    #[test]
    fn a_syntax_error_has_line_column_and_reason() {
        let (value, found) = findings(b"{\n  \"basics\": {\n    \"name\": \"A\",\n  }\n}\n");
        assert_eq!(value, None);
        assert_eq!(
            found,
            ["error: resume.json:3:16: is not JSON: trailing comma before `}`; remove the comma"]
        );
    }
}
