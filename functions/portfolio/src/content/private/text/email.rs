//! Finds e-mail addresses in text: `me@example.com`, `me%40example.com` in links, and the common
//! disguises `me [at] example [dot] com` and `me at example dot com`.

use std::ops::Range;

use super::is_word_of;

/// Words around an address that say nothing without it.
const LABELS: &[&str] = &[
    "e", "mail", "email", "mailto", "contact", "http", "https", "or", "and",
];

/// Whether a word only announces an address.
pub(super) fn is_label(word: &[char]) -> bool {
    is_word_of(word, LABELS)
}

/// Where e-mail addresses stand, as ranges of characters.
pub(super) fn find(text: &[char]) -> Vec<Range<usize>> {
    let mut found: Vec<Range<usize>> = Vec::new();
    let mut at = 0;
    while at < text.len() {
        match Sign::at(text, at).and_then(|sign| address(text, &sign)) {
            Some(range) => {
                at = range.end.max(at + 1);
                found.push(range);
            }
            None => at += 1,
        }
    }
    found
}

/// What separates mailbox and host.
struct Sign {
    range: Range<usize>,
    /// A bare ` at ` counts only with a ` dot ` in the host.
    needs_spoken_dot: bool,
}

impl Sign {
    fn at(text: &[char], at: usize) -> Option<Self> {
        let plain = |length| {
            Some(Self {
                range: at..at + length,
                needs_spoken_dot: false,
            })
        };
        let rest = text.get(at..).unwrap_or_default();
        match rest {
            ['@' | '＠', ..] => plain(1),
            ['%', '4', '0', ..] => plain(3),
            ['&', '#', '6', '4', ';', ..] => plain(5),
            _ => spoken(text, at, "at").map(|(range, is_bare)| Self {
                range,
                needs_spoken_dot: is_bare,
            }),
        }
    }
}

/// A word in brackets or between spaces that stands for a sign; whether it was between spaces.
fn spoken(text: &[char], at: usize, word: &str) -> Option<(Range<usize>, bool)> {
    let mut end = skip_spaces(text, at);
    let open = text.get(end).copied();
    let close = match open {
        Some('[') => Some(']'),
        Some('(') => Some(')'),
        Some('{') => Some('}'),
        Some('<') => Some('>'),
        _ => None,
    };
    if close.is_some() {
        end = skip_spaces(text, end + 1);
    } else if end == at {
        return None;
    }
    for expected in word.chars() {
        if !text.get(end)?.eq_ignore_ascii_case(&expected) {
            return None;
        }
        end += 1;
    }
    match close {
        Some(close) => {
            end = skip_spaces(text, end);
            if *text.get(end)? != close {
                return None;
            }
            end = skip_spaces(text, end + 1);
        }
        None => {
            let after = skip_spaces(text, end);
            if after == end {
                return None;
            }
            end = after;
        }
    }
    Some((at..end, close.is_none()))
}

fn skip_spaces(text: &[char], at: usize) -> usize {
    let rest = text.get(at..).unwrap_or_default();
    at + rest
        .iter()
        .take_while(|c| **c == ' ' || **c == '\u{a0}')
        .count()
}

/// The whole address around a sign, with a `mailto:` in front.
fn address(text: &[char], sign: &Sign) -> Option<Range<usize>> {
    let before = text.get(..sign.range.start)?;
    let length = before
        .iter()
        .rev()
        .take_while(|c| is_mailbox_char(**c))
        .count();
    let start = before.len() - length;
    let mailbox = before.get(start..)?;
    let is_handle = start > 0 && matches!(before.get(start - 1), Some('@' | '＠'));
    // `git@host` is how code is fetched, not a mailbox.
    if mailbox.is_empty() || is_handle || is_word_of(mailbox, &["git"]) {
        return None;
    }
    let end = host_end(text, sign)?;
    let scheme: Vec<char> = "mailto:".chars().collect();
    let start = match before.get(..start) {
        Some(lead) if lead.ends_with(&scheme) => start - scheme.len(),
        _ => start,
    };
    Some(start..end)
}

fn is_mailbox_char(c: char) -> bool {
    c.is_alphanumeric() || "._%+-'".contains(c)
}

fn is_host_char(c: char) -> bool {
    c.is_alphanumeric() || c == '-' || c == '_'
}

/// Where the host after a sign ends, if it is one: two labels or more, the last one a word.
fn host_end(text: &[char], sign: &Sign) -> Option<usize> {
    let mut at = sign.range.end;
    let mut end = None;
    let mut labels = 0;
    let mut has_spoken_dot = false;
    loop {
        let rest = text.get(at..).unwrap_or_default();
        let label: Vec<char> = rest
            .iter()
            .copied()
            .take_while(|c| is_host_char(*c))
            .collect();
        if label.is_empty() || (labels == 0 && is_pixel_density(&label)) {
            break;
        }
        labels += 1;
        at += label.len();
        let is_word = label.len() >= 2 && !label.iter().all(char::is_ascii_digit);
        if labels >= 2 && is_word && (has_spoken_dot || !sign.needs_spoken_dot) {
            end = Some(at);
        }
        if text.get(at) == Some(&'.') {
            at += 1;
        } else if let Some((range, _)) = spoken(text, at, "dot") {
            has_spoken_dot = true;
            at = range.end;
        } else {
            break;
        }
    }
    end
}

/// `photo@2x.png` names a picture.
fn is_pixel_density(label: &[char]) -> bool {
    matches!(label, [digit, 'x'] if digit.is_ascii_digit())
}

#[cfg(test)]
mod tests {
    use super::*;

    fn found(text: &str) -> Vec<String> {
        let chars: Vec<char> = text.chars().collect();
        find(&chars)
            .into_iter()
            .map(|range| chars[range].iter().collect())
            .collect()
    }

    #[test]
    fn addresses_are_found_in_all_their_forms() {
        let rows = [
            ("me@example.com", "me@example.com"),
            (
                "<me.too+x@mail.example.co.uk>.",
                "me.too+x@mail.example.co.uk",
            ),
            ("write:me@example.com,please", "me@example.com"),
            ("mailto:me@example.com", "mailto:me@example.com"),
            ("?to=me%40example.com&x", "me%40example.com"),
            ("me&#64;example.com", "me&#64;example.com"),
            ("jörg@bücher.example", "jörg@bücher.example"),
            ("me＠example.com", "me＠example.com"),
            ("me [at] example.com", "me [at] example.com"),
            ("me(at)example(dot)com now", "me(at)example(dot)com"),
            ("me at example dot com", "me at example dot com"),
            (
                "ME AT EXAMPLE DOT CO DOT UK!",
                "ME AT EXAMPLE DOT CO DOT UK",
            ),
            ("me@1and1.example", "me@1and1.example"),
            ("me@xn--bcher-kva.example", "me@xn--bcher-kva.example"),
        ];
        for (text, address) in rows {
            assert_eq!(found(text), [address], "{text}");
        }
    }

    #[test]
    fn several_addresses_are_all_found() {
        assert_eq!(
            found("a@b.example,c@d.example"),
            ["a@b.example", "c@d.example"]
        );
    }

    #[test]
    fn what_only_looks_like_one_is_left_alone() {
        for text in [
            "@quill",
            "@quill@social.example",
            "https://social.example/@quill",
            "a @ b.example",
            "git@github.com:quill/x.git",
            "photo@2x.png",
            "pkg@1.2.3",
            "worked at example.com",
            "a@b",
            "100 % 40 things",
            "@",
            "",
        ] {
            assert_eq!(found(text), Vec::<String>::new(), "{text}");
        }
    }
}
