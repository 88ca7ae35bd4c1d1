//! The Markdown inside a line that people write in texts: emphasis, code, links.
//!
//! A form is kept only if it is complete and unmistakable. Every other character that would take
//! effect is escaped, as [`super::text`] does it, so that the line changes nothing around it.

use super::text::{is_web_link, marker_at_start, takes_effect};

/// Returns one line of Markdown as Markdown that is safe anywhere in a paragraph.
pub(super) fn inline(line: &str) -> String {
    let chars: Vec<char> = line.chars().collect();
    let mut writer = Writer {
        chars: &chars,
        out: String::with_capacity(line.len()),
        start: marker_at_start(&chars),
    };
    writer.span(0, chars.len(), false);
    writer.out
}

struct Writer<'c> {
    chars: &'c [char],
    out: String,
    /// The character to escape because it would begin a block.
    start: Option<usize>,
}

/// A form that was recognized: where its content is, and where it ends.
struct Form {
    content: (usize, usize),
    end: usize,
}

impl Writer<'_> {
    fn at(&self, at: usize) -> Option<char> {
        self.chars.get(at).copied()
    }

    /// Writes the characters from `at` to `end`.
    fn span(&mut self, at: usize, end: usize, is_inside: bool) {
        let mut at = at;
        while at < end {
            at = self.form(at, end, is_inside).unwrap_or_else(|| {
                self.literal(at);
                at + 1
            });
        }
    }

    fn literal(&mut self, at: usize) {
        let Some(c) = self.at(at) else { return };
        let before = at.checked_sub(1).and_then(|at| self.at(at));
        let after = self.chars.get(at + 1..).unwrap_or_default();
        if self.start == Some(at) || takes_effect(c, before, after) {
            self.out.push('\\');
        }
        self.out.push(c);
    }

    /// Writes the form that begins at `at`, if one does. Returns where it ends.
    fn form(&mut self, at: usize, end: usize, is_inside: bool) -> Option<usize> {
        match self.at(at)? {
            '\\' => self.escaped(at, end),
            '`' => self.code(at, end),
            '<' => self.autolink(at, end),
            '!' if self.at(at + 1) == Some('[') => self.image(at, end),
            '[' if !is_inside => self.link(at, end),
            mark @ ('*' | '_') => self.emphasis(mark, at, end, is_inside),
            '~' => self.strikethrough(at, end, is_inside),
            _ => None,
        }
    }

    /// A character that the text escapes itself: `\*`.
    fn escaped(&mut self, at: usize, end: usize) -> Option<usize> {
        let next = self.at(at + 1).filter(|_| at + 1 < end)?;
        if !"\\`*_[]~#<>|&$".contains(next) {
            return None;
        }
        self.out.push('\\');
        self.out.push(next);
        Some(at + 2)
    }

    fn code(&mut self, at: usize, end: usize) -> Option<usize> {
        let length = self.run('`', at, end);
        let closes = |start: usize| {
            let before = start.checked_sub(1).and_then(|at| self.at(at));
            before != Some('`') && self.run('`', start, end) == length
        };
        let close = (at + length..end).find(|start| closes(*start))?;
        let code = self.chars.get(at + length..close)?;
        let is_blank = code.iter().all(|c| c.is_whitespace());
        if is_blank {
            return None;
        }
        let mark = "`".repeat(length);
        self.out.push_str(&mark);
        self.out.extend(code);
        self.out.push_str(&mark);
        Some(close + length)
    }

    /// `<https://…>`
    fn autolink(&mut self, at: usize, end: usize) -> Option<usize> {
        let close = self.find('>', at + 1, end)?;
        let url: String = self.chars.get(at + 1..close)?.iter().collect();
        if !is_web_link(&url) {
            return None;
        }
        self.out.push_str(&format!("<{url}>"));
        Some(close + 1)
    }

    /// An image is not shown: its text is, as a link to it.
    fn image(&mut self, at: usize, end: usize) -> Option<usize> {
        let (form, url) = self.target(at + 1, end)?;
        let (from, to) = form.content;
        match (is_web_link(&url), from < to) {
            (true, true) => self.linked(form.content, &url),
            (true, false) => self.out.push_str(&format!("<{url}>")),
            (false, _) => self.span(from, to, true),
        }
        Some(form.end)
    }

    fn link(&mut self, at: usize, end: usize) -> Option<usize> {
        let (form, url) = self.target(at, end)?;
        let (from, to) = form.content;
        if !is_web_link(&url) || from == to {
            return None;
        }
        self.linked(form.content, &url);
        Some(form.end)
    }

    fn linked(&mut self, (from, to): (usize, usize), url: &str) {
        self.out.push('[');
        self.span(from, to, true);
        self.out.push_str(&format!("](<{url}>)"));
    }

    /// Reads `[text](url)` or `[text](url "title")` and returns it with its URL.
    fn target(&self, at: usize, end: usize) -> Option<(Form, String)> {
        let close = self.find(']', at + 1, end)?;
        let text = self.chars.get(at + 1..close)?;
        if text.contains(&'[') || text.contains(&'`') || self.at(close + 1) != Some('(') {
            return None;
        }
        let mut depth = 1;
        let mut closing = close + 2;
        while closing < end {
            match self.at(closing)? {
                '(' => depth += 1,
                ')' => depth -= 1,
                _ => {}
            }
            if depth == 0 {
                break;
            }
            closing += 1;
        }
        if depth > 0 {
            return None;
        }
        let inside: String = self.chars.get(close + 2..closing)?.iter().collect();
        let url = inside.trim().split(char::is_whitespace).next()?;
        let url = url.trim_start_matches('<').trim_end_matches('>').to_owned();
        let form = Form {
            content: (at + 1, close),
            end: closing + 1,
        };
        Some((form, url))
    }

    /// `*text*`, `**text**` and `***text***`, and the same with `_`.
    fn emphasis(&mut self, mark: char, at: usize, end: usize, is_inside: bool) -> Option<usize> {
        let length = self.run(mark, at, end);
        let form = self.enclosed(mark, length, at, end)?;
        let marks = match (length, is_inside) {
            (1, false) => "*",
            (2, false) => "**",
            (3, false) => "***",
            (1, true) => "_",
            (2, true) => "__",
            _ => return None,
        };
        self.enclose(marks, &form);
        Some(form.end)
    }

    fn strikethrough(&mut self, at: usize, end: usize, is_inside: bool) -> Option<usize> {
        let length = self.run('~', at, end);
        if length != 2 || is_inside {
            return None;
        }
        let form = self.enclosed('~', length, at, end)?;
        self.enclose("~~", &form);
        Some(form.end)
    }

    fn enclose(&mut self, marks: &str, form: &Form) {
        let (from, to) = form.content;
        self.out.push_str(marks);
        self.span(from, to, true);
        self.out.push_str(marks);
    }

    /// Finds what a run of marks encloses: text that neither begins nor ends with a space, between
    /// words.
    fn enclosed(&self, mark: char, length: usize, at: usize, end: usize) -> Option<Form> {
        let before = at.checked_sub(1).and_then(|at| self.at(at));
        let from = at + length;
        let is_word = |c: Option<char>| c.is_some_and(|c| !is_between_words(c));
        if is_word(before) || self.at(from).is_none_or(char::is_whitespace) {
            return None;
        }
        let closes = |to: usize| {
            let is_run = self.run(mark, to, end) == length && self.at(to - 1) != Some(mark);
            let last = self.at(to - 1);
            is_run && last.is_some_and(|c| !c.is_whitespace() && c != '\\')
        };
        let to = (from + 1..end).find(|to| closes(*to))?;
        let is_plain = self
            .chars
            .get(from..to)?
            .iter()
            .all(|c| !"`[]<".contains(*c));
        (is_plain && !is_word(self.at(to + length).filter(|_| to + length < end))).then_some(Form {
            content: (from, to),
            end: to + length,
        })
    }

    /// The number of times that `mark` is repeated from `at` on.
    fn run(&self, mark: char, at: usize, end: usize) -> usize {
        let rest = self.chars.get(at..end).unwrap_or_default();
        rest.iter().take_while(|c| **c == mark).count()
    }

    fn find(&self, wanted: char, from: usize, end: usize) -> Option<usize> {
        let rest = self.chars.get(from..end)?;
        rest.iter().position(|c| *c == wanted).map(|at| from + at)
    }
}

/// Whether an emphasis may begin after, or end before, this character.
fn is_between_words(c: char) -> bool {
    c.is_whitespace() || ".,:;!?()\"'/-–—“”‘’…".contains(c)
}
