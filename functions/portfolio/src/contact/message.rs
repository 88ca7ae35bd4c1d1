//! [`Message`]: what a sender wrote, after all checks.
//!
//! The tool's schema states and checks the lengths. This module checks what a schema cannot state.

use serde::{Deserialize, Serialize};
use thiserror::Error;

use super::address::EmailAddress;
use super::characters::{
    unfit_for_line, unfit_for_text, with_hidden_shown, with_line_feeds, with_single_spaces,
};

/// What a sender wrote, as it is sent. No field is blank or has a hidden character.
///
/// It is stored as what the sender wrote, and checked again when it is read.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(try_from = "Written", into = "Written")]
pub(crate) struct Message {
    pub(super) brief: String,
    pub(super) contact: String,
    pub(super) name: Option<String>,
    /// The one e-mail address in `contact`, if there is one.
    pub(super) reply_to: Option<EmailAddress>,
}

/// A message as it is stored.
#[derive(Debug, Serialize, Deserialize)]
struct Written {
    brief: String,
    contact: String,
    name: Option<String>,
}

impl TryFrom<Written> for Message {
    type Error = Unsendable;

    fn try_from(written: Written) -> Result<Self, Unsendable> {
        Self::new(&written.brief, &written.contact, written.name.as_deref())
    }
}

impl From<Message> for Written {
    fn from(message: Message) -> Self {
        Self {
            brief: message.brief,
            contact: message.contact,
            name: message.name,
        }
    }
}

/// Why a message cannot be sent, as a text for the model.
#[derive(Debug, PartialEq, Eq, Error)]
pub(crate) enum Unsendable {
    /// A field without visible text.
    #[error("`{field}` is blank; write {what}")]
    Blank {
        field: &'static str,
        what: &'static str,
    },
    /// A character that is not allowed.
    #[error(
        "`{field}` has the character U+{:04X} at position {place}: {rule}; remove it",
        u32::from(*.character)
    )]
    Character {
        field: &'static str,
        character: char,
        place: usize,
        rule: &'static str,
    },
}

const LINE_RULE: &str = "the field is one line, without control characters and without characters \
     that are invisible or change the direction of text";
const TEXT_RULE: &str = "line feed and tab are the only control characters allowed";

impl Message {
    /// Checks and normalizes what a sender wrote.
    ///
    /// # Errors
    ///
    /// Returns the first field that cannot be sent.
    pub(crate) fn new(brief: &str, contact: &str, name: Option<&str>) -> Result<Self, Unsendable> {
        let brief = with_line_feeds(brief);
        let brief = filled("brief", "what the person should know", &brief)?;
        if let Some((character, place)) = unfit_for_text(brief) {
            return Err(Unsendable::Character {
                field: "brief",
                character,
                place,
                rule: TEXT_RULE,
            });
        }
        let contact = line(
            "contact",
            filled("contact", "how to reach the sender", contact)?,
        )?;
        let name = name.map(str::trim).filter(|name| !name.is_empty());
        Ok(Self {
            brief: with_hidden_shown(brief),
            reply_to: EmailAddress::find_in(&contact),
            contact,
            name: name.map(|name| line("name", name)).transpose()?,
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
        None => Ok(with_single_spaces(text)),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_message_is_trimmed_and_keeps_its_lines() {
        let message = Message::new(" a\r\n\tb\r\n", " x \u{2003}  y ", Some("  ")).unwrap();
        assert_eq!(
            (
                message.brief.as_str(),
                message.contact.as_str(),
                message.name
            ),
            ("a\n\tb", "x y", None)
        );
    }

    #[test]
    fn a_stored_message_is_read_back() {
        for (brief, contact, name) in [
            ("one\n\ttwo", "ada@example.org", Some("Ada")),
            ("\u{200B}hidden \u{202E}text", "+44 20 7946 0000", None),
        ] {
            let message = Message::new(brief, contact, name).unwrap();
            let stored = serde_json::to_string(&message).unwrap();
            assert_eq!(serde_json::from_str::<Message>(&stored).unwrap(), message);
        }
        let altered = r#"{"brief":"a","contact":"x\r\nBcc: y","name":null}"#;
        assert!(serde_json::from_str::<Message>(altered).is_err());
    }

    #[test]
    fn a_field_that_cannot_be_sent_is_named() {
        let rows = [
            ((" \n ", "x", None), "`brief` is blank"),
            (("a", "\u{3000} ", None), "`contact` is blank"),
            (
                ("a\u{1B}[31m", "x", None),
                "`brief` has the character U+001B at position 2",
            ),
            (
                ("a", "x\r\nBcc: y", None),
                "`contact` has the character U+000D at position 2",
            ),
            (
                ("a", "x\u{3164}y", None),
                "`contact` has the character U+3164 at position 2",
            ),
            (
                ("a", "x", Some("é\nBcc")),
                "`name` has the character U+000A at position 2",
            ),
            (
                ("a", "x", Some("A\u{202E}")),
                "`name` has the character U+202E at position 2",
            ),
        ];
        for ((brief, contact, name), expected) in rows {
            let text = Message::new(brief, contact, name).unwrap_err().to_string();
            assert!(text.starts_with(expected), "{text}");
        }
    }
}
