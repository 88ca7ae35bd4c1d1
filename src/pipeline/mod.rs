//! [`Server`]: the stages of a request in their order.
//!
//! ```text
//! request ─▶ gate ─▶ era ─▶ auth ─▶ methods ─▶ limit ─▶ tool
//!                                                        │
//! response ◀──────────────── reply ◀─────────────────────┘
//! ```

mod build;
mod confidential;
mod messages;

use std::future::poll_fn;
use std::pin::Pin;
use std::sync::Arc;
use std::task::Poll;
use std::time::SystemTime;

use bytes::Bytes;
use http::request::Parts;
use http::{HeaderMap, Method, Request, Response};

use self::messages::Messages;
use crate::auth::{Arrival, Caller};
use crate::documents;
use crate::gate::{self, Admitted, Rejection, cors};
use crate::handler::{Invocation, Notifier, Receiver};
use crate::log::{Entry, RequestLog};
use crate::methods::{MethodContext, Prepared};
use crate::reply::{self, IntoReply, Reply, ReplyBody, ResponseLimit};
use crate::server::{Registry, ServerBuilder};

/// An MCP server: turns one HTTP request into one HTTP response and keeps no state in between.
///
/// Create it with [`Server::builder`]. [`run`](crate::run) serves it on AWS Lambda; any other HTTP
/// front can call [`handle`](Self::handle) or [`handle_streaming`](Self::handle_streaming). A clone
/// is cheap and shares everything.
///
/// # Examples
///
/// ```
/// use bytes::Bytes;
/// use lambda_mcp::{Server, tool};
///
/// async fn hello() -> &'static str {
///     "Hello."
/// }
///
/// # #[tokio::main(flavor = "current_thread")]
/// # async fn main() -> Result<(), Box<dyn std::error::Error>> {
/// let server = Server::builder("greeter", "1.0.0").tool(tool("hello", hello)).build()?;
///
/// let request = http::Request::post("/mcp")
///     .header("Content-Type", "application/json")
///     .body(Bytes::from(r#"{"jsonrpc":"2.0","id":1,"method":"tools/list"}"#))?;
/// assert_eq!(server.handle(request).await.status(), 200);
/// # Ok(())
/// # }
/// ```
#[derive(Debug, Clone)]
pub struct Server(Arc<Inner>);

#[derive(Debug)]
struct Inner {
    registry: Registry,
    prepared: Prepared,
}

impl Server {
    /// Creates a builder for a server with a programmatic name and a version.
    ///
    /// # Examples
    ///
    /// ```
    /// use lambda_mcp::Server;
    ///
    /// let server = Server::builder("weather", env!("CARGO_PKG_VERSION"))
    ///     .title("Weather")
    ///     .instructions("Temperatures are in degrees Celsius.")
    ///     .build();
    /// assert!(server.is_ok());
    /// ```
    pub fn builder(name: impl Into<String>, version: impl Into<String>) -> ServerBuilder<()> {
        ServerBuilder::new(name.into(), version.into())
    }

    /// The server's definitions.
    pub(crate) fn registry(&self) -> &Registry {
        &self.0.registry
    }

    /// Serves one HTTP request and returns a complete response.
    ///
    /// The request needs its whole body. An edge passes what it knows about the request, such as the
    /// deadline and the client's address, as an [`Invocation`] in the request's extensions. A
    /// request that is refused or fails gets a response as well.
    ///
    /// Notifications of a handler are collected and sent before its result, as an event stream. Use
    /// [`handle_streaming`](Self::handle_streaming) to send them at once.
    ///
    /// Specification: *Streamable HTTP*.
    ///
    /// # Examples
    ///
    /// ```
    /// use bytes::Bytes;
    /// use lambda_mcp::server::Invocation;
    /// use lambda_mcp::{Context, Server, tool};
    /// use serde_json::{Value, json};
    ///
    /// async fn whereabouts(context: Context) -> String {
    ///     context.source_ip().map_or("unknown".to_owned(), |address| address.to_string())
    /// }
    ///
    /// # #[tokio::main(flavor = "current_thread")]
    /// # async fn main() -> Result<(), Box<dyn std::error::Error>> {
    /// let server = Server::builder("example", "1.0.0")
    ///     .tool(tool("whereabouts", whereabouts))
    ///     .build()?;
    ///
    /// let call = json!({
    ///     "jsonrpc": "2.0", "id": 1, "method": "tools/call", "params": {"name": "whereabouts"},
    /// });
    /// let mut invocation = Invocation::default();
    /// invocation.source_ip = Some("198.51.100.7".parse()?);
    /// let request = http::Request::post("/mcp")
    ///     .header("Content-Type", "application/json")
    ///     .extension(invocation)
    ///     .body(Bytes::from(call.to_string()))?;
    ///
    /// let body = server.handle(request).await.into_body().into_bytes().unwrap_or_default();
    /// let response: Value = serde_json::from_slice(&body)?;
    /// assert_eq!(response["result"]["content"][0]["text"], "198.51.100.7");
    /// # Ok(())
    /// # }
    /// ```
    pub async fn handle(&self, request: Request<Bytes>) -> Response<ReplyBody> {
        let (parts, body) = confidential::shared(request);
        let admission = self.admit(&parts, body.len());
        let (notifier, notifications) = self.open_stream(&admission);
        let reply = self.serve(&parts, &body, &admission, &notifier).await;
        drop(notifier);
        complete(reply, admission, notifications)
    }

