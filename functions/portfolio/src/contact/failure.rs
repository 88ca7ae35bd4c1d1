//! [`Failure`]: why a mail was not sent, and what that means for the caller.

use std::error::Error;
use std::fmt;
use std::time::Duration;

/// Whether the mail may still be delivered.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Outcome {
    /// No. The service rejects the mail; a retry does not help.
    Refused,
    /// No. A retry may succeed later.
    NotTaken,
    /// Unknown. The service did not answer.
    Unknown {
        /// The service recognizes a repeated mail by its key: a retry cannot deliver it twice.
        is_repeatable: bool,
    },
}

/// Why a mail was not sent. Its text is for the log and contains nothing of the mail.
#[derive(Debug, PartialEq, Eq)]
pub(crate) struct Failure {
    outcome: Outcome,
    /// The pause after which a second attempt is useful and safe.
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

    /// Combines the failure of a second attempt with that of the first. If the outcome of the first
    /// is unknown, the combined outcome is unknown.
    pub(super) fn second(self, first: &Self) -> Self {
        let outcome = match (first.outcome, self.outcome) {
            (unknown @ Outcome::Unknown { .. }, _) => unknown,
            (Outcome::Refused | Outcome::NotTaken, outcome) => outcome,
        };
        Self {
            outcome,
            again_after: None,
            cause: format!("{}; first attempt: {}", self.cause, first.cause),
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

/// Returns an error's text with the texts of all its sources.
#[cfg(any(feature = "dynamodb", feature = "resend", feature = "ses"))]
pub(super) fn chain(error: &(dyn Error + 'static)) -> String {
    let sources = std::iter::successors(Some(error), |&error| error.source());
    let words: Vec<String> = sources.map(ToString::to_string).collect();
    words.join(": ")
}
