//! Escapes short texts for Markdown, so that they read as written and change nothing around them.
//!
//! Only what would take effect in `CommonMark` or GitHub's extensions is escaped: `C#`, `snake_case`
//! and `a < b` stay as they are. HTML cannot begin, so nothing can be hidden in a comment.

/// Returns a text as one line that is safe in a paragraph, a heading or a list item.
pub(crate) fn inline(text: &str) -> String {
    let line = one_line(text);
    let chars: Vec<char> = line.chars().collect();
    let mut escaped = String::with_capacity(line.len());
    let start = marker_at_start(&chars);
    for (at, c) in chars.iter().copied().enumerate() {
        let before = at.checked_sub(1).and_then(|at| chars.get(at)).copied();
        let after = chars.get(at + 1..).unwrap_or_default();
        if start == Some(at) || takes_effect(c, before, after) {
            escaped.push('\\');
        }
        escaped.push(c);
    }
    escaped
}

/// Returns a web address as a link, and anything else as text.
pub(super) fn link(url: &str) -> String {
    let url = url.trim();
    if is_web_link(url) {
        format!("<{url}>")
    } else {
        inline(url)
    }
}

/// Returns whether a URL can be written between angle brackets and followed.
pub(super) fn is_web_link(url: &str) -> bool {
    let lower = url.to_ascii_lowercase();
    let rest = lower
        .strip_prefix("https://")
        .or(lower.strip_prefix("http://"));
    let is_whole = |c: char| !c.is_control() && !c.is_whitespace() && !"<>\\".contains(c);
    rest.is_some_and(|rest| !rest.is_empty()) && url.chars().all(is_whole)
}

/// Returns a text without line breaks, repeated spaces and control characters.
pub(crate) fn one_line(text: &str) -> String {
    let is_seen = |c: &char| !c.is_control() || c.is_whitespace();
    let seen: String = text.chars().filter(is_seen).collect();
    seen.split_whitespace().collect::<Vec<_>>().join(" ")
}

/// Returns whether a character would be markup between these neighbours.
pub(super) fn takes_effect(c: char, before: Option<char>, after: &[char]) -> bool {
    let is_word = |c: Option<char>| c.is_some_and(char::is_alphanumeric);
    let next = after.first().copied();
    match c {
        '\\' | '`' | '*' | '[' | ']' | '|' | '~' | '$' => true,
        // Between letters it is no emphasis.
        '_' => !(is_word(before) && is_word(next)),
        // A heading begins with it, and may end with it after a blank.
        '#' => !is_word(before),
        '<' => next.is_some_and(|c| c.is_ascii_alphabetic() || "/!?".contains(c)),
        '&' => is_entity(after),
        _ => false,
    }
}

/// Returns whether `&` and what follows is a character reference such as `&amp;`.
fn is_entity(after: &[char]) -> bool {
    let name = after
        .iter()
        .take_while(|c| c.is_ascii_alphanumeric() || **c == '#');
    let length = name.count();
    length > 0 && after.get(length) == Some(&';')
}

/// Returns the character to escape in a line that begins like a quotation, a list or a rule.
pub(super) fn marker_at_start(line: &[char]) -> Option<usize> {
    let ends = |at: usize| line.get(at).is_none_or(|c| *c == ' ');
    let digits = line.iter().take_while(|c| c.is_ascii_digit()).count();
    let is_rule = |mark: char| line.iter().all(|c| *c == mark || *c == ' ');
    match line.first()? {
        '>' => Some(0),
        '+' | '-' if ends(1) => Some(0),
        mark @ ('-' | '=') if is_rule(*mark) => Some(0),
        _ if (1..=9).contains(&digits) => {
            let is_mark = matches!(line.get(digits), Some('.' | ')'));
            (is_mark && ends(digits + 1)).then_some(digits)
        }
        _ => None,
    }
}

