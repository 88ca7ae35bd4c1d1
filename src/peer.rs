//! [`Peer`]: requests of the server to the client at the other end of a connection. Specification:
//! 2025-11-25, *Base Protocol, Requests*; *Cancellation*.
//!
//! Only the legacy era has such requests, and only a connection can carry them.

use std::collections::HashMap;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::time::Duration;

use bytes::Bytes;
use serde_json::{Value, json};
use thiserror::Error;
use tokio::sync::mpsc::Sender;
use tokio::sync::{Notify, oneshot};

use crate::wire::jsonrpc;

/// The client at the other end of a connection.
#[derive(Debug, Clone)]
pub(crate) struct Peer(Arc<Shared>);

#[derive(Debug)]
struct Shared {
    /// The lines that go to the client.
    lines: Sender<Bytes>,
    questions: Mutex<Questions>,
    asked: Notify,
}

#[derive(Debug, Default)]
struct Questions {
    last_id: u64,
    /// The requests without a response, by id.
    open: HashMap<u64, oneshot::Sender<Result<Value, NoAnswer>>>,
    /// No response comes any more.
    is_closed: bool,
}

/// Why a request got no result. The text follows the name of the method.
#[derive(Debug, Clone, PartialEq, Eq, Error)]
pub(crate) enum NoAnswer {
    #[error("was not answered in time")]
    TimedOut,
    #[error("was not answered, because the connection ended")]
    Closed,
    #[cfg_attr(
        not(feature = "stdio"),
        expect(dead_code, reason = "only stdio has connections")
    )]
    #[error("was refused by the client ({code}: {message})")]
    Refused { code: i64, message: String },
}

#[cfg_attr(
    not(feature = "stdio"),
    expect(dead_code, reason = "only stdio has connections")
)]
impl Peer {
    /// `lines` go to the client.
    pub(crate) fn new(lines: Sender<Bytes>) -> Self {
        Self(Arc::new(Shared {
            lines,
            questions: Mutex::default(),
            asked: Notify::new(),
        }))
    }

    /// Whether a request waits for its response.
    pub(crate) fn is_asked(&self) -> bool {
        !self.0.questions().open.is_empty()
    }

    /// Completes when a request is sent.
    pub(crate) async fn asked(&self) {
        self.0.asked.notified().await;
    }

    /// Gives the response to the request with this id. A response that nobody waits for is ignored.
    pub(crate) fn answer(&self, id: &str, answer: Result<Value, NoAnswer>) {
        let waiting = id
            .parse()
            .ok()
            .and_then(|id: u64| self.0.questions().open.remove(&id));
        if let Some(waiting) = waiting {
            let _cancelled = waiting.send(answer);
        }
    }

    /// Ends all requests: no response comes any more.
    pub(crate) fn close(&self) {
        let open = {
            let mut questions = self.0.questions();
            questions.is_closed = true;
            std::mem::take(&mut questions.open)
        };
        for (_, waiting) in open {
            let _cancelled = waiting.send(Err(NoAnswer::Closed));
        }
    }
}

impl Peer {
    /// Sends a request, with `method` and `params`, and returns its result.
    ///
    /// Dropping the future cancels the request.
    ///
    /// # Errors
    ///
    /// The client refuses, does not answer in time, or is gone.
    pub(crate) async fn ask(&self, request: &Value, timeout: Duration) -> Result<Value, NoAnswer> {
        let (mut question, answer) = self.question()?;
        let message = json!({
            "jsonrpc": jsonrpc::VERSION,
            "id": question.id,
            "method": request.get("method"),
            "params": request.get("params"),
        });
        let line = Bytes::from(message.to_string());
        let exchange = async {
            let sent = self.0.lines.send(line).await;
            sent.map_err(|_| NoAnswer::Closed)?;
            question.is_sent = true;
            answer.await.unwrap_or(Err(NoAnswer::Closed))
        };
        match tokio::time::timeout(timeout, exchange).await {
            Ok(answer) => answer,
            Err(_elapsed) => Err(NoAnswer::TimedOut),
        }
    }

