//! [`Index`]: finds private values in folded text, in one pass.

use std::collections::{BTreeMap, HashMap, HashSet};
use std::ops::Range;

use super::fold::{Folded, ascii, each_of};
use super::value::{Form, PrivateValue, SHORTEST};

/// The first characters of a pattern, by which it is found.
type Key = [char; SHORTEST];

/// Maximum number of digits of a phone number (E.164), with an international prefix.
const LONGEST_NUMBER: usize = 17;

/// The private values of all files, indexed by their first characters.
///
/// A pass over a text takes one look-up for each character, and compares only values that begin
/// with the same [`SHORTEST`] characters.
#[derive(Debug, Default)]
pub(super) struct Index {
    values: Vec<PrivateValue>,
    by_key: HashMap<Key, Vec<usize>>,
    /// The hashes of the keys, as a set of bits: most places in a text need no other look-up.
    filter: Filter,
    /// The same as `by_key`, by the keys in the form of a [`Window`].
    by_window: BTreeMap<Window, Vec<usize>>,
}

impl Index {
    pub(super) fn new(values: Vec<PrivateValue>) -> Self {
        let mut index = Self::default();
        let mut known = HashSet::new();
        for value in values {
            if !known.insert(value.clone()) {
                continue;
            }
            let Some(key) = value.pattern.first_chunk::<SHORTEST>() else {
                continue;
            };
            let window = Window::of(key);
            index.filter.insert(window);
            let with_window = index.by_window.entry(window).or_default();
            with_window.push(index.values.len());
            let with_key = index.by_key.entry(*key).or_default();
            with_key.push(index.values.len());
            index.values.push(value);
        }
        index
    }

    pub(super) const fn is_empty(&self) -> bool {
        self.values.is_empty()
    }

    /// Removes the values that are not contact data and for which `is_public` holds.
    pub(super) fn without_public(self, is_public: impl Fn(usize) -> bool) -> Self {
        let values = self.values.into_iter().enumerate();
        let private = values.filter(|(at, value)| value.is_contact || !is_public(*at));
        Self::new(private.map(|(_, value)| value).collect())
    }

    /// Returns the value that is the whole text, if one is and it is not contact data.
    pub(super) fn whole(&self, text: &Folded) -> Option<usize> {
        let key = text.chars().first_chunk::<SHORTEST>()?;
        let values = self.by_key.get(key)?;
        values.iter().copied().find(|at| {
            let value = self.values.get(*at);
            value.is_some_and(|value| !value.is_contact && value.pattern == text.chars())
        })
    }

    /// Returns whether a value that is not contact data is among the values.
    pub(super) fn has_other_than_contact(&self) -> bool {
        self.values.iter().any(|value| !value.is_contact)
    }

    /// Returns whether [`find`](Self::find) has to look at a text. It takes a small part of the time,
    /// since the text is folded without its places, and most texts hold no private value.
    pub(super) fn may_find(&self, text: &str) -> bool {
        let mut window = Window::default();
        for (at, byte) in text.bytes().enumerate() {
            let c = match byte {
                b'a'..=b'z' | b'0'..=b'9' | b'@' => byte,
                b'A'..=b'Z' => byte.to_ascii_lowercase(),
                // An escape can encode any character.
                b'%' | b'&' => return true,
                // The first byte of another character; its other bytes are skipped.
                0xC0.. => {
                    let mut is_known = false;
                    let c = text.get(at..).and_then(|rest| rest.chars().next());
                    each_of(c.unwrap_or_default(), |c| {
                        window = window.followed_by(c);
                        is_known |= self.filter.may_contain(window) && self.begins(window, None);
                    });
                    if is_known {
                        return true;
                    }
                    continue;
                }
                _ => continue,
            };
            window = window.followed_by(char::from(c));
            if self.filter.may_contain(window) && self.begins(window, text.get(at + 1..)) {
                return true;
            }
        }
        false
    }

    /// Returns whether a value can begin with a window and go on as `rest` does, the text after it. A name
    /// often begins as an address does. Without `rest`, only the window is compared.
    fn begins(&self, window: Window, rest: Option<&str>) -> bool {
        let values = self.by_window.get(&window).into_iter().flatten();
        let mut values = values.filter_map(|at| self.values.get(*at));
        values.any(|value| {
            let pattern = value.pattern.get(SHORTEST..).unwrap_or_default();
            rest.is_none_or(|rest| can_begin(rest, pattern))
        })
    }

