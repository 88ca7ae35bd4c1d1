//! ISO 8601 timestamps in the form that all clients accept: RFC 3339 with seconds.

use std::time::SystemTime;

use time::OffsetDateTime;

/// Writes a point in time in RFC 3339, with milliseconds and in UTC. A time that RFC 3339 cannot
/// express is written as the start of 1970.
pub(crate) fn rfc3339(at: SystemTime) -> String {
    // "2026-11-30T12:00:00.123"
    const BYTES: usize = 23;
    let mut text = rfc3339_micros(at);
    text.truncate(BYTES);
    text.push('Z');
    text
}

/// Writes a point in time as [`rfc3339`] does, with microseconds. Each line of the log has one, so it is
/// written without the general formatter, which would take as long as the rest of the line.
pub(crate) fn rfc3339_micros(at: SystemTime) -> String {
    let since = at
        .duration_since(SystemTime::UNIX_EPOCH)
        .unwrap_or_default();
    let at = i64::try_from(since.as_secs())
        .ok()
        .and_then(|seconds| OffsetDateTime::from_unix_timestamp(seconds).ok())
        .unwrap_or(OffsetDateTime::UNIX_EPOCH);
    let mut text = String::with_capacity("2026-11-30T12:00:00.123456Z".len());
    let mut put = |number: u32, places: u32, end: char| {
        for place in (0..places).rev() {
            let digit = number / 10_u32.pow(place) % 10;
            text.push(char::from_digit(digit, 10).unwrap_or('0'));
        }
        text.push(end);
    };
    put(at.year().unsigned_abs(), 4, '-');
    put(u8::from(at.month()).into(), 2, '-');
    put(at.day().into(), 2, 'T');
    put(at.hour().into(), 2, ':');
    put(at.minute().into(), 2, ':');
    put(at.second().into(), 2, '.');
    put(since.subsec_micros(), 6, 'Z');
    text
}

/// Completes a date or timestamp to RFC 3339. Returns `None` for any other text.
pub(super) fn complete(text: &str) -> Option<String> {
    let (date, time) = text.split_once('T').unwrap_or((text, "00:00:00Z"));
    if !is_date(date) {
        return None;
    }
    let (clock, offset) = match time.find(['Z', '+', '-']) {
        Some(at) => time.split_at(at),
        None => (time, "Z"),
    };
    let seconds = if clock.len() == "hh:mm".len() {
        ":00"
    } else {
        ""
    };
    let whole = format!("{clock}{seconds}");
    (is_clock(&whole) && is_offset(offset)).then(|| format!("{date}T{whole}{offset}"))
}

fn is_date(text: &str) -> bool {
    let Some([year, month, day]) = numbers(text, '-', [4, 2, 2]) else {
        return false;
    };
    let leap = year % 4 == 0 && (year % 100 != 0 || year % 400 == 0);
    let days = match month {
        1 | 3 | 5 | 7 | 8 | 10 | 12 => 31,
        4 | 6 | 9 | 11 => 30,
        2 if leap => 29,
        2 => 28,
        _ => 0,
    };
    (1..=days).contains(&day)
}

fn is_clock(text: &str) -> bool {
    let (whole, fraction) = text.split_once('.').unwrap_or((text, "0"));
    let fits = numbers(whole, ':', [2, 2, 2]).is_some_and(|[h, m, s]| h < 24 && m < 60 && s < 60);
    fits && !fraction.is_empty() && fraction.bytes().all(|byte| byte.is_ascii_digit())
}

fn is_offset(text: &str) -> bool {
    let ahead = text.strip_prefix(['+', '-']);
    let fits = |text| numbers(text, ':', [2, 2]).is_some_and(|[h, m]| h < 24 && m < 60);
    text == "Z" || ahead.is_some_and(fits)
}

/// Splits a text into numbers that have exactly the given number of digits.
fn numbers<const N: usize>(text: &str, separator: char, digits: [usize; N]) -> Option<[u32; N]> {
    let mut parts = text.split(separator);
    let mut found = [0; N];
    for (number, length) in found.iter_mut().zip(digits) {
        let part = parts.next()?;
        if part.len() != length || !part.bytes().all(|byte| byte.is_ascii_digit()) {
            return None;
        }
        *number = part.parse().ok()?;
    }
    parts.next().is_none().then_some(found)
}

#[cfg(test)]
mod tests {
    use std::time::{Duration, SystemTime};

    use super::{complete, rfc3339, rfc3339_micros};

    #[test]
    fn times_are_written_in_utc_with_milliseconds() {
        for (ms, wanted) in [
            (0, "1970-01-01T00:00:00.000Z"),
            (951_782_400_000, "2000-02-29T00:00:00.000Z"),
            (1_785_196_799_999, "2026-07-27T23:59:59.999Z"),
        ] {
            let at = SystemTime::UNIX_EPOCH + Duration::from_millis(ms);
            assert_eq!(rfc3339(at), wanted);
            assert_eq!(complete(wanted).as_deref(), Some(wanted));
        }
        let far = SystemTime::UNIX_EPOCH + Duration::from_secs(1 << 50);
        assert!(rfc3339(far).starts_with("1970-"), "{}", rfc3339(far));
    }

    #[test]
    fn times_have_microseconds_in_the_log() {
        for (micros, expected) in [
            (0, "1970-01-01T00:00:00.000000Z"),
            (951_827_696_000_789, "2000-02-29T12:34:56.000789Z"),
            (253_402_300_799_999_999, "9999-12-31T23:59:59.999999Z"),
        ] {
            let at = SystemTime::UNIX_EPOCH + Duration::from_micros(micros);
            assert_eq!(rfc3339_micros(at), expected);
        }
    }

    #[test]
    fn dates_and_timestamps_are_completed() {
        for (given, wanted) in [
            ("2026-01-12T09:00:00Z", "2026-01-12T09:00:00Z"),
            (
                "2026-01-12T09:00:00.125+05:30",
                "2026-01-12T09:00:00.125+05:30",
            ),
            ("2026-01-12T09:00:00-08:00", "2026-01-12T09:00:00-08:00"),
            ("2026-01-12T09:00:00", "2026-01-12T09:00:00Z"),
            ("2026-01-12T09:00", "2026-01-12T09:00:00Z"),
            ("2026-01-12T09:00+01:00", "2026-01-12T09:00:00+01:00"),
            ("2026-01-12", "2026-01-12T00:00:00Z"),
            ("2024-02-29", "2024-02-29T00:00:00Z"),
        ] {
            assert_eq!(complete(given).as_deref(), Some(wanted), "{given}");
        }
    }

    #[test]
    fn other_texts_are_not_timestamps() {
        for given in [
            "",
            "T",
            "yesterday",
            "2026-1-12",
            "2026-13-01",
            "2026-00-01",
            "2026-02-29",
            "2026-04-31",
            "2026-01-12T",
            "2026-01-12T9:00:00Z",
            "2026-01-12T24:00:00Z",
            "2026-01-12T09:60:00Z",
            "2026-01-12T09:00:60Z",
            "2026-01-12T09:00:00.Z",
            "2026-01-12T09:00:00+0100",
            "2026-01-12T09:00:00Z ",
            "2026-01-12T09:00:00Z+01:00",
            "2026-01-12-01T09:00:00Z",
            "+026-01-12T09:00:00Z",
            "2026-01-12T٠٩:00:00Z",
        ] {
            assert_eq!(complete(given), None, "{given}");
        }
    }
}
