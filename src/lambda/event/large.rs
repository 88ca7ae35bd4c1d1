//! Events with a large body.
//!
//! The body of a request is a JSON text within the JSON of the event, so each quote in it is an escape.
//! `serde_json` reads an escape in about 120 instructions, and has the text twice while it grows. A large
//! body is read here instead, in one pass, and the rest of its event by `serde_json`, without the body.
//! A body that this does not read is read with its event.

use crate::wire::text::plain_prefix;

/// The size of a large event, in bytes. The headers of API Gateway, at most 10 KB, take half of it, so what is
/// large is the body.
const LARGE: usize = 64 * 1024;
const WORD: usize = 8;
const NAME: &str = "\"body\"";

/// An event in two parts.
#[derive(Debug, PartialEq, Eq)]
pub(crate) struct Parts {
    /// The event, in which `body` is `null`.
    pub(crate) rest: String,
    /// The text of the body.
    pub(crate) body: String,
}

/// Takes the body out of a large event. `None` if the event is not large, or has no such body.
pub(crate) fn parts(event: &str) -> Option<Parts> {
    if event.len() < LARGE {
        return None;
    }
    split(event)
}

fn split(event: &str) -> Option<Parts> {
    let start = body_start(event)?;
    let inside = event.get(start + 1..)?;
    let (body, length) = read_string(inside.as_bytes())?;
    let (before, after) = (event.get(..start)?, inside.get(length..)?);
    Some(Parts {
        rest: [before, "null", after].concat(),
        body,
    })
}

/// Returns the index of the opening quote of the string `body` of an event.
fn body_start(event: &str) -> Option<usize> {
    let bytes = event.as_bytes();
    let (mut depth, mut at) = (0_usize, 0);
    loop {
        match bytes.get(at)? {
            b'{' | b'[' => depth += 1,
            b'}' | b']' => depth = depth.checked_sub(1)?,
            b'"' => {
                let end = end_of_string(bytes, at + 1)?;
                if depth == 1
                    && event.get(at..end) == Some(NAME)
                    && let Some(value) = event.get(end..)?.trim_ascii_start().strip_prefix(':')
                {
                    let value = value.trim_ascii_start();
                    return value.starts_with('"').then_some(event.len() - value.len());
                }
                at = end;
                continue;
            }
            _ => {}
        }
        at += 1;
    }
}

/// Returns the index after the closing quote of a string. `at` is the index after its opening quote.
fn end_of_string(bytes: &[u8], mut at: usize) -> Option<usize> {
    loop {
        at += match bytes.get(at)? {
            b'"' => return Some(at + 1),
            b'\\' => 2,
            _ => 1,
        };
    }
}

/// Reads the string at the start of `text`, without its opening quote. Returns it, and the number of bytes that
/// it takes, with its closing quote.
fn read_string(text: &[u8]) -> Option<(String, usize)> {
    // Memory that is not written to is not used.
    let mut out = Vec::with_capacity(text.len());
    let mut rest = text;
    loop {
        let (plain, escaped) = rest.split_at_checked(plain_prefix(rest))?;
        out.extend_from_slice(plain);
        // Where there is an escape, there are usually more.
        rest = match read_escaped(escaped, &mut out)? {
            Read::Plain(rest) => rest,
            Read::End(rest) => {
                let length = text.len() - rest.len();
                return Some((String::from_utf8(out).ok()?, length));
            }
        };
    }
}

/// The text after the bytes that were read.
enum Read<'a> {
    /// The string goes on, probably without escapes.
    Plain(&'a [u8]),
    /// The string has ended.
    End(&'a [u8]),
}

/// Reads byte by byte, until a whole word has no escape.
fn read_escaped<'a>(text: &'a [u8], out: &mut Vec<u8>) -> Option<Read<'a>> {
    let mut bytes = text.iter();
    let mut plain = 0;
    while plain < WORD {
        match *bytes.next()? {
            b'"' => return Some(Read::End(bytes.as_slice())),
            b'\\' => {
                plain = 0;
                let byte = match *bytes.next()? {
                    byte @ (b'"' | b'\\' | b'/') => byte,
                    b'b' => 0x08,
                    b'f' => 0x0c,
                    b'n' => b'\n',
                    b'r' => b'\r',
                    b't' => b'\t',
                    b'u' => {
                        bytes = read_code(bytes.as_slice(), out)?.iter();
                        continue;
                    }
                    _ => return None,
                };
                out.push(byte);
            }
            0..0x20 => return None,
            byte => {
                plain += 1;
                out.push(byte);
            }
        }
    }
    Some(Read::Plain(bytes.as_slice()))
}

