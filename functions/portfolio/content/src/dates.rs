//! Reads dates as people write them, and returns the form of JSON Resume 1.0: `2020`, `2020-03` or
//! `2020-03-05`.

/// Words for "until now" in the place of an end date.
const OPEN: [&str; 12] = [
    "present",
    "current",
    "currently",
    "now",
    "today",
    "ongoing",
    "till date",
    "to date",
    "till now",
    "until now",
    "-",
    "–",
];

/// What programs write for a date that they could not read.
const FAILED: [&str; 6] = [
    "invalid date",
    "nan",
    "nan-nan",
    "null",
    "undefined",
    "none",
];

/// English month names. Three letters are enough.
const MONTHS: [&str; 12] = [
    "january",
    "february",
    "march",
    "april",
    "may",
    "june",
    "july",
    "august",
    "september",
    "october",
    "november",
    "december",
];

/// The meaning of a date text.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) enum Date {
    /// A date, in the standard form.
    Known(String),
    /// No date, or not over yet: an empty text, `Present`.
    Open,
    /// The result of a failed conversion, such as `Invalid date`.
    Failed,
    /// A date whose day or month does not exist: `2024-09-31`.
    Impossible,
    /// A text that is not recognized as a date.
    Unclear,
}

/// Reads a date.
pub(crate) fn read(text: &str) -> Date {
    let text = text.trim();
    if is_standard(text) {
        return Date::Known(text.to_owned());
    }
    if text.is_empty() || OPEN.iter().any(|word| text.eq_ignore_ascii_case(word)) {
        return Date::Open;
    }
    if FAILED.iter().any(|word| text.eq_ignore_ascii_case(word)) {
        return Date::Failed;
    }
    if let Some(date) = numeric(text, days).or_else(|| with_month_name(text, days)) {
        return Date::Known(date);
    }
    let any: Days = |_, _| 31;
    let has_no_such_day = numeric(text, any)
        .or_else(|| with_month_name(text, any))
        .is_some();
    if has_no_such_day || has_no_such_month(text) {
        Date::Impossible
    } else {
        Date::Unclear
    }
}

/// Returns whether a text is a date in the standard form, as most dates are.
pub(crate) fn is_standard(text: &str) -> bool {
    let part = |range: std::ops::Range<usize>| text.get(range).unwrap_or_default();
    let is_separated = |at: usize| text.as_bytes().get(at) == Some(&b'-');
    let Some(year) = number(part(0..4), 1000..=2999) else {
        return false;
    };
    let month = || number(part(5..7), 1..=12).filter(|_| is_separated(4));
    match text.len() {
        4 => true,
        7 => month().is_some(),
        10 => month().is_some_and(|month| {
            is_separated(7) && number(part(8..10), 1..=days(year, month)).is_some()
        }),
        _ => false,
    }
}

/// Returns the number of days of a month of a year.
type Days = fn(u16, u16) -> u16;

/// `2020-13`, `2020-00-05`.
fn has_no_such_month(text: &str) -> bool {
    let parts: Vec<&str> = text.split(['-', '/']).collect();
    match parts.as_slice() {
        [year, month] | [year, month, _] => {
            standard(year, None, days).is_some()
                && month.len() == 2
                && number(month, 0..=99).is_some_and(|month| !(1..=12).contains(&month))
        }
        _ => false,
    }
}

/// `2020`, `2020-3`, `2020/03/05`, `2020.03`, `2020-03-05T10:00:00Z`, `03/2020`.
fn numeric(text: &str, days: Days) -> Option<String> {
    let day_part = match text.split_once(['T', ' ']) {
        Some((date, time)) if is_time(time) => date,
        _ => text,
    };
    let parts: Vec<&str> = day_part.split(['-', '/', '.']).map(str::trim).collect();
    match parts.as_slice() {
        [year] => standard(year, None, days),
        [month, year] if year.len() == 4 => standard(year, Some((month, None)), days),
        [year, month] => standard(year, Some((month, None)), days),
        [first, month, year] if year.len() == 4 => day_and_month(first, month, year, days),
        [year, month, day] => standard(year, Some((month, Some(day))), days),
        _ => None,
    }
}

/// `24-06-2022`, `06/24/2022`: unclear if both numbers can be a month.
fn day_and_month(first: &str, second: &str, year: &str, days: Days) -> Option<String> {
    let day_first = standard(year, Some((second, Some(first))), days);
    let month_first = standard(year, Some((first, Some(second))), days);
    match (day_first, month_first) {
        (Some(a), Some(b)) if a != b => None,
        (a, b) => a.or(b),
    }
}

fn is_time(text: &str) -> bool {
    text.starts_with(|c: char| c.is_ascii_digit()) && text.contains(':')
}

/// `March 2020`, `Mar. 2020`, `Mar-2020`, `5 March 2020`, `March 5, 2020`.
fn with_month_name(text: &str, days: Days) -> Option<String> {
    let words: Vec<&str> = text
        .split([' ', ',', '.', '-'])
        .filter(|word| !word.is_empty() && !word.eq_ignore_ascii_case("of"))
        .collect();
    match words.as_slice() {
        [month, year] => standard(year, Some((&month_number(month)?, None)), days),
        [month, day, year] if day.starts_with(|c: char| c.is_ascii_digit()) => {
            standard(year, Some((&month_number(month)?, Some(day))), days)
        }
        [day, month, year] => standard(year, Some((&month_number(month)?, Some(day))), days),
        _ => None,
    }
}

