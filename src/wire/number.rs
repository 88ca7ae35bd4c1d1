//! Whole numbers in JSON, however they are written.

/// Returns whether a JSON number is a whole number from `i64::MIN` to `u64::MAX`.
///
/// `1.0` and `1e2` are whole numbers: JSON and JSON Schema do not distinguish them from `1` and
/// `100`.
pub(crate) fn is_whole(json: &str) -> bool {
    if json.parse::<i64>().is_ok() {
        return true;
    }
    let (sign, text) = json
        .strip_prefix('-')
        .map_or(("", json), |digits| ("-", digits));
    let (mantissa, exponent) = text.split_once(['e', 'E']).unwrap_or((text, "0"));
    let (integer, fraction) = mantissa.split_once('.').unwrap_or((mantissa, ""));
    let digits = format!("{integer}{fraction}");
    let Ok(exponent) = exponent.parse::<i64>() else {
        return false;
    };
    if integer.is_empty() || !digits.bytes().all(|byte| byte.is_ascii_digit()) {
        return false;
    }
    let significant = digits.trim_end_matches('0');
    let zeros = count(&digits) - count(significant) - count(fraction);
    let significant = significant.trim_start_matches('0');
    if significant.is_empty() {
        return true;
    }
    // The exponent is at most `i64::MAX`, and no text is as long as `i64::MAX`.
    let Some(zeros) = exponent.checked_add(zeros) else {
        return false;
    };
    let Ok(zeros) = usize::try_from(zeros) else {
        return false;
    };
    // `u64::MAX` has 20 digits.
    if zeros > 20 {
        return false;
    }
    let number = format!("{sign}{significant}{}", "0".repeat(zeros));
    number.parse::<i64>().is_ok() || number.parse::<u64>().is_ok()
}

fn count(digits: &str) -> i64 {
    i64::try_from(digits.len()).unwrap_or(i64::MAX)
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    #[test]
    fn the_notation_is_not_significant() {
        for json in [
            "0",
            "-0",
            "0.0",
            "-0.0",
            "0e5",
            "0.00e-7",
            "7",
            "1.0",
            "-1.0",
            "100",
            "1e2",
            "1E+2",
            "1.50e1",
            "10e-1",
            "1200e-2",
            "-9223372036854775808",
            "18446744073709551615",
            "1.8446744073709551615e19",
            "1e19",
        ] {
            assert!(is_whole(json), "{json}");
        }
        for json in [
            "1.5",
            "1e-1",
            "1.25e1",
            "15e-1",
            "0.1",
            "1e20",
            "1e30",
            "18446744073709551616",
            "-9223372036854775809",
            "1e9223372036854775807",
            "1e99999999999999999999",
            "1e-99999999999999999999",
            "",
            "-",
            "e",
            ".",
            "x",
            "\"1\"",
            "1.0x",
            "null",
        ] {
            assert!(!is_whole(json), "{json}");
        }
    }

    proptest! {
        #[test]
        fn a_shifted_point_does_not_change_the_number(number in any::<i64>(), shift in 0_usize..30) {
            let zeros = "0".repeat(shift);
            prop_assert!(is_whole(&number.to_string()));
            let shifted = format!("{number}{zeros}e-{shift}");
            prop_assert!(is_whole(&shifted));
            let point = format!("{number}.{zeros}");
            prop_assert!(shift == 0 || is_whole(&point));
        }

        #[test]
        fn small_numbers_agree_with_floats(number in -1000_i32..1000, exponent in -3_i32..4) {
            let json = format!("{number}e{exponent}");
            let value: f64 = json.parse().unwrap();
            prop_assert_eq!(is_whole(&json), value.fract() == 0.0, "{}", json);
        }

        #[test]
        fn no_text_panics(text in "[-+0-9.eE]{0,40}") {
            let _ = is_whole(&text);
        }
    }
}
