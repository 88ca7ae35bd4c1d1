//! Decides which parts of a withheld value are distinctive enough to be looked for elsewhere.
//!
//! | part of a withheld value | looked for as |
//! | --- | --- |
//! | an e-mail address | the address, spelled out, its digests |
//! | a number of 7 or more digits | a phone number: its last 7 digits |
//! | a coordinate with 3 or more decimals | its first digits |
//! | a number of 5 or 6 digits that is not round | the number |
//! | one line of a contact field with 5 or more letters and digits | the line |
//! | one word with letters and digits, such as `B-1742`, or with `.`, `_` or `@` inside, such as `ada.quill` | the line it is in |
//! | 10 or more letters and digits on one line, such as `17 Lighthouse Steps` | the line |
//! | a shorter postal code | the code beside the city |
//!
//! Of undefined sections, only lines of several words are looked for as texts: sections hold many
//! terms and identifiers, such as `Python3`. Ordinary words and short numbers are never looked for, because they cannot be
//! told from other uses. In prose only what has the form of contact data is looked for. An `https`
//! link is a public address and no private value.

use serde_json::Value;

use super::decode::{decode, is_escaped};
use super::fold::folded;
use super::publish::Switch;
use super::value::{PHONE_DIGITS, PrivateValue};
use super::withhold::{PrivateMember, Reason};
use crate::contact_forms::{digit_runs, emails, phones};
use crate::links::{self, Link};

/// Maximum length of a line that is looked for as a whole, in bytes. A longer one is prose.
const LONGEST_LINE: usize = 80;

/// Minimum number of letters and digits on a line of several words, outside contact fields.
const SHORTEST_PHRASE: usize = 10;

/// Minimum length of a word without digits.
const SHORTEST_ACCOUNT: usize = 6;

/// Returns what to look for. `places` are the names of city and region, which are served.
pub(super) fn learn(members: &[PrivateMember], places: &[String]) -> Vec<PrivateValue> {
    let mut values = Vec::new();
    for one in members {
        let is_postal_code = one.path == "basics.location.postalCode";
        let mut learner = Learner {
            reason: one.reason,
            places: if is_postal_code { places } else { &[] },
            values: &mut values,
        };
        learner.value(&one.value);
    }
    values
}

struct Learner<'v> {
    reason: Reason,
    places: &'v [String],
    values: &'v mut Vec<PrivateValue>,
}

