//! Recognizes text that has the form of an e-mail address or a phone number.
//!
//! This only finds what to warn about, and what to remember of a withheld text. It never decides
//! what is served.

use std::ops::Range;

use super::dates::{self, Date};

/// Maximum number of separators between two digits of a number, as in `+1 (555) - 010`.
const SEPARATORS: usize = 3;

/// Returns the e-mail addresses in a text, as ranges of bytes.
pub(crate) fn emails(text: &str) -> Vec<Range<usize>> {
    let is_part = |c: char| c.is_alphanumeric() || "._%+-".contains(c);
    text.match_indices('@')
        .filter_map(|(at, sign)| {
            let before = text.get(..at)?;
            let start = before
                .char_indices()
                .rev()
                .take_while(|(_, c)| is_part(*c))
                .last()
                .map(|(start, _)| start)?;
            let after = text.get(at + sign.len()..)?;
            let host = after.split(|c: char| !is_part(c)).next()?;
            let host = host.trim_end_matches(['.', '-']);
            let (_, top) = host.rsplit_once('.')?;
            let is_host = top.chars().count() >= 2 && top.chars().all(char::is_alphabetic);
            // `git@host` is how code is fetched, and `@name@host` is an account.
            let is_other = before.get(start..)? == "git" || before.get(..start)?.ends_with('@');
            (is_host && !is_other).then(|| start..at + sign.len() + host.len())
        })
        .collect()
}

/// Returns the phone numbers in a text, as ranges of bytes: with `+` in front, in groups of three,
/// three and four digits, or with a leading zero. Years, dates, ISBNs and amounts are not.
pub(crate) fn phones(text: &str) -> Vec<Range<usize>> {
    let mut found = Vec::new();
    let mut at = 0;
    while let Some(rest) = text.get(at..).filter(|rest| !rest.is_empty()) {
        let next = rest.chars().next().map_or(1, char::len_utf8);
        match Run::at_start_of(rest) {
            Some(run) => {
                if run.is_phone(text, at) {
                    found.push(at..at + run.length);
                }
                at += run.length;
            }
            None => at += next,
        }
    }
    found
}

/// Returns the runs of digits and separators in a text that have at least `minimum` digits.
pub(crate) fn digit_runs(text: &str, minimum: usize) -> Vec<Range<usize>> {
    let mut found = Vec::new();
    let mut at = 0;
    while let Some(rest) = text.get(at..).filter(|rest| !rest.is_empty()) {
        let next = rest.chars().next().map_or(1, char::len_utf8);
        at += match Run::at_start_of(rest) {
            Some(run) => {
                if run.digit_count() >= minimum {
                    found.push(at..at + run.length);
                }
                run.length
            }
            None => next,
        };
    }
    found
}

/// Digits, with what may be between the digits of one number.
struct Run {
    /// In bytes.
    length: usize,
    has_plus: bool,
    groups: Vec<String>,
}

impl Run {
    fn at_start_of(text: &str) -> Option<Self> {
        let has_plus = text.starts_with('+');
        let opens = has_plus || text.starts_with('(');
        let mut groups = vec![String::new()];
        let mut length = 0;
        let mut separators = 0;
        for (at, c) in text.char_indices().skip(usize::from(opens)) {
            if c.is_ascii_digit() {
                if separators > 0 && groups.last().is_some_and(|group| !group.is_empty()) {
                    groups.push(String::new());
                }
                groups.last_mut()?.push(c);
                separators = 0;
                length = at + 1;
            } else if is_separator(c) && separators < SEPARATORS && (opens || length > 0) {
                separators += 1;
            } else {
                break;
            }
        }
        (length > 0).then_some(Self {
            length,
            has_plus,
            groups,
        })
    }

    fn digit_count(&self) -> usize {
        self.groups.iter().map(String::len).sum()
    }

    fn is_phone(&self, text: &str, at: usize) -> bool {
        let count = self.digit_count();
        if self.is_inside_a_word(text, at) || !(7..=15).contains(&count) {
            return false;
        }
        if self.has_plus {
            return count >= 8;
        }
        let run = text.get(at..at + self.length).unwrap_or_default();
        !self.is_date(run) && (self.is_north_american() || self.is_national(count))
    }