#[cfg(test)]
pub(super) mod tests {
    use proptest::prelude::*;
    use pulldown_cmark::{Event, Options, Parser, Tag, TagEnd};

    use super::*;

    /// What common readers understand: GitHub's extensions and formulas.
    pub(in crate::markdown) fn reader() -> Options {
        Options::ENABLE_TABLES
            | Options::ENABLE_FOOTNOTES
            | Options::ENABLE_STRIKETHROUGH
            | Options::ENABLE_TASKLISTS
            | Options::ENABLE_MATH
            | Options::ENABLE_GFM
    }

    #[test]
    fn only_what_would_be_markup_is_escaped() {
        let rows = [
            ("plain", "plain"),
            ("", ""),
            ("  two\n lines\t", "two lines"),
            ("C# and F#, #1", "C# and F#, \\#1"),
            ("# title", "\\# title"),
            ("title ##", "title \\#\\#"),
            ("snake_case _em_", "snake_case \\_em\\_"),
            ("2 * 3 **b**", "2 \\* 3 \\*\\*b\\*\\*"),
            ("`code`", "\\`code\\`"),
            ("[a](https://b.example)", "\\[a\\](https://b.example)"),
            ("![a](b)", "!\\[a\\](b)"),
            ("a < b, 3 > 2, <5", "a < b, 3 > 2, <5"),
            ("<b>x</b> <!-- y --> <?z", "\\<b>x\\</b> \\<!-- y --> \\<?z"),
            (
                "R&D, AT&T; &amp; &#8203;",
                "R&D, AT\\&T; \\&amp; \\&\\#8203;",
            ),
            ("C:\\dir\\*", "C:\\\\dir\\\\\\*"),
            ("$5 to $6", "\\$5 to \\$6"),
            ("a | b ~~c~~", "a \\| b \\~\\~c\\~\\~"),
            ("> quoted", "\\> quoted"),
            ("- item", "\\- item"),
            ("+1 202", "+1 202"),
            ("+ item", "\\+ item"),
            ("-5 degrees", "-5 degrees"),
            ("---", "\\---"),
            ("===", "\\==="),
            ("- - -", "\\- - -"),
            ("2021. A year", "2021\\. A year"),
            ("1) one", "1\\) one"),
            ("1.3", "1.3"),
            ("bell\u{7} \u{85}next\u{2028}line", "bell next line"),
        ];
        for (text, expected) in rows {
            assert_eq!(inline(text), expected, "{text:?}");
        }
    }

    #[test]
    fn only_web_addresses_are_links() {
        let rows = [
            ("https://a.example/x_y_z", "<https://a.example/x_y_z>"),
            ("HTTP://a.example", "<HTTP://a.example>"),
            ("javascript:alert(1)", "javascript:alert(1)"),
            ("a.example/_b_", "a.example/\\_b\\_"),
            ("https://a.example/> <b>", "https://a.example/> \\<b>"),
        ];
        for (url, expected) in rows {
            assert_eq!(link(url), expected, "{url}");
        }
    }

    proptest! {
        #![proptest_config(ProptestConfig { failure_persistence: None, ..ProptestConfig::default() })]

        #[test]
        fn a_reader_sees_the_text_as_it_was(text in "[ -~äß\n]{0,40}", mark in "[#>*_`~|<&$\\[\\]!+=-]{0,4} ?") {
            let text = mark + &text;
            let escaped = inline(&text);
            let mut seen = String::new();
            for event in Parser::new_ext(&escaped, reader()) {
                if let Event::Text(part) = event {
                    seen.push_str(&part);
                } else {
                    let is_paragraph = matches!(
                        event,
                        Event::Start(Tag::Paragraph) | Event::End(TagEnd::Paragraph)
                    );
                    prop_assert!(is_paragraph, "{:?} in {:?}", event, escaped);
                }
            }
            prop_assert_eq!(seen, one_line(&text));
        }
    }
}
