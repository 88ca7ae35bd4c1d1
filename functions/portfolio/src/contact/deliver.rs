//! [`deliver()`]: sends a mail once, in at most two attempts and within the time of the call.

use std::time::{Duration, SystemTime};

use serde::{Deserialize, Serialize};
use tokio::time::{Instant, sleep, timeout};

use super::failure::{Failure, Outcome};
use super::mail::Mail;
use super::mailer::{Mailer, Receipt};
use super::sent::{Claim, End, SentLog, Ticket};

/// Timeout of one attempt.
const ATTEMPT: Duration = Duration::from_secs(4);
/// Timeout of both attempts. The function's timeout is 10 s, which includes the rest of the call.
const ALL: Duration = Duration::from_millis(8500);
/// Time reserved for the answer.
const ANSWER: Duration = Duration::from_millis(500);
/// Minimum time for an attempt.
const LEAST: Duration = Duration::from_secs(1);
const UNKNOWN: Outcome = Outcome::Unknown {
    is_repeatable: false,
};

/// How a mail was delivered.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
pub(crate) enum Delivered {
    /// The mail service accepted it now.
    Now,
    /// The same mail was sent a short time ago; it was not sent again.
    Before,
}

/// Sends a mail. Makes a second attempt if it is useful and cannot deliver the mail twice.
///
/// The same mail is not sent again within [`WINDOW`](super::sent::WINDOW), on any instance: mail
/// services with idempotency keys see to that, and for the others `sent_log` does.
///
/// # Errors
///
/// Returns the failure of the last attempt, or why the mail was not attempted.
pub(crate) async fn deliver(
    mailer: &dyn Mailer,
    sent_log: &dyn SentLog,
    mail: &Mail,
    time_left: Duration,
) -> Result<Delivered, Failure> {
    let end = Instant::now() + ALL.min(time_left.saturating_sub(ANSWER));
    if mailer.knows_repeats() {
        return attempts(mailer, mail, end).await.map(|()| Delivered::Now);
    }
    let ticket = Ticket::new(SystemTime::now());
    match sent_log.claim(&mail.key, &ticket).await? {
        Claim::Granted => {}
        Claim::Sent => {
            let reference = mail.reference();
            tracing::info!(reference, "a mail was sent before, and is not sent again");
            return Ok(Delivered::Before);
        }
        Claim::Pending => {
            let cause = "the same mail is being sent, or it is unknown whether it was sent";
            return Err(Failure::new(UNKNOWN, cause));
        }
    }
    let result = attempts(mailer, mail, end).await;
    let end = match result.as_ref().map_err(Failure::outcome) {
        Ok(()) => Some(End::Sent),
        Err(Outcome::Refused | Outcome::NotTaken) => Some(End::NotSent),
        // The claim stays, so the message is not sent again before it expires.
        Err(Outcome::Unknown { .. }) => None,
    };
    if let Some(end) = end {
        let settled = sent_log.settle(&mail.key, &ticket, end);
        if timeout(ANSWER, settled).await.is_err() {
            tracing::warn!("the end of a mail was not recorded in time");
        }
    }
    result.map(|()| Delivered::Now)
}

/// Makes the attempts.
async fn attempts(mailer: &dyn Mailer, mail: &Mail, end: Instant) -> Result<(), Failure> {
    let first = match attempt(mailer, mail, end).await {
        Ok(receipt) => {
            log(mailer, mail, &receipt);
            return Ok(());
        }
        Err(failure) => failure,
    };
    let Some(pause) = first
        .pause()
        .filter(|pause| Instant::now() + *pause + LEAST <= end)
    else {
        return Err(first);
    };
    tracing::warn!(
        mailer = mailer.name(),
        reference = mail.reference(),
        error = %first,
        "sending a mail is retried"
    );
    sleep(pause).await;
    match attempt(mailer, mail, end).await {
        Ok(receipt) => {
            log(mailer, mail, &receipt);
            Ok(())
        }
        Err(second) => Err(second.second(&first)),
    }
}

async fn attempt(mailer: &dyn Mailer, mail: &Mail, end: Instant) -> Result<Receipt, Failure> {
    let time = ATTEMPT.min(end.saturating_duration_since(Instant::now()));
    timeout(time, mailer.send(mail)).await.unwrap_or_else(|_| {
        let outcome = Outcome::Unknown {
            is_repeatable: mailer.knows_repeats(),
        };
        let cause = format!("{} did not answer within {time:?}", mailer.name());
        Err(Failure::new(outcome, cause))
    })
}

fn log(mailer: &dyn Mailer, mail: &Mail, receipt: &Receipt) {
    tracing::info!(
        mailer = mailer.name(),
        reference = mail.reference(),
        mail_id = receipt.id,
        "a mail was accepted"
    );
}

#[cfg(test)]
mod tests;
