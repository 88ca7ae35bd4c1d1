//! The stages in their order; no rule of its own.
//!
//! ```text
//! request ─▶ gate ─▶ era ─▶ auth ─▶ methods ─▶ limit ─▶ tool
//!                                                        │
//! response ◀──────────────── reply ◀─────────────────────┘
//! ```

use std::future::poll_fn;
use std::pin::Pin;
use std::sync::Arc;
use std::task::Poll;
use std::time::{Instant, SystemTime};

use bytes::Bytes;
use http::request::Parts;
use http::{HeaderMap, Method, Request, Response, StatusCode};

use crate::auth::{Caller, Site};
use crate::documents;
use crate::era::{self, Call, Inbound, Message, Rejected};
use crate::gate::{self, Admitted, Rejection, cors};
use crate::handler::{Invocation, Notifier, Receiver};
use crate::log::Record;
use crate::methods::{self, Answer, MethodContext, Prepared, Target};
use crate::reply::{self, ErrorId, ErrorResponse, IntoReply, Reply, ReplyBody};
use crate::server::{BuildError, Registry, ServerBuilder};

/// A server: from one HTTP request to one HTTP response, with nothing remembered in between.
///
/// It is cheap to clone, and knows neither AWS nor a connection, so the same server runs on Lambda
/// and behind any other front that can hand it whole requests.
#[derive(Debug, Clone)]
pub struct Server(Arc<Inner>);

#[derive(Debug)]
struct Inner {
    registry: Registry,
    prepared: Prepared,
}

impl Server {
    /// Begins a server with its programmatic name and version.
    pub fn builder(name: impl Into<String>, version: impl Into<String>) -> ServerBuilder<()> {
        ServerBuilder::new(name.into(), version.into())
    }

    /// The server's definitions.
    pub(crate) fn registry(&self) -> &Registry {
        &self.0.registry
    }

    /// Serves one request.
    ///
    /// What the edge knows of it stands in its extensions as an [`Invocation`]. The body of the
    /// response is complete: notifications, if there are any, stand in it before the response.
    pub async fn handle(&self, request: Request<Bytes>) -> Response<ReplyBody> {
        let (parts, body) = request.into_parts();
        let entered = self.enter(&parts, body.len());
        let (notifier, notifications) = self.open_stream(&entered);
        let reply = self.serve(&parts, &body, &entered, &notifier).await;
        drop(notifier);
        finish(reply, entered, notifications)
    }

    /// Serves one request, whose response begins as soon as there is something to tell.
    ///
    /// The body of a response that begins with a notification is still written when this returns,
    /// by reading it; when it is dropped the work stops.
    pub async fn handle_streaming(&self, request: Request<Bytes>) -> Response<ReplyBody> {
        let (parts, body) = request.into_parts();
        let entered = self.enter(&parts, body.len());
        let (notifier, notifications) = self.open_stream(&entered);
        let (server, shared) = (self.clone(), entered.shared.clone());
        let mut work: Pin<Box<dyn Future<Output = (Reply, Entered)> + Send>> =
            Box::pin(async move {
                (
                    server.serve(&parts, &body, &entered, &notifier).await,
                    entered,
                )
            });
        let Some(mut notifications) = notifications else {
            let (reply, entered) = work.await;
            return finish(reply, entered, None);
        };
        let first = poll_fn(|cx| {
            if let Poll::Ready(done) = work.as_mut().poll(cx) {
                return Poll::Ready(First::Done(Box::new(done)));
            }
            match notifications.poll_recv(cx) {
                Poll::Ready(Some(notification)) => Poll::Ready(First::Notification(notification)),
                // The work holds the sending end, so the channel does not close before it is done.
                Poll::Ready(None) | Poll::Pending => Poll::Pending,
            }
        });
        match first.await {
            First::Done(done) => finish(done.0, done.1, Some(notifications)),
            First::Notification(first) => {
                let last = Box::pin(async move { work.await.0.into_body() });
                reply::streaming(shared, first, notifications, last)
            }
        }
    }

