//! Messages to the owner: which text a message may contain, how the mail is composed, and how it is
//! sent.
//!
//! A [`Draft`] becomes a [`Message`] when all its characters may be sent by e-mail, and a [`Mail`]
//! when it has its addresses. A [`Mailer`] sends the mail; [`deliver()`] makes at most two attempts.
//! No state is kept between calls, and no connection is opened before the first mail.

#![cfg_attr(
    not(feature = "ses"),
    expect(dead_code, reason = "some of the module is for Amazon SES only")
)]

mod address;
mod characters;
mod deliver;
mod failure;
#[cfg(feature = "resend")]
mod https;
mod mail;
mod mailer;
mod message;
mod outbox;
mod quote;
#[cfg(feature = "resend")]
mod resend;
#[cfg(feature = "resend")]
mod secret;
#[cfg(feature = "ses")]
mod ses;
mod settings;

pub(crate) use address::{EmailAddress, Mailbox};
pub(crate) use deliver::deliver;
pub(crate) use failure::{Failure, Outcome};
#[cfg(feature = "resend")]
pub(crate) use https::BaseUrl;
pub(crate) use mail::Mail;
pub(crate) use mailer::Mailer;
pub(crate) use message::{Caller, Draft, Message};
#[cfg(feature = "resend")]
pub(crate) use resend::BASE_URL as RESEND_BASE_URL;
#[cfg(feature = "resend")]
pub(crate) use secret::Secret;
pub(crate) use settings::{Confirm, ContactAuth, ContactSettings, Provider};

/// The scope that a credential needs for `contact`.
pub(crate) const SCOPE: &str = "contact:send";
