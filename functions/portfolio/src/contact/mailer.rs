//! [`Mailer`]: a mail service.

use std::fmt::Debug;

use futures_util::future::BoxFuture;

use super::failure::Failure;
use super::mail::Mail;

/// A mail service.
pub(crate) trait Mailer: Send + Sync + Debug {
    /// The service's name in the log.
    fn name(&self) -> &'static str;

    /// Whether the service recognizes a repeated mail by its key and does not deliver it twice.
    fn knows_repeats(&self) -> bool;

    /// Makes one attempt to send the mail.
    ///
    /// # Errors
    ///
    /// The mail was not accepted, or it is unknown whether it was.
    fn send<'a>(&'a self, mail: &'a Mail) -> BoxFuture<'a, Result<Receipt, Failure>>;
}

/// The confirmation that a mail was accepted.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub(crate) struct Receipt {
    /// The service's ID of the mail.
    pub(super) id: Option<String>,
}

impl Receipt {
    /// Keeps an ID that is safe in a log line, and ignores any other.
    pub(super) fn of(id: Option<&str>) -> Self {
        let is_id = |id: &&str| {
            (1..=200).contains(&id.len()) && id.bytes().all(|byte| byte.is_ascii_graphic())
        };
        Self {
            id: id.filter(is_id).map(str::to_owned),
        }
    }
}
