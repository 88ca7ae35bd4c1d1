//! [`Handler`]: a server as a handler of `lambda_http`.

use std::convert::Infallible;
use std::task::{Context, Poll};

use http::{Request, Response};
use http_body::Body;
use tower_service::Service;

use super::event;
use crate::future::BoxFuture;
use crate::lambda::check_platform;
use crate::pipeline::{Buffered, McpService, Server};
use crate::reply::ReplyBody;
use crate::server::ManyInstancesError;

/// A [`Server`] as a handler of `lambda_http`. Made by [`handler`].
#[derive(Debug, Clone)]
pub struct Handler {
    service: McpService,
    is_streaming: bool,
}

/// Makes a handler of `lambda_http` from a server.
///
/// It is a `tower` service of requests with any body, so it also fits into an `axum` router and behind
/// `tower` layers. It reads the id of the request, the deadline, the client's address and the URL of
/// the API from what `lambda_http` stores in the request, and removes the stage from the path. A
/// request that does not come from `lambda_http` is served as by [`Server::into_service`], so the same
/// router can be served locally.
///
/// # Errors
///
/// On Lambda, the server does not pass [`Server::check_for_many_instances`], as with
/// [`lambda_mcp::run`](crate::run).
///
/// # Examples
///
/// Directly under `lambda_http::run`:
///
/// ```no_run
/// use lambda_mcp::{Server, tool};
///
/// async fn hello() -> &'static str {
///     "Hello."
/// }
///
/// #[tokio::main(flavor = "current_thread")]
/// async fn main() -> Result<(), lambda_http::Error> {
///     let mcp = Server::builder("greeter", "1.0.0").tool(tool("hello", hello)).build()?;
///     lambda_http::run(lambda_mcp::lambda_http::handler(mcp)?).await
/// }
/// ```
pub fn handler(server: Server) -> Result<Handler, ManyInstancesError> {
    check_platform(&server)?;
    Ok(Handler {
        service: server.into_service(),
        is_streaming: false,
    })
}

impl Handler {
    /// Sends notifications at once, for `lambda_http::run_with_streaming_response`. By default they are
    /// sent together with the result.
    #[must_use]
    pub const fn streaming(mut self) -> Self {
        self.is_streaming = true;
        self
    }
}

impl<B> Service<Request<B>> for Handler
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

    fn call(&mut self, mut request: Request<B>) -> Self::Future {
        if event::describe(&mut request, self.service.server(), self.is_streaming)
            && !self.is_streaming
        {
            request.extensions_mut().insert(Buffered);
        }
        self.service.call(request)
    }
}
