//! Messages to the owner: which text a message may contain, how the mail is composed, and how it is
//! sent.
//!
//! A [`Message`] has only characters that may be sent by e-mail. A [`Mail`] is a message with its
//! addresses. A [`Mailer`] sends it; [`deliver()`] makes at most two attempts and does not send the
//! same mail twice. No state is kept in the process between calls, and no connection is opened
//! before the first mail.

#![cfg_attr(
    not(feature = "ses"),
    expect(dead_code, reason = "some of the module is for Amazon SES only")
)]

mod address;
mod body;
mod caller;
mod characters;
mod deliver;
mod failure;
#[cfg(feature = "resend")]
mod https;
mod links;
mod mail;
mod mailer;
mod message;
mod outbox;
mod quote;
#[cfg(feature = "resend")]
mod resend;
#[cfg(feature = "resend")]
mod secret;
mod sent;
#[cfg(feature = "ses")]
mod ses;
mod settings;

pub(crate) use address::{EmailAddress, Mailbox};
pub(crate) use caller::Caller;
pub(crate) use deliver::{Delivered, deliver};
pub(crate) use failure::Outcome;
#[cfg(feature = "resend")]
pub(crate) use https::BaseUrl;
pub(crate) use mail::Mail;
pub(crate) use mailer::Mailer;
pub(crate) use message::{Message, Unsendable};
#[cfg(feature = "resend")]
pub(crate) use resend::BASE_URL as RESEND_BASE_URL;
#[cfg(feature = "resend")]
pub(crate) use secret::{Secret, SecretSource};
pub(crate) use sent::SentLog;
pub(crate) use settings::{Confirm, ContactAuth, ContactSettings, Provider};

/// The scope that a credential needs for `contact`.
pub(crate) const SCOPE: &str = "contact:send";
