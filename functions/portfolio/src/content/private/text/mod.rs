//! Takes contact data out of a text: e-mail addresses by their form, phone numbers by theirs, and
//! any value that is known to be private.

mod email;
mod phone;

use std::ops::Range;

use super::Contact;
use super::secrets::Secrets;

/// What stands in the place of what was taken out.
const MARK: &str = "[withheld]";

/// What is hidden in a text.
#[derive(Debug, Clone, Copy)]
pub(super) struct Hidden {
    /// E-mail addresses.
    pub(super) email: bool,
    /// Phone numbers.
    pub(super) phone: bool,
    /// A text that is nothing but a long number is a phone number.
    pub(super) bare_numbers: bool,
}

/// What is left of a text.
#[derive(Debug, PartialEq, Eq)]
pub(super) enum Scrubbed {
    /// Nothing worth serving: the text was an address, or a link that leads to one.
    Nothing,
    /// The text with a mark where something was.
    Rest(String),
}

/// Takes out what is hidden. Gives `None` when there is nothing to take out.
pub(super) fn scrub(text: &str, hidden: Hidden, secrets: &Secrets) -> Option<(Contact, Scrubbed)> {
    let chars: Vec<char> = text.chars().collect();
    let mut found: Vec<(Contact, Range<usize>)> = Vec::new();
    if hidden.email {
        found.extend(
            email::find(&chars)
                .into_iter()
                .map(|range| (Contact::Email, range)),
        );
    }
    let phones = phone::find(&chars, hidden, secrets);
    found.extend(phones.into_iter().map(|range| (Contact::Phone, range)));
    found.extend(
        secrets
            .emails_in(&chars)
            .into_iter()
            .map(|range| (Contact::Email, range)),
    );
    found.extend(
        secrets
            .addresses_in(&chars)
            .into_iter()
            .map(|range| (Contact::Address, range)),
    );
    found.sort_by_key(|(_, range)| range.start);
    let contact = found.first().map(|(contact, _)| *contact)?;
    Some((
        contact,
        without(&chars, found.into_iter().map(|(_, range)| range)),
    ))
}

fn without(text: &[char], found: impl Iterator<Item = Range<usize>>) -> Scrubbed {
    let mut rest = String::with_capacity(text.len());
    let mut is_worth_it = false;
    let mut at = 0;
    for range in found {
        if let Some(between) = text.get(at..range.start) {
            is_worth_it |= says_something(between);
            rest.extend(between);
        }
        if range.end > at {
            if range.start >= at {
                rest.push_str(MARK);
            }
            at = range.end;
        }
    }
    let tail = text.get(at..).unwrap_or_default();
    is_worth_it |= says_something(tail);
    rest.extend(tail);
    // A single word, such as a link, is of no use with a hole in it.
    let is_one_word = !text.iter().any(|c| c.is_whitespace());
    if is_worth_it && !is_one_word {
        Scrubbed::Rest(rest)
    } else {
        Scrubbed::Nothing
    }
}

/// Whether a stretch of text has a word that is more than a label such as `Tel.`.
fn says_something(text: &[char]) -> bool {
    text.split(|c| !c.is_alphanumeric())
        .filter(|word| !word.is_empty())
        .any(|word| !phone::is_label(word) && !email::is_label(word))
}

/// The digits of a text, full-width ones too, as ASCII.
pub(super) fn digits(text: &str) -> String {
    text.chars().filter_map(digit).collect()
}

fn digit(c: char) -> Option<char> {
    match c {
        '0'..='9' => Some(c),
        '０'..='９' => char::from_digit(u32::from(c).saturating_sub(u32::from('０')), 10),
        _ => None,
    }
}

fn word_before(text: &[char], at: usize) -> &[char] {
    let before = text.get(..at).unwrap_or_default();
    let end = before
        .iter()
        .rposition(|c| c.is_alphanumeric())
        .map_or(0, |last| last + 1);
    let word = before.get(..end).unwrap_or_default();
    let start = word
        .iter()
        .rposition(|c| !c.is_alphabetic())
        .map_or(0, |last| last + 1);
    word.get(start..).unwrap_or_default()
}

fn is_word_of(word: &[char], list: &[&str]) -> bool {
    let word: String = word.iter().flat_map(|c| c.to_lowercase()).collect();
    list.contains(&word.as_str())
}

#[cfg(test)]
mod tests {
    use super::*;

    const ALL: Hidden = Hidden {
        email: true,
        phone: true,
        bare_numbers: true,
    };

    fn scrubbed(text: &str) -> Option<Scrubbed> {
        scrub(text, ALL, &Secrets::default()).map(|(_, scrubbed)| scrubbed)
    }

    #[test]
    fn a_hole_is_marked_and_an_empty_rest_goes_away() {
        let rows = [
            (
                "Write to me@example.com, or call +1 555 010 0123.",
                Some("Write to [withheld], or call [withheld]."),
            ),
            (
                "me@example.com and you@example.com wrote it",
                Some("[withheld] and [withheld] wrote it"),
            ),
            ("me@example.com", None),
            ("E-Mail: me@example.com / Tel.: +1 555 010 0123", None),
            ("mailto:me@example.com?subject=hi", None),
            ("https://example.com/?to=me%40example.com", None),
            ("tel:+15550100123", None),
            ("https://wa.me/15550100123", None),
        ];
        for (text, rest) in rows {
            let expected = rest.map_or(Scrubbed::Nothing, |rest| Scrubbed::Rest(rest.to_owned()));
            assert_eq!(scrubbed(text), Some(expected), "{text}");
        }
    }

    #[test]
    fn other_texts_stay_as_they_are() {
        for text in [
            "",
            "Led 4 people from 2019 to 2021.",
            "https://example.com/a-b/2020/03/05?id=12345",
            "Follow @quill or @quill@social.example",
            "Version 1.2.3 of pkg@4.5.6",
            "a, b & c",
        ] {
            assert_eq!(scrubbed(text), None, "{text}");
        }
    }

    #[test]
    fn known_values_are_found_and_overlaps_are_one_hole() {
        let mut secrets = Secrets::default();
        secrets.learn(Contact::Email, &serde_json::json!("quill@localhost"));
        secrets.learn(Contact::Address, &serde_json::json!("12 Quay Street"));
        let none = Hidden {
            email: false,
            phone: false,
            bare_numbers: false,
        };
        let rows = [
            ("I live at 12 quay street.", "I live at [withheld]."),
            ("ask QUILL@localhost there", "ask [withheld] there"),
        ];
        for (text, rest) in rows {
            let (_, scrubbed) = scrub(text, none, &secrets).unwrap();
            assert_eq!(scrubbed, Scrubbed::Rest(rest.to_owned()));
        }
        let twice: Vec<char> = "abcdef gh".chars().collect();
        let holes = [1..4, 2..3, 3..5, 5..5];
        let expected = Scrubbed::Rest("a[withheld]f gh".to_owned());
        assert_eq!(without(&twice, holes.into_iter()), expected);
    }
}
