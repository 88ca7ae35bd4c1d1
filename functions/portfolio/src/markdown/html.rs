//! Turns the simple HTML that people write into texts into Markdown: emphasis, links, lists,
//! paragraphs. Tags that say nothing about the text are dropped. Unknown tags, and those without their
//! other half, stay as text.

/// What a tag does to the text.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Tag {
    /// Encloses a text in this mark.
    Mark(&'static str),
    /// Ends the line.
    Break,
    /// Begins and ends a block.
    Block,
    /// Begins and ends a block in strong emphasis.
    Heading,
    /// Encloses items.
    List { is_ordered: bool },
    /// Begins an item.
    Item,
    /// Encloses the text of a link.
    Link,
    /// Says nothing about the text.
    Dropped,
    /// Encloses what is no text.
    Hidden,
}

fn tag(name: &str) -> Option<Tag> {
    Some(match name {
        "b" | "strong" => Tag::Mark("**"),
        "i" | "em" | "cite" => Tag::Mark("*"),
        "s" | "del" | "strike" => Tag::Mark("~~"),
        "code" | "kbd" | "tt" => Tag::Mark("`"),
        "br" => Tag::Break,
        "p" | "div" | "section" | "article" | "blockquote" | "pre" | "hr" | "table" | "tr" => {
            Tag::Block
        }
        "h1" | "h2" | "h3" | "h4" | "h5" | "h6" => Tag::Heading,
        "ul" => Tag::List { is_ordered: false },
        "ol" => Tag::List { is_ordered: true },
        "li" => Tag::Item,
        "a" => Tag::Link,
        "span" | "u" | "small" | "big" | "font" | "sub" | "sup" | "mark" | "center" | "tbody"
        | "thead" | "td" | "th" | "img" | "wbr" | "abbr" | "ins" | "q" => Tag::Dropped,
        "script" | "style" => Tag::Hidden,
        _ => return None,
    })
}

/// Whether a tag is used without an end.
fn is_alone(name: &str) -> bool {
    ["p", "hr", "img", "wbr"].contains(&name.to_ascii_lowercase().as_str())
}

/// Returns the text as Markdown. A text without HTML is returned as it is.
pub(super) fn to_markdown(text: &str) -> String {
    if !text.contains(['<', '&']) {
        return text.to_owned();
    }
    let mut writer = Writer::default();
    let mut rest = text;
    while let Some(c) = rest.chars().next() {
        let read = match c {
            '<' => Element::read(rest).map(|element| {
                writer.element(&element, rest.get(..element.length).unwrap_or_default());
                element.length
            }),
            '&' => reference(rest).map(|(text, length)| {
                writer.text.push(text);
                length
            }),
            _ => None,
        };
        let length = read.unwrap_or_else(|| {
            writer.text.push(c);
            c.len_utf8()
        });
        rest = rest.get(length..).unwrap_or_default();
    }
    writer.finish()
}

/// A tag, or a comment, in the text.
struct Element<'t> {
    /// `None` for a comment.
    tag: Option<Tag>,
    is_end: bool,
    attributes: &'t str,
    /// In bytes, with what a hidden element encloses.
    length: usize,
}

impl<'t> Element<'t> {
    fn read(text: &'t str) -> Option<Self> {
        if let Some(comment) = text.strip_prefix("<!--") {
            let end = comment.find("-->")?;
            return Some(Self {
                tag: None,
                is_end: false,
                attributes: "",
                length: "<!---->".len() + end,
            });
        }
        let (inside, _) = text.strip_prefix('<')?.split_once('>')?;
        if inside.contains('<') {
            return None;
        }
        let is_end = inside.starts_with('/');
        let body = inside.trim_start_matches('/');
        let is_name = |c: char| c.is_ascii_alphanumeric();
        let name = body.split(|c| !is_name(c)).next()?;
        let attributes = body.get(name.len()..)?;
        let known = tag(&name.to_ascii_lowercase())?;
        let is_tag = attributes.is_empty() || attributes.starts_with([' ', '/', '\n', '\t']);
        let mut length = inside.len() + "<>".len();
        if known == Tag::Hidden && !is_end {
            let close = format!("</{name}");
            length += text.get(length..)?.find(&close)?;
        }
        // A tag that needs an end and has none is a word: "a <section> of the page".
        let needs_end = matches!(known, Tag::Block | Tag::Dropped) && !is_alone(name);
        if needs_end && !is_end && !text.contains(&format!("</{name}")) {
            return None;
        }
        is_tag.then_some(Self {
            tag: Some(known),
            is_end,
            attributes,
            length,
        })
    }

