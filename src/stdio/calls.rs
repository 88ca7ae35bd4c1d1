//! The calls in flight on a connection, by the ids of their requests. Specification: *Cancellation*.

use std::collections::HashMap;
use std::sync::{Mutex, MutexGuard, PoisonError};

use crate::wire::jsonrpc::RequestId;

/// The calls in flight. `H` cancels a call.
#[derive(Debug)]
pub(super) struct Calls<H>(Mutex<Inner<H>>);

#[derive(Debug)]
struct Inner<H> {
    calls: HashMap<Box<str>, (u64, H)>,
    begun: u64,
}

/// A call that was begun. An id can be used again after its call; a ticket is never the same.
#[derive(Debug, Clone)]
pub(super) struct Ticket {
    key: Box<str>,
    number: u64,
}

impl<H> Calls<H> {
    pub(super) fn new() -> Self {
        Self(Mutex::new(Inner {
            calls: HashMap::new(),
            begun: 0,
        }))
    }

    /// Begins a call with what `start` returns. `None` if a call with this id is in flight.
    pub(super) fn begin(&self, id: &RequestId, start: impl FnOnce(Ticket) -> H) -> Option<()> {
        let mut inner = self.inner();
        let key = key(id);
        if inner.calls.contains_key(&key) {
            return None;
        }
        inner.begun += 1;
        let number = inner.begun;
        // The lock is held, so the call cannot end before it is noted.
        let handle = start(Ticket {
            key: key.clone(),
            number,
        });
        inner.calls.insert(key, (number, handle));
        Some(())
    }

    /// Ends a call. Returns whether it was in flight: one that was cancelled gets no response.
    pub(super) fn end(&self, ticket: &Ticket) -> bool {
        let mut inner = self.inner();
        let is_it = |(number, _): &(u64, H)| *number == ticket.number;
        let is_in_flight = inner.calls.get(&ticket.key).is_some_and(is_it);
        if is_in_flight {
            inner.calls.remove(&ticket.key);
        }
        is_in_flight
    }

    /// Takes the call with this id, so that it can be cancelled. `None` if it is not in flight.
    pub(super) fn cancel(&self, id: &RequestId) -> Option<H> {
        let (_, handle) = self.inner().calls.remove(&key(id))?;
        Some(handle)
    }

    fn inner(&self) -> MutexGuard<'_, Inner<H>> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

/// An id as a key: a text is the same text however its characters are escaped.
fn key(id: &RequestId) -> Box<str> {
    let json = id.as_json();
    let text: Option<String> = serde_json::from_str(json).ok();
    // A number never begins with a quote.
    text.map_or_else(|| json.into(), |text| format!("\"{text}").into())
}

#[cfg(test)]
mod tests {
    use serde_json::value::RawValue;

    use super::*;

    fn id(json: &str) -> RequestId {
        let raw: Box<RawValue> = serde_json::from_str(json).unwrap();
        RequestId::parse(&raw).unwrap()
    }

    fn begin(calls: &Calls<&'static str>, json: &str, name: &'static str) -> Option<Ticket> {
        let mut begun = None;
        calls.begin(&id(json), |ticket| {
            begun = Some(ticket);
            name
        })?;
        begun
    }

    #[test]
    fn a_number_is_not_the_text_of_it_and_escapes_do_not_count() {
        let calls = Calls::new();
        assert!(begin(&calls, "1", "number").is_some());
        assert!(begin(&calls, r#""1""#, "text").is_some());
        assert!(begin(&calls, "1", "again").is_none());
        assert_eq!(calls.cancel(&id(r#""\u0031""#)), Some("text"));
        assert_eq!(calls.cancel(&id("1")), Some("number"));
        assert_eq!(calls.cancel(&id("1")), None);
    }

    #[test]
    fn a_call_that_was_cancelled_does_not_end_a_later_one() {
        let calls = Calls::new();
        let first = begin(&calls, "1", "first").unwrap();
        assert_eq!(calls.cancel(&id("1")), Some("first"));
        let second = begin(&calls, "1", "second").unwrap();
        assert!(!calls.end(&first));
        assert!(calls.end(&second));
        assert!(!calls.end(&second));
    }
}
