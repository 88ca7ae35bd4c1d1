//! The values of `format` that are checked: `date`, `date-time`, `uuid`, `email` and `uri`.
//!
//! Types such as `chrono::NaiveDate`, `jiff::Timestamp`, `uuid::Uuid` and `url::Url` have these
//! formats. A text that their parser would refuse is refused before, with the form that is expected.
//! JSON Schema 2020-12 Validation, section 7.3.

/// A format that is checked.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Format {
    /// RFC 3339, `full-date`.
    Date,
    /// RFC 3339, `date-time`. A space may separate date and time, as section 5.6 allows.
    DateTime,
    /// RFC 9562.
    Uuid,
    /// An address of one mailbox, without a display name. Non-ASCII characters are allowed.
    Email,
    /// RFC 3986. Non-ASCII characters are allowed, as parsers of URLs encode them.
    Uri,
}

impl Format {
    /// The format with this name. `None` if it is not checked.
    pub(crate) fn named(name: &str) -> Option<Self> {
        Some(match name {
            "date" => Self::Date,
            "date-time" => Self::DateTime,
            "uuid" => Self::Uuid,
            "email" => Self::Email,
            "uri" => Self::Uri,
            _ => return None,
        })
    }

    /// What a text of this format is, with an example.
    pub(crate) const fn description(self) -> &'static str {
        match self {
            Self::Date => "a date such as `2026-11-30`",
            Self::DateTime => {
                "a date and time with its offset from UTC, such as `2026-11-30T09:15:00Z`"
            }
            Self::Uuid => "a UUID such as `3f2b8c1e-9d4a-4e6f-8a17-5c0d2e9b7f64`",
            Self::Email => "an e-mail address such as `name@example.com`",
            Self::Uri => "a URI such as `https://example.com/page`",
        }
    }

    /// Whether a text has this format. Takes time proportional to its length.
    pub(crate) fn matches(self, text: &str) -> bool {
        match self {
            Self::Date => is_date(text),
            Self::DateTime => is_date_time(text),
            Self::Uuid => is_uuid(text),
            Self::Email => is_email(text),
            Self::Uri => is_uri(text),
        }
    }
}

/// A number of exactly `width` digits.
fn digits(text: &str, width: usize) -> Option<u32> {
    let is_number = text.len() == width && text.bytes().all(|byte| byte.is_ascii_digit());
    is_number.then(|| text.parse().ok()).flatten()
}

fn is_date(text: &str) -> bool {
    let parts: Vec<&str> = text.splitn(4, '-').collect();
    let &[year, month, day] = parts.as_slice() else {
        return false;
    };
    let parsed = (digits(year, 4), digits(month, 2), digits(day, 2));
    let (Some(year), Some(month), Some(day)) = parsed else {
        return false;
    };
    let days = match month {
        4 | 6 | 9 | 11 => 30,
        2 if year % 4 == 0 && (year % 100 != 0 || year % 400 == 0) => 29,
        2 => 28,
        1..=12 => 31,
        _ => return false,
    };
    (1..=days).contains(&day)
}

fn is_date_time(text: &str) -> bool {
    let Some((date, time)) = text.split_once(['T', 't', ' ']) else {
        return false;
    };
    let (time, offset_is_valid) = if let Some(time) = time.strip_suffix(['Z', 'z']) {
        (time, true)
    } else if let Some(at) = time.rfind(['+', '-']) {
        let (time, offset) = time.split_at(at);
        let offset = offset.get(1..).unwrap_or_default();
        (time, clock(offset, 2).is_some())
    } else {
        return false;
    };
    let (whole, fraction) = time.split_once('.').unwrap_or((time, "0"));
    let fraction_is_valid = !fraction.is_empty() && fraction.bytes().all(|b| b.is_ascii_digit());
    is_date(date) && clock(whole, 3).is_some() && fraction_is_valid && offset_is_valid
}

/// A time of the day of so many parts: hours, minutes and seconds.
fn clock(text: &str, parts: usize) -> Option<()> {
    let read: Vec<u32> = text
        .splitn(parts + 1, ':')
        .map(|part| digits(part, 2))
        .collect::<Option<_>>()?;
    // 60 is a leap second.
    let limits = [23, 59, 60];
    let is_valid = read.len() == parts && read.iter().zip(limits).all(|(part, max)| *part <= max);
    is_valid.then_some(())
}

fn is_uuid(text: &str) -> bool {
    let widths = [8, 4, 4, 4, 12];
    let mut parts = text.split('-');
    let is_part = |width: usize| {
        parts.next().is_some_and(|part| {
            part.len() == width && part.bytes().all(|byte| byte.is_ascii_hexdigit())
        })
    };
    text.len() == 36 && widths.into_iter().all(is_part)
}

