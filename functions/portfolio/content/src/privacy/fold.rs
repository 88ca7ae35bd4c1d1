//! [`Folded`]: the form in which private values are compared with text.
//!
//! Percent and HTML entity escapes are decoded, compatibility forms are decomposed (NFKD) and marks
//! dropped, case is ignored, the digits of every script are ASCII digits. Only letters, digits and
//! `@` are left: spaces, punctuation, format characters and other separators do not count.

use std::ops::Range;

use icu_normalizer::DecomposingNormalizerBorrowed;

use super::decode::{Source, decode, is_escaped};
use super::digits;

/// A text in the form for comparison, with the place of each character in the source.
#[derive(Debug, Default)]
pub(super) struct Folded {
    chars: Vec<char>,
    sources: Vec<(u32, u32)>,
}

impl Folded {
    /// Folds a text.
    pub(super) fn of(text: &str) -> Self {
        let mut folded = Self::default();
        folded.fold(text);
        folded
    }

    /// Replaces the content by another text. Keeps the memory.
    pub(super) fn fold(&mut self, text: &str) {
        self.chars.clear();
        self.sources.clear();
        if is_escaped(text) {
            for source in decode(text) {
                self.push(&source);
            }
        } else {
            // Nearly all texts are read here, and nearly all of them are ASCII.
            self.chars.reserve(text.len());
            self.sources.reserve(text.len());
            for (start, c) in text.char_indices() {
                let end = start + c.len_utf8();
                if !c.is_ascii() {
                    self.push(&Source { c, start, end });
                } else if let Some(c) = ascii(c) {
                    self.chars.push(c);
                    self.sources.push((place(start), place(end)));
                }
            }
        }
    }

    /// The characters.
    pub(super) fn chars(&self) -> &[char] {
        &self.chars
    }

    /// Returns the bytes of the source that a range of the characters comes from.
    pub(super) fn source(&self, range: &Range<usize>) -> Range<usize> {
        let start = self.sources.get(range.start);
        let last = range.end.checked_sub(1).and_then(|at| self.sources.get(at));
        match (start, last) {
            (Some((start, _)), Some((_, end))) => *start as usize..*end as usize,
            _ => 0..0,
        }
    }

    /// Returns whether nothing is between two neighbours in the source.
    pub(super) fn is_adjacent(&self, first: usize) -> bool {
        let (first, second) = (self.sources.get(first), self.sources.get(first + 1));
        matches!((first, second), (Some((_, end)), Some((start, _))) if end >= start)
    }

    fn push(&mut self, source: &Source) {
        if source.c.is_ascii() {
            if let Some(c) = ascii(source.c) {
                self.add(c, source);
            }
            return;
        }
        each_of(source.c, |c| self.add(c, source));
    }

    fn add(&mut self, c: char, source: &Source) {
        self.chars.push(c);
        self.sources.push((place(source.start), place(source.end)));
    }
}

/// Passes on the form of a character: none, one or several characters.
pub(super) fn each_of(c: char, mut pass_on: impl FnMut(char)) {
    let nfkd = DecomposingNormalizerBorrowed::new_nfkd();
    for c in nfkd.normalize_iter(std::iter::once(c)) {
        for c in c.to_lowercase() {
            let c = digits::to_ascii(c);
            if (c.is_alphanumeric() || c == '@') && !is_filler(c) {
                pass_on(c);
            }
        }
    }
}

/// Returns the form of an ASCII character. `None` if it does not count.
pub(super) const fn ascii(c: char) -> Option<char> {
    if c.is_ascii_alphanumeric() || c == '@' {
        Some(c.to_ascii_lowercase())
    } else {
        None
    }
}

/// Returns a place in a source. Files are smaller than `u32::MAX`.
fn place(at: usize) -> u32 {
    u32::try_from(at).unwrap_or(u32::MAX)
}

/// Returns the folded characters of a text.
pub(super) fn folded(text: &str) -> Vec<char> {
    Folded::of(text).chars
}

/// Letters that are not visible: the Hangul fillers.
const fn is_filler(c: char) -> bool {
    matches!(c, '\u{115F}' | '\u{1160}' | '\u{3164}' | '\u{FFA0}')
}

#[cfg(test)]
mod tests {
    use super::*;

    fn text(source: &str) -> String {
        folded(source).into_iter().collect()
    }

    #[test]
    fn every_way_of_writing_a_value_is_one_form() {
        for written in [
            "ada@quill.example",
            "ADA@Quill.Example",
            "ada%40quill.example",
            "ada%2540quill%252Eexample",
            "ada&#64;quill&#x2e;example",
            "ada&commat;quill&period;example",
            "ａｄａ＠ｑｕｉｌｌ．ｅｘａｍｐｌｅ",
            "a\u{200b}d\u{ad}a@\u{2060}quill.\u{e0041}example",
            "ada @ quill . example",
            "a\u{3164}d\u{34f}a@quill\u{180e}.exa\u{2800}mple",
            "ádä@quill.example",
        ] {
            assert_eq!(text(written), "ada@quillexample", "{written:?}");
        }
        for written in [
            "+1 (202) 555-0142",
            "1.202.555.0142",
            "%2B1%20202%20555%200142",
            "+1&nbsp;202&#8209;555&#x2011;0142",
            "＋１ ２０２ ５５５ ０１４２",
            "١٢٠٢٥٥٥٠١٤٢",
            "१२०२५५५०१४२",
            "①②⓪②⑤⑤⑤⓪①④②",
            "1️⃣2️⃣0️⃣2️⃣5️⃣5️⃣5️⃣0️⃣1️⃣4️⃣2️⃣",
            "𝟏𝟐𝟎𝟐𝟓𝟓𝟓𝟎𝟏𝟒𝟐",
            "¹²⁰²⁵⁵⁵⁰¹⁴²",
        ] {
            assert_eq!(text(written), "12025550142", "{written:?}");
        }
    }

    #[test]
    fn places_are_those_of_the_source() {
        let source = "x %41＠b";
        let folded = Folded::of(source);
        assert_eq!(folded.chars(), ['x', 'a', '@', 'b']);
        let place = |range| &source[folded.source(&range)];
        assert_eq!(place(0..1), "x");
        assert_eq!(place(1..2), "%41");
        assert_eq!(place(1..4), "%41＠b");
        assert_eq!(folded.source(&(4..4)), 0..0);
        assert!(!folded.is_adjacent(0) && folded.is_adjacent(1) && !folded.is_adjacent(3));
    }
}