    /// Returns the places of private values in the source of a text, in order of their start.
    pub(super) fn find(&self, text: &Folded) -> Vec<Range<usize>> {
        let mut found = Vec::new();
        for (at, key) in text.chars().windows(SHORTEST).enumerate() {
            let Ok(key) = <&Key>::try_from(key) else {
                continue;
            };
            if !self.filter.may_contain(Window::of(key)) {
                continue;
            }
            let values = self.by_key.get(key).into_iter().flatten();
            let values = values.filter_map(|value| self.values.get(*value));
            found.extend(values.filter_map(|value| place(value, text, at)));
        }
        found.sort_unstable_by_key(|range| range.start);
        found
    }
}

/// Returns whether the form of a text can begin with these characters.
fn can_begin(text: &str, wanted: &[char]) -> bool {
    let mut wanted = wanted.iter();
    let mut chars = text.chars();
    while !wanted.as_slice().is_empty() {
        let mut fits = true;
        match chars.next() {
            None => return false,
            Some('%' | '&') => return true,
            Some(c) if c.is_ascii() => {
                fits = ascii(c).is_none_or(|c| wanted.next() == Some(&c));
            }
            Some(c) => each_of(c, |c| {
                fits &= wanted.next().is_none_or(|wanted| *wanted == c);
            }),
        }
        if !fits {
            return false;
        }
    }
    true
}

/// Returns the bytes of the source that a value takes, if it is at `start` of the folded text.
fn place(value: &PrivateValue, text: &Folded, start: usize) -> Option<Range<usize>> {
    let end = start + value.pattern.len();
    if text.chars().get(start..end)? != value.pattern {
        return None;
    }
    let starts = is_boundary(text, start);
    let ends = is_boundary(text, end);
    let start = match value.form {
        Form::Text | Form::Number => (starts && ends).then_some(start),
        Form::Coordinate => starts.then_some(start),
        Form::Phone => Some(number_start(value, text, start)),
    }?;
    Some(text.source(&(start..end)))
}

/// Returns whether a value may begin or end before the character at `at`. A longer word or number
/// that contains a value is another value.
fn is_boundary(text: &Folded, at: usize) -> bool {
    let neighbours = at.checked_sub(1).and_then(|before| {
        let (before, after) = (text.chars().get(before)?, text.chars().get(at)?);
        text.is_adjacent(at - 1).then_some((*before, *after))
    });
    let is_word = |c: char| c == '@' || (c.is_alphanumeric() && !has_no_spaces(c));
    !neighbours.is_some_and(|(before, after)| {
        is_word(before) && is_word(after) && before.is_ascii() == after.is_ascii()
    })
}

/// Returns whether words are written without spaces in the script of a letter: Thai, Lao, Khmer,
/// Burmese, and the scripts of China and Japan.
const fn has_no_spaces(c: char) -> bool {
    matches!(c, '\u{0E00}'..='\u{0EFF}' | '\u{1000}'..='\u{109F}' | '\u{1780}'..='\u{17FF}'
        | '\u{3000}'..='\u{9FFF}' | '\u{F900}'..='\u{FAFF}' | '\u{20000}'..='\u{3FFFF}')
}

/// Returns where the number begins that ends with the last digits of a phone number: as far as its
/// digits are those of the known number, then to the beginning of the group of digits.
fn number_start(value: &PrivateValue, text: &Folded, start: usize) -> usize {
    let digit = |at: usize| text.chars().get(at).filter(|c| c.is_ascii_digit());
    let mut known = value.prefix.iter().rev();
    let mut start = start;
    for _ in 0..LONGEST_NUMBER {
        let Some(before) = start.checked_sub(1) else {
            break;
        };
        let Some(found) = digit(before) else { break };
        if known.next() != Some(found) && !text.is_adjacent(before) {
            break;
        }
        start = before;
    }
    start
}

/// The last [`SHORTEST`] characters of a text in 40 bits. Characters that are not ASCII overlap, so two
/// keys can have the same window.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, PartialOrd, Ord)]
struct Window(u64);

impl Window {
    const BITS: usize = 8 * SHORTEST;

    fn of(key: &Key) -> Self {
        let chars = key.iter();
        { chars }.fold(Self::default(), |window, c| window.followed_by(*c))
    }

    #[inline]
    const fn followed_by(self, c: char) -> Self {
        Self(((self.0 << 8) ^ c as u64) & ((1 << Self::BITS) - 1))
    }
}

/// A set of hashes of windows. May claim to contain a window that it does not.
#[derive(Debug)]
struct Filter(Box<[u64; Self::WORDS]>);

