//! The edge to AWS Lambda: events in, responses out. Nothing else in the library names AWS's
//! runtime.
//!
//! [`run`] serves a [`Server`] as a Lambda function. It accepts events of API Gateway REST APIs
//! (payload v1), HTTP APIs and Function URLs (payload v2), and Application Load Balancers.
//!
//! The crate decodes events with types of its own: they parse only what is needed, borrow from the
//! event, and turn any event into a response.

mod event;
mod load_balancer;
mod log_line;
mod logs;
mod metrics;
mod payload;
mod response;
mod setting;

use std::convert::Infallible;
use std::future::ready;
use std::sync::Arc;
use std::time::{Duration, Instant, SystemTime};

use bytes::Bytes;
use futures_util::future::LocalBoxFuture;
use http::{HeaderMap, Request};
use lambda_runtime::layers::TracingLayer;
use lambda_runtime::{LambdaEvent, Runtime, service_fn};
use thiserror::Error;

use self::event::InvalidEvent;
pub(crate) use self::event::{Event, Front};
use self::payload::{KeepPayload, Payload};
pub(crate) use self::response::LambdaResponse;
use crate::future::BoxFuture;
use crate::handler::Invocation;
use crate::pipeline::Server;
use crate::platform;
use crate::reply::ResponseLimit;
use crate::server::{BuildError, ManyInstancesError};

pub use self::logs::{InvalidLogLevel, LogLevel};
pub use self::metrics::Metrics;

/// Time between the deadline of a call and that of the platform, in which the response is sent.
const MARGIN: Duration = Duration::from_millis(500);
/// Lambda accepts a response of 6 MiB. The rest is for the status and the headers.
const BUFFERED_LIMIT: ResponseLimit = ResponseLimit::escaped_bytes(6_000_000);
/// A load balancer accepts a response of 1 MB from a function.
const LOAD_BALANCER_LIMIT: ResponseLimit = ResponseLimit::escaped_bytes(950_000);
/// Lambda sends the first 6 MB of a streamed response without throttling it.
const STREAMED_LIMIT: ResponseLimit = ResponseLimit::bytes(6_000_000);

