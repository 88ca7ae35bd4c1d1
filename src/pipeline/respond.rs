//! The response to a request that passed the gate or was refused by it: complete, or as a stream.

use std::future::poll_fn;
use std::pin::Pin;
use std::sync::Arc;
use std::task::Poll;
use std::time::SystemTime;

use bytes::Bytes;
use http::request::Parts;
use http::{HeaderMap, Method, Response};

use super::Server;
use super::messages::Messages;
use crate::auth::{Arrival, Caller};
use crate::documents;
use crate::era::LegacyHandshake;
use crate::gate::{self, Admitted, Rejection, cors};
use crate::handler::{Collected, Invocation, Notifier, Receiver};
use crate::log::{Entry, RequestLog};
use crate::methods::MethodContext;
use crate::reply::{self, IntoReply, Reply, ReplyBody, ResponseLimit};

impl Server {
    /// Responds with a complete body.
    pub(super) async fn respond(
        &self,
        parts: &Arc<Parts>,
        body: &[u8],
        admission: Admission,
    ) -> Response<ReplyBody> {
        let logs = self.0.registry.settings.log_notifications;
        let (notifier, collected) = if admission.takes_notifications() {
            Notifier::collecting(logs)
        } else {
            (Notifier::default(), Collected::default())
        };
        let reply = self.serve(parts, body, &admission, &notifier).await;
        complete(reply, admission, &collected.take())
    }

    /// Responds at the first notification, or else with a complete body.
    pub(super) async fn respond_streaming(
        &self,
        parts: Arc<Parts>,
        body: Bytes,
        admission: Admission,
    ) -> Response<ReplyBody> {
        let (notifier, notifications) = self.open_stream(&admission);
        let (server, shared_headers) = (self.clone(), admission.shared_headers.clone());
        let mut work: Pin<Box<dyn Future<Output = (Reply, Admission)> + Send>> =
            Box::pin(async move {
                let reply = server.serve(&parts, &body, &admission, &notifier).await;
                (reply, admission)
            });
        let Some(mut notifications) = notifications else {
            let (reply, admission) = work.await;
            return complete(reply, admission, &[]);
        };
        let first = poll_fn(|cx| {
            if let Poll::Ready(done) = work.as_mut().poll(cx) {
                return Poll::Ready(First::Reply(Box::new(done)));
            }
            match notifications.poll_recv(cx) {
                Poll::Ready(Some(notification)) => Poll::Ready(First::Notification(notification)),
                // The work holds the sender, so the channel stays open until the work is done.
                Poll::Ready(None) | Poll::Pending => Poll::Pending,
            }
        });
        match first.await {
            First::Reply(done) => {
                let sent = std::iter::from_fn(|| notifications.try_recv().ok());
                let sent: Vec<Bytes> = sent.collect();
                complete(done.0, done.1, &sent)
            }
            First::Notification(first) => {
                let last = Box::pin(async move { work.await.0.into_body() });
                reply::streaming(shared_headers, first, notifications, last)
            }
        }
    }

    /// Passes a request through the gate, and determines what its response has in any case.
    pub(super) fn admit(&self, parts: &Parts, body_bytes: usize) -> Admission {
        let gate = &self.0.registry.settings.gate;
        let path = parts.uri.path();
        let outcome = gate::admit(gate, &parts.method, path, &parts.headers, body_bytes);
        let shared_headers = match outcome {
            Ok(Admitted::Document(_) | Admitted::Preflight { is_document: true }) => {
                cors::public_headers()
            }
            Ok(Admitted::Preflight { .. } | Admitted::Message { .. }) | Err(_) => {
                cors::headers(&gate.origins, &parts.headers)
            }
        };
        Admission {
            outcome,
            shared_headers,
            response_limit: Invocation::of(&parts.extensions).response_limit,
        }
    }

