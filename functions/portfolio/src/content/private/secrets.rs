//! The private values that a document names, to find them again in its other texts: a phone number
//! repeated in the summary, a street in a reference.

use serde_json::Value;

use super::Contact;
use super::text::digits;

/// The fewest digits by which a phone number is recognised elsewhere.
const PHONE_DIGITS: usize = 7;

/// The fewest characters by which a line of an address is recognised elsewhere.
const ADDRESS_CHARS: usize = 6;

/// What is known to be private.
#[derive(Debug, Default)]
pub(super) struct Secrets {
    emails: Vec<Vec<char>>,
    phones: Vec<String>,
    addresses: Vec<Vec<char>>,
}

impl Secrets {
    /// Learns the values in a member for contact data.
    pub(super) fn learn(&mut self, contact: Contact, value: &Value) {
        match value {
            Value::String(text) => self.learn_text(contact, text),
            Value::Number(number) => self.learn_text(contact, &number.to_string()),
            Value::Array(items) => items.iter().for_each(|item| self.learn(contact, item)),
            Value::Object(object) => object.values().for_each(|value| self.learn(contact, value)),
            Value::Null | Value::Bool(_) => {}
        }
    }

    fn learn_text(&mut self, contact: Contact, text: &str) {
        match contact {
            Contact::Email if text.contains('@') => self.emails.push(folded(text.trim())),
            Contact::Email => {}
            Contact::Phone => {
                let digits = digits(text);
                if digits.len() >= PHONE_DIGITS {
                    self.phones.push(digits);
                }
            }
            Contact::Address => self.addresses.extend(
                text.split(['\n', ',', ';'])
                    .map(str::trim)
                    .filter(|line| is_telling(line))
                    .map(folded),
            ),
        }
    }

    /// Forgets what is published elsewhere in the document.
    pub(super) fn forget(&mut self, shown: &Self) {
        self.emails.retain(|email| !shown.emails.contains(email));
        self.phones.retain(|phone| !shown.phones.contains(phone));
        self.addresses
            .retain(|address| !shown.addresses.contains(address));
    }

    /// Whether these digits are, or contain, a known phone number; the national form of an
    /// international number counts.
    pub(super) fn has_phone(&self, text: &str) -> bool {
        let found = digits(text);
        let national = found.trim_start_matches('0');
        let is_long = |digits: &str| digits.len() >= PHONE_DIGITS;
        self.phones.iter().any(|known| {
            let known_national = known.trim_start_matches('0');
            found.contains(known.as_str())
                || (is_long(known_national) && found.contains(known_national))
                || (is_long(&found) && known.ends_with(&found))
                || (is_long(national) && known.ends_with(national))
        })
    }

    /// Where known e-mail addresses stand in a text, as ranges of characters.
    pub(super) fn emails_in(&self, text: &[char]) -> Vec<std::ops::Range<usize>> {
        occurrences(&self.emails, text)
    }

    /// Where known lines of addresses stand in a text, as ranges of characters.
    pub(super) fn addresses_in(&self, text: &[char]) -> Vec<std::ops::Range<usize>> {
        occurrences(&self.addresses, text)
    }
}

/// Whether a line of an address is a street with its number, not just a city.
fn is_telling(line: &str) -> bool {
    line.chars().count() >= ADDRESS_CHARS
        && line.chars().any(|c| c.is_ascii_digit())
        && line.chars().any(char::is_alphabetic)
}

fn folded(text: &str) -> Vec<char> {
    text.chars().map(fold).collect()
}

/// Lower case, one character for one, so that places in the folded text are places in the text.
fn fold(c: char) -> char {
    if c.is_whitespace() {
        ' '
    } else {
        c.to_lowercase().next().unwrap_or(c)
    }
}

fn occurrences(needles: &[Vec<char>], text: &[char]) -> Vec<std::ops::Range<usize>> {
    if needles.is_empty() {
        return Vec::new();
    }
    let text: Vec<char> = text.iter().copied().map(fold).collect();
    needles
        .iter()
        .flat_map(|needle| {
            text.windows(needle.len().max(1))
                .enumerate()
                .filter(move |(_, window)| window == needle)
                .map(move |(start, window)| start..start + window.len())
        })
        .collect()
}

#[cfg(test)]
mod tests {
    use std::ops::Range;

    use serde_json::json;

    use super::*;

    #[test]
    fn a_phone_number_is_known_in_all_its_forms() {
        let mut secrets = Secrets::default();
        secrets.learn(
            Contact::Phone,
            &json!(["+1 (555) 010-0123", {"home": "0170 555 0100"}, "12"]),
        );
        let rows = [
            ("15550100123", true),
            ("555.010.0123", true),
            ("0555 0100123", true),
            ("+49 170 5550100", true),
            ("0100123", true),
            ("100123", false),
            ("5550199", false),
            ("12", false),
            ("", false),
        ];
        for (text, expected) in rows {
            assert_eq!(secrets.has_phone(text), expected, "{text}");
        }
    }

    #[test]
    fn a_line_of_an_address_is_known_and_a_city_is_not() {
        let mut secrets = Secrets::default();
        secrets.learn(
            Contact::Address,
            &json!("12 Quay Street, Harbourtown\nFlat 7b"),
        );
        secrets.learn(Contact::Address, &json!("1000"));
        let text: Vec<char> = "At 12 QUAY\nstreet in Harbourtown, 1000 people"
            .chars()
            .collect();
        assert_eq!(secrets.addresses_in(&text), [Range { start: 3, end: 17 }]);
    }

    #[test]
    fn what_is_published_elsewhere_is_forgotten() {
        let (mut hidden, mut shown) = (Secrets::default(), Secrets::default());
        for secrets in [&mut hidden, &mut shown] {
            secrets.learn(Contact::Email, &json!("a@example.com"));
            secrets.learn(Contact::Phone, &json!("555 0100"));
        }
        hidden.forget(&shown);
        assert!(!hidden.has_phone("5550100"));
        assert!(
            hidden
                .emails_in(&"a@example.com".chars().collect::<Vec<_>>())
                .is_empty()
        );
    }
}