    fn is_inside_a_word(&self, text: &str, at: usize) -> bool {
        let is_word = |c: char| c.is_alphanumeric() || c == '_';
        let before = text.get(..at).and_then(|before| before.chars().next_back());
        let after = text.get(at + self.length..);
        let after = after.and_then(|after| after.chars().next());
        before.is_some_and(is_word) || after.is_some_and(|c| is_word(c) && c != 'x')
    }

    /// `2019 - 2021`, `2019-03-05`, `05/2019 - 06/2020`: years among groups of two, or a date.
    fn is_date(&self, run: &str) -> bool {
        let is_year = |group: &&String| {
            group.len() == 4 && (group.starts_with("19") || group.starts_with("20"))
        };
        let mut others = self.groups.iter().filter(|group| !is_year(group));
        let has_year = self.groups.iter().any(|group| is_year(&group));
        matches!(dates::read(run), Date::Known(_)) || (has_year && others.all(|g| g.len() <= 2))
    }

    /// Groups of three, three and four digits.
    fn is_north_american(&self) -> bool {
        let lengths: Vec<usize> = self.groups.iter().map(String::len).collect();
        lengths.windows(3).any(|window| window == [3, 3, 4])
    }

    /// A leading zero and groups, `020 7946 0958`, or an international prefix, `0049 …`.
    fn is_national(&self, count: usize) -> bool {
        let first = self.groups.first().map_or("", String::as_str);
        let is_international = first.starts_with("00") && count >= 11;
        let is_trunk = first.starts_with('0') && (2..=5).contains(&first.len());
        self.groups.len() >= 2 && (is_international || (is_trunk && (10..=12).contains(&count)))
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

    fn found(find: fn(&str) -> Vec<Range<usize>>, text: &str) -> Vec<String> {
        let ranges = find(text).into_iter();
        ranges.map(|range| text[range].to_owned()).collect()
    }

    #[test]
    fn phone_numbers_are_recognized_by_their_form() {
        let rows = [
            ("+15550100123", "+15550100123"),
            ("Call +1 (555) 010-0123 now", "+1 (555) 010-0123"),
            ("(555) 010-0123", "(555) 010-0123"),
            ("at 555.010.0123.", "555.010.0123"),
            ("1-555-010-0123", "1-555-010-0123"),
            ("555\u{2011}010\u{2011}0123", "555\u{2011}010\u{2011}0123"),
            ("020 7946 0958", "020 7946 0958"),
            ("01 23 45 67 89", "01 23 45 67 89"),
            ("0049 170 5550100", "0049 170 5550100"),
            ("555-010-0123x12", "555-010-0123"),
        ];
        for (text, number) in rows {
            assert_eq!(found(phones, text), [number], "{text}");
        }
    }

    #[test]
    fn other_numbers_are_not_phone_numbers() {
        for text in [
            "2019-03-05",
            "2019 - 2021",
            "05/2019 - 06/2020",
            "10 000 000 users",
            "license number 1234567",
            "Patent number 10123456",
            "Cut call 120000 to 80000",
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
            "",
        ] {
            assert_eq!(found(phones, text), Vec::<String>::new(), "{text}");
        }
    }

    #[test]
    fn email_addresses_are_recognized_and_accounts_are_not() {
        let rows: [(&str, &[&str]); 8] = [
            ("Write to a.b+c@mail.example.", &["a.b+c@mail.example"]),
            (
                "<é@münchen.example>, b@c.example",
                &["é@münchen.example", "b@c.example"],
            ),
            ("mailto:a@b.example?subject=x", &["a@b.example"]),
            ("git@code.example:x", &[]),
            ("@quill@social.example", &[]),
            ("pkg@4.5.6 and a@b", &[]),
            ("@", &[]),
            ("a@", &[]),
        ];
        for (text, expected) in rows {
            assert_eq!(found(emails, text), expected, "{text}");
        }
    }

    #[test]
    fn runs_of_digits_have_a_minimum() {
        let runs = |text: &str| -> Vec<String> {
            let runs = digit_runs(text, 7).into_iter();
            runs.map(|range| text[range].to_owned()).collect()
        };
        assert_eq!(
            runs("555 0142 ext. 12, 1990-05-17"),
            ["555 0142", "1990-05-17"]
        );
    }
}
