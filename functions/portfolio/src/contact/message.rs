//! [`Message`]: what a sender wrote, once all of it can stand in an e-mail.
//!
//! Lengths are promised and checked by the tool's schema; here is what a schema cannot say.

use thiserror::Error;

use super::characters::{unfit_for_line, unfit_for_text, with_line_feeds};

/// What a sender wrote.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Draft<'a> {
    pub(crate) brief: &'a str,
    pub(crate) contact: &'a str,
    pub(crate) name: Option<&'a str>,
    /// Whose credential came with the call.
    pub(crate) caller: Option<Caller<'a>>,
}

/// Who a credential says is calling.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Caller<'a> {
    /// A text that no other caller has.
    pub(crate) id: &'a str,
    /// What people know the caller by.
    pub(crate) name: &'a str,
}

/// A message whose fields hold no character that could do harm where they stand.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct Message {
    pub(super) brief: String,
    pub(super) contact: String,
    pub(super) name: Option<String>,
    pub(super) caller_id: Option<String>,
    pub(super) caller: Option<String>,
}

/// Why a draft cannot be sent, in words for the model.
#[derive(Debug, PartialEq, Eq, Error)]
pub(crate) enum Unsendable {
    /// A field with nothing to read in it.
    #[error("`{field}` is blank. Write {what} and call again.")]
    Blank {
        field: &'static str,
        what: &'static str,
    },
    /// A character that must not stand there.
    #[error(
        "`{field}` has the character U+{:04X} in place {place}, which an e-mail cannot carry there: \
         {rule}. Take it out and call again.",
        u32::from(*.character)
    )]
    Character {
        field: &'static str,
        character: char,
        place: usize,
        rule: &'static str,
    },
}

const LINE_RULE: &str = "it is one line, without control characters and without characters that \
     are invisible or change the direction of writing";
const TEXT_RULE: &str = "of the control characters only line feeds and tabs are plain text";

impl Message {
    /// Checks a draft and trims it.
    ///
    /// # Errors
    ///
    /// The first field that cannot be sent.
    pub(crate) fn check(draft: Draft<'_>) -> Result<Self, Unsendable> {
        let brief = with_line_feeds(draft.brief);
        let brief = filled("brief", "what the person should know", &brief)?;
        if let Some((character, place)) = unfit_for_text(brief) {
            return Err(Unsendable::Character {
                field: "brief",
                character,
                place,
                rule: TEXT_RULE,
            });
        }
        let contact = filled("contact", "how to reach the sender", draft.contact)?;
        let name = draft.name.map(str::trim).filter(|name| !name.is_empty());
        Ok(Self {
            brief: brief.to_owned(),
            contact: line("contact", contact)?,
            name: name.map(|name| line("name", name)).transpose()?,
            caller_id: draft.caller.map(|caller| caller.id.to_owned()),
            caller: draft.caller.map(|caller| shown(caller.name)),
        })
    }
}

fn filled<'a>(
    field: &'static str,
    what: &'static str,
    text: &'a str,
) -> Result<&'a str, Unsendable> {
    let text = text.trim();
    if text.is_empty() {
        Err(Unsendable::Blank { field, what })
    } else {
        Ok(text)
    }
}

fn line(field: &'static str, text: &str) -> Result<String, Unsendable> {
    match unfit_for_line(text) {
        Some((character, place)) => Err(Unsendable::Character {
            field,
            character,
            place,
            rule: LINE_RULE,
        }),
        None => Ok(text.to_owned()),
    }
}

/// An issuer's text: its sender cannot correct it, so what cannot stand in a line is replaced.
fn shown(name: &str) -> String {
    let fit = |c: char| unfit_for_line(c.encode_utf8(&mut [0; 4])).is_none();
    let shown = name.chars().map(|c| {
        if fit(c) {
            c
        } else {
            char::REPLACEMENT_CHARACTER
        }
    });
    super::characters::cut(&shown.collect::<String>(), 200)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn draft<'a>(brief: &'a str, contact: &'a str, name: Option<&'a str>) -> Draft<'a> {
        Draft {
            brief,
            contact,
            name,
            caller: None,
        }
    }

    #[test]
    fn a_message_is_trimmed_and_keeps_its_lines() {
        let message = Message::check(draft(" a\r\n\tb\r\n", " x ", Some("  "))).unwrap();
        assert_eq!(
            (
                message.brief.as_str(),
                message.contact.as_str(),
                message.name
            ),
            ("a\n\tb", "x", None)
        );
    }

    #[test]
    fn what_cannot_be_sent_is_refused_with_its_field() {
        let rows = [
            (draft(" \n ", "x", None), "`brief` is blank"),
            (draft("a", "\u{3000} ", None), "`contact` is blank"),
            (
                draft("a\u{1B}[31m", "x", None),
                "`brief` has the character U+001B in place 2",
            ),
            (
                draft("a", "x\r\nBcc: y", None),
                "`contact` has the character U+000D in place 2",
            ),
            (
                draft("a", "x", Some("é\nBcc")),
                "`name` has the character U+000A in place 2",
            ),
            (
                draft("a", "x", Some("A\u{202E}")),
                "`name` has the character U+202E in place 2",
            ),
        ];
        for (draft, expected) in rows {
            let words = Message::check(draft).unwrap_err().to_string();
            assert!(words.starts_with(expected), "{words}");
            assert!(words.ends_with("call again."), "{words}");
        }
    }

    #[test]
    fn an_issuers_name_for_a_caller_is_made_one_line() {
        let mut draft = draft("a", "x", None);
        let name = format!("key\r\nBcc: y{}", "z".repeat(300));
        draft.caller = Some(Caller {
            id: "1",
            name: &name,
        });
        let shown = Message::check(draft).unwrap().caller.unwrap();
        assert!(shown.starts_with("key\u{FFFD}\u{FFFD}Bcc: y"), "{shown}");
        assert_eq!(shown.chars().count(), 200);
    }
}
