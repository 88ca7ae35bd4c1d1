//! A connection: its lines in their order, its calls side by side, their answers as they finish.
//!
//! The connection is made of two channels, so it does not know what carries the bytes. Both are
//! bounded: if the client does not read, answers wait, then calls, and then no more is read.

use std::panic::AssertUnwindSafe;
use std::pin::pin;
use std::sync::Arc;
use std::time::Duration;

use bytes::Bytes;
use futures_util::FutureExt as _;
use serde_json::Value;
use serde_json::value::RawValue;
use tokio::sync::mpsc::{Receiver, Sender};
use tokio::task::{AbortHandle, JoinSet};

use super::calls::{Calls, Ticket};
use super::lines::{Line, Lines};
use crate::era::connection::Speaks;
use crate::era::{Response, Sent, peek};
use crate::error::ProtocolError;
use crate::handler::Notifier;
use crate::peer::{NoAnswer, Peer};
use crate::pipeline::{Origin, Server};
use crate::wire::jsonrpc::RequestId;

/// The most calls in flight. No further line is read until one of them ends.
const MAX_CALLS: usize = 128;
/// How much longer than its timeout a call may take after the end of the input.
const GRACE: Duration = Duration::from_secs(1);

/// Serves a connection until its input ends and all calls are answered, or until nobody reads its
/// output.
pub(super) async fn serve(server: Server, mut input: Receiver<Bytes>, output: Sender<Bytes>) {
    let limit = server.registry().settings.gate.max_body_bytes;
    let mut lines = Lines::new(limit);
    let mut connection = Connection::new(server, output);
    let mut has_input = true;
    while has_input {
        while connection.has_room()
            && let Some(line) = lines.next()
        {
            connection.line(line).await;
        }
        tokio::select! {
            () = connection.output.closed() => return,
            piece = input.recv(), if connection.has_room() => match piece {
                Some(piece) => lines.push(&piece),
                None => has_input = false,
            },
            Some(_ended) = connection.running.join_next() => {}
            // An answer can be behind the lines that wait.
            () = connection.peer.asked() => {}
        }
    }
    // No answer of the client comes any more.
    connection.peer.close();
    while let Some(line) = lines.next().or_else(|| lines.rest()) {
        connection.room().await;
        connection.line(line).await;
    }
    connection.finish().await;
}

struct Connection {
    server: Server,
    speaks: Speaks,
    peer: Peer,
    calls: Arc<Calls<AbortHandle>>,
    running: JoinSet<()>,
    output: Sender<Bytes>,
    /// The number of lines so far.
    number: u64,
}

impl Connection {
    fn new(server: Server, output: Sender<Bytes>) -> Self {
        Self {
            server,
            speaks: Speaks::default(),
            peer: Peer::new(output.clone()),
            calls: Arc::new(Calls::new()),
            running: JoinSet::new(),
            output,
            number: 0,
        }
    }

    /// Whether another line may be read. While the server waits for an answer of the client, it
    /// always may.
    fn has_room(&self) -> bool {
        self.running.len() < MAX_CALLS || self.peer.is_asked()
    }

    /// Waits until another call may begin.
    async fn room(&mut self) {
        while self.running.len() >= MAX_CALLS {
            self.running.join_next().await;
        }
    }

    async fn line(&mut self, line: Line) {
        self.number += 1;
        match line {
            Line::TooLong => {
                let limit = self.server.registry().settings.gate.max_body_bytes;
                let reason = format!("the line is longer than {limit} bytes");
                self.refuse(None, reason).await;
            }
            Line::Whole(line) if line.trim_ascii().is_empty() => {}
            Line::Whole(line) => self.message(line).await,
        }
    }

    async fn message(&mut self, line: Bytes) {
        let sent = peek(&mut self.speaks, &line);
        match sent {
            Sent::Request {
                id,
                is_initialize: false,
            } if self.running.len() < MAX_CALLS => {
                let begun = self.begin(&id, line.clone());
                if begun.is_none() {
                    let reason = "a request with this id is in flight".to_owned();
                    self.refuse(Some(id), reason).await;
                }
                return;
            }
            Sent::Request {
                id,
                is_initialize: false,
            } => {
                let reason = format!("more than {MAX_CALLS} requests are in flight");
                return self.refuse(Some(id), reason).await;
            }
            Sent::Batch(responses) => {
                for response in responses {
                    self.answered(response);
                }
                let call = self.call(line.clone(), None);
                self.running.spawn(call);
                return;
            }
            Sent::Cancelled(id) => {
                if let Some(call) = self.calls.cancel(&id) {
                    call.abort();
                }
            }
            Sent::Response(response) => self.answered(response),
            Sent::Request { .. } | Sent::Other => {}
        }
        self.call(line.clone(), None).await;
    }

