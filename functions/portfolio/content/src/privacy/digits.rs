//! The decimal digits of every script.

/// The zeros of the scripts whose digits have no compatibility decomposition to ASCII, in order
/// (Unicode 16, general category `Nd`). The digits 1 to 9 follow each of them.
const ZEROS: [u32; 66] = [
    0x0660, 0x06F0, 0x07C0, 0x0966, 0x09E6, 0x0A66, 0x0AE6, 0x0B66, 0x0BE6, 0x0C66, 0x0CE6, 0x0D66,
    0x0DE6, 0x0E50, 0x0ED0, 0x0F20, 0x1040, 0x1090, 0x17E0, 0x1810, 0x1946, 0x19D0, 0x1A80, 0x1A90,
    0x1B50, 0x1BB0, 0x1C40, 0x1C50, 0xA620, 0xA8D0, 0xA900, 0xA9D0, 0xA9F0, 0xAA50, 0xABF0,
    0x104A0, 0x10D30, 0x10D40, 0x11066, 0x110F0, 0x11136, 0x111D0, 0x112F0, 0x11450, 0x114D0,
    0x11650, 0x116C0, 0x116D0, 0x116DA, 0x11730, 0x118E0, 0x11950, 0x11BF0, 0x11C50, 0x11D50,
    0x11DA0, 0x11F50, 0x16A60, 0x16AC0, 0x16B50, 0x16D70, 0x1E140, 0x1E2F0, 0x1E4F0, 0x1E5F1,
    0x1E950,
];

/// Returns a digit of any script as an ASCII digit, and every other character unchanged.
pub(super) fn to_ascii(c: char) -> char {
    let code = u32::from(c);
    let after = ZEROS.partition_point(|zero| *zero <= code);
    let zero = after.checked_sub(1).and_then(|at| ZEROS.get(at));
    zero.and_then(|zero| char::from_digit(code - zero, 10))
        .unwrap_or(c)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_digits_of_every_script_become_ascii() {
        for zero in ZEROS {
            for value in 0..10 {
                let digit = char::from_u32(zero + value).unwrap();
                assert!(digit.is_numeric(), "{zero:x} {value}");
                assert_eq!(to_ascii(digit), char::from_digit(value, 10).unwrap());
            }
        }
        assert!(ZEROS.is_sorted());
        for c in ['7', 'a', 'é', '\u{65F}', '\u{66A}', '漢'] {
            assert_eq!(to_ascii(c), c);
        }
    }
}
