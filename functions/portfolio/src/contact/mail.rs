//! [`Mail`]: a message, addressed to the owner.
//!
//! A mail is a function of the message and the two configured addresses, and so is its key: the same
//! message gives the same mail under the same key, on any instance and at any time. The key holds no
//! time: with windows of time, two calls a second apart could fall into two windows. How long a
//! repeat is recognised is the mailer's to say; Resend does it for 24 hours.
//!
//! Nor does the key hold the caller's address: agents call from many, and a retry comes from another
//! one. Who sends is told by what stands in the message, and by the credential if there is one.

use std::fmt::Write as _;

use sha2::{Digest as _, Sha256};

use super::address::{EmailAddress, Mailbox};
use super::characters::cut;
use super::message::Message;

/// To be raised when the composition below changes, so that another mail gets another key.
const COMPOSITION: &str = "contact-1";
const LONGEST_SUBJECT: usize = 120;
const RULE: &str = "----------------------------------------";

/// A mail that can be sent.
#[derive(Clone, PartialEq, Eq)]
pub(crate) struct Mail {
    pub(super) from: Mailbox,
    pub(super) to: EmailAddress,
    /// Where an answer goes, if the sender gave an e-mail address.
    pub(super) reply_to: Option<EmailAddress>,
    pub(super) subject: String,
    pub(super) text: String,
    pub(super) key: String,
    pub(super) reference: String,
    message: Message,
}

impl Mail {
    /// Addresses a message.
    pub(crate) fn compose(message: Message, from: &Mailbox, to: &EmailAddress) -> Self {
        let key = key(&message, from, to);
        let reference = key.get(..12).unwrap_or(&key).to_owned();
        let sender = message.name.as_deref().unwrap_or(&message.contact);
        Self {
            from: from.clone(),
            to: to.clone(),
            reply_to: message.contact.parse().ok(),
            subject: cut(&format!("Message from {sender}"), LONGEST_SUBJECT),
            text: text(&message, &reference),
            key,
            reference,
            message,
        }
    }

    /// What the sender can name the message by.
    pub(crate) fn reference(&self) -> &str {
        &self.reference
    }

    /// What was written, for showing it to the person who is to agree to it.
    pub(crate) fn text(&self) -> &str {
        &self.text
    }

    /// Everything in it that no log may hold.
    pub(super) fn confidential(&self) -> impl Iterator<Item = &str> {
        let message = &self.message;
        let addresses = [self.from.address().as_str(), self.to.as_str()];
        [message.brief.as_str(), message.contact.as_str()]
            .into_iter()
            .chain(message.name.as_deref())
            .chain(message.caller.as_deref())
            .chain(addresses)
    }
}

impl std::fmt::Debug for Mail {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("Mail")
            .field("reference", &self.reference)
            .finish_non_exhaustive()
    }
}

/// The digest of everything in the mail, part by part with its length before it.
fn key(message: &Message, from: &Mailbox, to: &EmailAddress) -> String {
    let from = from.unicode();
    let parts = [
        Some(COMPOSITION),
        message.caller_id.as_deref(),
        Some(&from),
        Some(to.as_str()),
        message.name.as_deref(),
        Some(&message.contact),
        Some(&message.brief),
    ];
    let mut digest = Sha256::new();
    for part in parts {
        match part {
            Some(part) => {
                digest.update([1]);
                digest.update(u64::try_from(part.len()).unwrap_or(u64::MAX).to_be_bytes());
                digest.update(part);
            }
            None => digest.update([0]),
        }
    }
    digest
        .finalize()
        .iter()
        .fold(String::new(), |mut hex, byte| {
            let _ = write!(hex, "{byte:02x}");
            hex
        })
}

