//! Which characters a message may contain.
//!
//! In one-line fields, an unwanted character is an error: a name or an address without one of its
//! characters may be that of somebody else. In the text of a message it is replaced by its code
//! point in brackets, so that the owner sees what was there.

/// The longest run of spaces that is kept inside a text. Longer padding can push words to where they
/// look like a line of their own.
const MAX_SPACES: usize = 8;
/// The most blank lines in a row that are kept.
const MAX_BLANK_LINES: usize = 2;

/// Returns the first character that is not allowed in a one-line field, and its position, counted
/// from 1: control characters, line ends, and characters that are invisible or reorder others.
pub(super) fn unfit_for_line(text: &str) -> Option<(char, usize)> {
    first(text, |before, c, after| {
        c.is_control() || matches!(c, '\u{2028}' | '\u{2029}') || is_hidden(before, c, after)
    })
}

/// Returns the first character that is not allowed in a text of several lines, and its position,
/// counted from 1: a control character other than line feed and tab.
pub(super) fn unfit_for_text(text: &str) -> Option<(char, usize)> {
    first(text, |_, c, _| c.is_control() && !matches!(c, '\n' | '\t'))
}

/// Returns the text with line feeds as its only line ends.
pub(super) fn with_line_feeds(text: &str) -> String {
    text.replace("\r\n", "\n")
        .replace(['\r', '\u{2028}', '\u{2029}'], "\n")
}

/// Returns the text with each run of white space as one space.
pub(super) fn with_single_spaces(text: &str) -> String {
    let words: Vec<&str> = text.split_whitespace().collect();
    words.join(" ")
}

/// Returns the text with invisible and reordering characters as code points in brackets, such as
/// `[U+202E]`, and without long runs of spaces and blank lines.
pub(super) fn with_hidden_shown(text: &str) -> String {
    let mut blank_lines = 0;
    let mut lines = Vec::new();
    for line in text.split('\n') {
        let is_blank = line.trim().is_empty();
        blank_lines = if is_blank { blank_lines + 1 } else { 0 };
        if blank_lines <= MAX_BLANK_LINES {
            lines.push(if is_blank {
                String::new()
            } else {
                line_with_hidden_shown(line)
            });
        }
    }
    lines.join("\n")
}

fn line_with_hidden_shown(line: &str) -> String {
    let mut shown = String::with_capacity(line.len());
    let mut spaces = 0;
    for (before, c, after) in neighbours(line) {
        if c.is_whitespace() {
            spaces += 1;
            if spaces <= MAX_SPACES {
                shown.push(if c == '\t' { c } else { ' ' });
            }
            continue;
        }
        spaces = 0;
        if is_hidden(before, c, after) {
            shown.push_str(&format!("[U+{:04X}]", u32::from(c)));
        } else {
            shown.push(c);
        }
    }
    shown
}

/// Returns the text, shortened to `longest` characters. An ellipsis marks a shortened text.
pub(super) fn cut(text: &str, longest: usize) -> String {
    if text.chars().count() <= longest {
        return text.to_owned();
    }
    let kept: String = text.chars().take(longest.saturating_sub(1)).collect();
    format!("{}…", kept.trim_end_matches([' ', '\u{200D}']))
}

/// Returns whether a character is shown as nothing, as blank space that is not white space, or
/// changes the order of others.
///
/// Joiners, variation selectors and the marks of right-to-left scripts are hidden too, but writing
/// needs them: they are allowed beside the characters that they belong to.
fn is_hidden(before: Option<char>, c: char, after: Option<char>) -> bool {
    let is_beyond_ascii = |c: Option<char>| c.is_some_and(|c| !c.is_ascii());
    let is_letter = |c: Option<char>| c.is_some_and(|c| !c.is_ascii() && c.is_alphabetic());
    match c {
        '\u{200C}' | '\u{200D}' => !(is_beyond_ascii(before) && is_beyond_ascii(after)),
        '\u{200E}' | '\u{200F}' | '\u{061C}' => !(is_letter(before) || is_letter(after)),
        '\u{FE0E}' | '\u{FE0F}' => {
            let is_keycap = before.is_some_and(|c| c.is_ascii_digit() || matches!(c, '#' | '*'));
            !(is_keycap || is_beyond_ascii(before))
        }
        '\u{00AD}'
        | '\u{034F}'
        | '\u{115F}'..='\u{1160}'
        | '\u{17B4}'..='\u{17B5}'
        | '\u{180B}'..='\u{180F}'
        | '\u{200B}'
        | '\u{202A}'..='\u{202E}'
        | '\u{2060}'..='\u{206F}'
        | '\u{2800}'
        | '\u{3164}'
        | '\u{FE00}'..='\u{FE0D}'
        | '\u{FEFF}'
        | '\u{FFA0}'
        | '\u{FFF0}'..='\u{FFFB}'
        | '\u{1BCA0}'..='\u{1BCA3}'
        | '\u{1D159}'
        | '\u{1D173}'..='\u{1D17A}'
        | '\u{E0000}'..='\u{E0FFF}' => true,
        _ => false,
    }
}