/// Reads the four digits after `\u`, and the low surrogate that must follow a high one. Returns the rest of the
/// text.
fn read_code<'a>(text: &'a [u8], out: &mut Vec<u8>) -> Option<&'a [u8]> {
    const DIGITS: usize = 4;
    let (first, rest) = text.split_at_checked(DIGITS)?;
    let second = rest.strip_prefix(b"\\u");
    let second = second.and_then(|second| second.split_at_checked(DIGITS));
    let units = [unit(first), second.and_then(|(digits, _)| unit(digits))];
    // The second unit is decoded only if the first one is a high surrogate.
    let read = char::decode_utf16(units.into_iter().map_while(|unit| unit))
        .next()?
        .ok()?;
    out.extend_from_slice(read.encode_utf8(&mut [0; 4]).as_bytes());
    let has_two = read.len_utf16() == 2;
    Some(second.filter(|_| has_two).map_or(rest, |(_, rest)| rest))
}

/// The number that hexadecimal digits write.
fn unit(digits: &[u8]) -> Option<u16> {
    digits.iter().try_fold(0_u16, |unit, digit| {
        let digit = char::from(*digit).to_digit(16)?;
        unit.checked_mul(16)?
            .checked_add(u16::try_from(digit).ok()?)
    })
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;
    use serde_json::{Value, json};

    fn read(json: &str) -> Option<String> {
        let inside = json.strip_prefix('"')?;
        let (text, length) = read_string(inside.as_bytes())?;
        assert!(inside[..length].ends_with('"'), "{json}");
        Some(text)
    }

    #[test]
    fn strings_are_read_as_by_serde_json() {
        for json in [
            r#""""#,
            r#""plain text, longer than a word""#,
            r#""\"\\\/\b\f\n\r\t""#,
            r#""ä\u00e4€\u20ac😀\ud83d\ude00\u0041b\u0000""#,
            r#""a text, and then \"quotes\" and \\ and the end of a line\n""#,
        ] {
            let expected: String = serde_json::from_str(json).unwrap();
            assert_eq!(read(json), Some(expected), "{json}");
        }
        for json in [
            r#""no end"#,
            r#""\"#,
            r#""\x""#,
            r#""\u12"#,
            r#""\u12g4""#,
            r#""\u+123""#,
            r#""\ud83d""#,
            r#""\ud83d\u0041""#,
            r#""\ude00""#,
            "\"a\nb\"",
            "\"control characters\u{1}\"",
        ] {
            assert!(serde_json::from_str::<String>(json).is_err(), "{json}");
            assert_eq!(read(json), None, "{json}");
        }
    }

    #[test]
    fn the_body_of_the_event_itself_is_taken_out() {
        let others =
            r#"{"a":{"body":"x","b":["body",{"body":"y"}]},"c":"body","d":"\"body\":\"z\"""#;
        let parted = |member: &str| split(&format!("{others},{member},\"last\":[1]}}"));
        let parts = parted(r#""body" : "{\"id\":1}""#).unwrap();
        assert_eq!(parts.body, r#"{"id":1}"#);
        let rest = format!("{others},\"body\" : null,\"last\":[1]}}");
        assert_eq!(parts.rest, rest);
        for member in [
            r#""body":null"#,
            r#""body":{"a":"b"}"#,
            r#""text":"t""#,
            r#""body""#,
        ] {
            assert_eq!(parted(member), None, "{member}");
        }
        for text in ["", "{", "}", r#"{"body":"#, r#"{"body":"a"#, r#"["body"]"#] {
            assert_eq!(split(text), None, "{text}");
        }
    }

    #[test]
    fn a_small_event_stays_in_one_part() {
        let event = |length: usize| json!({"body": "a".repeat(length)}).to_string();
        let overhead = event(0).len();
        assert_eq!(parts(&event(LARGE - overhead - 1)), None);
        assert!(parts(&event(LARGE - overhead)).is_some());
    }

    proptest! {
        #[test]
        fn any_string_is_read_as_by_serde_json(
            json in r#""([a-z ]{0,9}|\\["\\/bfnrtu0-9]|\\u[0-9a-f]{4}|\\ud8[0-9a-f]{2}\\ude[0-9a-f]{2}|ä|€|\t){0,12}""#
        ) {
            prop_assert_eq!(read(&json), serde_json::from_str::<String>(&json).ok());
        }

        #[test]
        fn the_parts_are_the_event(body in ".{0,40}", other in ".{0,10}", name in "[a-d]|body") {
            let event = json!({"x": {&name: &other}, "list": [&other], "body": &body, "isBase64Encoded": false});
            let Parts { rest, body: read } = split(&event.to_string()).unwrap();
            prop_assert_eq!(read, body);
            let mut rest: Value = serde_json::from_str(&rest).unwrap();
            prop_assert_eq!(&rest["body"], &Value::Null);
            rest["body"] = event["body"].clone();
            prop_assert_eq!(rest, event);
        }

        #[test]
        fn any_text_is_split_or_left(text in r#"([\[\]{},:\\ ]|"body"|"b"|"){0,20}"#) {
            let _parts = split(&text);
        }
    }
}