fn month_number(word: &str) -> Option<String> {
    let word = word.to_lowercase();
    let at = MONTHS.iter().position(|name| {
        word == *name || (word.len() >= 3 && word.len() <= 4 && name.starts_with(&word))
    })?;
    Some((at + 1).to_string())
}

/// Writes a year, with its month and the day of that, if they exist.
fn standard(year: &str, month: Option<(&str, Option<&str>)>, days: Days) -> Option<String> {
    if year.len() != 4 || !year.starts_with(['1', '2']) {
        return None;
    }
    let year = number(year, 1000..=2999)?;
    let Some((month, day)) = month else {
        return Some(year.to_string());
    };
    let month = number(month, 1..=12)?;
    let Some(day) = day else {
        return Some(format!("{year}-{month:02}"));
    };
    let day = number(day, 1..=days(year, month))?;
    Some(format!("{year}-{month:02}-{day:02}"))
}

fn number(text: &str, range: std::ops::RangeInclusive<u16>) -> Option<u16> {
    let is_plain = !text.is_empty() && text.bytes().all(|b| b.is_ascii_digit());
    text.parse()
        .ok()
        .filter(|number| is_plain && range.contains(number))
}

const fn days(year: u16, month: u16) -> u16 {
    match month {
        4 | 6 | 9 | 11 => 30,
        2 if year.is_multiple_of(4) && (!year.is_multiple_of(100) || year.is_multiple_of(400)) => {
            29
        }
        2 => 28,
        _ => 31,
    }
}

/// Returns whether `start` is after `end`. Compares as much as both dates have.
pub(crate) fn is_reversed(start: &str, end: &str) -> bool {
    let shared = start.len().min(end.len());
    matches!((start.get(..shared), end.get(..shared)), (Some(start), Some(end)) if start > end)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn dates_as_people_write_them() {
        let rows = [
            ("2020", "2020"),
            (" 2020 ", "2020"),
            ("2020-3", "2020-03"),
            ("2020-03", "2020-03"),
            ("2020/03", "2020-03"),
            ("03/2020", "2020-03"),
            ("3.2020", "2020-03"),
            ("2020-3-5", "2020-03-05"),
            ("2020-03-05", "2020-03-05"),
            ("2020.03.05", "2020-03-05"),
            ("2020-02-29", "2020-02-29"),
            ("2020-03-05T08:00:00.000Z", "2020-03-05"),
            ("2020-03-05 08:00:00", "2020-03-05"),
            ("March 2020", "2020-03"),
            ("mar 2020", "2020-03"),
            ("Sept. 2020", "2020-09"),
            ("5 March 2020", "2020-03-05"),
            ("March 5, 2020", "2020-03-05"),
            ("Mar-2020", "2020-03"),
            ("24-06-2022", "2022-06-24"),
            ("06/24/2022", "2022-06-24"),
            ("5/5/2022", "2022-05-05"),
        ];
        for (text, expected) in rows {
            assert_eq!(read(text), Date::Known(expected.to_owned()), "{text:?}");
            assert_eq!(
                read(expected),
                Date::Known(expected.to_owned()),
                "{expected:?} is stable"
            );
            assert!(is_standard(expected), "{expected:?}");
            assert_eq!(is_standard(text), text == expected, "{text:?}");
        }
    }

    #[test]
    fn words_for_until_now_and_empty_texts_are_open() {
        for text in [
            "",
            "  ",
            "Present",
            "present",
            "CURRENT",
            "Now",
            "ongoing",
            "till date",
            "-",
        ] {
            assert_eq!(read(text), Date::Open, "{text:?}");
        }
    }

    #[test]
    fn a_failed_conversion_is_not_a_date() {
        for text in ["Invalid date", "Invalid Date", "NaN-NaN", "undefined"] {
            assert_eq!(read(text), Date::Failed, "{text:?}");
        }
    }

    #[test]
    fn what_is_not_a_date_or_could_be_two_dates_is_unclear() {
        let rows = [
            "Summer 2019",
            "20",
            "21",
            "05/03/2020",
            "1.3.2020",
            "2018 - 2020",
            "0020",
            "9999",
            "March",
            "+2020",
            "2020-3-5-1",
            "Maybe 2020",
        ];
        for text in rows {
            assert_eq!(read(text), Date::Unclear, "{text:?}");
            assert!(!is_standard(text), "{text:?}");
        }
    }

    #[test]
    fn a_day_or_month_that_does_not_exist_is_impossible() {
        for text in [
            "2024-09-31",
            "2020-02-30",
            "2019-02-29",
            "31/09/2024",
            "September 31, 2024",
            "2020-13",
            "2020-00-05",
        ] {
            assert_eq!(read(text), Date::Impossible, "{text:?}");
            assert!(!is_standard(text), "{text:?}");
        }
    }

    #[test]
    fn an_end_before_its_start_is_recognized() {
        let rows = [
            ("2020-05", "2019", true),
            ("2020-05", "2020-04", true),
            ("2020-05-02", "2020-05-01", true),
            ("2020-05", "2020", false),
            ("2020", "2020-01", false),
            ("2019-12-31", "2020", false),
        ];
        for (start, end, expected) in rows {
            assert_eq!(is_reversed(start, end), expected, "{start} {end}");
        }
    }
}