    /// Serves one HTTP request and returns a response that starts with the first notification.
    ///
    /// If the handler sends a notification, the response is an event stream whose body is produced
    /// while it is read. Dropping the body cancels the call. Otherwise the response is complete, as
    /// that of [`handle`](Self::handle).
    ///
    /// Specification: *Streamable HTTP, Receiving Messages*.
    ///
    /// # Examples
    ///
    /// ```
    /// use bytes::Bytes;
    /// use http_body_util::BodyExt;
    /// use lambda_mcp::{Context, Server, tool};
    /// use serde_json::json;
    ///
    /// async fn work(context: Context) -> &'static str {
    ///     context.progress(1.0, Some(2.0), Some("half of it"));
    ///     tokio::task::yield_now().await;
    ///     "done"
    /// }
    ///
    /// # #[tokio::main(flavor = "current_thread")]
    /// # async fn main() -> Result<(), Box<dyn std::error::Error>> {
    /// let server = Server::builder("example", "1.0.0").tool(tool("work", work)).build()?;
    ///
    /// let call = json!({
    ///     "jsonrpc": "2.0", "id": 1, "method": "tools/call",
    ///     "params": {"name": "work", "_meta": {"progressToken": 1}},
    /// });
    /// let request = http::Request::post("/mcp")
    ///     .header("Content-Type", "application/json")
    ///     .header("Accept", "application/json, text/event-stream")
    ///     .body(Bytes::from(call.to_string()))?;
    ///
    /// let mut body = server.handle_streaming(request).await.into_body();
    /// let Some(first) = body.frame().await else { panic!("no event") };
    /// let first = first?.into_data().unwrap_or_default();
    /// assert!(String::from_utf8_lossy(&first).contains("half of it"));
    ///
    /// let rest = body.collect().await?.to_bytes();
    /// assert!(String::from_utf8_lossy(&rest).contains("done"));
    /// # Ok(())
    /// # }
    /// ```
    pub async fn handle_streaming(&self, request: Request<Bytes>) -> Response<ReplyBody> {
        let (parts, body) = confidential::shared(request);
        let admission = self.admit(&parts, body.len());
        let (notifier, notifications) = self.open_stream(&admission);
        let (server, shared_headers) = (self.clone(), admission.shared_headers.clone());
        let mut work: Pin<Box<dyn Future<Output = (Reply, Admission)> + Send>> =
            Box::pin(async move {
                let reply = server.serve(&parts, &body, &admission, &notifier).await;
                (reply, admission)
            });
        let Some(mut notifications) = notifications else {
            let (reply, admission) = work.await;
            return complete(reply, admission, None);
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
            First::Reply(done) => complete(done.0, done.1, Some(notifications)),
            First::Notification(first) => {
                let last = Box::pin(async move { work.await.0.into_body() });
                reply::streaming(shared_headers, first, notifications, last)
            }
        }
    }

    /// Passes a request through the gate, and determines what its response has in any case.
    fn admit(&self, parts: &Parts, body_bytes: usize) -> Admission {
        let gate = &self.0.registry.settings.gate;
        let path = parts.uri.path();
        let outcome = gate::admit(gate, &parts.method, path, &parts.headers, body_bytes);
        let shared_headers = match outcome {
            Ok(Admitted::Document(_)) => cors::public_headers(),
            Ok(Admitted::Preflight | Admitted::Message { .. }) | Err(_) => {
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
        if !matches!(
            admission.outcome,
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
            Ok(Admitted::Preflight) => cors::preflight(&parts.headers),
            Ok(Admitted::Document(document)) => {
                documents::reply(document, registry, invocation, &parts.headers)
            }
            Ok(Admitted::Message { may_act, .. }) => {
                let settings = &registry.settings;
                let arrival = Arrival {
                    request: parts,
                    request_id: invocation.request_id.as_deref(),
                    source_ip: invocation.source_ip,
                    base_url: invocation.base_url(settings.public_url.as_deref()),
                    path: &settings.gate.endpoint,
                    at: SystemTime::now(),
                };
                let messages = Messages {
                    context: MethodContext {
                        registry,
                        prepared: &self.0.prepared,
                        request: parts,
                        invocation,
                        notifier,
                        principal: None,
                    },
                    caller: Caller::new(&settings.auth, arrival),
                    log,
                    may_act,
                };
                return messages.serve(&parts.headers, body).await;
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

    /// The response to an event that is not an HTTP request.
    #[cfg(feature = "lambda")]
    pub(crate) fn refuse(&self, reason: &str) -> Response<ReplyBody> {
        let origins = &self.0.registry.settings.gate.origins;
        gate::refuse(http::StatusCode::BAD_REQUEST, reason)
            .into_response(cors::headers(origins, &HeaderMap::new()))
    }
}

/// The decision of the gate, and what the response has in any case.
struct Admission {
    outcome: Result<Admitted, Rejection>,
    shared_headers: HeaderMap,
    response_limit: Option<ResponseLimit>,
}

/// The first part of a response that may be a stream.
enum First {
    Reply(Box<(Reply, Admission)>),
    Notification(Bytes),
}

/// Completes a response: as an event stream if there are notifications or the client reads nothing
/// else.
fn complete(
    reply: Reply,
    admission: Admission,
    notifications: Option<Receiver<Bytes>>,
) -> Response<ReplyBody> {
    let mut collected = Vec::new();
    if let Some(mut notifications) = notifications {
        while let Ok(notification) = notifications.try_recv() {
            collected.push(notification);
        }
    }
    let takes_json = !matches!(
        admission.outcome,
        Ok(Admitted::Message {
            takes_json: false,
            ..
        })
    );
    let reply = if takes_json && collected.is_empty() {
        reply
    } else {
        reply.into_event_stream(&collected, admission.response_limit)
    };
    reply.into_response(admission.shared_headers)
}