    /// Returns the target of a link.
    fn target(&self) -> Option<&'t str> {
        let lower = self.attributes.to_ascii_lowercase();
        let at = lower.find("href=")? + "href=".len();
        let value = self.attributes.get(at..)?;
        match value.chars().next()? {
            quote @ ('"' | '\'') => value.get(1..)?.split(quote).next(),
            _ => value.split([' ', '/', '\t']).next(),
        }
    }
}

/// Reads a character reference that people write in texts.
fn reference(text: &str) -> Option<(char, usize)> {
    const NAMES: [(&str, char); 16] = [
        ("amp", '&'),
        ("apos", '\''),
        ("bull", '•'),
        ("copy", '©'),
        ("gt", '>'),
        ("hellip", '…'),
        ("ldquo", '“'),
        ("lsquo", '‘'),
        ("lt", '<'),
        ("mdash", '—'),
        ("middot", '·'),
        ("nbsp", ' '),
        ("ndash", '–'),
        ("quot", '"'),
        ("rdquo", '”'),
        ("rsquo", '’'),
    ];
    let (name, _) = text.strip_prefix('&')?.split_once(';')?;
    let length = name.len() + "&;".len();
    let number = name.strip_prefix('#').and_then(|number| {
        let hexadecimal = number.strip_prefix(['x', 'X']);
        let code = match hexadecimal {
            Some(digits) => u32::from_str_radix(digits, 16),
            None => number.parse(),
        };
        char::from_u32(code.ok()?)
    });
    let named = || NAMES.iter().find(|(known, _)| *known == name);
    let c = number.or_else(|| named().map(|(_, c)| *c))?;
    Some((c, length))
}

/// A mark that encloses text, while it is open.
#[derive(Debug)]
struct Open {
    tag: Tag,
    /// Where the mark is in the output.
    at: usize,
    mark: &'static str,
    /// What is written at the end of the text.
    end: String,
    /// The tag itself.
    source: String,
}

/// A list that is open.
#[derive(Debug, Default)]
struct List {
    is_ordered: bool,
    has_items: bool,
}

/// The Markdown so far.
#[derive(Debug, Default)]
struct Writer {
    text: String,
    open: Vec<Open>,
    lists: Vec<List>,
}

impl Writer {
    fn element(&mut self, element: &Element<'_>, source: &str) {
        let Some(tag) = element.tag else { return };
        match tag {
            Tag::Mark(_) | Tag::Link if element.is_end => self.close(tag, source),
            Tag::Mark(mark) => self.begin(tag, mark, mark.to_owned(), source),
            Tag::Link => {
                let target = element.target().filter(|target| !target.is_empty());
                if let Some(target) = target {
                    self.begin(tag, "[", format!("]({target})"), source);
                }
            }
            Tag::Break => self.text.push('\n'),
            Tag::Block => self.blank_line(),
            Tag::Heading if element.is_end => {
                self.close(tag, source);
                self.blank_line();
            }
            Tag::Heading => {
                self.blank_line();
                self.begin(tag, "**", "**".to_owned(), source);
            }
            Tag::List { .. } if element.is_end => {
                self.lists.pop();
                if self.lists.is_empty() {
                    self.blank_line();
                }
            }
            Tag::List { is_ordered } => {
                if self.lists.is_empty() {
                    self.blank_line();
                }
                self.lists.push(List {
                    is_ordered,
                    has_items: false,
                });
            }
            Tag::Item if element.is_end => {}
            Tag::Item => self.item(),
            Tag::Dropped | Tag::Hidden => {}
        }
    }

    fn begin(&mut self, tag: Tag, mark: &'static str, end: String, source: &str) {
        let at = self.text.len();
        self.text.push_str(mark);
        self.open.push(Open {
            tag,
            at,
            mark,
            end,
            source: source.to_owned(),
        });
    }

