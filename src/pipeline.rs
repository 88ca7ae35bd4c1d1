//! The stages in their order; no rule of its own.
//!
//! ```text
//! request ─▶ gate ─▶ era ─▶ methods ─▶ tool
//!                                       │
//! response ◀──────── reply ◀────────────┘
//! ```

use std::sync::Arc;
use std::time::Instant;

use bytes::Bytes;
use http::{Method, Request, Response, StatusCode};

use crate::documents;
use crate::era::{self, Call, Inbound, Message, Rejected};
use crate::gate::{self, Admitted, cors};
use crate::log::Record;
use crate::methods::{self, Prepared};
use crate::reply::{self, ErrorId, IntoReply, Reply, ReplyBody};
use crate::server::{BuildError, Invocation, Registry, ServerBuilder};

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

    /// Serves one request.
    ///
    /// What the edge knows of it stands in its extensions as an [`Invocation`]. The body of the
    /// response is complete.
    pub async fn handle(&self, request: Request<Bytes>) -> Response<ReplyBody> {
        let (parts, body) = request.into_parts();
        let mut record = Record::start(Instant::now());
        let invocation = parts
            .extensions
            .get::<Invocation>()
            .cloned()
            .unwrap_or_default();
        let gate = &self.0.registry.settings.gate;
        let path = parts.uri.path();
        let admitted = gate::admit(gate, &parts.method, path, &parts.headers, body.len());
        let shared = match admitted {
            Ok(Admitted::Document(_)) => cors::public_headers(),
            _ => cors::headers(&gate.origins, &parts.headers),
        };
        let reply = match admitted {
            Err(rejection) => rejection.into_reply(),
            Ok(Admitted::Preflight) => cors::preflight(&parts.headers),
            Ok(Admitted::Document(document)) => {
                let reply = documents::reply(document, &self.0.registry.settings, &invocation);
                if parts.method == Method::HEAD {
                    reply.without_body()
                } else {
                    reply
                }
            }
            Ok(Admitted::Message { takes_json, .. }) => {
                let reply = self
                    .messages(&parts.headers, &body, &invocation, &mut record)
                    .await;
                if takes_json {
                    reply
                } else {
                    reply.into_event_stream()
                }
            }
        };
        record.finish(&parts.method, &invocation, reply.status());
        reply.into_response(shared)
    }

    /// The answer to an event that holds no request at all.
    #[cfg(feature = "lambda")]
    pub(crate) fn refuse(&self, reason: &str) -> Response<ReplyBody> {
        let origins = &self.0.registry.settings.gate.origins;
        gate::refuse(StatusCode::BAD_REQUEST, reason)
            .into_response(cors::headers(origins, &http::HeaderMap::new()))
    }

    /// Serves the message or messages of a body.
    async fn messages(
        &self,
        headers: &http::HeaderMap,
        body: &[u8],
        invocation: &Invocation,
        record: &mut Record,
    ) -> Reply {
        match era::classify(headers, body, self.0.registry.settings.header_only) {
            Err(rejected) => rejected.into_reply(record),
            Ok(Inbound::Single(Message::Silent { method, version })) => {
                record.silent(method.as_deref(), version);
                Reply::empty(StatusCode::ACCEPTED)
            }
            Ok(Inbound::Single(Message::Request(call))) => {
                let (message, status) = self.call(&call, invocation, record).await;
                Reply::json(status, message)
            }
            Ok(Inbound::Batch(messages)) => self.batch(messages, invocation, record).await,
        }
    }

    /// Serves one request; every rule that holds for it holds in a batch as well.
    async fn call(
        &self,
        call: &Call<'_>,
        invocation: &Invocation,
        record: &mut Record,
    ) -> (Bytes, StatusCode) {
        let Inner { registry, prepared } = &*self.0;
        let answer = methods::dispatch(registry, prepared, call, invocation).await;
        record.call(call, &answer);
        let era = call.version.era();
        match answer.result {
            Ok(result) => (reply::result_message(&call.id, &result), StatusCode::OK),
            Err(error) => (
                reply::error_message(&ErrorId::Of(call.id.clone()), &error, era),
                error.http_status(era),
            ),
        }
    }

    /// Serves the messages of a batch one after the other. 2025-03-26, *Batching*.
    async fn batch(
        &self,
        messages: Vec<Result<Message<'_>, Rejected>>,
        invocation: &Invocation,
        record: &mut Record,
    ) -> Reply {
        let mut responses = Vec::with_capacity(messages.len());
        for message in messages {
            match message {
                Ok(Message::Request(call)) => {
                    responses.push(self.call(&call, invocation, record).await.0);
                }
                Ok(Message::Silent { method, version }) => {
                    record.silent(method.as_deref(), version);
                }
                Err(Rejected { id, error, era }) => {
                    record.rejected(&error, era);
                    responses.push(reply::error_message(&id, &error, era));
                }
            }
        }
        if responses.is_empty() {
            Reply::empty(StatusCode::ACCEPTED)
        } else {
            Reply::json(StatusCode::OK, reply::batch_message(&responses))
        }
    }
}

impl Rejected {
    fn into_reply(self, record: &mut Record) -> Reply {
        let Self { id, error, era } = self;
        record.rejected(&error, era);
        Reply::json(
            error.http_status(era),
            reply::error_message(&id, &error, era),
        )
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