/// Why a function cannot run.
///
/// `main` can return it: `?` takes the errors of [`ServerBuilder::build`], of [`run`], and of the
/// settings that are read from text.
///
/// [`ServerBuilder::build`]: crate::server::ServerBuilder::build
///
/// # Examples
///
/// ```no_run
/// use lambda_mcp::limit::{Limits, MemoryLimiter};
/// use lambda_mcp::{Server, tool};
///
/// async fn hello() -> &'static str {
///     "Hello."
/// }
///
/// #[tokio::main(flavor = "current_thread")]
/// async fn main() -> Result<(), lambda_mcp::Error> {
///     let server = Server::builder("greeter", "1.0.0")
///         .tool(tool("hello", hello))
///         .limits(Limits::new("hello=60/1m".parse()?, MemoryLimiter::new()))
///         .build()?;
///     lambda_mcp::run(server).await
/// }
/// ```
#[derive(Debug, Error)]
#[non_exhaustive]
pub enum Error {
    /// A definition of the server is invalid.
    #[error(transparent)]
    Build(#[from] BuildError),
    /// The server cannot run as several instances, as it does on Lambda.
    #[error(transparent)]
    ManyInstances(#[from] ManyInstancesError),
    /// A setting cannot be read, such as a rate limit, a scope or a key.
    #[error(transparent)]
    Setting(Box<dyn std::error::Error + Send + Sync>),
    /// The Lambda runtime stopped.
    #[error("the Lambda runtime stopped: {0}")]
    Runtime(#[source] lambda_runtime::Error),
    /// The local server cannot listen at its address.
    #[error("the local server cannot listen: {0}")]
    Local(#[source] std::io::Error),
    /// The server cannot use the standard input and output.
    #[error("the standard input and output cannot be used: {0}")]
    Stdio(#[source] std::io::Error),
    /// A server over standard input and output was started on Lambda, or in an emulator of it.
    #[error(
        "`serve_stdio` is for a process that a client starts; call `lambda_mcp::run` on Lambda"
    )]
    StdioOnLambda,
    /// The local server was started on Lambda, or in an emulator of it.
    #[error("`serve_local` is for a developer's machine; call `lambda_mcp::run` on Lambda")]
    LocalOnLambda,
}

/// Serves Lambda invocations until the platform ends the process.
///
/// Writes the log as JSON lines to the standard output, from level `info`; call [`LogLevel::init`]
/// first to set another level. The limit of a response is the platform's: 6 MB, or 950 KB behind a
/// load balancer.
///
/// On Lambda Managed Instances, as many invocations run at once as `AWS_LAMBDA_MAX_CONCURRENCY` says.
/// Use Tokio's multi-threaded runtime there, or they share one thread. Everywhere else invocations run
/// one after the other.
///
/// # Errors
///
/// - On Lambda, the server does not pass [`Server::check_for_many_instances`]: a handler takes
///   [`AskingContext`](crate::AskingContext) and no
///   [`request_state_key`](crate::server::ServerBuilder::request_state_key) is set, or tasks run in
///   memory. Emulators run one instance and check nothing.
/// - The Runtime API cannot be reached, as when the program does not run on Lambda or an emulator
///   such as `cargo lambda watch`.
///
/// # Examples
///
/// ```no_run
/// use lambda_mcp::{Server, tool};
///
/// async fn hello() -> &'static str {
///     "Hello."
/// }
///
/// #[tokio::main(flavor = "current_thread")]
/// async fn main() -> Result<(), lambda_mcp::Error> {
///     let server = Server::builder("greeter", "1.0.0").tool(tool("hello", hello)).build()?;
///     lambda_mcp::run(server).await
/// }
/// ```
pub async fn run(server: Server) -> Result<(), Error> {
    serve(server).await
}

/// The work of [`run`], with a future whose type has no name. The body of an async function is compiled again
/// in each crate that awaits it, with all that it awaits: the whole way of a request.
fn serve(server: Server) -> LocalBoxFuture<'static, Result<(), Error>> {
    Box::pin(serve_events(server))
}

async fn serve_events(server: Server) -> Result<(), Error> {
    start(&server)?;
    let handler = service_fn(move |event: LambdaEvent<Payload>| {
        let responding = respond(&server, event);
        async { Ok::<_, Infallible>(responding.await) }
    });
    let runtime = Runtime::new(handler).layer(TracingLayer::new());
    let runtime = runtime.layer(KeepPayload);
    runtime.run_concurrent().await.map_err(Error::Runtime)
}

/// Serves Lambda invocations as [`run`] does, and streams the responses: notifications reach the
/// client as they are sent.
///
/// The front must be set up for it: an API Gateway REST API with `responseTransferMode: STREAM`, or
/// a Function URL with invoke mode `RESPONSE_STREAM`.
///
/// # Errors
///
/// Those of [`run`].
///
/// # Examples
///
/// ```no_run
/// use lambda_mcp::lambda::run_with_streaming_response;
/// use lambda_mcp::{Context, Server, tool};
///
/// async fn count(context: Context) -> &'static str {
///     for step in 1..=3 {
///         context.progress(f64::from(step), Some(3.0), None);
///         tokio::time::sleep(std::time::Duration::from_secs(1)).await;
///     }
///     "Counted to 3."
/// }
///
/// #[tokio::main(flavor = "current_thread")]
/// async fn main() -> Result<(), lambda_mcp::Error> {
///     let server = Server::builder("counter", "1.0.0").tool(tool("count", count)).build()?;
///     run_with_streaming_response(server).await
/// }
/// ```
pub async fn run_with_streaming_response(server: Server) -> Result<(), Error> {
    serve_streaming(server).await
}

/// The work of [`run_with_streaming_response`], as that of [`run`].
fn serve_streaming(server: Server) -> LocalBoxFuture<'static, Result<(), Error>> {
    Box::pin(stream_events(server))
}

async fn stream_events(server: Server) -> Result<(), Error> {
    start(&server)?;
    let handler = service_fn(move |event: LambdaEvent<Payload>| {
        let server = server.clone();
        Box::pin(async move {
            let response = match request(&server, event, |front| front.response_limit(true)) {
                Ok((request, _)) => server.handle_streaming(request).await,
                Err((invalid, _)) => server.refuse(&invalid.to_string()),
            };
            Ok::<_, Infallible>(response::streamed(response))
        })
    });
    let runtime = Runtime::new(handler).layer(TracingLayer::new());
    let runtime = runtime.layer(KeepPayload);
    runtime.run_concurrent().await.map_err(Error::Runtime)
}

/// Checks what is certain before the first event.
fn start(server: &Server) -> Result<(), Error> {
    LogLevel::default().init();
    // `cargo lambda build` chooses this where the manifest does not choose.
    if cfg!(panic = "abort") {
        tracing::warn!(
            "compiled with `panic = \"abort\"`: a handler that panics ends the process. Set `panic = \"unwind\"` \
             in `[profile.release]`"
        );
    }
    check_platform(server)
        .inspect_err(|error| tracing::error!(%error, "the server cannot start"))
        .map_err(Error::from)
}

/// Checks that the server can run as several instances, if the platform is AWS Lambda.
pub(crate) fn check_platform(server: &Server) -> Result<(), ManyInstancesError> {
    if platform::is_on_lambda() {
        server.check_for_many_instances()
    } else {
        Ok(())
    }
}

/// Responds to an event, whatever it is.
///
/// The event is read before the future is made, which then has no room for it. The runtime moves what it
/// gets from layer to layer; a box is moved cheaply.
fn respond(server: &Server, event: LambdaEvent<Payload>) -> BoxFuture<'static, LambdaResponse> {
    match request(server, event, |front| front.response_limit(false)) {
        Ok((request, front)) => {
            let responding = server.clone().responding(request);
            Box::pin(async move { LambdaResponse::new(front, responding.await) })
        }
        Err((invalid, front)) => {
            let refusal = server.refuse(&invalid.to_string());
            Box::pin(ready(LambdaResponse::new(front, refusal)))
        }
    }
}

