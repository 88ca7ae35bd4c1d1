//! Periods, as configuration and messages write them: `90m`, `90 minutes`.

use std::time::Duration;

/// The units, from the longest to the shortest: seconds, letter, word.
const UNITS: [(u64, char, &str); 4] = [
    (86_400, 'd', "day"),
    (3600, 'h', "hour"),
    (60, 'm', "minute"),
    (1, 's', "second"),
];

/// Reads `1h`, `90m` and, as in `3/h`, a unit alone. Returns `None` for anything else.
pub(super) fn parse(text: &str) -> Option<Duration> {
    let text = text.trim();
    let (count, unit_s) = UNITS
        .iter()
        .find_map(|(unit_s, letter, _)| Some((text.strip_suffix(*letter)?, *unit_s)))?;
    let count: u32 = match count.trim_end() {
        "" => 1,
        // `parse` alone would accept a plus sign.
        digits if digits.bytes().all(|b| b.is_ascii_digit()) => digits.parse().ok()?,
        _ => return None,
    };
    Some(Duration::from_secs(u64::from(count) * unit_s))
}

/// Writes a period in its longest whole unit, such as `90m`.
pub(super) fn short(period: Duration) -> String {
    let seconds = period.as_secs();
    let unit = UNITS
        .iter()
        .find(|(unit_s, ..)| seconds.is_multiple_of(*unit_s));
    unit.map_or_else(String::new, |(unit_s, letter, _)| {
        format!("{}{letter}", seconds / unit_s)
    })
}

/// Writes a period in words, such as `90 minutes`. Rounds up, never down.
pub(super) fn in_words(period_s: u64) -> String {
    // A unit is used from ten on: `3 hours` for two hours and a second would be far off.
    let unit = UNITS
        .iter()
        .find(|(unit_s, ..)| period_s.is_multiple_of(*unit_s) || period_s >= 10 * unit_s);
    let (unit_s, _, word) = unit.unwrap_or(&(1, 's', "second"));
    let count = period_s.div_ceil(*unit_s);
    let plural = if count == 1 { "" } else { "s" };
    format!("{count} {word}{plural}")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn periods_are_written_in_letters_and_in_words() {
        let rows = [
            (1, "1s", "1 second"),
            (90, "90s", "90 seconds"),
            (61, "61s", "61 seconds"),
            (599, "599s", "599 seconds"),
            (601, "601s", "11 minutes"),
            (3600, "1h", "1 hour"),
            (3601, "3601s", "61 minutes"),
            (5400, "90m", "90 minutes"),
            (86_400, "1d", "1 day"),
            (7201, "7201s", "121 minutes"),
            (40_000, "40000s", "12 hours"),
            (7 * 86_400, "7d", "7 days"),
        ];
        for (seconds, letters, words) in rows {
            let period = Duration::from_secs(seconds);
            assert_eq!(short(period), letters);
            assert_eq!(parse(letters), Some(period));
            assert_eq!(in_words(seconds), words);
        }
    }

    #[test]
    fn a_unit_alone_is_one_of_it() {
        assert_eq!(parse("h"), Some(Duration::from_secs(3600)));
        assert_eq!(parse(" 2 d "), Some(Duration::from_secs(2 * 86_400)));
        for text in ["", "1", "1w", "x1h", "+1h", "-1h", "1.5h", "99999999999h"] {
            assert_eq!(parse(text), None, "{text}");
        }
    }
}
