//! [`Failure`]: why a mail was not sent, for the log; what it means, for the caller.

use std::error::Error;
use std::fmt;
use std::time::Duration;

/// Whether the mail may be on its way nevertheless.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Outcome {
    /// No: the service does not take it, now or later.
    Refused,
    /// No, but it may be taken later.
    NotTaken,
    /// Nobody knows: the answer is missing.
    Unknown {
        /// The service knows a mail by its key: sending it again cannot deliver it twice.
        is_repeatable: bool,
    },
}

/// Why a mail was not sent. Its words are for the log and hold nothing of the mail.
#[derive(Debug, PartialEq, Eq)]
pub(crate) struct Failure {
    outcome: Outcome,
    /// The pause after which a second attempt is worth it and safe.
    again_after: Option<Duration>,
    cause: String,
}

impl Failure {
    pub(super) fn new(outcome: Outcome, cause: impl Into<String>) -> Self {
        Self {
            outcome,
            again_after: None,
            cause: cause.into(),
        }
    }

    pub(super) fn again_after(mut self, pause: impl Into<Option<Duration>>) -> Self {
        self.again_after = pause.into();
        self
    }

    /// Of the second attempt: what the first one left open stays open.
    pub(super) fn second(self, first: &Self) -> Self {
        let outcome = match (first.outcome, self.outcome) {
            (open @ Outcome::Unknown { .. }, _) => open,
            (Outcome::Refused | Outcome::NotTaken, outcome) => outcome,
        };
        Self {
            outcome,
            again_after: None,
            cause: format!("{}; before that: {}", self.cause, first.cause),
        }
    }

    pub(crate) const fn outcome(&self) -> Outcome {
        self.outcome
    }

    pub(super) const fn pause(&self) -> Option<Duration> {
        self.again_after
    }
}

impl fmt::Display for Failure {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.cause)
    }
}

impl Error for Failure {}

/// An error with all its sources, for errors that say little themselves.
#[cfg(any(feature = "resend", feature = "ses"))]
pub(super) fn chain(error: &(dyn Error + 'static)) -> String {
    let sources = std::iter::successors(Some(error), |&error| error.source());
    let words: Vec<String> = sources.map(ToString::to_string).collect();
    words.join(": ")
}
