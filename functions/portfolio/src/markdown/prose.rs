//! A text to read, as people write it: paragraphs, lists, headings and code in Markdown or simple
//! HTML.

use super::block::{Block, write};
use super::html::to_markdown;
use super::inline::inline;
use super::text::one_line;

/// What begins and ends a block of code.
const FENCE: &str = "```";

/// The indentation of what belongs to an item.
const INDENT: &str = "  ";

/// Returns the blocks of a text.
pub(super) fn blocks(text: &str) -> Vec<Block> {
    let markdown = to_markdown(text);
    let lines: Vec<&str> = markdown
        .split(['\n', '\r', '\u{85}', '\u{2028}', '\u{2029}'])
        .collect();
    let mut reader = Reader::default();
    let mut at = 0;
    while let Some(line) = lines.get(at) {
        at += match reader.code(lines.get(at..).unwrap_or_default()) {
            Some(length) => length,
            None => {
                reader.line(line);
                1
            }
        };
    }
    reader.finish()
}

/// Returns a text as items of a list: one, or its own items if it is a list. What follows the
/// first line of an item is indented below it.
pub(super) fn items(text: &str) -> Vec<String> {
    let blocks = blocks(text);
    if let [Block::Bullets(items)] = blocks.as_slice() {
        return items.clone();
    }
    let mut text = String::new();
    write(&blocks, 1, &mut text);
    let mut lines = text.trim().lines();
    let mut item = lines.next().unwrap_or_default().to_owned();
    for line in lines {
        item.push('\n');
        if !line.is_empty() {
            item.push_str(INDENT);
            item.push_str(line);
        }
    }
    if item.is_empty() {
        Vec::new()
    } else {
        vec![item]
    }
}

/// Reads a text line by line.
#[derive(Debug, Default)]
struct Reader {
    blocks: Vec<Block>,
    /// The lines of the open paragraph.
    paragraph: Vec<String>,
    /// The items of the open list, each with the width of its indentation.
    items: Vec<(usize, String)>,
}

impl Reader {
    fn line(&mut self, line: &str) {
        let text = one_line(line);
        let indent = line.chars().take_while(|c| c.is_whitespace()).count();
        if text.is_empty() {
            self.end_paragraph();
        } else if let Some(title) = heading(&text) {
            self.end_all();
            let title = inline(title.trim_matches('*'));
            self.blocks.push(Block::Paragraph(format!("**{title}**")));
        } else if let Some(item) = item(&text) {
            self.end_paragraph();
            self.items.push((indent, inline(item)));
        } else if indent > 0 && self.paragraph.is_empty() && !self.items.is_empty() {
            // A line that is indented below an item continues it.
            if let Some((_, item)) = self.items.last_mut() {
                item.push(' ');
                item.push_str(&inline(&text));
            }
        } else {
            self.end_list();
            self.paragraph.push(inline(&text));
        }
    }

    /// Reads a block of code, if `lines` begins with one. Returns the number of its lines.
    fn code(&mut self, lines: &[&str]) -> Option<usize> {
        let (first, rest) = lines.split_first()?;
        let is_fence = |line: &str| line.trim_start().starts_with(FENCE);
        let opens = is_fence(first) && !first.trim_start().trim_start_matches('`').contains('`');
        let length = rest.iter().position(|line| line.trim() == FENCE)?;
        if !opens {
            return None;
        }
        self.end_all();
        let code = rest.get(..length).unwrap_or_default();
        let is_seen = |c: &char| !c.is_control() || *c == '\t';
        let code = code
            .iter()
            .map(|line| line.chars().filter(is_seen).collect());
        self.blocks.push(Block::Code(code.collect()));
        Some(length + 2)
    }

    fn end_paragraph(&mut self) {
        if !self.paragraph.is_empty() {
            let lines = std::mem::take(&mut self.paragraph);
            self.blocks.push(Block::Paragraph(lines.join("\n")));
        }
    }

    fn end_list(&mut self) {
        let mut list: Vec<String> = Vec::new();
        let mut outer: Vec<usize> = Vec::new();
        for (indent, item) in std::mem::take(&mut self.items) {
            while outer.last().is_some_and(|outer| indent <= *outer) {
                outer.pop();
            }
            match list.last_mut() {
                Some(parent) if !outer.is_empty() => {
                    let depth = INDENT.repeat(outer.len());
                    parent.push_str(&format!("\n{depth}- {item}"));
                }
                _ => list.push(item),
            }
            outer.push(indent);
        }
        if !list.is_empty() {
            self.blocks.push(Block::Bullets(list));
        }
    }

    fn end_all(&mut self) {
        self.end_list();
        self.end_paragraph();
    }

    fn finish(mut self) -> Vec<Block> {
        self.end_all();
        self.blocks
    }
}

/// Returns the text of a heading: `## Title`.
fn heading(line: &str) -> Option<&str> {
    let level = line.chars().take_while(|c| *c == '#').count();
    let title = line.get(level..)?.strip_prefix(' ')?;
    let title = title.trim_end_matches('#').trim();
    ((1..=6).contains(&level) && !title.is_empty()).then_some(title)
}

