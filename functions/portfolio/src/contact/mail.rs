//! [`Mail`]: a message with its addresses, as it is sent.
//!
//! A mail depends only on the message, the credential and the two configured addresses, and so does
//! its key: the same message has the same key on every instance and at any time. The key has no time
//! in it, because two calls one second apart could be in different time windows. How long a repeated
//! mail is recognized is up to the mail service and to [`sent`](super::sent).
//!
//! The key does not contain the caller's IP address: agents call from many addresses, and a retry
//! can come from a different one.

use std::fmt::Write as _;

use sha2::{Digest as _, Sha256};

use super::address::{EmailAddress, Mailbox};
use super::body::{self, Facts};
use super::caller::Caller;
use super::characters::cut;
use super::links::without_links;
use super::message::Message;

/// Version of the composition. Increase it when the composition changes, so that keys change too.
const COMPOSITION: &str = "contact-2";
const MAX_SUBJECT: usize = 120;

/// A mail that can be sent.
#[derive(Clone, PartialEq, Eq)]
pub(crate) struct Mail {
    pub(super) from: Mailbox,
    pub(super) to: EmailAddress,
    pub(super) subject: String,
    /// The mail as plain text.
    pub(super) text: String,
    /// The mail as HTML.
    pub(super) html: String,
    pub(super) key: String,
    pub(super) reference: String,
    message: Message,
    caller: Option<Caller>,
}

impl Mail {
    /// Composes a mail.
    pub(crate) fn compose(
        message: Message,
        caller: Option<Caller>,
        from: &Mailbox,
        to: &EmailAddress,
    ) -> Self {
        let key = key(&message, caller.as_ref(), from, to);
        let reference = key.get(..12).unwrap_or(&key).to_owned();
        let sender = message.name.as_deref().unwrap_or(&message.contact);
        let subject = without_links(&format!("Message from {sender}"));
        let facts = Facts {
            credential: caller.as_ref().map(Caller::name),
            reply_to: message.reply_to.as_ref().map(EmailAddress::as_str),
            reference: &reference,
        };
        let (text, html) = (body::text(&facts, &message), body::html(&facts, &message));
        Self {
            from: from.clone(),
            to: to.clone(),
            subject: cut(&subject, MAX_SUBJECT),
            text,
            html,
            key,
            reference,
            message,
            caller,
        }
    }

    /// The same mail with another key, by which the mail service recognizes a repetition.
    pub(crate) fn keyed(mut self, key: String) -> Self {
        self.key = key;
        self
    }

    /// Returns the address that replies go to, if the sender gave one.
    pub(crate) fn reply_to(&self) -> Option<&EmailAddress> {
        self.message.reply_to.as_ref()
    }

    /// Returns the reference that identifies the message.
    pub(crate) fn reference(&self) -> &str {
        &self.reference
    }

    /// Returns the mail as plain text, to show to the user who confirms it.
    pub(crate) fn text(&self) -> &str {
        &self.text
    }

    /// Returns everything in the mail that must not be logged.
    pub(super) fn confidential(&self) -> impl Iterator<Item = &str> {
        let message = &self.message;
        let addresses = [self.from.address().as_str(), self.to.as_str()];
        [message.brief.as_str(), message.contact.as_str()]
            .into_iter()
            .chain(message.name.as_deref())
            .chain(self.caller.as_ref().map(Caller::name))
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

/// The digest of everything that identifies the mail, each part with its length.
fn key(message: &Message, caller: Option<&Caller>, from: &Mailbox, to: &EmailAddress) -> String {
    let from = from.unicode();
    let parts = [
        Some(COMPOSITION),
        caller.map(Caller::id),
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

#[cfg(test)]
mod tests;