    /// The gate, and the headers that the response has whatever comes.
    fn enter(&self, parts: &Parts, body_bytes: usize) -> Entered {
        let gate = &self.0.registry.settings.gate;
        let path = parts.uri.path();
        let admitted = gate::admit(gate, &parts.method, path, &parts.headers, body_bytes);
        let shared = match admitted {
            Ok(Admitted::Document(_)) => cors::public_headers(),
            Ok(Admitted::Preflight | Admitted::Message { .. }) | Err(_) => {
                cors::headers(&gate.origins, &parts.headers)
            }
        };
        Entered { admitted, shared }
    }

    /// Where notifications go: nowhere if the client cannot read them.
    fn open_stream(&self, entered: &Entered) -> (Notifier, Option<Receiver<Bytes>>) {
        if !matches!(
            entered.admitted,
            Ok(Admitted::Message {
                takes_sse: true,
                ..
            })
        ) {
            return (Notifier::default(), None);
        }
        let (notifier, messages) = Notifier::open(self.0.registry.settings.log_notifications);
        (notifier, Some(messages))
    }

    /// From an admitted request to its reply; the line in the log is written at the end.
    async fn serve(
        &self,
        parts: &Parts,
        body: &[u8],
        entered: &Entered,
        notifier: &Notifier,
    ) -> Reply {
        let mut record = Record::start(Instant::now());
        let unknown = Invocation::default();
        let invocation = parts.extensions.get::<Invocation>().unwrap_or(&unknown);
        let reply = match entered.admitted {
            Err(rejection) => rejection.into_reply(),
            Ok(Admitted::Preflight) => cors::preflight(&parts.headers),
            Ok(Admitted::Document(document)) => {
                documents::reply(document, &self.0.registry, invocation)
            }
            Ok(Admitted::Message { .. }) => {
                let Inner { registry, prepared } = &*self.0;
                let settings = &registry.settings;
                let base = settings
                    .public_url
                    .as_deref()
                    .or(invocation.base_url.as_deref());
                let site = Site {
                    base,
                    endpoint: &settings.gate.endpoint,
                };
                let now = SystemTime::now();
                let caller = Caller::new(&settings.auth, &parts.headers, site, now);
                let principal = None;
                let serving = MethodContext {
                    registry,
                    prepared,
                    invocation,
                    notifier,
                    principal,
                };
                let request = (&parts.headers, body);
                messages(&serving, &caller, request, &mut record).await
            }
        };
        record.finish(&parts.method, invocation, reply.status());
        // RFC 9110, section 9.3.2: no answer to HEAD has content.
        if parts.method == Method::HEAD {
            reply.without_body()
        } else {
            reply
        }
    }

    /// The answer to an event that holds no request at all.
    #[cfg(feature = "lambda")]
    pub(crate) fn refuse(&self, reason: &str) -> Response<ReplyBody> {
        let origins = &self.0.registry.settings.gate.origins;
        gate::refuse(StatusCode::BAD_REQUEST, reason)
            .into_response(cors::headers(origins, &HeaderMap::new()))
    }
}

/// What the gate let in, or why not.
struct Entered {
    admitted: Result<Admitted, Rejection>,
    shared: HeaderMap,
}

/// What comes first of a response that may be streamed.
enum First {
    Done(Box<(Reply, Entered)>),
    Notification(Bytes),
}

/// The response, complete: an event stream if there are notifications or the client reads nothing
/// else.
fn finish(
    reply: Reply,
    entered: Entered,
    notifications: Option<Receiver<Bytes>>,
) -> Response<ReplyBody> {
    let mut told = Vec::new();
    if let Some(mut notifications) = notifications {
        while let Ok(notification) = notifications.try_recv() {
            told.push(notification);
        }
    }
    let takes_json = !matches!(
        entered.admitted,
        Ok(Admitted::Message {
            takes_json: false,
            ..
        })
    );
    let reply = if takes_json && told.is_empty() {
        reply
    } else {
        reply.into_event_stream(&told)
    };
    reply.into_response(entered.shared)
}

