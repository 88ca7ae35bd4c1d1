//! A line of a connection: served like the body of an HTTP request, without the rules about headers.
//! Specification: *stdio*.

use std::sync::Arc;

use bytes::Bytes;
use http::request::Parts;
use http::{Method, Request};

use super::Server;
use super::messages::Messages;
use crate::era::connection::Speaks;
use crate::era::{self, Inbound, Rejected};
use crate::error::ProtocolError;
use crate::handler::{Invocation, Notifier};
use crate::log::{Entry, RequestLog};
use crate::methods::MethodContext;
use crate::peer::Peer;
use crate::wire::jsonrpc::RequestId;

/// The connection that a line came on.
#[derive(Debug, Clone)]
pub(crate) struct Origin {
    pub(crate) speaks: Speaks,
    /// The other end, if the server can send it requests.
    pub(crate) peer: Option<Peer>,
    /// The request that handlers and verifiers see: it has no headers.
    parts: Arc<Parts>,
}

impl Origin {
    /// `number` counts the lines of the connection, for the log.
    pub(crate) fn new(speaks: &Speaks, peer: &Peer, number: u64) -> Self {
        let mut request = Request::new(());
        *request.method_mut() = Method::POST;
        request.extensions_mut().insert(Invocation {
            request_id: Some(format!("stdio-{number}").into()),
            ..Invocation::default()
        });
        Self {
            speaks: speaks.clone(),
            peer: speaks.legacy().map(|_| peer.clone()),
            parts: Arc::new(request.into_parts().0),
        }
    }
}

impl Server {
    /// Serves a line and returns the line of the response. It is empty if there is none.
    pub(crate) async fn serve_line(
        &self,
        line: &[u8],
        origin: &Origin,
        notifier: &Notifier,
    ) -> Bytes {
        let entry = Entry::start();
        let inbound = era::classify_line(&origin.speaks, line);
        self.serve_inbound(inbound, entry, origin, notifier).await
    }

    /// Refuses a line without a look at its content. `id` is that of its request, if it is known.
    pub(crate) async fn refuse_line(
        &self,
        error: ProtocolError,
        id: Option<RequestId>,
        origin: &Origin,
    ) -> Bytes {
        let rejected = era::reject_line(&origin.speaks, id, error);
        let notifier = Notifier::default();
        self.serve_inbound(Err(rejected), Entry::start(), origin, &notifier)
            .await
    }

    async fn serve_inbound(
        &self,
        inbound: Result<Inbound<'_>, Rejected>,
        entry: Entry,
        origin: &Origin,
        notifier: &Notifier,
    ) -> Bytes {
        let log = RequestLog::of_connection(Invocation::of(&origin.parts.extensions));
        let messages = self.messages(&origin.parts, notifier, log);
        let context = MethodContext {
            peer: origin.peer.as_ref(),
            ..messages.context
        };
        // The connection itself is the session.
        let messages = Messages {
            context,
            requires_session: false,
            ..messages
        };
        messages.serve_inbound(inbound, entry).await.into_body()
    }
}
