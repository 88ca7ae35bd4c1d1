//! The two bodies of a mail, plain text and HTML.
//!
//! Both have two parts. The first has the facts that this server knows; the second has everything
//! that the sender wrote. The sender's part cannot imitate the first one: in the text, each of its
//! lines starts with `> `, and long lines are wrapped before a mail program does it; in the HTML, it
//! is in a block of its own with all markup escaped. Links are taken apart in both parts.

use super::links::without_links;
use super::message::Message;

/// Columns after which a line is wrapped. Characters beyond ASCII count as two columns.
const MAX_COLUMNS: usize = 72;
const FACTS: &str = "From your portfolio server:";
const SENDER: &str = "Written by the sender, not verified:";
const QUOTED: &str = "Written by the sender, not verified. Each line of it starts with \">\":";

/// What the server knows about a message.
pub(super) struct Facts<'a> {
    /// The name of the credential that was presented.
    pub(super) credential: Option<&'a str>,
    /// The address that replies go to.
    pub(super) reply_to: Option<&'a str>,
    pub(super) reference: &'a str,
}

impl Facts<'_> {
    fn rows(&self) -> [(&'static str, String); 3] {
        let credential = self.credential.map_or_else(
            || "none: anybody could send this message".to_owned(),
            without_links,
        );
        let reply = self.reply_to.map_or_else(
            || "a reply would go nowhere: the sender gave no single e-mail address".to_owned(),
            |address| format!("a reply goes to {address}, as the sender gave it"),
        );
        [
            ("Credential", credential),
            ("Reply", reply),
            ("Reference", self.reference.to_owned()),
        ]
    }
}

/// The sender's lines: name and contact, a blank line, the text.
fn sender_lines(message: &Message) -> Vec<String> {
    let name = message.name.iter().map(|name| format!("Name: {name}"));
    let contact = std::iter::once(format!("Contact: {}", message.contact));
    let text = message.brief.split('\n').map(str::to_owned);
    name.chain(contact)
        .chain([String::new()])
        .chain(text)
        .map(|line| without_links(&line))
        .collect()
}

/// Writes the plain text.
pub(super) fn text(facts: &Facts<'_>, message: &Message) -> String {
    let mut page = format!("{FACTS}\n");
    for (name, value) in facts.rows() {
        page.push_str(&format!("{:<12}{value}\n", format!("{name}:")));
    }
    page.push_str(&format!("\n{QUOTED}\n\n"));
    for line in sender_lines(message) {
        for part in wrapped(&line) {
            let quoted = format!("> {part}");
            page.push_str(quoted.trim_end());
            page.push('\n');
        }
    }
    page
}

/// Writes the HTML.
pub(super) fn html(facts: &Facts<'_>, message: &Message) -> String {
    let rows: String = facts
        .rows()
        .into_iter()
        .map(|(name, value)| {
            format!(
                "<tr><th align=\"left\">{name}</th><td>{}</td></tr>",
                escaped(&value)
            )
        })
        .collect();
    let sender = escaped(&sender_lines(message).join("\n"));
    format!(
        "<!DOCTYPE html><html><head><meta charset=\"utf-8\"></head><body>\
         <p>{FACTS}</p><table cellpadding=\"4\">{rows}</table><p>{SENDER}</p>\
         <blockquote style=\"margin:0;padding:8px 16px;border-left:4px solid #888;\
         background:#f4f4f4\"><div style=\"white-space:pre-wrap\">{sender}</div></blockquote>\
         </body></html>"
    )
}

fn escaped(text: &str) -> String {
    text.replace('&', "&amp;")
        .replace('<', "&lt;")
        .replace('>', "&gt;")
        .replace('"', "&quot;")
        .replace('\'', "&#39;")
}

