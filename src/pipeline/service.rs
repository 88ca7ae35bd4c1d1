//! [`McpService`]: a server as a `tower` service.

use std::convert::Infallible;
use std::future::poll_fn;
use std::pin::pin;
use std::task::{Context, Poll};
use std::time::Instant;

use bytes::{Buf as _, BufMut as _, Bytes, BytesMut};
use http::request::Parts;
use http::{Request, Response};
use http_body::Body;
use tower_service::Service;

use super::respond::Admission;
use super::{Server, confidential};
use crate::future::BoxFuture;
use crate::gate::{Admitted, Rejection};
use crate::handler::Invocation;
use crate::reply::ReplyBody;

/// In the extensions of a request: the edge sends complete responses only. Notifications are then sent
/// together with the result, within the limit of the response.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Buffered;

/// A [`Server`] as a [`tower` service](tower_service::Service), for HTTP servers, routers and
/// middleware. Made by [`Server::into_service`].
///
/// It serves a request with any body. A body is read after the checks of the headers, and at most up
/// to [`max_body_bytes`]: a larger one gets 413, and one that does not arrive in time 408. The service
/// is always ready, never fails, and is cheap to clone. The body of the response can be a stream, as
/// that of [`Server::handle_streaming`]. Dropping the future or the body cancels the call.
///
/// Set what you know about the request, such as the client's address, as an [`Invocation`] in the
/// extensions of the request. Limits for callers without a credential count by that address.
///
/// [`max_body_bytes`]: crate::server::ServerBuilder::max_body_bytes
/// [`Invocation`]: crate::server::Invocation
#[derive(Debug, Clone)]
pub struct McpService(Server);

impl Server {
    /// Turns the server into a `tower` service: `Service<http::Request<B>>`.
    ///
    /// Use it to serve MCP from a router or behind middleware. The endpoint and the published
    /// documents have the paths that the server gives them, so route these paths to it, or use it as
    /// the fallback of the router.
    ///
    /// # Examples
    ///
    /// In an `axum` router, beside another route:
    ///
    /// ```
    /// use axum::Router;
    /// use axum::routing::get;
    /// use lambda_mcp::{Server, tool};
    ///
    /// async fn hello() -> &'static str {
    ///     "Hello."
    /// }
    ///
    /// # fn main() -> Result<(), lambda_mcp::server::BuildError> {
    /// let mcp = Server::builder("greeter", "1.0.0").tool(tool("hello", hello)).build()?;
    /// let app: Router = Router::new()
    ///     .route("/", get(|| async { "The home page." }))
    ///     .fallback_service(mcp.into_service());
    /// # let _ = app;
    /// # Ok(())
    /// # }
    /// ```
    #[must_use]
    pub const fn into_service(self) -> McpService {
        McpService(self)
    }
}

impl McpService {
    /// The server.
    #[cfg(feature = "lambda_http")]
    pub(crate) const fn server(&self) -> &Server {
        &self.0
    }
}

impl<B> Service<Request<B>> for McpService
where
    B: Body + Send + 'static,
    B::Data: Send,
{
    type Response = Response<ReplyBody>;
    type Error = Infallible;
    type Future = BoxFuture<'static, Result<Self::Response, Infallible>>;

    fn poll_ready(&mut self, _: &mut Context<'_>) -> Poll<Result<(), Infallible>> {
        Poll::Ready(Ok(()))
    }

    fn call(&mut self, request: Request<B>) -> Self::Future {
        let server = self.0.clone();
        Box::pin(async move {
            let (parts, body) = confidential::shared(request);
            let (body, admission) = admitted(&server, &parts, body).await;
            Ok(if parts.extensions.get::<Buffered>().is_some() {
                server.respond(&parts, &body, admission).await
            } else {
                server.respond_streaming(parts, body, admission).await
            })
        })
    }
}

/// Reads the body if the headers pass the gate.
async fn admitted<B: Body>(server: &Server, parts: &Parts, body: B) -> (Bytes, Admission) {
    // A body without a declared length counts as empty until it is read.
    let declared = usize::try_from(body.size_hint().lower()).unwrap_or(usize::MAX);
    let admission = server.admit(parts, declared);
    if !matches!(admission.outcome, Ok(Admitted::Message { .. })) {
        return (Bytes::new(), admission);
    }
    let settings = &server.registry().settings;
    let timeout = Instant::now() + settings.call_timeout;
    let platform = Invocation::of(&parts.extensions).deadline;
    let deadline = platform.map_or(timeout, |platform| timeout.min(platform));
    let read = read(body, settings.gate.max_body_bytes);
    let rejection = match tokio::time::timeout_at(deadline.into(), read).await {
        Ok(Ok(body)) => return (body, admission),
        Ok(Err(rejection)) => rejection,
        Err(_elapsed) => Rejection::SlowBody,
    };
    let outcome = Err(rejection);
    (
        Bytes::new(),
        Admission {
            outcome,
            ..admission
        },
    )
}

/// Reads a body of at most `limit` bytes. One that arrives in one piece is not copied.
async fn read<B: Body>(body: B, limit: usize) -> Result<Bytes, Rejection> {
    let mut body = pin!(body);
    let mut whole = Bytes::new();
    let mut pieces = BytesMut::new();
    while let Some(frame) = poll_fn(|cx| body.as_mut().poll_frame(cx)).await {
        let frame = frame.map_err(|_| Rejection::BrokenBody)?;
        // Trailers are not part of the message.
        let Ok(mut data) = frame.into_data() else {
            continue;
        };
        let known = whole.len().max(pieces.len());
        if data.remaining() > limit.saturating_sub(known) {
            return Err(Rejection::TooLarge(limit));
        }
        if known == 0 {
            whole = data.copy_to_bytes(data.remaining());
            continue;
        }
        if pieces.is_empty() {
            pieces.extend_from_slice(&whole);
        }
        pieces.put(data);
    }
    Ok(if pieces.is_empty() {
        whole
    } else {
        pieces.freeze()
    })
}