fn is_email(text: &str) -> bool {
    let Some((local, domain)) = text.rsplit_once('@') else {
        return false;
    };
    let is_local =
        |c: char| c.is_alphanumeric() || !c.is_ascii() || "!#$%&'*+/=?^_`{|}~-.".contains(c);
    let is_label = |label: &str| {
        !label.is_empty()
            && label.len() <= 63
            && !label.starts_with('-')
            && !label.ends_with('-')
            && label
                .chars()
                .all(|c| c.is_alphanumeric() || c == '-' || !c.is_ascii())
    };
    let has_space = text.chars().any(|c| c.is_whitespace() || c.is_control());
    !local.is_empty()
        && local.len() <= 64
        && local.chars().all(is_local)
        && !has_space
        && domain.len() <= 253
        && domain.split('.').all(is_label)
}

fn is_uri(text: &str) -> bool {
    let Some((scheme, rest)) = text.split_once(':') else {
        return false;
    };
    let is_scheme = scheme.starts_with(|c: char| c.is_ascii_alphabetic())
        && scheme
            .bytes()
            .all(|byte| byte.is_ascii_alphanumeric() || b"+-.".contains(&byte));
    let is_excluded = |c: char| c.is_whitespace() || c.is_control() || "<>\"\\^`{|}".contains(c);
    let needs_host = ["http", "https"]
        .iter()
        .any(|web| scheme.eq_ignore_ascii_case(web));
    let has_host = rest
        .strip_prefix("//")
        .is_some_and(|rest| !rest.is_empty() && !rest.starts_with(['/', '?', '#', ':']));
    is_scheme && !rest.is_empty() && !rest.contains(is_excluded) && (!needs_host || has_host)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    #[expect(clippy::too_many_lines, reason = "a table, one row for each format")]
    fn each_format_accepts_its_form_and_no_other() {
        let cases: [(&str, &[&str], &[&str]); 5] = [
            (
                "date",
                &["2026-11-30", "2024-02-29", "2000-02-29", "0001-01-01"],
                &[
                    "",
                    "tomorrow",
                    "2026-2-3",
                    "30.11.2026",
                    "2026-11-31",
                    "2025-02-29",
                    "1900-02-29",
                    "2026-13-01",
                    "2026-00-10",
                    "2026-11-00",
                    "2026-11-30T00:00:00Z",
                    "2026-11-30-",
                    "２０２６-11-30",
                    "+026-11-30",
                ],
            ),
            (
                "date-time",
                &[
                    "2026-11-30T09:15:00Z",
                    "2026-11-30t09:15:00z",
                    "2026-11-30 09:15:00+01:00",
                    "2026-11-30T09:15:00.123456789-08:00",
                    "2016-12-31T23:59:60Z",
                ],
                &[
                    "",
                    "2026-11-30",
                    "2026-11-30T09:15:00",
                    "2026-11-30T09:15Z",
                    "2026-11-30T24:00:00Z",
                    "2026-11-30T09:60:00Z",
                    "2026-11-30T09:15:00.Z",
                    "2026-11-30T09:15:00+1:00",
                    "2026-11-30T09:15:00+0100",
                    "2026-11-31T09:15:00Z",
                    "noon",
                ],
            ),
            (
                "uuid",
                &[
                    "3f2b8c1e-9d4a-4e6f-8a17-5c0d2e9b7f64",
                    "3F2B8C1E-9D4A-4E6F-8A17-5C0D2E9B7F64",
                ],
                &[
                    "",
                    "3f2b8c1e9d4a4e6f8a175c0d2e9b7f64",
                    "3f2b8c1e-9d4a-4e6f-8a17-5c0d2e9b7f6",
                    "3f2b8c1e-9d4a-4e6f-8a17-5c0d2e9b7f6g",
                    "{3f2b8c1e-9d4a-4e6f-8a17-5c0d2e9b7f64}",
                    "3f2b8c1e-9d4a-4e6f-8a175-c0d2e9b7f64",
                ],
            ),
            (
                "email",
                &[
                    "name@example.com",
                    "a.b+c@x.co",
                    "ann@localhost",
                    "用户@例子.公司",
                ],
                &[
                    "",
                    "name",
                    "@example.com",
                    "name@",
                    "a@b@c.com",
                    "Ann <ann@example.com>",
                    "ann@example..com",
                    "ann@-example.com",
                    "a nn@example.com",
                    "ann@exa mple.com",
                ],
            ),
            (
                "uri",
                &[
                    "https://example.com",
                    "https://example.com/a?b#c",
                    "mailto:ann@example.com",
                    "urn:isbn:0451450523",
                    "file:///notes.md",
                    "https://例子.公司/",
                ],
                &[
                    "",
                    "example.com",
                    "/path",
                    "https:",
                    "https://",
                    "http:///x",
                    "https://exa mple.com",
                    "1a:b",
                    "https://example.com/<x>",
                ],
            ),
        ];
        for (name, valid, invalid) in cases {
            let format = Format::named(name).unwrap();
            for text in valid {
                assert!(format.matches(text), "{name}: {text:?} is valid");
            }
            for text in invalid {
                assert!(!format.matches(text), "{name}: {text:?} is invalid");
            }
            let example = format.description().split('`').nth(1).unwrap();
            assert!(format.matches(example), "{name}: the example is valid");
        }
        assert_eq!(Format::named("uint32"), None);
    }
}