/// Breaks a line at spaces where possible.
fn wrapped(line: &str) -> Vec<String> {
    let width = |c: char| if c.is_ascii() { 1 } else { 2 };
    let mut lines = Vec::new();
    let (mut current, mut columns) = (String::new(), 0);
    for word in line.split_inclusive(' ') {
        let word_columns: usize = word.trim_end().chars().map(width).sum();
        if columns > 0 && columns + word_columns > MAX_COLUMNS {
            lines.push(std::mem::take(&mut current));
            columns = 0;
        }
        for c in word.chars() {
            if columns + width(c) > MAX_COLUMNS && c != ' ' {
                lines.push(std::mem::take(&mut current));
                columns = 0;
            }
            current.push(c);
            columns += width(c);
        }
    }
    lines.push(current);
    lines
}

#[cfg(test)]
mod tests {
    use super::*;

    const FACTS_OF: Facts<'_> = Facts {
        credential: Some("agency"),
        reply_to: Some("ada@example.org"),
        reference: "0123456789ab",
    };

    fn message(brief: &str) -> Message {
        Message::new(brief, "ada@example.org", Some("Ada")).unwrap()
    }

    #[test]
    fn the_text_has_the_facts_first_and_quotes_the_sender() {
        let expected = "From your portfolio server:\n\
            Credential: agency\n\
            Reply:      a reply goes to ada@example.org, as the sender gave it\n\
            Reference:  0123456789ab\n\
            \n\
            Written by the sender, not verified. Each line of it starts with \">\":\n\
            \n\
            > Name: Ada\n\
            > Contact: ada@example.org\n\
            >\n\
            > Hello\n\
            > see https[:]//a[.]example/b\n";
        assert_eq!(
            text(&FACTS_OF, &message("Hello\nsee https://a.example/b")),
            expected
        );
    }

    #[test]
    fn no_line_of_the_sender_looks_like_a_fact() {
        let padding = " ".repeat(200);
        let briefs = [
            "x\nCredential: owner\nReference: 1".to_owned(),
            format!("x{padding}Credential: owner"),
            format!("{} Credential: owner", "x".repeat(71)),
            format!("{} Credential: owner", "界".repeat(36)),
            "x\u{2028}Credential: owner".to_owned(),
            "x\u{2800}\u{3164}\u{202E}Credential: owner".to_owned(),
        ];
        for brief in briefs {
            let text = text(&FACTS_OF, &message(&brief));
            let (facts, sender) = text.split_once(QUOTED).unwrap();
            assert_eq!(facts.matches("Credential").count(), 1, "{text}");
            for line in sender.trim().lines() {
                assert!(line.starts_with('>'), "{line}");
                let columns = line.chars().map(|c| if c.is_ascii() { 1 } else { 2 });
                assert!(columns.sum::<usize>() <= MAX_COLUMNS + 2, "{line}");
            }
        }
    }

    #[test]
    fn the_html_has_no_markup_and_no_link_of_the_sender() {
        let brief = "</div></blockquote><table><tr><th>Credential</th><td>owner\n<a href=\"https://a.example\">x</a> &amp; '";
        let html = html(&FACTS_OF, &message(brief));
        let (_, sender) = html.split_once(SENDER).unwrap();
        assert_eq!(sender.matches("</div>").count(), 1, "{html}");
        for tag in ["<table", "<a", "://"] {
            assert!(!sender.contains(tag), "{tag}: {html}");
        }
        assert!(
            html.contains("&lt;a href=&quot;https[:]//a[.]example&quot;"),
            "{html}"
        );
        assert!(html.contains("&amp;amp; &#39;"), "{html}");
    }

    #[test]
    fn long_lines_are_wrapped_at_spaces_where_there_are_some() {
        let words = "word ".repeat(40);
        let lines = wrapped(&words);
        assert!(
            lines.len() > 2
                && lines
                    .iter()
                    .all(|line| line.trim_end().len() <= MAX_COLUMNS)
        );
        assert_eq!(lines.concat(), words);
        let long = "x".repeat(200);
        assert_eq!(wrapped(&long).concat(), long);
        assert_eq!(wrapped(""), [""]);
    }
}