impl Front {
    /// The largest response that the front passes on.
    pub(crate) const fn response_limit(self, is_streaming: bool) -> ResponseLimit {
        match self {
            _ if is_streaming => STREAMED_LIMIT,
            Self::V1 | Self::V2 => BUFFERED_LIMIT,
            Self::LoadBalancer => LOAD_BALANCER_LIMIT,
        }
    }
}

impl Invocation {
    /// Adds what Lambda says about the invocation.
    pub(crate) fn of_lambda(self, context: &lambda_runtime::Context) -> Self {
        Self {
            request_id: Some(Arc::from(context.request_id.as_str())),
            deadline: deadline(context.deadline),
            ..self
        }
    }

    /// Adds the client's address, where the front tells it in a header that the server trusts.
    pub(crate) fn of_client(self, front: Front, headers: &HeaderMap, server: &Server) -> Self {
        let appended = match front {
            Front::LoadBalancer if server.registry().settings.trusts_load_balancer => {
                load_balancer::appended_address(headers)
            }
            Front::LoadBalancer | Front::V1 | Front::V2 => None,
        };
        let source_ip = self.source_ip.or(appended);
        Self {
            source_ip,
            hides_clients: front == Front::LoadBalancer && source_ip.is_none(),
            ..self
        }
    }
}

/// The HTTP request in an event, with everything that the platform knows about it.
fn request(
    server: &Server,
    event: LambdaEvent<Payload>,
    limit: impl FnOnce(Front) -> ResponseLimit,
) -> Result<(Request<Bytes>, Front), (InvalidEvent, Front)> {
    let LambdaEvent { payload, context } = event;
    let (payload, body) = payload.parts();
    let event = Event::read(payload.as_str().unwrap_or_default());
    let event = match body {
        Some(body) => event.with_body(body),
        None => event,
    };
    let front = event.front();
    let mut request = event.into_request(payload.bytes()).map_err(|invalid| {
        tracing::warn!(request_id = context.request_id, reason = %invalid, "invalid event");
        (invalid, front)
    })?;
    let known: Invocation = request.extensions_mut().remove().unwrap_or_default();
    let invocation = Invocation {
        response_limit: Some(limit(front)),
        ..known.of_client(front, request.headers(), server)
    };
    request
        .extensions_mut()
        .insert(invocation.of_lambda(&context));
    Ok((request, front))
}

/// The deadline of a call, from the platform's in milliseconds since 1970. `None` if the platform
/// sent none.
fn deadline(epoch_ms: u64) -> Option<Instant> {
    let at = SystemTime::UNIX_EPOCH + Duration::from_millis(epoch_ms);
    let left = at.duration_since(SystemTime::now()).ok()?;
    Some(Instant::now() + left.saturating_sub(MARGIN))
}
