//! Finds phone numbers in text.
//!
//! A run of digits is one when it is known to be private, or written as such: with `+` in front,
//! after a label (`Tel.`, `tel:`, `wa.me/`), in groups of three, three and four, or with a leading
//! zero. Years, dates, ISBNs, ORCIDs and plain amounts are not.

use std::ops::Range;

use super::{Hidden, digit, is_word_of, word_before};
use crate::content::dates::{self, Date};
use crate::content::private::secrets::Secrets;

/// Words that announce a number to call.
const LABELS: &[&str] = &[
    "phone",
    "telephone",
    "tel",
    "mobile",
    "mob",
    "cell",
    "cellphone",
    "fax",
    "whatsapp",
    "ph",
    "sms",
    "callto",
    "call",
    "text",
    "dial",
    "handy",
    "telefon",
    "telefono",
    "teléfono",
    "tél",
    "téléphone",
    "telefone",
    "móvil",
    "movil",
    "portable",
    "number",
    "wa",
    "me",
    "signal",
];

/// The most separators in a row inside a number, as in `+1 (555) - 010`.
const SEPARATORS: usize = 3;

/// Whether a word only announces a number.
pub(super) fn is_label(word: &[char]) -> bool {
    is_word_of(word, LABELS)
}

/// Where phone numbers stand, as ranges of characters.
pub(super) fn find(text: &[char], hidden: Hidden, secrets: &Secrets) -> Vec<Range<usize>> {
    let mut found = Vec::new();
    let mut at = 0;
    while at < text.len() {
        let Some(run) = Run::at(text, at) else {
            at += 1;
            continue;
        };
        if secrets.has_phone(&run.digits()) || (hidden.phone && run.is_phone(text, hidden)) {
            found.push(run.range.clone());
        }
        at = run.range.end;
    }
    found
}

/// Digits with what may stand between the digits of one number.
struct Run {
    range: Range<usize>,
    has_plus: bool,
    groups: Vec<String>,
}

impl Run {
    fn at(text: &[char], start: usize) -> Option<Self> {
        let rest = text.get(start..)?;
        let has_plus = matches!(rest.first(), Some('+' | '＋'));
        let opens = has_plus || matches!(rest.first(), Some('('));
        let mut groups = vec![String::new()];
        let mut end = start;
        let mut separators = 0;
        for (i, c) in rest.iter().enumerate().skip(usize::from(opens)) {
            if let Some(digit) = digit(*c) {
                if separators > 0 && groups.last().is_some_and(|group| !group.is_empty()) {
                    groups.push(String::new());
                }
                groups.last_mut()?.push(digit);
                separators = 0;
                end = start + i + 1;
            } else if is_separator(*c) && separators < SEPARATORS && (opens || end > start) {
                separators += 1;
            } else {
                break;
            }
        }
        (end > start).then_some(Self {
            range: start..end,
            has_plus,
            groups,
        })
    }

    fn digits(&self) -> String {
        self.groups.concat()
    }

    fn is_phone(&self, text: &[char], hidden: Hidden) -> bool {
        let count = self.digits().len();
        if self.is_inside_a_word(text) || !(6..=15).contains(&count) {
            return false;
        }
        if self.has_plus {
            return count >= 8;
        }
        if self.is_date(text) {
            return false;
        }
        is_label(word_before(text, self.range.start))
            || self.is_north_american()
            || self.is_national(count)
            || (hidden.bare_numbers && self.is_all_of(text) && count >= self.bare_minimum())
    }

    fn is_inside_a_word(&self, text: &[char]) -> bool {
        let before = self.range.start.checked_sub(1).and_then(|at| text.get(at));
        let after = text.get(self.range.end);
        before.is_some_and(|c| c.is_alphanumeric() || *c == '_')
            || after.is_some_and(|c| (c.is_alphanumeric() && *c != 'x') || *c == '_')
    }

    /// `2019 - 2021`, `2019-03-05`, `05/2019 - 06/2020`: a year among the groups, or a date.
    fn is_date(&self, text: &[char]) -> bool {
        let run: String = text
            .get(self.range.clone())
            .unwrap_or_default()
            .iter()
            .collect();
        let is_year = |group: &String| {
            group.len() == 4 && (group.starts_with("19") || group.starts_with("20"))
        };
        let others = self.groups.iter().filter(|group| !is_year(group));
        let has_year = self.groups.iter().any(is_year);
        matches!(dates::read(&run), Date::Known(_))
            || (has_year && others.clone().all(|g| g.len() <= 2))
    }