    /// Closes the innermost open element of this kind. Without one the end tag stays as text.
    fn close(&mut self, tag: Tag, source: &str) {
        let Some(index) = self.open.iter().rposition(|open| open.tag == tag) else {
            self.text.push_str(source);
            return;
        };
        for unclosed in self.open.split_off(index + 1).into_iter().rev() {
            self.restore(&unclosed);
        }
        let Some(open) = self.open.pop() else { return };
        // Space inside an emphasis goes outside: `** x **` is no emphasis.
        let content = self.text.split_off(open.at + open.mark.len());
        self.text.truncate(open.at);
        let text = content.trim();
        let before = content.len() - content.trim_start().len();
        let (lead, _) = content.split_at(before);
        let space = content.get(before + text.len()..).unwrap_or_default();
        self.text.push_str(lead);
        if text.is_empty() {
            return;
        }
        self.text.push_str(open.mark);
        self.text.push_str(text);
        self.text.push_str(&open.end);
        self.text.push_str(space);
    }

    /// Puts the tag of an element that has no end back in the place of its mark.
    fn restore(&mut self, open: &Open) {
        let mark = open.at..open.at + open.mark.len();
        self.text.replace_range(mark, &open.source);
    }

    fn blank_line(&mut self) {
        self.text
            .truncate(self.text.trim_end_matches([' ', '\t']).len());
        if !self.text.is_empty() {
            let ends = self.text.chars().rev().take_while(|c| *c == '\n').count();
            self.text
                .push_str(&"\n".repeat(2_usize.saturating_sub(ends)));
        }
    }

    fn item(&mut self) {
        self.text
            .truncate(self.text.trim_end_matches([' ', '\t', '\n']).len());
        let depth = self.lists.len().saturating_sub(1);
        let mut list = self.lists.last_mut();
        let is_ordered = list.as_ref().is_some_and(|list| list.is_ordered);
        let has_items = list.as_ref().is_some_and(|list| list.has_items);
        if let Some(list) = &mut list {
            list.has_items = true;
        }
        if !self.text.is_empty() {
            let begins_list = depth == 0 && !has_items;
            self.text.push_str(if begins_list { "\n\n" } else { "\n" });
        }
        self.text.push_str(&"   ".repeat(depth));
        self.text.push_str(if is_ordered { "1. " } else { "- " });
    }

    fn finish(mut self) -> String {
        for unclosed in std::mem::take(&mut self.open).into_iter().rev() {
            self.restore(&unclosed);
        }
        self.text
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn simple_html_becomes_markdown() {
        let rows = [
            ("Led a <strong>big</strong> team", "Led a **big** team"),
            ("a<B> b </B>c", "a **b** c"),
            (
                "<p>One</p><p>Two <em>three</em></p>",
                "One\n\nTwo *three*\n\n",
            ),
            ("one<br>two<br/>three<BR />", "one\ntwo\nthree\n"),
            (
                "Did:<ul><li>this</li><li>that <b>too</b></li></ul>And more",
                "Did:\n\n- this\n- that **too**\n\nAnd more",
            ),
            ("<ol>\n <li>a</li>\n <li>b</li>\n</ol>", "1. a\n1. b\n\n"),
            (
                "<a href=\"https://a.example/?x=1&y\" target='_blank'>site</a>.",
                "[site](https://a.example/?x=1&y).",
            ),
            ("<h2>Title</h2>text", "**Title**\n\ntext"),
            ("<span style=\"x\">a</span> <u>b</u>", "a b"),
            ("a <!-- hidden --> b", "a  b"),
            ("x<script>alert(1)</script>y", "xy"),
            ("R&amp;D &lt;3 &#8211; &nbsp;&eacute;", "R&D <3 –  &eacute;"),
        ];
        for (html, markdown) in rows {
            assert_eq!(to_markdown(html), markdown, "{html}");
        }
    }

    #[test]
    fn what_is_no_html_stays() {
        for text in [
            "a < b and c > d",
            "Vec<T> and Map<String, Value>",
            "<https://a.example>",
            "i <3 you",
            "AT&T; &unknown;",
            "<",
            "<b",
            "</>",
        ] {
            assert_eq!(to_markdown(text), text);
        }
    }

    #[test]
    fn a_tag_without_its_other_half_stays_as_text() {
        let rows = [
            ("Used <b> and <section>", "Used <b> and <section>"),
            ("a</b> c", "a</b> c"),
            ("<b>a <i>c</b> d", "**a <i>c** d"),
            (
                "<a href=\"https://a.example\">x",
                "<a href=\"https://a.example\">x",
            ),
            ("<b></b>x", "x"),
            ("a <script> loader", "a <script> loader"),
            ("<p>One<p>Two", "One\n\nTwo"),
        ];
        for (html, markdown) in rows {
            assert_eq!(to_markdown(html), markdown, "{html}");
        }
    }
}