    fn question(
        &self,
    ) -> Result<(Question<'_>, oneshot::Receiver<Result<Value, NoAnswer>>), NoAnswer> {
        let (waiting, answer) = oneshot::channel();
        let mut questions = self.0.questions();
        if questions.is_closed {
            return Err(NoAnswer::Closed);
        }
        questions.last_id += 1;
        let id = questions.last_id;
        questions.open.insert(id, waiting);
        drop(questions);
        self.0.asked.notify_one();
        let question = Question {
            of: &self.0,
            id,
            is_sent: false,
        };
        Ok((question, answer))
    }
}

impl Shared {
    fn questions(&self) -> MutexGuard<'_, Questions> {
        self.questions
            .lock()
            .unwrap_or_else(PoisonError::into_inner)
    }
}

/// A request that is cancelled when it is dropped without a response.
#[derive(Debug)]
struct Question<'a> {
    of: &'a Shared,
    id: u64,
    is_sent: bool,
}

impl Drop for Question<'_> {
    fn drop(&mut self) {
        let is_open = self.of.questions().open.remove(&self.id).is_some();
        if is_open && self.is_sent {
            let message = json!({
                "jsonrpc": jsonrpc::VERSION,
                "method": "notifications/cancelled",
                "params": { "requestId": self.id, "reason": "The answer is no longer needed." },
            });
            // The client "MAY ignore" it, so a full queue loses nothing.
            let _dropped = self.of.lines.try_send(message.to_string().into());
        }
    }
}

#[cfg(test)]
mod tests {
    use std::pin::pin;

    use futures_util::FutureExt as _;
    use tokio::sync::mpsc;

    use super::*;

    const MINUTE: Duration = Duration::from_secs(60);

    fn peer() -> (Peer, mpsc::Receiver<Bytes>) {
        let (lines, sent) = mpsc::channel(4);
        (Peer::new(lines), sent)
    }

    fn read(line: Option<Bytes>) -> Value {
        serde_json::from_slice(&line.unwrap()).unwrap()
    }

    #[tokio::test]
    async fn answers_find_their_requests_in_any_order() {
        let (peer, mut sent) = peer();
        let requests = ["a", "b"].map(|method| json!({ "method": method, "params": {} }));
        let (mut first, mut second) = (
            pin!(peer.ask(&requests[0], MINUTE)),
            pin!(peer.ask(&requests[1], MINUTE)),
        );
        assert_eq!(first.as_mut().now_or_never(), None);
        assert_eq!(second.as_mut().now_or_never(), None);
        assert!(peer.is_asked());
        assert_eq!(read(sent.recv().await)["method"], "a");
        assert_eq!(read(sent.recv().await)["id"], 2);
        for id in ["2", "7", "\"1\"", "1"] {
            peer.answer(id, Ok(json!(id)));
        }
        assert_eq!(second.await, Ok(json!("2")));
        assert_eq!(first.await, Ok(json!("1")));
        assert!(!peer.is_asked());
    }

    #[tokio::test(start_paused = true)]
    async fn a_request_that_is_given_up_is_cancelled() {
        let (peer, mut sent) = peer();
        let request = json!({ "method": "a", "params": {} });
        assert_eq!(peer.ask(&request, MINUTE).await, Err(NoAnswer::TimedOut));
        assert_eq!(read(sent.recv().await)["method"], "a");
        let cancelled = read(sent.recv().await);
        assert_eq!(cancelled["method"], "notifications/cancelled");
        assert_eq!(cancelled["params"]["requestId"], 1);
        // One that was answered is not.
        let mut asked = pin!(peer.ask(&request, MINUTE));
        assert_eq!(asked.as_mut().now_or_never(), None);
        let refused = NoAnswer::Refused {
            code: -1,
            message: "no".to_owned(),
        };
        peer.answer("2", Err(refused.clone()));
        assert_eq!(asked.await, Err(refused));
        assert_eq!(read(sent.recv().await)["id"], 2);
        assert!(sent.try_recv().is_err());
    }

    #[tokio::test]
    async fn nothing_is_asked_after_the_end() {
        let (peer, _sent) = peer();
        let request = json!({ "method": "a", "params": {} });
        let mut asked = pin!(peer.ask(&request, MINUTE));
        assert_eq!(asked.as_mut().now_or_never(), None);
        peer.close();
        assert_eq!(asked.await, Err(NoAnswer::Closed));
        assert_eq!(peer.ask(&request, MINUTE).await, Err(NoAnswer::Closed));
    }
}
