//! Decodes percent escapes (RFC 3986) and HTML character references, also nested ones, and keeps
//! the place of every character in the source.

/// How often an escape may be escaped again: `%2540`.
const ROUNDS: usize = 3;

/// The named references that can be part of contact data.
const NAMES: [(&str, char); 20] = [
    ("amp", '&'),
    ("apos", '\''),
    ("colon", ':'),
    ("comma", ','),
    ("commat", '@'),
    ("dash", '\u{2010}'),
    ("gt", '>'),
    ("hyphen", '\u{2010}'),
    ("lowbar", '_'),
    ("lpar", '('),
    ("lt", '<'),
    ("nbsp", '\u{a0}'),
    ("num", '#'),
    ("percnt", '%'),
    ("period", '.'),
    ("plus", '+'),
    ("quot", '"'),
    ("rpar", ')'),
    ("shy", '\u{ad}'),
    ("sol", '/'),
];

/// A decoded character and the bytes of the source that it comes from.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct Source {
    pub(super) c: char,
    pub(super) start: usize,
    pub(super) end: usize,
}

/// Returns whether a text can contain escapes.
pub(super) fn is_escaped(text: &str) -> bool {
    text.bytes().any(|byte| matches!(byte, b'%' | b'&'))
}

/// Decodes a text.
pub(super) fn decode(text: &str) -> Vec<Source> {
    let mut chars: Vec<Source> = text
        .char_indices()
        .map(|(start, c)| Source {
            c,
            start,
            end: start + c.len_utf8(),
        })
        .collect();
    for _ in 0..ROUNDS {
        let (decoded, has_changed) = decode_once(&chars);
        chars = decoded;
        if !has_changed {
            break;
        }
    }
    chars
}

fn decode_once(chars: &[Source]) -> (Vec<Source>, bool) {
    let mut decoded = Vec::with_capacity(chars.len());
    let mut has_changed = false;
    let mut at = 0;
    while let Some(source) = chars.get(at) {
        let rest = chars.get(at..).unwrap_or_default();
        let escape = match source.c {
            '%' => percent(rest),
            '&' => reference(rest),
            _ => None,
        };
        let (c, length) = escape.unwrap_or((source.c, 1));
        let end = rest.get(length - 1).map_or(source.end, |last| last.end);
        let start = source.start;
        decoded.push(Source { c, start, end });
        has_changed |= escape.is_some();
        at += length;
    }
    (decoded, has_changed)
}

/// Reads one character that is written as one to four percent escapes.
fn percent(rest: &[Source]) -> Option<(char, usize)> {
    let byte = |index: usize| {
        let digit = |at: usize| rest.get(index * 3 + at)?.c.to_digit(16);
        let is_escape = rest.get(index * 3)?.c == '%';
        is_escape.then_some(())?;
        u8::try_from(digit(1)? * 16 + digit(2)?).ok()
    };
    let length = match byte(0)? {
        0x00..=0x7f => 1,
        0xc2..=0xdf => 2,
        0xe0..=0xef => 3,
        0xf0..=0xf4 => 4,
        _ => return None,
    };
    let bytes: Vec<u8> = (0..length).map_while(byte).collect();
    let c = std::str::from_utf8(&bytes).ok()?.chars().next()?;
    Some((c, length * 3))
}

/// Reads a character reference: `&#64;`, `&#x40;`, `&commat;`. The semicolon may be missing after a
/// number, as browsers accept it.
fn reference(rest: &[Source]) -> Option<(char, usize)> {
    /// The longest reference that is read.
    const LONGEST: usize = 12;
    let body = rest.get(1..)?;
    let is_part = |source: &&Source| source.c.is_ascii_alphanumeric() || source.c == '#';
    let name: String = body
        .iter()
        .take(LONGEST)
        .take_while(is_part)
        .map(|source| source.c)
        .collect();
    let has_end = body.get(name.len()).is_some_and(|source| source.c == ';');
    let Some(number) = name.strip_prefix('#') else {
        let found = NAMES.iter().find(|(known, _)| *known == name && has_end);
        return found.map(|(_, c)| (*c, name.len() + 2));
    };
    let (digits, radix) = match number.strip_prefix(['x', 'X']) {
        Some(hexadecimal) => (hexadecimal, 16),
        None => (number, 10),
    };
    let length = digits.chars().take_while(|c| c.is_digit(radix)).count();
    let code = u32::from_str_radix(digits.get(..length)?, radix).ok()?;
    let length = 1 + name.len() - digits.len() + length;
    let has_end = body.get(length - 1).is_some_and(|source| source.c == ';');
    Some((char::from_u32(code)?, length + usize::from(has_end)))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn text(source: &str) -> String {
        decode(source).iter().map(|source| source.c).collect()
    }

    #[test]
    fn escapes_are_decoded_and_other_text_stays() {
        let rows = [
            ("a%40b", "a@b"),
            ("a%2540b", "a@b"),
            ("%C3%A9%E2%82%AC%F0%9F%98%80", "é€😀"),
            ("a&#64;b&#x40;c&#X40;d&commat;e", "a@b@c@d@e"),
            ("a&#64b", "a@b"),
            ("a&amp;#64;b", "a@b"),
            ("100 % of R&D", "100 % of R&D"),
            ("%zz %4 %", "%zz %4 %"),
            ("%C3x %FF", "%C3x %FF"),
            (
                "&unknown; &#xffffffffff; &#; &",
                "&unknown; &#xffffffffff; &#; &",
            ),
        ];
        for (source, expected) in rows {
            assert_eq!(text(source), expected, "{source}");
        }
    }

    #[test]
    fn a_decoded_character_has_the_place_of_its_escape() {
        let places: Vec<_> = decode("x%2540é")
            .iter()
            .map(|source| (source.c, source.start, source.end))
            .collect();
        assert_eq!(places, [('x', 0, 1), ('@', 1, 6), ('é', 6, 8)]);
    }
}
