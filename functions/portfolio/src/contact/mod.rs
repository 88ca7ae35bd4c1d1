//! Messages to the owner: what may stand in one, how it is composed, and how it leaves.
//!
//! A [`Draft`] becomes a [`Message`] when all its characters can stand in an e-mail, and a [`Mail`]
//! when it is addressed. A [`Mailer`] takes the mail on; [`deliver()`] tries it twice at most. Nothing
//! is kept here between two calls, and nothing is connected before the first mail.

#![cfg_attr(
    not(all(feature = "resend", feature = "ses")),
    expect(dead_code, reason = "some of the module is for one provider only")
)]

mod address;
mod characters;
mod config;
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
mod secret;
#[cfg(feature = "ses")]
mod ses;

pub(crate) use address::{EmailAddress, Mailbox};
pub(crate) use config::{Confirm, ContactAuth, ContactConfig};
pub(crate) use deliver::deliver;
pub(crate) use failure::{Failure, Outcome};
pub(crate) use mail::Mail;
pub(crate) use mailer::{Mailer, Receipt};
pub(crate) use message::{Caller, Draft, Message};