/// Plain text. What the sender wrote in many lines comes last, so that nothing below it can be taken
/// for ours.
fn text(message: &Message, reference: &str) -> String {
    let mut head = String::new();
    let mut line = |name: &str, value: &str| {
        let _ = writeln!(head, "{name:<12}{value}");
    };
    if let Some(name) = &message.name {
        line("Name:", name);
    }
    line("Contact:", &message.contact);
    if let Some(caller) = &message.caller {
        line("Credential:", caller);
    }
    line("Reference:", reference);
    format!("{head}{RULE}\n\n{}\n", message.brief)
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;
    use crate::contact::{Caller, Draft};

    fn compose(draft: Draft<'_>) -> Option<Mail> {
        let from = "Portfolio <portfolio@owner.example>"
            .parse::<Mailbox>()
            .unwrap();
        let to = "owner@owner.example".parse::<EmailAddress>().unwrap();
        Some(Mail::compose(Message::check(draft).ok()?, &from, &to))
    }

    const DRAFT: Draft<'_> = Draft {
        brief: "Hello\nthere",
        contact: "ada@example.org",
        name: Some("Ada"),
        caller: None,
    };

    #[test]
    fn a_mail_names_its_sender_and_ends_with_the_brief() {
        let mail = compose(Draft {
            caller: Some(Caller {
                id: "6:agency",
                name: "agency",
            }),
            ..DRAFT
        });
        let mail = mail.unwrap();
        assert_eq!(mail.subject, "Message from Ada");
        let text = format!(
            "Name:       Ada\nContact:    ada@example.org\nCredential: agency\nReference:  {}\n{RULE}\n\n\
             Hello\nthere\n",
            mail.reference
        );
        assert_eq!(mail.text, text);
        assert_eq!(mail.reference.len(), 12);
        let shown = format!("{mail:?}");
        assert!(
            !shown.contains("Ada") && !shown.contains("Hello"),
            "{shown}"
        );
    }

    #[test]
    fn an_answer_goes_only_to_what_is_an_address() {
        let rows = [
            ("ada@example.org", Some("ada@example.org")),
            (" ada@example.org ", Some("ada@example.org")),
            ("Ada <ada@example.org>", None),
            ("ada@example.org, eve@example.org", None),
            ("ada@example.org?bcc=eve@example.org", None),
            ("+1 555 0100", None),
            ("https://example.org/@ada", None),
            ("علي@example.org", None),
        ];
        for (contact, expected) in rows {
            let mail = compose(Draft { contact, ..DRAFT }).unwrap();
            let reply_to = mail.reply_to.as_ref().map(EmailAddress::as_str);
            assert_eq!(reply_to, expected, "{contact}");
        }
    }

    #[test]
    fn the_subject_is_short_and_has_the_name_or_else_the_contact() {
        let subject = |contact, name| {
            let draft = Draft {
                contact,
                name,
                ..DRAFT
            };
            compose(draft).unwrap().subject
        };
        assert_eq!(subject("+1 555 0100", None), "Message from +1 555 0100");
        assert_eq!(
            subject("x", Some("👩\u{200D}🔬 علي")),
            "Message from 👩\u{200D}🔬 علي"
        );
        let long = subject("x", Some(&"é".repeat(500)));
        assert_eq!(long.chars().count(), LONGEST_SUBJECT);
        assert!(long.ends_with('…'));
    }

    #[test]
    fn the_same_message_has_the_same_key_and_any_other_another() {
        let key = |draft| compose(draft).unwrap().key;
        let first = key(DRAFT);
        assert_eq!(first.len(), 64);
        let name = Some("Ada ");
        let brief = "Hello\r\nthere";
        let same = Draft {
            brief,
            name,
            ..DRAFT
        };
        assert_eq!(key(same), first);
        let others = [
            Draft {
                brief: "Hello\nthere.",
                ..DRAFT
            },
            Draft {
                contact: "ada@example.com",
                ..DRAFT
            },
            Draft {
                name: None,
                ..DRAFT
            },
            Draft {
                caller: Some(Caller { id: "a", name: "x" }),
                ..DRAFT
            },
            Draft {
                caller: Some(Caller { id: "b", name: "x" }),
                ..DRAFT
            },
            Draft {
                contact: "ada@example.orgHello",
                brief: "there",
                ..DRAFT
            },
        ];
        let mut keys: Vec<_> = others.into_iter().map(key).collect();
        keys.push(first);
        let message = Message::check(DRAFT).unwrap();
        let to = "other@owner.example".parse::<EmailAddress>().unwrap();
        keys.push(Mail::compose(message, &Mailbox::from(to.clone()), &to).key);
        let all = keys.len();
        keys.sort();
        keys.dedup();
        assert_eq!(keys.len(), all);
    }

    /// Text in which what could break a header is frequent.
    fn hostile() -> impl Strategy<Value = String> {
        let piece = prop_oneof![
            any::<char>().prop_map(String::from),
            prop::sample::select(vec![
                "\r\n",
                "\n",
                "\r",
                "\0",
                "\u{85}",
                "\u{2028}",
                "\u{202E}",
                "Bcc: x@y.example",
                "ada@example.org",
                ",",
                "<",
                ">",
                "\"",
                ":",
                ";",
                " ",
                "=?UTF-8?B?DQo=?=",
                "%0d%0a",
            ])
            .prop_map(str::to_owned),
        ];
        prop::collection::vec(piece, 0..12).prop_map(|pieces| pieces.concat())
    }

    proptest! {
        #[test]
        fn no_input_brings_a_control_character_or_a_second_address_into_a_header(
            brief in hostile(), contact in hostile(), name in prop::option::of(hostile()),
            caller in prop::option::of(hostile()),
        ) {
            let draft = Draft {
                brief: &brief,
                contact: &contact,
                name: name.as_deref(),
                caller: caller.as_deref().map(|caller| Caller { id: caller, name: caller }),
            };
            if let Some(mail) = compose(draft) {
                let reply_to = mail.reply_to.as_ref().map_or("", EmailAddress::as_str);
                let from = mail.from.encoded();
                for header in [&mail.subject, reply_to, &mail.key, &mail.reference, &from] {
                    prop_assert!(!header.contains(char::is_control), "{header:?}");
                    prop_assert!(!header.contains(['\u{2028}', '\u{2029}', '\u{202E}']), "{header:?}");
                }
                prop_assert!(mail.subject.chars().count() <= LONGEST_SUBJECT);
                prop_assert!(reply_to.matches('@').count() <= 1);
                prop_assert!(!reply_to.contains([' ', ',', ';', '<', '>', '"', ':']), "{reply_to:?}");
                let (head, _) = mail.text.split_once(RULE).unwrap();
                let lines = 2 + usize::from(mail.message.name.is_some())
                    + usize::from(mail.message.caller.is_some());
                prop_assert_eq!(head.lines().count(), lines);
            }
        }
    }
}
