//! Reads a file's bytes as JSON: the text as UTF-8, the tree in the file's own order.
//!
//! Syntax faults carry line, column and what is probably wrong ([`hint`]). A member that stands
//! twice in one object is a fault too: one of the two would be lost without a word.

pub(crate) mod hint;
mod tree;

use serde::de::DeserializeSeed;
use serde_json::Value;

use super::finding::{FileReport, Pointer};

/// The largest file that is read at all, in bytes.
pub(crate) const MAX_FILE_BYTES: usize = 8 * 1024 * 1024;

/// Decodes a file as UTF-8 text, without a byte order mark.
///
/// Gives `None` after reporting why not.
pub(crate) fn decode<'b>(bytes: &'b [u8], report: &mut FileReport<'_>) -> Option<&'b str> {
    if bytes.len() > MAX_FILE_BYTES {
        let rule = format!(
            "is {} bytes long; at most {MAX_FILE_BYTES} are read",
            bytes.len()
        );
        report.error(&Pointer::root(), rule);
        return None;
    }
    if bytes.starts_with(&[0xFF, 0xFE]) || bytes.starts_with(&[0xFE, 0xFF]) {
        report.error(&Pointer::root(), "is UTF-16 text; save it as UTF-8");
        return None;
    }
    match std::str::from_utf8(bytes) {
        Ok(text) => Some(text.strip_prefix('\u{feff}').unwrap_or(text)),
        Err(error) => {
            let before = bytes.get(..error.valid_up_to()).unwrap_or_default();
            let (line, column) = hint::position(&String::from_utf8_lossy(before));
            report.error_at(line, column, "is not UTF-8 text; save the file as UTF-8");
            None
        }
    }
}

/// Parses JSON text. Gives `None` after reporting what is wrong and where.
pub(crate) fn parse(text: &str, report: &mut FileReport<'_>) -> Option<Value> {
    if let Some(guess) = hint::not_json_at_all(text) {
        report.error(&Pointer::root(), guess);
        return None;
    }
    let trace = tree::Trace::default();
    let mut deserializer = serde_json::Deserializer::from_str(text);
    let parsed = tree::Node::new(&trace)
        .deserialize(&mut deserializer)
        .and_then(|value| deserializer.end().map(|()| value));
    match parsed {
        Ok(value) => {
            let repeated = trace.into_repeated();
            for at in &repeated {
                report.error(at, "stands twice in the same object; keep one of them");
            }
            repeated.is_empty().then_some(value)
        }
        Err(error) => {
            let fault = hint::explain(text, &error);
            report.error_at(
                fault.line,
                fault.column,
                format!("is not JSON: {}", fault.reason),
            );
            None
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::content::finding::Report;

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
    fn good_text_keeps_its_order_and_loses_its_byte_order_mark() {
        let (value, found) =
            findings("\u{feff}{\"z\": 1, \"a\": [1.5, -2, true, null, \"ü\"]}".as_bytes());
        assert_eq!(found, Vec::<String>::new());
        assert_eq!(
            value.unwrap().to_string(),
            r#"{"z":1,"a":[1.5,-2,true,null,"ü"]}"#
        );
    }

    #[test]
    fn text_that_cannot_be_decoded_says_so() {
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
                "error: resume.json: is 8388609 bytes long; at most 8388608 are read",
            ),
        ];
        for (bytes, expected) in rows {
            assert_eq!(findings(bytes), (None, vec![expected.to_owned()]));
        }
    }

    #[test]
    fn a_member_that_stands_twice_is_reported_with_its_place() {
        let text = br#"{"work": [{"name": "a", "name": "b"}], "basics": {}, "work": []}"#;
        let (value, found) = findings(text);
        assert_eq!(value, None);
        assert_eq!(
            found,
            [
                "error: resume.json: /work/0/name: stands twice in the same object; keep one of them",
                "error: resume.json: /work: stands twice in the same object; keep one of them",
            ]
        );
    }

    #[test]
    fn a_syntax_fault_has_line_column_and_reason() {
        let (value, found) = findings(b"{\n  \"basics\": {\n    \"name\": \"A\",\n  }\n}\n");
        assert_eq!(value, None);
        assert_eq!(
            found,
            ["error: resume.json:3:16: is not JSON: trailing comma before `}`; remove the comma"]
        );
    }
}