impl Default for Filter {
    fn default() -> Self {
        Self(Box::new([0; Self::WORDS]))
    }
}

impl Filter {
    const WORDS: usize = 1 << 10;

    #[inline]
    const fn bit(window: Window) -> (usize, u64) {
        let hash = window.0.wrapping_mul(0x9E37_79B9_7F4A_7C15) >> 48;
        (hash as usize / 64 % Self::WORDS, 1 << (hash % 64))
    }

    fn insert(&mut self, window: Window) {
        let (word, bit) = Self::bit(window);
        if let Some(word) = self.0.get_mut(word) {
            *word |= bit;
        }
    }

    #[inline]
    fn may_contain(&self, window: Window) -> bool {
        let (word, bit) = Self::bit(window);
        self.0.get(word).is_some_and(|word| word & bit != 0)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn found(index: &Index, text: &str) -> Vec<String> {
        let ranges = index.find(&Folded::of(text));
        assert!(ranges.is_empty() || index.may_find(text), "{text}");
        let ranges = ranges.into_iter();
        ranges.map(|range| text[range].to_owned()).collect()
    }

    #[test]
    fn a_text_is_looked_at_if_it_can_hold_a_value_and_seldom_otherwise() {
        const WRITTEN: &str = "Ada Quill, 17 Quay; ñandú 漢字漢字漢字; ada@quinn, +44 7700 900 123";
        for value in ["ada@quill.example", "17 Quay", "ñandú-1", "漢字漢字漢字"] {
            let index = Index::new(vec![PrivateValue::text(value, true).unwrap()]);
            for (before, after) in [("", ""), ("at ", "!"), ("é—", "ü"), ("#漢", "字")] {
                for form in [
                    value.to_owned(),
                    value.to_uppercase(),
                    value.replace('a', "ａ"),
                ] {
                    let text = format!("{before}{form}{after}");
                    assert!(index.may_find(&text), "{value}: {text}");
                }
            }
            let pattern = PrivateValue::text(value, true).unwrap().pattern;
            let written = Folded::of(WRITTEN);
            let mut places = written.chars().windows(pattern.len());
            let is_in = places.any(|place| *place == pattern);
            // After a letter that is not ASCII, the rest of a value is not compared.
            let may_be_in = is_in || value == "ñandú-1";
            assert_eq!(index.may_find(WRITTEN), may_be_in, "{value}");
        }
        let index = Index::new(vec![PrivateValue::phone("+44 7700 900 123").unwrap()]);
        assert!(index.may_find("٧٧٠٠٩٠٠١٢٣") && index.may_find("%37700900123"));
        assert!(index.may_find("0900 12&#51;") && index.may_find("09001\u{200b}2３"));
        assert!(
            !index.may_find("7700 900 124") && !index.may_find("0900 12") && !index.may_find("")
        );
    }

    #[test]
    fn a_text_is_found_between_boundaries() {
        let index = Index::new(vec![PrivateValue::text("17 Quay", true).unwrap()]);
        let rows = [
            ("At 17 QUAY, north", "17 QUAY"),
            ("?q=17+Quay&z=3", "17+Quay"),
            ("住所17Quayです", "17Quay"),
        ];
        for (text, expected) in rows {
            assert_eq!(found(&index, text), [expected], "{text}");
        }
        for text in ["117 Quay", "17 Quayside", "in 2017 quay", "17 Qua"] {
            assert_eq!(found(&index, text), Vec::<String>::new(), "{text}");
        }
    }

    #[test]
    fn a_phone_number_is_found_in_all_its_forms() {
        let index = Index::new(vec![PrivateValue::phone("+44 7700 900 123").unwrap()]);
        let rows = [
            ("call 07700 900123 now", "07700 900123"),
            ("+44 (0)7700-900123", "7700-900123"),
            ("00447700900123", "00447700900123"),
            ("since 2019: 7700 900123", "7700 900123"),
            ("x7700900123y", "7700900123"),
        ];
        for (text, expected) in rows {
            assert_eq!(found(&index, text), [expected], "{text}");
        }
        assert_eq!(found(&index, "7700 900 124"), Vec::<String>::new());
    }

    #[test]
    fn a_coordinate_is_found_with_more_decimals() {
        let index = Index::new(vec![PrivateValue::coordinate("50.7184").unwrap()]);
        let text = "geo:50.718412,-3.5 or 150.7184";
        assert_eq!(found(&index, text), ["50.718"]);
    }
}
