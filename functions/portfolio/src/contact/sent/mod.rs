//! [`SentLog`]: recognizes a message that was sent a short time ago, for mail services that do not
//! recognize a repeated mail by themselves.
//!
//! A mail is claimed before it is sent, in one atomic step: of any number of instances that have the
//! same message at the same time, one gets the claim. The claim is then settled: the mail was sent,
//! it certainly was not, or that is unknown. Only in the second case can the message be sent again
//! within [`WINDOW`].

#[cfg(feature = "dynamodb")]
mod dynamodb;
mod memory;

use std::collections::hash_map::RandomState;
use std::fmt::Debug;
use std::hash::{BuildHasher as _, Hasher as _};
use std::time::{Duration, SystemTime, UNIX_EPOCH};

use futures_util::future::BoxFuture;

#[cfg(feature = "dynamodb")]
pub(crate) use dynamodb::DynamoDbSentLog;
pub(crate) use memory::MemorySentLog;

use super::failure::Failure;

/// How long a message is not sent again.
pub(super) const WINDOW: Duration = Duration::from_secs(600);

/// Keeps which messages were sent within [`WINDOW`].
pub(crate) trait SentLog: Send + Sync + Debug {
    /// Claims the mail with this key.
    ///
    /// # Errors
    ///
    /// The log cannot be reached. The mail must not be sent.
    fn claim<'a>(
        &'a self,
        key: &'a str,
        ticket: &'a Ticket,
    ) -> BoxFuture<'a, Result<Claim, Failure>>;

    /// Settles a claim that was granted. A claim that cannot be settled stays pending.
    fn settle<'a>(&'a self, key: &'a str, ticket: &'a Ticket, end: End) -> BoxFuture<'a, ()>;
}

/// Who claims a mail, and when.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct Ticket {
    /// A random text, so that a repeated request for the same claim is recognized.
    id: String,
    at_s: u64,
}

impl Ticket {
    /// Creates a ticket for a claim at `now`.
    pub(super) fn new(now: SystemTime) -> Self {
        let since = now.duration_since(UNIX_EPOCH).unwrap_or_default();
        // `RandomState` is the standard library's source of random keys.
        let random = RandomState::new().build_hasher().finish();
        Self {
            id: format!("{:x}-{random:x}", since.as_nanos()),
            at_s: since.as_secs(),
        }
    }

    /// When the message can be sent again, in seconds since 1970.
    const fn retry_at_s(&self) -> u64 {
        self.at_s + WINDOW.as_secs()
    }
}

/// The answer to a claim.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Claim {
    /// The caller sends the mail.
    Granted,
    /// The mail was sent within [`WINDOW`].
    Sent,
    /// The mail is being sent, or it is unknown whether it was.
    Pending,
}

/// How a claim ends.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum End {
    /// The mail was sent.
    Sent,
    /// The mail was certainly not sent: it can be claimed again at once.
    NotSent,
}
