//! [`Mailer`]: what takes mails on.

use std::fmt::Debug;

use futures_util::future::BoxFuture;

use super::{Failure, Mail};

/// A service that delivers mails.
pub(crate) trait Mailer: Send + Sync + Debug {
    /// Its name in the log.
    fn name(&self) -> &'static str;

    /// Whether it knows a mail by its key, so that sending it again cannot deliver it twice.
    fn knows_repeats(&self) -> bool;

    /// Hands the mail over, once.
    ///
    /// # Errors
    ///
    /// It was not taken, or nobody knows.
    fn send<'a>(&'a self, mail: &'a Mail) -> BoxFuture<'a, Result<Receipt, Failure>>;
}

/// The proof that a mail was taken.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub(crate) struct Receipt {
    /// The service's own id, for finding the mail there.
    pub(super) id: Option<String>,
}

impl Receipt {
    /// Keeps an id that can stand in a log line.
    pub(super) fn of(id: Option<&str>) -> Self {
        let is_id = |id: &&str| {
            (1..=200).contains(&id.len()) && id.bytes().all(|byte| byte.is_ascii_graphic())
        };
        Self {
            id: id.filter(is_id).map(str::to_owned),
        }
    }
}