/// Iterates over the characters, each with the one before it and the one after it.
fn neighbours(text: &str) -> impl Iterator<Item = (Option<char>, char, Option<char>)> {
    let before = std::iter::once(None).chain(text.chars().map(Some));
    let after = text.chars().skip(1).map(Some).chain(std::iter::once(None));
    before
        .zip(text.chars())
        .zip(after)
        .map(|((before, c), after)| (before, c, after))
}

fn first(
    text: &str,
    is_unfit: impl Fn(Option<char>, char, Option<char>) -> bool,
) -> Option<(char, usize)> {
    neighbours(text)
        .zip(1..)
        .find(|((before, c, after), _)| is_unfit(*before, *c, *after))
        .map(|((_, c, _), place)| (c, place))
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Characters that are invisible or blank, or that reorder others.
    const HIDDEN: [char; 21] = [
        '\u{00AD}',
        '\u{034F}',
        '\u{061C}',
        '\u{115F}',
        '\u{1160}',
        '\u{17B4}',
        '\u{180E}',
        '\u{200B}',
        '\u{200D}',
        '\u{200E}',
        '\u{202E}',
        '\u{2066}',
        '\u{2800}',
        '\u{3164}',
        '\u{FE0F}',
        '\u{FEFF}',
        '\u{FFA0}',
        '\u{FFF9}',
        '\u{1D173}',
        '\u{E0041}',
        '\u{E0100}',
    ];

    #[test]
    fn a_line_may_contain_what_people_write() {
        for fit in [
            "Ada",
            "علي\u{200F}",
            "می\u{200C}خواهم",
            "👩\u{200D}🔬",
            "❤\u{FE0F}\u{200D}🔥",
            "1\u{FE0F}\u{20E3}",
            "Zoë Žižek",
        ] {
            assert_eq!(unfit_for_line(fit), None, "{fit}");
            assert_eq!(with_hidden_shown(fit), fit);
        }
    }

    #[test]
    fn a_line_may_not_contain_control_characters_line_ends_and_hidden_characters() {
        let controls = [
            '\n', '\r', '\t', '\0', '\u{7F}', '\u{85}', '\u{2028}', '\u{2029}',
        ];
        for c in controls.into_iter().chain(HIDDEN) {
            let text = format!("a{c}b");
            assert_eq!(unfit_for_line(&text), Some((c, 2)), "{text:?}");
        }
        assert_eq!(unfit_for_line("éé\n"), Some(('\n', 3)));
    }

    #[test]
    fn hidden_characters_of_a_text_are_shown_as_code_points() {
        for c in HIDDEN {
            let shown = format!("a[U+{:04X}]b", u32::from(c));
            assert_eq!(with_hidden_shown(&format!("a{c}b")), shown);
        }
    }

    #[test]
    fn padding_is_shortened_and_unusual_spaces_become_plain() {
        let rows = [
            ("a\u{A0}b\u{3000}c\td", "a b c\td".to_owned()),
            ("    indented", "    indented".to_owned()),
            (
                &format!("a{}b", " ".repeat(60)),
                format!("a{}b", " ".repeat(8)),
            ),
            (
                &format!("a{}b", "\u{2003} ".repeat(30)),
                format!("a{}b", " ".repeat(8)),
            ),
            (&format!("a{}b", "\n".repeat(50)), "a\n\n\nb".to_owned()),
            (&format!("a{}b", "\n \n".repeat(50)), "a\n\n\nb".to_owned()),
        ];
        for (text, expected) in rows {
            assert_eq!(with_hidden_shown(text), expected, "{text:?}");
        }
        assert_eq!(with_single_spaces(" a \u{2003}  b\u{A0}c "), "a b c");
    }

    #[test]
    fn a_text_has_only_line_feeds_and_tabs_as_control_characters() {
        let text = with_line_feeds("a\r\nb\rc\u{2028}d\u{2029}e\n\tf");
        assert_eq!(text, "a\nb\nc\nd\ne\n\tf");
        assert_eq!(unfit_for_text(&text), None);
        for c in ['\0', '\u{B}', '\u{1B}', '\u{7F}', '\u{85}'] {
            assert_eq!(unfit_for_text(&format!("a{c}")), Some((c, 2)));
        }
    }

    #[test]
    fn a_long_text_is_cut_between_characters() {
        assert_eq!(cut("añb", 3), "añb");
        assert_eq!(cut("añbc", 3), "añ…");
        assert_eq!(cut("a bc", 3), "a…");
        assert_eq!(cut("👩\u{200D}🔬x", 3), "👩…");
    }
}