    /// Groups of three, three and four digits.
    fn is_north_american(&self) -> bool {
        let lengths: Vec<usize> = self.groups.iter().map(String::len).collect();
        lengths.windows(3).any(|window| window == [3, 3, 4])
    }

    /// A trunk prefix and groups, `020 7946 0958`, or an international prefix, `0049 …`.
    fn is_national(&self, count: usize) -> bool {
        let first = self.groups.first().map_or("", String::as_str);
        let is_abroad = first.starts_with("00") && count >= 11;
        let is_trunk = first.starts_with('0') && (2..=5).contains(&first.len());
        self.groups.len() >= 2 && (is_abroad || (is_trunk && (10..=12).contains(&count)))
    }

    fn is_all_of(&self, text: &[char]) -> bool {
        let outside = |range: Range<usize>| {
            text.get(range)
                .unwrap_or_default()
                .iter()
                .all(|c| c.is_whitespace() || is_separator(*c))
        };
        outside(0..self.range.start) && outside(self.range.end..text.len())
    }

    /// `555-0142` is a number to call; without separators it takes more digits to be one.
    const fn bare_minimum(&self) -> usize {
        if self.groups.len() > 1 { 7 } else { 9 }
    }
}

const fn is_separator(c: char) -> bool {
    matches!(
        c,
        ' ' | '-'
            | '.'
            | '('
            | ')'
            | '/'
            | '·'
            | '\u{a0}'
            | '\u{2007}'
            | '\u{2009}'
            | '\u{202f}'
            | '\u{2010}'..='\u{2015}' | '\u{2212}' | '\u{2060}'
    )
}

#[cfg(test)]
mod tests {
    use super::*;

    fn found(text: &str, bare_numbers: bool) -> Vec<String> {
        let chars: Vec<char> = text.chars().collect();
        let hidden = Hidden {
            email: true,
            phone: true,
            bare_numbers,
        };
        find(&chars, hidden, &Secrets::default())
            .into_iter()
            .map(|range| chars[range].iter().collect())
            .collect()
    }

    #[test]
    fn numbers_written_as_phone_numbers_are_found_anywhere() {
        let rows = [
            ("+15550100123", "+15550100123"),
            ("Call +1 (555) 010-0123 now", "+1 (555) 010-0123"),
            ("＋１ ５５５ ０１０ ０１２３", "＋１ ５５５ ０１０ ０１２３"),
            ("(555) 010-0123", "(555) 010-0123"),
            ("at 555.010.0123.", "555.010.0123"),
            ("1-555-010-0123", "1-555-010-0123"),
            ("555\u{2011}010\u{2011}0123", "555\u{2011}010\u{2011}0123"),
            ("020 7946 0958", "020 7946 0958"),
            ("01 23 45 67 89", "01 23 45 67 89"),
            ("0049 170 5550100", "0049 170 5550100"),
            ("Tel. 555 0100", "555 0100"),
            ("tel:5550100", "5550100"),
            ("https://wa.me/5550100123", "5550100123"),
            ("https://x.example/send?phone=5550100123&a", "5550100123"),
            ("555-010-0123x12", "555-010-0123"),
        ];
        for (text, number) in rows {
            assert_eq!(found(text, false), [number], "{text}");
        }
    }

    #[test]
    fn a_text_that_is_nothing_else_is_a_number_where_contact_data_stands() {
        for text in ["555-0142", " 555 0142 ", "555010012", "5550100123"] {
            assert_eq!(found(text, true).len(), 1, "{text}");
            assert_eq!(found(text, false).len(), 0, "{text}");
        }
        for text in [
            "5550142",
            "1234567",
            "2019 - 2021",
            "0000-0002-1825-0097",
            "2020-03-05",
        ] {
            assert_eq!(found(text, true).len(), 0, "{text}");
        }
    }

    #[test]
    fn other_numbers_are_left_alone() {
        for text in [
            "2019-03-05",
            "2019 - 2021",
            "05/2019 - 06/2020",
            "10 000 000 users",
            "v2020.03.05.1234",
            "ISBN 978-3-16-148410-0",
            "ISBN 0-306-40615-2",
            "0000-0002-1825-0097",
            "1.2.3.4",
            "10.1000/182",
            "id_5550100123",
            "abc5550100123",
            "saved 1,250,000 a year",
            "99.95 %",
            "https://example.com/12345678",
            "arXiv:0704.0001",
            "+5 people",
            "call 2020",
            "",
        ] {
            assert_eq!(found(text, false), Vec::<String>::new(), "{text}");
        }
    }
}
