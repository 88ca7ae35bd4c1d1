//! [`MemorySentLog`]: a log of this process, for local runs.

use std::collections::HashMap;
use std::sync::{Mutex, PoisonError};

use futures_util::FutureExt as _;
use futures_util::future::{BoxFuture, ready};

use super::super::failure::Failure;
use super::{Claim, End, SentLog, Ticket};

/// A log of this process.
#[derive(Debug, Default)]
pub(crate) struct MemorySentLog(Mutex<HashMap<String, Entry>>);

#[derive(Debug)]
struct Entry {
    ticket: Ticket,
    is_sent: bool,
}

impl MemorySentLog {
    fn claim_now(&self, key: &str, ticket: &Ticket) -> Claim {
        let mut entries = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        entries.retain(|_, entry| entry.ticket.retry_at_s() > ticket.at_s);
        match entries.get(key) {
            Some(Entry { is_sent: true, .. }) => Claim::Sent,
            Some(_) => Claim::Pending,
            None => {
                let entry = Entry {
                    ticket: ticket.clone(),
                    is_sent: false,
                };
                entries.insert(key.to_owned(), entry);
                Claim::Granted
            }
        }
    }

    fn settle_now(&self, key: &str, ticket: &Ticket, end: End) {
        let mut entries = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        let Some(entry) = entries.get_mut(key).filter(|entry| entry.ticket == *ticket) else {
            return;
        };
        match end {
            End::Sent => entry.is_sent = true,
            End::NotSent => {
                entries.remove(key);
            }
        }
    }
}

impl SentLog for MemorySentLog {
    fn claim<'a>(
        &'a self,
        key: &'a str,
        ticket: &'a Ticket,
    ) -> BoxFuture<'a, Result<Claim, Failure>> {
        ready(Ok(self.claim_now(key, ticket))).boxed()
    }

    fn settle<'a>(&'a self, key: &'a str, ticket: &'a Ticket, end: End) -> BoxFuture<'a, ()> {
        self.settle_now(key, ticket, end);
        ready(()).boxed()
    }
}

#[cfg(test)]
mod tests {
    use std::time::{Duration, SystemTime};

    use super::*;
    use crate::contact::sent::WINDOW;

    #[test]
    fn a_message_is_claimed_once_within_ten_minutes_and_again_if_it_was_not_sent() {
        let log = MemorySentLog::default();
        let at = |after: Duration| Ticket::new(SystemTime::UNIX_EPOCH + after);
        let first = at(Duration::ZERO);
        assert_eq!(log.claim_now("a", &first), Claim::Granted);
        let second = at(Duration::from_secs(1));
        assert_eq!(log.claim_now("a", &second), Claim::Pending);
        assert_eq!(log.claim_now("b", &second), Claim::Granted);
        // The end of another claim changes nothing.
        log.settle_now("a", &second, End::NotSent);
        assert_eq!(log.claim_now("a", &second), Claim::Pending);
        log.settle_now("a", &first, End::Sent);
        assert_eq!(log.claim_now("a", &second), Claim::Sent);
        log.settle_now("b", &second, End::NotSent);
        assert_eq!(log.claim_now("b", &second), Claim::Granted);
        let last = at(WINDOW - Duration::from_secs(1));
        assert_eq!(log.claim_now("a", &last), Claim::Sent);
        assert_eq!(log.claim_now("a", &at(WINDOW)), Claim::Granted);
    }
}