/// Serves the message or messages of a body.
async fn messages(
    serving: &MethodContext<'_>,
    caller: &Caller<'_>,
    (headers, body): (&HeaderMap, &[u8]),
    record: &mut Record,
) -> Reply {
    match era::classify(headers, body, serving.registry.settings.header_only) {
        Err(rejected) => rejected.into_reply(record),
        Ok(Inbound::Single(Message::NoReply { method, version })) => {
            record.silent(method.as_deref(), version);
            Reply::empty(StatusCode::ACCEPTED)
        }
        Ok(Inbound::Single(Message::Request(request))) => {
            call(serving, caller, &request, record).await
        }
        Ok(Inbound::Batch(messages)) => batch(serving, caller, messages, record).await,
    }
}

/// Serves one request, alone or in a batch.
async fn call(
    context: &MethodContext<'_>,
    caller: &Caller<'_>,
    call: &Call<'_>,
    record: &mut Record,
) -> Reply {
    let era = call.version.era();
    let (target, answer, principal) = match Target::resolve(context.registry, call) {
        Err(error) => (None, Err::<Bytes, _>(error).into(), None),
        Ok(target) => {
            let name = target.name();
            let principal = match caller.authorize(target.required_scopes()).await {
                Ok(principal) => principal,
                Err(challenge) => {
                    record.challenged(call, name, &challenge);
                    return challenge.response(era).into_reply(&id(call), era);
                }
            };
            let context = MethodContext {
                principal,
                ..*context
            };
            (
                name,
                methods::dispatch(&context, call, target).await,
                principal,
            )
        }
    };
    record.call(call, (target, principal), &answer);
    let Answer {
        result, headers, ..
    } = answer;
    let reply = match result {
        Ok(result) => Reply::json(StatusCode::OK, reply::result_message(&call.id, &result)),
        Err(failure) => failure.response(era).into_reply(&id(call), era),
    };
    reply.headers(headers)
}

fn id(call: &Call<'_>) -> ErrorId {
    ErrorId::Of(call.id.clone())
}

/// Serves the messages of a batch one after the other. 2025-03-26, *Batching*.
async fn batch(
    serving: &MethodContext<'_>,
    caller: &Caller<'_>,
    messages: Vec<Result<Message<'_>, Rejected>>,
    record: &mut Record,
) -> Reply {
    let mut responses = Vec::with_capacity(messages.len());
    for message in messages {
        match message {
            Ok(Message::Request(request)) => {
                responses.push(call(serving, caller, &request, record).await.into_body());
            }
            Ok(Message::NoReply { method, version }) => {
                record.silent(method.as_deref(), version);
            }
            Err(rejected) => responses.push(rejected.into_reply(record).into_body()),
        }
    }
    if responses.is_empty() {
        Reply::empty(StatusCode::ACCEPTED)
    } else {
        Reply::json(StatusCode::OK, reply::batch_message(&responses))
    }
}

impl Rejected {
    fn into_reply(self, record: &mut Record) -> Reply {
        let Self { id, error, era } = self;
        record.rejected(&error, era);
        ErrorResponse::protocol(&error, era).into_reply(&id, era)
    }
}

impl<S: Clone + Send + Sync + 'static> ServerBuilder<S> {
    /// Checks the definitions and makes the server.
    ///
    /// # Errors
    ///
    /// The first definition that cannot be served.
    pub fn build(self) -> Result<Server, BuildError> {
        let registry = self.finish()?;
        let prepared = Prepared::new(&registry).map_err(|_| BuildError::Unwritable)?;
        Ok(Server(Arc::new(Inner { registry, prepared })))
    }
}