impl Learner<'_> {
    fn value(&mut self, value: &Value) {
        match value {
            Value::String(text) => self.text(text),
            Value::Number(number) => self.text(&number.to_string()),
            Value::Array(items) => items.iter().for_each(|item| self.value(item)),
            Value::Object(object) => {
                for (name, value) in object {
                    self.name(name);
                    self.value(value);
                }
            }
            Value::Null | Value::Bool(_) => {}
        }
    }

    /// The name of a member can hold contact data as well: `{"ada@quill.example": "private"}`.
    fn name(&mut self, name: &str) {
        if name.contains(|c: char| c == '@' || c.is_numeric()) {
            self.text(name);
        }
    }

    fn text(&mut self, text: &str) {
        let text = text.trim();
        let decoded: String = if is_escaped(text) {
            decode(text).iter().map(|source| source.c).collect()
        } else {
            text.to_owned()
        };
        self.emails(&decoded);
        self.numbers(&decoded);
        if links::read(&decoded) == Link::Web {
            return;
        }
        let is_address = self.reason == Reason::Contact(Switch::Address);
        let ends: &[char] = if is_address {
            &['\n', ',', ';']
        } else {
            &['\n']
        };
        for line in decoded.split(ends).map(str::trim) {
            self.line(line);
        }
    }

    fn emails(&mut self, text: &str) {
        let plain = plain_email(text);
        for range in emails(&plain) {
            let address = plain.get(range).unwrap_or_default();
            self.values.extend(PrivateValue::email(address));
        }
        // A host without a dot, such as `ada@localhost`, counts in a contact field.
        if self.reason == Reason::Contact(Switch::Email) {
            for word in plain.split_whitespace().filter(|word| word.contains('@')) {
                self.values.extend(PrivateValue::email(word));
            }
        }
    }

    fn numbers(&mut self, text: &str) {
        let is_prose = self.is_prose(text);
        let numbers = if is_prose {
            phones(text)
        } else {
            digit_runs(text, PHONE_DIGITS)
        };
        for range in numbers {
            let number = text.get(range).unwrap_or_default();
            if PrivateValue::coordinate(number).is_none() {
                self.values.extend(PrivateValue::phone(number));
            }
        }
        let all_digits: String = text.chars().filter(char::is_ascii_digit).collect();
        if self.reason == Reason::Contact(Switch::Phone) {
            self.values.extend(PrivateValue::phone(&all_digits));
        }
        if !is_prose {
            let numbers = text.split(|c: char| !(c.is_ascii_digit() || c == '.' || c == '-'));
            self.values
                .extend(numbers.filter_map(PrivateValue::coordinate));
        }
    }

    /// Whether a text is a sentence, not a value.
    fn is_prose(&self, text: &str) -> bool {
        /// Minimum number of words of a sentence.
        const WORDS: usize = 4;
        let words = text.split_whitespace();
        let words = words.filter(|word| word.contains(char::is_alphabetic));
        !matches!(self.reason, Reason::Contact(_)) && words.count() >= WORDS
    }

    fn line(&mut self, line: &str) {
        if line.len() > LONGEST_LINE || line.starts_with("mailto:") || line.starts_with("tel:") {
            return;
        }
        let chars = folded(line);
        let digits = chars.iter().filter(|c| c.is_ascii_digit()).count();
        let is_contact = matches!(self.reason, Reason::Contact(_));
        let is_phone = self.reason == Reason::Contact(Switch::Phone) && digits >= PHONE_DIGITS;
        let is_coordinate = PrivateValue::coordinate(line).is_some();
        if is_phone || is_coordinate {
            return;
        }
        if digits == chars.len() {
            if digits < PHONE_DIGITS {
                self.values.extend(PrivateValue::number(line, is_contact));
            }
        } else if (digits > 0 && self.is_distinctive(line, chars.len())) || self.is_account(line) {
            self.values.extend(PrivateValue::text(line, is_contact));
        }
        for place in self.places {
            for pair in [format!("{line} {place}"), format!("{place} {line}")] {
                self.values.extend(PrivateValue::text(&pair, is_contact));
            }
        }
    }

    /// Whether a line with a digit is not an ordinary phrase such as `10 years`.
    fn is_distinctive(&self, line: &str, length: usize) -> bool {
        let is_mixed = |word: &str| {
            word.contains(char::is_alphabetic) && word.contains(|c: char| c.is_ascii_digit())
        };
        match self.reason {
            Reason::Contact(_) => true,
            Reason::Member => length >= SHORTEST_PHRASE || line.split_whitespace().any(is_mixed),
            Reason::Section => length >= SHORTEST_PHRASE && line.contains(' '),
        }
    }

    /// Whether a line is one word that names an account: `ada.quill`.
    fn is_account(&self, line: &str) -> bool {
        let has_mark =
            line.trim_matches(['.', '_']).contains(['.', '_', '@']) || line.starts_with('@');
        let is_named = match self.reason {
            Reason::Contact(Switch::Address) | Reason::Section => false,
            Reason::Contact(_) => true,
            Reason::Member => has_mark,
        };
        let is_one_word = !line.contains(char::is_whitespace);
        is_named && is_one_word && line.chars().count() >= SHORTEST_ACCOUNT
    }
}

