//! Estimates how many tokens of a model's context a text takes.

use std::io::{ErrorKind, Write};
use std::ops::Add;

use serde::Serialize;

/// What clients give one answer of a tool, in tokens. Some cut or refuse a longer one.
pub const BUDGET: usize = 25_000;

/// The size of one page of a longer answer, in tokens: below [`BUDGET`] also if the estimate is a
/// fifth too low.
pub const PAGE: usize = 20_000;

/// ASCII characters for each two tokens: JSON takes more tokens than prose, where it is about eight.
const ASCII_FOR_TWO: usize = 7;

/// Returns an estimate: two tokens for seven ASCII characters, and one for any other character.
///
/// Models count differently. For English JSON the estimate is within about a fifth; for text in
/// other scripts it is high.
#[must_use]
pub fn estimate(text: &str) -> usize {
    Size::of(text.as_bytes()).tokens()
}

/// The number of characters of a text, by which its tokens are estimated.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub struct Size {
    ascii: usize,
    others: usize,
}

impl Size {
    /// A comma between two items.
    pub const COMMA: Self = Self {
        ascii: 1,
        others: 0,
    };

    /// Returns the size of UTF-8 text.
    fn of(text: &[u8]) -> Self {
        if text.is_ascii() {
            let ascii = text.len();
            return Self { ascii, others: 0 };
        }
        let count = |is_counted: fn(&u8) -> bool| text.iter().filter(|b| is_counted(b)).count();
        Self {
            ascii: count(u8::is_ascii),
            // Each other character has one byte of this range, its first one.
            others: count(|byte| *byte >= 0xC0),
        }
    }

    /// Returns the size of a value as JSON, without writing it.
    ///
    /// # Errors
    ///
    /// The value cannot be serialized.
    pub fn of_json(value: &impl Serialize) -> Result<Self, serde_json::Error> {
        let mut counter = Counter {
            size: Self::default(),
            max: usize::MAX,
        };
        serde_json::to_writer(&mut counter, value)?;
        Ok(counter.size)
    }

    /// Returns the estimate of the tokens.
    #[must_use]
    pub const fn tokens(self) -> usize {
        (self.ascii * 2).div_ceil(ASCII_FOR_TWO) + self.others
    }
}

impl Add for Size {
    type Output = Self;

    fn add(self, other: Self) -> Self {
        Self {
            ascii: self.ascii + other.ascii,
            others: self.others + other.others,
        }
    }
}

/// Returns whether a value as JSON takes more than `max` tokens. Of a longer one only the start is read.
///
/// # Errors
///
/// The value cannot be serialized.
pub fn exceeds(value: &impl Serialize, max: usize) -> Result<bool, serde_json::Error> {
    let mut counter = Counter {
        size: Size::default(),
        max,
    };
    let written = serde_json::to_writer(&mut counter, value);
    if counter.size.tokens() > max {
        return Ok(true);
    }
    written.map(|()| false)
}

/// Counts what is written. Takes no more once it exceeds `max` tokens.
struct Counter {
    size: Size,
    max: usize,
}

impl Write for Counter {
    fn write(&mut self, written: &[u8]) -> std::io::Result<usize> {
        self.write_all(written).map(|()| written.len())
    }

    fn write_all(&mut self, written: &[u8]) -> std::io::Result<()> {
        self.size = self.size + Size::of(written);
        if self.size.tokens() > self.max {
            return Err(ErrorKind::FileTooLarge.into());
        }
        Ok(())
    }

    fn flush(&mut self) -> std::io::Result<()> {
        Ok(())
    }
}

/// Returns the start of a text that takes about `max` tokens. `None` if the whole text does.
#[must_use]
pub fn start(text: &str, max: usize) -> Option<&str> {
    let mut sevenths = 0;
    let limit = max * ASCII_FOR_TWO;
    let end = text.char_indices().find_map(|(at, c)| {
        sevenths += if c.is_ascii() { 2 } else { ASCII_FOR_TWO };
        (sevenths > limit).then_some(at)
    })?;
    text.get(..end)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn tokens_grow_with_the_text() {
        let rows = [("", 0), ("a", 1), ("seven..", 2), ("漢字", 2), ("é", 1)];
        for (text, expected) in rows {
            assert_eq!(estimate(text), expected, "{text}");
        }
        assert_eq!(estimate(&"x".repeat(35_000)), 10_000);
    }

    #[test]
    fn a_value_has_the_size_of_its_json() {
        for value in [
            serde_json::json!({"a": "é\n漢😀", "b": [1.5, null, "\u{1}"], "c": {}}),
            serde_json::json!("x".repeat(100)),
            serde_json::json!(null),
        ] {
            let text = value.to_string();
            let tokens = estimate(&text);
            assert_eq!(Size::of_json(&value).unwrap().tokens(), tokens, "{text}");
            assert!(exceeds(&value, tokens - 1).unwrap(), "{text}");
            assert!(!exceeds(&value, tokens).unwrap(), "{text}");
            let (one, other) = (Size::of(b"abc"), Size::of("é漢".as_bytes()));
            assert_eq!(one + other + Size::COMMA, Size::of("abcé,漢".as_bytes()));
        }
    }

    #[test]
    fn the_start_of_a_text_has_the_tokens_that_are_asked_for() {
        assert_eq!(start("漢字", 2), None);
        assert_eq!(start("漢字漢", 2), Some("漢字"));
        let text = "x".repeat(36);
        assert_eq!(start(&text, 10).map(estimate), Some(10));
        assert_eq!(start("", 1), None);
    }
}