    /// Begins a call beside those in flight. `None` if one of them has its id.
    fn begin(&mut self, id: &RequestId, line: Bytes) -> Option<()> {
        let calls = Arc::clone(&self.calls);
        calls.begin(id, |ticket| {
            let call = self.call(line, Some((ticket, id.clone())));
            self.running.spawn(call)
        })
    }

    /// Serves a line and sends its notifications and its answer.
    fn call(
        &self,
        line: Bytes,
        call: Option<(Ticket, RequestId)>,
    ) -> impl Future<Output = ()> + Send + 'static {
        let origin = Origin::new(&self.speaks, &self.peer, self.number);
        let (server, output) = (self.server.clone(), self.output.clone());
        let calls = Arc::clone(&self.calls);
        async move {
            let served = AssertUnwindSafe(answer(&server, &line, &origin, &output)).catch_unwind();
            let (ticket, id) = call.unzip();
            let answer = match served.await {
                Ok(answer) => answer,
                Err(_panic) => {
                    server
                        .refuse_line(ProtocolError::Internal, id, &origin)
                        .await
                }
            };
            let is_wanted = ticket.is_none_or(|ticket| calls.end(&ticket));
            if is_wanted && !answer.is_empty() {
                let _gone = output.send(answer).await;
            }
        }
    }

    /// Gives the client's response to whoever waits for it.
    fn answered(&self, response: Response<'_>) {
        let Response { id, result, error } = response;
        let read = |raw: Option<&RawValue>| serde_json::from_str::<Value>(raw?.get()).ok();
        let answer = match (error, read(result)) {
            (None, Some(result)) => Ok(result),
            (error, _) => Err(refusal(read(error).as_ref())),
        };
        self.peer.answer(id.as_json(), answer);
    }

    async fn refuse(&self, id: Option<RequestId>, reason: String) {
        let origin = Origin::new(&self.speaks, &self.peer, self.number);
        let error = ProtocolError::invalid_request(reason);
        let answer = self.server.refuse_line(error, id, &origin).await;
        let _gone = self.output.send(answer).await;
    }

    /// Waits for the calls in flight after the end of the input. Each ends at its timeout.
    async fn finish(mut self) {
        let timeout = self.server.registry().settings.call_timeout + GRACE;
        let ended = async { while self.running.join_next().await.is_some() {} };
        tokio::select! {
            _ = tokio::time::timeout(timeout, ended) => {}
            () = self.output.closed() => {}
        }
    }
}

/// Serves a line: sends the notifications of its handler, and returns the response.
async fn answer(server: &Server, line: &Bytes, origin: &Origin, output: &Sender<Bytes>) -> Bytes {
    let logs = server.registry().settings.log_notifications;
    let (notifier, mut notifications) = Notifier::open(logs);
    let answer = {
        let mut served = pin!(server.serve_line(line, origin, &notifier));
        loop {
            tokio::select! {
                biased;
                Some(notification) = notifications.recv() => {
                    let _gone = output.send(notification).await;
                }
                answer = &mut served => break answer,
            }
        }
    };
    while let Ok(notification) = notifications.try_recv() {
        let _gone = output.send(notification).await;
    }
    answer
}

/// What an error response says. Clients show it to their users, so the model may read it.
fn refusal(error: Option<&Value>) -> NoAnswer {
    const MAX_CHARS: usize = 200;
    let code = error.and_then(|error| error.get("code")?.as_i64());
    let message = error.and_then(|error| error.get("message")?.as_str());
    NoAnswer::Refused {
        code: code.unwrap_or_default(),
        message: message
            .unwrap_or_default()
            .chars()
            .take(MAX_CHARS)
            .collect(),
    }
}

#[cfg(test)]
mod tests;
