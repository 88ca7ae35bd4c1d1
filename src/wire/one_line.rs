//! JSON text on one line, for transports that separate messages by line breaks.

use std::borrow::Cow;

/// Returns JSON text with a space in place of each line break.
///
/// JSON has line breaks only between its tokens, so the value stays the same. What the library writes has
/// none; JSON text of an author, such as a `RawValue`, can have them.
pub(crate) fn one_line(json: &[u8]) -> Cow<'_, [u8]> {
    let is_break = |byte: &u8| matches!(byte, b'\n' | b'\r');
    if !json.iter().any(is_break) {
        return Cow::Borrowed(json);
    }
    let spaced = { json.iter() }.map(|byte| if is_break(byte) { b' ' } else { *byte });
    Cow::Owned(spaced.collect())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn line_breaks_become_spaces() {
        let rows = [
            (r#"{"a":"\n"}"#, r#"{"a":"\n"}"#),
            ("{\n  \"a\": 1\r\n}", "{   \"a\": 1  }"),
        ];
        for (json, expected) in rows {
            assert_eq!(one_line(json.as_bytes()), expected.as_bytes(), "{json}");
        }
    }
}