    /// Opens the stream for notifications. They are discarded if the client reads no event streams.
    fn open_stream(&self, admission: &Admission) -> (Notifier, Option<Receiver<Bytes>>) {
        if !admission.takes_notifications() {
            return (Notifier::default(), None);
        }
        let (notifier, messages) = Notifier::open(self.0.registry.settings.log_notifications);
        (notifier, Some(messages))
    }

    /// What serves the messages of a request, or of a line of a connection.
    pub(super) fn messages<'a>(
        &'a self,
        parts: &'a Arc<Parts>,
        notifier: &'a Notifier,
        log: RequestLog<'a>,
    ) -> Messages<'a> {
        let registry = &self.0.registry;
        let settings = &registry.settings;
        let invocation = Invocation::of(&parts.extensions);
        let arrival = Arrival {
            request: parts,
            request_id: invocation.request_id.as_deref(),
            source_ip: invocation.source_ip,
            all_headers: invocation.all_headers.as_ref(),
            authorizer: invocation.authorizer.as_ref(),
            base_url: invocation.base_url(settings.public_url.as_deref()),
            path: &settings.gate.endpoint,
            at: SystemTime::now(),
        };
        Messages {
            context: MethodContext {
                registry,
                prepared: &self.0.prepared,
                request: parts,
                invocation,
                notifier,
                peer: None,
                principal: None,
            },
            caller: Caller::new(&settings.auth, arrival),
            log,
            headers: &parts.headers,
            may_act: true,
            requires_session: settings.legacy_handshake == LegacyHandshake::Required,
        }
    }

    /// Serves what the gate admitted, or refuses it, and logs it.
    async fn serve(
        &self,
        parts: &Arc<Parts>,
        body: &[u8],
        admission: &Admission,
        notifier: &Notifier,
    ) -> Reply {
        let entry = Entry::start();
        let invocation = Invocation::of(&parts.extensions);
        let log = RequestLog::new(&parts.method, invocation);
        let registry = &self.0.registry;
        let reply = match admission.outcome {
            Err(rejection) => rejection.into_reply(),
            Ok(Admitted::Preflight { is_document: true }) => cors::document_preflight(),
            Ok(Admitted::Preflight { is_document: false }) => cors::preflight(&parts.headers),
            Ok(Admitted::Document(document)) => {
                documents::reply(document, registry, invocation, &parts.headers)
            }
            Ok(Admitted::Message { may_act, .. }) => {
                let messages = self.messages(parts, notifier, log);
                return Messages {
                    may_act,
                    ..messages
                }
                .serve(body)
                .await;
            }
        };
        log.write(&entry, reply.status());
        // RFC 9110, section 9.3.2: a response to HEAD has no content.
        if parts.method == Method::HEAD {
            reply.without_body()
        } else {
            reply
        }
    }
}

/// The decision of the gate, and what the response has in any case.
pub(super) struct Admission {
    pub(super) outcome: Result<Admitted, Rejection>,
    pub(super) shared_headers: HeaderMap,
    pub(super) response_limit: Option<ResponseLimit>,
}

impl Admission {
    /// Whether the client reads event streams, which carry notifications.
    const fn takes_notifications(&self) -> bool {
        matches!(
            self.outcome,
            Ok(Admitted::Message {
                takes_sse: true,
                ..
            })
        )
    }
}

/// The first part of a response that may be a stream.
enum First {
    Reply(Box<(Reply, Admission)>),
    Notification(Bytes),
}

/// Completes a response: as an event stream if there are notifications or the client reads nothing
/// else.
fn complete(reply: Reply, admission: Admission, notifications: &[Bytes]) -> Response<ReplyBody> {
    let takes_json = !matches!(
        admission.outcome,
        Ok(Admitted::Message {
            takes_json: false,
            ..
        })
    );
    let reply = if takes_json && notifications.is_empty() {
        reply
    } else {
        reply.into_event_stream(notifications, admission.response_limit)
    };
    reply.into_response(admission.shared_headers)
}
