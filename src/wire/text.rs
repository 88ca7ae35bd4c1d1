//! JSON strings, written into bytes.
//!
//! `serde_json` writes each escape and each run between two of them by itself, which costs several
//! times as much for a text that is JSON already. The output is the same, byte for byte.

/// Appends a text as a JSON string.
pub(crate) fn quote_into(out: &mut Vec<u8>, text: &str) {
    out.reserve(text.len() + text.len() / 8 + 2);
    out.push(b'"');
    if is_short_and_plain(text.as_bytes()) {
        out.extend_from_slice(text.as_bytes());
    } else {
        escape_into(out, text);
    }
    out.push(b'"');
}

/// Whether a text is written as it is, for names and the like, most of which are.
fn is_short_and_plain(text: &[u8]) -> bool {
    const SHORT: usize = 8 * WORD;
    let is_plain = |word: &[u8; WORD]| !has_escape(u64::from_ne_bytes(*word));
    match text.last_chunk() {
        // The last word overlaps the one before it.
        Some(last) if text.len() <= SHORT => {
            text.as_chunks().0.iter().all(is_plain) && is_plain(last)
        }
        Some(_) => false,
        None => text.iter().all(is_plain_byte),
    }
}

const fn is_plain_byte(byte: &u8) -> bool {
    !matches!(byte, 0..0x20 | b'"' | b'\\')
}

/// Appends a text as the inside of a JSON string.
pub(crate) fn escape_into(out: &mut Vec<u8>, text: &str) {
    let mut rest = text.as_bytes();
    loop {
        let (plain, after) = rest.split_at(plain_prefix(rest));
        if !plain.is_empty() {
            out.extend_from_slice(plain);
        }
        // A word that has something to escape usually has more of it.
        let Some((&word, after)) = after.split_first_chunk() else {
            return escape_tail(out, after);
        };
        escape_word(out, word);
        rest = after;
    }
}

/// The number of bytes of a text as the inside of a JSON string.
pub(crate) fn escaped_len(text: &[u8]) -> usize {
    let more = |byte: &u8| match byte {
        b'"' | b'\\' | b'\n' | b'\r' | b'\t' | 0x08 | 0x0c => 1,
        0..=0x1f => 5,
        _ => 0,
    };
    let more_in = |word: &[u8; WORD]| {
        let bytes = u64::from_ne_bytes(*word);
        if less(bytes, 0x20) == 0 {
            (places(bytes, b'"') | places(bytes, b'\\')).count_ones() as usize
        } else {
            word.iter().map(more).sum()
        }
    };
    let (words, tail) = text.as_chunks::<WORD>();
    let in_words: usize = words.iter().map(more_in).sum();
    text.len() + in_words + tail.iter().map(more).sum::<usize>()
}

/// Bytes that are looked at together.
const WORD: usize = size_of::<u64>();

/// The number of bytes at the start, in whole words, of which none is escaped.
pub(crate) fn plain_prefix(bytes: &[u8]) -> usize {
    let (words, _) = bytes.as_chunks::<WORD>();
    let is_plain = |word: &&[u8; WORD]| !has_escape(u64::from_ne_bytes(**word));
    words.iter().take_while(is_plain).count() * WORD
}

const ONES: u64 = u64::from_ne_bytes([1; WORD]);
const TOPS: u64 = ONES << 7;

/// Whether a byte of the word may need an escape: a control character, a quote or a backslash.
const fn has_escape(word: u64) -> bool {
    let quote = less(word ^ (ONES * b'"' as u64), 1);
    let backslash = less(word ^ (ONES * b'\\' as u64), 1);
    less(word, 0x20) | quote | backslash != 0
}

/// Not 0 if a byte of the word is less than `n`: such a byte borrows from its top bit, which is not set
/// before. Bytes above the lowest one can be marked by mistake.
const fn less(word: u64, n: u64) -> u64 {
    word.wrapping_sub(ONES * n) & !word & TOPS
}

/// The top bit of each byte that is `byte`, and of no other.
const fn places(word: u64, byte: u8) -> u64 {
    let differs = word ^ (ONES * byte as u64);
    !(((differs & !TOPS) + !TOPS) | differs) & TOPS
}

/// Appends a word in which something may need an escape.
fn escape_word(out: &mut Vec<u8>, word: [u8; WORD]) {
    let mut rest = u64::from_le_bytes(word);
    if less(rest, 0x20) != 0 {
        return word.iter().for_each(|byte| push_escaped(out, *byte));
    }
    let mut marks = places(rest, b'"') | places(rest, b'\\');
    // Written in one piece: a copy of the few bytes between two quotes would cost more.
    let mut escaped = [0; 3 * WORD];
    let mut put = |at: usize, bytes: u64| {
        if let Some(place) = escaped.get_mut(at..at + WORD) {
            place.copy_from_slice(&bytes.to_le_bytes());
        }
    };
    let (mut len, mut taken) = (0, 0);
    while marks != 0 {
        let before = marks.trailing_zeros() / 8 - taken;
        put(len, rest);
        len += before as usize;
        put(len, b'\\'.into());
        len += 1;
        rest >>= 8 * before;
        taken += before;
        marks &= marks - 1;
    }
    put(len, rest);
    len += WORD - taken as usize;
    out.extend_from_slice(&escaped);
    out.truncate(out.len() - escaped.len() + len);
}

/// Appends what is left of a text, which is less than a word.
fn escape_tail(out: &mut Vec<u8>, tail: &[u8]) {
    if tail.iter().all(is_plain_byte) {
        out.extend_from_slice(tail);
    } else {
        tail.iter().for_each(|byte| push_escaped(out, *byte));
    }
}

/// Appends one byte of a text, escaped as `serde_json` does.
fn push_escaped(out: &mut Vec<u8>, byte: u8) {
    let short = match byte {
        b'"' | b'\\' => byte,
        0x20.. => return out.push(byte),
        b'\n' => b'n',
        b'\r' => b'r',
        b'\t' => b't',
        0x08 => b'b',
        0x0c => b'f',
        _ => {
            let digit = |nibble: u8| {
                if nibble < 10 {
                    b'0' + nibble
                } else {
                    b'a' + nibble - 10
                }
            };
            let escape = [b'\\', b'u', b'0', b'0', digit(byte >> 4), digit(byte & 15)];
            return out.extend_from_slice(&escape);
        }
    };
    out.extend_from_slice(&[b'\\', short]);
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    fn quoted(text: &str) -> String {
        let mut out = Vec::new();
        quote_into(&mut out, text);
        String::from_utf8(out).unwrap()
    }

    #[test]
    fn every_character_is_written_as_serde_json_writes_it() {
        for c in (0..0x300).filter_map(char::from_u32) {
            // At each place of a word.
            for before in 0..9 {
                let text = format!("{}{c}tail of it", "x".repeat(before));
                assert_eq!(quoted(&text), serde_json::to_string(&text).unwrap());
            }
        }
    }

    proptest! {
        #[test]
        fn any_text_is_written_as_serde_json_writes_it(text in "(\\PC|[\\x00-\\x7f]|[\"\\\\]){0,80}") {
            let written = serde_json::to_string(&text).unwrap();
            prop_assert_eq!(escaped_len(text.as_bytes()), written.len() - 2);
            prop_assert_eq!(quoted(&text), written);
        }
    }
}
