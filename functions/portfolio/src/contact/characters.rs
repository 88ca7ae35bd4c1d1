//! Which characters a message may hold.
//!
//! What is not allowed is refused, never dropped: a text without some of its characters is another
//! text, and an address without one may be somebody else's.

/// The first character that cannot stand in one line, and where it is, counted from 1.
///
/// Besides control characters and line ends these are the characters that show as nothing or turn
/// the order of others around: with them a name can look like another. Joiners and the marks of
/// right-to-left scripts are needed for writing and stay.
pub(super) fn unfit_for_line(text: &str) -> Option<(char, usize)> {
    first(text, |c| {
        c.is_control()
            || matches!(
                c,
                '\u{00AD}'
                    | '\u{200B}'
                    | '\u{2028}'..='\u{202E}'
                    | '\u{2060}'..='\u{206F}'
                    | '\u{FEFF}'
                    | '\u{FFF9}'..='\u{FFFB}'
                    | '\u{E0000}'..='\u{E007F}'
            )
    })
}

/// The first character that cannot stand in a text of several lines: a control character that is
/// neither a line feed nor a tab.
pub(super) fn unfit_for_text(text: &str) -> Option<(char, usize)> {
    first(text, |c| c.is_control() && !matches!(c, '\n' | '\t'))
}

/// The text with line feeds as its only line ends.
pub(super) fn with_line_feeds(text: &str) -> String {
    text.replace("\r\n", "\n")
        .replace(['\r', '\u{2028}', '\u{2029}'], "\n")
}

/// The text, or as much of it as fits into so many characters with a sign that it goes on.
pub(super) fn cut(text: &str, longest: usize) -> String {
    if text.chars().count() <= longest {
        return text.to_owned();
    }
    let kept: String = text.chars().take(longest.saturating_sub(1)).collect();
    format!("{}…", kept.trim_end_matches([' ', '\u{200D}']))
}

fn first(text: &str, is_unfit: impl Fn(char) -> bool) -> Option<(char, usize)> {
    let mut numbered = text.chars().zip(1..);
    numbered.find(|(c, _)| is_unfit(*c))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_line_holds_what_people_write_and_nothing_that_hides() {
        for fit in [
            "Ada",
            "علي\u{200F}",
            "می\u{200C}خواهم",
            "👩\u{200D}🔬",
            "Zoë Žižek",
        ] {
            assert_eq!(unfit_for_line(fit), None, "{fit}");
        }
        let unfit = [
            ('\n', "a\nb"),
            ('\r', "a\rb"),
            ('\t', "a\tb"),
            ('\0', "a\0b"),
            ('\u{7F}', "a\u{7F}"),
            ('\u{85}', "a\u{85}"),
            ('\u{2028}', "a\u{2028}"),
            ('\u{202E}', "a\u{202E}"),
            ('\u{2066}', "a\u{2066}"),
            ('\u{200B}', "a\u{200B}"),
            ('\u{FEFF}', "a\u{FEFF}"),
            ('\u{E0041}', "a\u{E0041}"),
        ];
        for (c, text) in unfit {
            assert_eq!(unfit_for_line(text), Some((c, 2)), "{text:?}");
        }
        assert_eq!(unfit_for_line("éé\n"), Some(('\n', 3)));
    }

    #[test]
    fn a_text_has_line_feeds_and_tabs_alone() {
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