/// Writes the common disguises of an e-mail address plainly: `ada [at] quill [dot] example`.
fn plain_email(text: &str) -> String {
    let mut plain = text.to_owned();
    if text.contains('@') || !(text.contains("at") || text.contains("AT")) {
        return plain;
    }
    for (open, close) in [("[", "]"), ("(", ")"), ("{", "}"), ("<", ">"), (" ", " ")] {
        for (word, sign) in [("at", "@"), ("AT", "@"), ("dot", "."), ("DOT", ".")] {
            let spoken = format!("{open}{word}{close}");
            plain = plain
                .replace(&format!(" {spoken} "), sign)
                .replace(&spoken, sign);
        }
    }
    plain
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    fn learned(path: &str, reason: Reason, value: &Value) -> Vec<String> {
        let one = PrivateMember {
            reason,
            pointer: String::new(),
            path: path.to_owned(),
            siblings: None,
            value: value.clone(),
        };
        let places = ["Harbourtown".to_owned()];
        let mut patterns: Vec<String> = Vec::new();
        for value in learn(&[one], &places) {
            let pattern: String = value.pattern.into_iter().collect();
            let is_digest = pattern.len() >= 32;
            if !is_digest && !patterns.contains(&pattern) {
                patterns.push(pattern);
            }
        }
        patterns
    }

    #[test]
    fn contact_fields_are_looked_for() {
        use Switch::{Address, Email, Phone};
        let email: &[&str] = &[
            "ada@qexample",
            "adaatqexample",
            "ada@qdotexample",
            "adaatqdotexample",
        ];
        let rows: [(&str, Switch, Value, &[&str]); 11] = [
            ("email", Email, json!("ada@q.example"), email),
            ("email", Email, json!("ada [at] q [dot] example"), email),
            ("email", Email, json!("hidden-box"), &["hiddenbox"]),
            ("email", Email, json!("on request"), &[]),
            (
                "phone",
                Phone,
                json!("+1 202-555-0142 ext. 12"),
                &["5550142", "5014212"],
            ),
            ("phone", Phone, json!(12_025_550_142_u64), &["5550142"]),
            (
                "location.address",
                Address,
                json!("17 Lighthouse Steps, Harbourtown\nFlat 7b"),
                &["17lighthousesteps", "flat7b"],
            ),
            (
                "location.address",
                Address,
                json!("Harbourtown, Northshire"),
                &[],
            ),
            (
                "location.postalCode",
                Address,
                json!("EX4 0PL"),
                &["ex40pl", "ex40plharbourtown", "harbourtownex40pl"],
            ),
            (
                "location.postalCode",
                Address,
                json!("1000"),
                &["1000harbourtown", "harbourtown1000"],
            ),
            (
                "location.postalCode",
                Address,
                json!("10115"),
                &["10115", "10115harbourtown", "harbourtown10115"],
            ),
        ];
        for (path, switch, value, expected) in rows {
            let path = format!("basics.{path}");
            assert_eq!(
                learned(&path, Reason::Contact(switch), &value),
                expected,
                "{value}"
            );
        }
    }

    #[test]
    fn of_undefined_members_only_distinctive_values_are_looked_for() {
        let rows: [(Value, &[&str]); 16] = [
            (json!("B-1742"), &["b1742"]),
            (json!("Room B-1742"), &["roomb1742"]),
            (json!("10 years"), &[]),
            (json!("17 Lighthouse Steps"), &["17lighthousesteps"]),
            (json!(47_110), &["47110"]),
            (json!(1742), &[]),
            (json!(95_000), &[]),
            (json!("ada.quill"), &["adaquill"]),
            (json!("@adaquill"), &["@adaquill"]),
            (json!("she/her"), &[]),
            (json!("Germany"), &[]),
            (json!("Senior software engineer"), &[]),
            (json!("https://code.example/ada42"), &[]),
            (json!("https://wa.me/12025550142"), &["5550142"]),
            (
                json!({"lat": 50.71842, "lng": -3.53391}),
                &["50718", "35339"],
            ),
            (
                json!("Born in 1990. I wrote 12345678 lines. Call +1 202-555-0142."),
                &["5550142"],
            ),
        ];
        for (value, expected) in rows {
            assert_eq!(
                learned("basics.x", Reason::Member, &value),
                expected,
                "{value}"
            );
        }
    }

    #[test]
    fn of_undefined_sections_short_texts_are_not_looked_for() {
        let rows: [(Value, &[&str]); 4] = [
            (
                json!(["Python3", "ISO 9001", "Windows 10", "project-tidewatch-2"]),
                &[],
            ),
            (
                json!({"desk": "17 Lighthouse Steps"}),
                &["17lighthousesteps"],
            ),
            (json!({"skype": "ada.quill"}), &[]),
            (
                json!({"ada@q.example": true}),
                &[
                    "ada@qexample",
                    "adaatqexample",
                    "ada@qdotexample",
                    "adaatqdotexample",
                ],
            ),
        ];
        for (value, expected) in rows {
            assert_eq!(learned("x", Reason::Section, &value), expected, "{value}");
        }
    }
}
