//! Numbers as JSON Schema compares them: by value, so that `1` and `1.0` are the same.

use std::cmp::Ordering;

use serde_json::Number;

/// A number in a form that compares exactly.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(super) enum Exact {
    Integer(i128),
    /// A number that is not whole, or too large for a 64-bit integer.
    Float(f64),
}

/// The number as its exact value.
pub(super) fn exact(number: &Number) -> Exact {
    let integer = number
        .as_i64()
        .map(i128::from)
        .or_else(|| number.as_u64().map(i128::from));
    integer.map_or_else(
        || {
            let float = number.as_f64().unwrap_or(f64::NAN);
            integer_of(float).map_or(Exact::Float(float), Exact::Integer)
        },
        Exact::Integer,
    )
}

/// The whole number that a float stands for, if 64 bits hold it.
#[expect(
    clippy::cast_possible_truncation,
    reason = "the float is whole and within the range of 64-bit integers"
)]
fn integer_of(float: f64) -> Option<i128> {
    const LOWEST: f64 = -9_223_372_036_854_775_808.0;
    const BEYOND: f64 = 18_446_744_073_709_551_616.0;
    let is_whole = float.fract() == 0.0 && (LOWEST..BEYOND).contains(&float);
    is_whole.then_some(float as i128)
}

/// Whether a number is whole: `5`, `5.0`, `1e2`, `1e300`.
pub(super) fn is_integer(number: &Number) -> bool {
    match exact(number) {
        Exact::Integer(_) => true,
        Exact::Float(float) => float.fract() == 0.0,
    }
}

/// A whole number that is written as a float, as an integer.
pub(super) fn as_integer(number: &Number) -> Option<Number> {
    let Exact::Integer(integer) = exact(number) else {
        return None;
    };
    if !number.is_f64() {
        return None;
    }
    i64::try_from(integer)
        .map(Number::from)
        .or_else(|_| u64::try_from(integer).map(Number::from))
        .ok()
}

/// Compares two numbers by value.
#[expect(
    clippy::cast_precision_loss,
    reason = "the other number is not whole, or beyond 64 bits"
)]
pub(super) fn compare(a: &Number, b: &Number) -> Option<Ordering> {
    match (exact(a), exact(b)) {
        (Exact::Integer(a), Exact::Integer(b)) => Some(a.cmp(&b)),
        (Exact::Integer(a), Exact::Float(b)) => (a as f64).partial_cmp(&b),
        (Exact::Float(a), Exact::Integer(b)) => a.partial_cmp(&(b as f64)),
        (Exact::Float(a), Exact::Float(b)) => a.partial_cmp(&b),
    }
}

/// Whether `number` is a multiple of `step`, which is greater than 0. Fractions are compared with the
/// tolerance of a float, since 0.3 is not exactly three times 0.1.
#[expect(
    clippy::cast_precision_loss,
    reason = "one of the numbers is a fraction, so the comparison has a tolerance"
)]
pub(super) fn is_multiple_of(number: &Number, step: &Number) -> bool {
    let float = |exact| match exact {
        Exact::Integer(integer) => integer as f64,
        Exact::Float(float) => float,
    };
    match (exact(number), exact(step)) {
        (Exact::Integer(number), Exact::Integer(step)) => number.checked_rem(step) == Some(0),
        (number, step) => {
            let steps = float(number) / float(step);
            (steps - steps.round()).abs() <= f64::EPSILON * steps.abs().max(1.0)
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use serde_json::{Value, json};

    fn number(value: &Value) -> Number {
        value.as_number().unwrap().clone()
    }

    #[test]
    fn whole_numbers_are_integers_however_they_are_written() {
        for (text, integer) in [
            ("5", None),
            ("5.0", Some(json!(5))),
            ("6e0", Some(json!(6))),
            ("1e2", Some(json!(100))),
            ("-0.0", Some(json!(0))),
            ("-9223372036854775808.0", Some(json!(i64::MIN))),
            (
                "18446744073709549568.0",
                Some(json!(18_446_744_073_709_549_568_u64)),
            ),
            ("18446744073709551616", None),
            ("1e300", None),
        ] {
            let value: Value = serde_json::from_str(text).unwrap();
            assert!(is_integer(&number(&value)), "{text}");
            assert_eq!(
                as_integer(&number(&value)).map(Value::from),
                integer,
                "{text}"
            );
        }
        for text in ["5.5", "1e-1", "0.1"] {
            let value: Value = serde_json::from_str(text).unwrap();
            assert!(!is_integer(&number(&value)), "{text}");
            assert_eq!(as_integer(&number(&value)), None, "{text}");
        }
    }

    #[test]
    fn large_integers_are_compared_exactly() {
        let (a, b) = (9_007_199_254_740_993_u64, 9_007_199_254_740_992_u64);
        let order = compare(&number(&json!(a)), &number(&json!(b)));
        assert_eq!(order, Some(Ordering::Greater));
        let order = compare(&number(&json!(a)), &number(&json!(9_007_199_254_740_992.0)));
        assert_eq!(order, Some(Ordering::Greater));
        assert!(!is_multiple_of(&number(&json!(a)), &number(&json!(2))));
        assert!(is_multiple_of(&number(&json!(b)), &number(&json!(2))));
        assert!(is_multiple_of(&number(&json!(0.3)), &number(&json!(0.1))));
        assert!(!is_multiple_of(&number(&json!(0.35)), &number(&json!(0.1))));
    }
}