/// Returns the text of an item: what follows `- `, `* `, `+ `, `1. ` or a bullet such as `•`.
fn item(line: &str) -> Option<&str> {
    let bullet = line.strip_prefix(['•', '‣', '▪', '◦', '●']);
    let digits = line.chars().take_while(char::is_ascii_digit).count();
    let number = || {
        let rest = line.get(digits..).filter(|_| (1..=2).contains(&digits))?;
        rest.strip_prefix(['.', ')'])?.strip_prefix(' ')
    };
    let mark = || line.strip_prefix(['-', '*', '+'])?.strip_prefix(' ');
    let text = bullet.or_else(mark).or_else(number)?.trim();
    let is_rule = text.chars().all(|c| "-*_ ".contains(c));
    (!text.is_empty() && !is_rule).then_some(text)
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;
    use pulldown_cmark::{Event, Parser, Tag, TagEnd};

    use super::*;
    use crate::markdown::text::tests::reader;

    fn written(text: &str) -> String {
        let mut out = String::new();
        write(&blocks(text), 1, &mut out);
        out.trim().to_owned()
    }

    #[test]
    fn markdown_and_html_that_people_write_is_kept() {
        let rows = [
            ("A **big** and *small* `x*y`", "A **big** and *small* `x*y`"),
            ("__a__ and _b_", "**a** and *b*"),
            (
                "See [site](https://a.example/x_(y)).",
                "See [site](<https://a.example/x_(y)>).",
            ),
            ("<https://a.example/x>", "<https://a.example/x>"),
            (
                "![logo](https://a.example/l.png)",
                "[logo](<https://a.example/l.png>)",
            ),
            ("![logo](l.png)", "logo"),
            ("one\ntwo\n\nthree", "one\ntwo\n\nthree"),
            (
                "Did:\n- this\n- that\n  - more\n\nEnd",
                "Did:\n\n- this\n- that\n  - more\n\nEnd",
            ),
            ("• one\n•two", "- one\n- two"),
            ("1. one\n2) two", "- one\n- two"),
            ("## Title\ntext", "**Title**\n\ntext"),
            (
                "```rust\nlet x = *y;\n```\nend",
                "```\nlet x = *y;\n```\n\nend",
            ),
            ("<strong>Led</strong> a team", "**Led** a team"),
            ("<ul><li>a</li><li><i>b</i></li></ul>", "- a\n- *b*"),
            ("<p>One</p><p>Two</p>", "One\n\nTwo"),
        ];
        for (text, expected) in rows {
            assert_eq!(written(text), expected, "{text}");
        }
    }

    #[test]
    fn what_is_no_markdown_reads_as_written() {
        let rows = [
            (
                "C# and snake_case_x, 2 * 3 * 4, 2*3*4",
                "C# and snake_case_x, 2 \\* 3 \\* 4, 2\\*3\\*4",
            ),
            ("2021. A year", "2021\\. A year"),
            ("a <b and Vec<T>", "a \\<b and Vec\\<T>"),
            ("[x](javascript:y) [z]", "\\[x\\](javascript:y) \\[z\\]"),
            ("**open and `open", "\\*\\*open and \\`open"),
            ("---\n===", "\\---\n\\==="),
            ("a\n> b", "a\n\\> b"),
            ("[a]: https://b.example", "\\[a\\]: https://b.example"),
            ("```\nopen", "\\`\\`\\`\nopen"),
        ];
        for (text, expected) in rows {
            assert_eq!(written(text), expected, "{text}");
        }
    }

    #[test]
    fn a_point_is_one_item_or_a_list_of_its_own() {
        assert_eq!(items("- a"), ["a"]);
        assert_eq!(items("<ul><li>a</li><li>b</li></ul>"), ["a", "b"]);
        assert_eq!(items("Did:\n- a\n- b"), ["Did:\n\n  - a\n  - b"]);
        assert_eq!(items(" "), Vec::<String>::new());
    }

    proptest! {
        #![proptest_config(ProptestConfig { failure_persistence: None, ..ProptestConfig::default() })]

        #[test]
        fn a_text_changes_nothing_around_it(
            text in "([ -~é\n]|\\*\\*|`|<b>|</b>|<li>|\\[a\\]\\(https://b\\)|- |# ){0,24}",
        ) {
            let mut page = "# Before\n".to_owned();
            write(&blocks(&text), 1, &mut page);
            page.push_str("\n## After\n\nend\n");
            let events: Vec<Event<'_>> = Parser::new_ext(&page, reader()).collect();
            let headings = events.iter().filter(|event| matches!(event, Event::Start(Tag::Heading { .. })));
            prop_assert_eq!(headings.count(), 2, "{}", page);
            let has_html = events.iter().any(|event| matches!(event, Event::Html(_) | Event::InlineHtml(_)));
            prop_assert!(!has_html, "{}", page);
            let last: Vec<_> = events.iter().rev().take(3).rev().collect();
            let is_end = matches!(
                last.as_slice(),
                [Event::Start(Tag::Paragraph), Event::Text(end), Event::End(TagEnd::Paragraph)]
                    if end.as_ref() == "end"
            );
            prop_assert!(is_end, "{}", page);
        }
    }
}
