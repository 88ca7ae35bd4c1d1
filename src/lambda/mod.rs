//! The edge to AWS Lambda: events in, responses out. Besides it, only `limit/dynamodb` names AWS.
//!
//! Events are decoded here by types of our own, which read only what is served, borrow from the
//! event, and answer whatever it holds: see `docs/adr`.

mod event;
mod logs;
mod response;

use std::convert::Infallible;
use std::sync::Arc;
use std::time::{Duration, Instant, SystemTime};

use bytes::Bytes;
use http::Request;
use lambda_runtime::{LambdaEvent, service_fn};
use serde_json::value::RawValue;
use thiserror::Error;

use self::event::{Event, Origin, Unreadable};
use self::response::LambdaResponse;
use crate::handler::Invocation;
use crate::pipeline::Server;
use crate::server::BuildError;

pub use self::logs::{InvalidLogLevel, LogLevel};

/// How much earlier than the platform a call is given up, so that its answer still gets out.
const MARGIN: Duration = Duration::from_millis(500);

/// Why a function cannot run.
#[derive(Debug, Error)]
#[non_exhaustive]
pub enum Error {
    /// A definition of the server cannot be served.
    #[error(transparent)]
    Build(#[from] BuildError),
    /// The runtime stopped.
    #[error("the Lambda runtime stopped: {0}")]
    Runtime(#[source] lambda_runtime::Error),
}

/// Serves Lambda invocations until the platform ends the process.
///
/// Takes the events of API Gateway REST and HTTP APIs, Function URLs and load balancers. Writes
/// its log as JSON lines to the standard output, from `info` up unless a [`LogLevel`] was set
/// before.
///
/// # Errors
///
/// The runtime cannot reach the platform.
pub async fn run(server: Server) -> Result<(), Error> {
    LogLevel::default().init();
    let handler = service_fn(move |event: LambdaEvent<Box<RawValue>>| {
        let server = server.clone();
        async move { Ok::<_, Infallible>(answer(&server, event).await) }
    });
    lambda_runtime::run(handler).await.map_err(Error::Runtime)
}

/// Like [`run`], for a function whose responses are streamed (`responseTransferMode: STREAM`, or a
/// Function URL in `RESPONSE_STREAM` mode): notifications reach the client as they happen.
///
/// # Errors
///
/// The runtime cannot reach the platform.
pub async fn run_with_streaming_response(server: Server) -> Result<(), Error> {
    LogLevel::default().init();
    let handler = service_fn(move |event: LambdaEvent<Box<RawValue>>| {
        let server = server.clone();
        async move {
            let response = match request(event) {
                Ok((request, _)) => server.handle_streaming(request).await,
                Err((unreadable, _)) => server.refuse(&unreadable.to_string()),
            };
            Ok::<_, Infallible>(response::streamed(response))
        }
    });
    lambda_runtime::run(handler).await.map_err(Error::Runtime)
}

/// Answers one event; every event gets an answer.
async fn answer(server: &Server, event: LambdaEvent<Box<RawValue>>) -> LambdaResponse {
    match request(event) {
        Ok((request, origin)) => LambdaResponse::new(origin, server.handle(request).await),
        Err((unreadable, origin)) => {
            LambdaResponse::new(origin, server.refuse(&unreadable.to_string()))
        }
    }
}

/// The request in an event, with all that the platform tells of it.
fn request(
    event: LambdaEvent<Box<RawValue>>,
) -> Result<(Request<Bytes>, Origin), (Unreadable, Origin)> {
    let LambdaEvent { payload, context } = event;
    let event = Event::read(&payload);
    let origin = event.origin();
    let mut request = event.into_request().map_err(|unreadable| {
        tracing::warn!(request_id = context.request_id, reason = %unreadable, "unreadable event");
        (unreadable, origin)
    })?;
    if let Some(invocation) = request.extensions_mut().get_mut::<Invocation>() {
        invocation.request_id = Some(Arc::from(context.request_id.as_str()));
        invocation.deadline = deadline(context.deadline);
    }
    Ok((request, origin))
}

/// The moment to stop at, from the platform's deadline in milliseconds since 1970; none when the
/// platform gave none.
fn deadline(epoch_ms: u64) -> Option<Instant> {
    let at = SystemTime::UNIX_EPOCH + Duration::from_millis(epoch_ms);
    let left = at.duration_since(SystemTime::now()).ok()?;
    Some(Instant::now() + left.saturating_sub(MARGIN))
}
