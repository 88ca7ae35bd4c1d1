//! [`Server`]: the stages of a request in their order.
//!
//! ```text
//! request ─▶ gate ─▶ era ─▶ auth ─▶ methods ─▶ limit ─▶ tool
//!                                                        │
//! response ◀──────────────── reply ◀─────────────────────┘
//! ```

mod build;
mod confidential;
#[cfg(feature = "stdio")]
mod line;
mod messages;
mod respond;
mod run_task;
mod service;
mod span;

use std::sync::Arc;

use bytes::Bytes;
#[cfg(feature = "lambda")]
use http::HeaderMap;
use http::{Request, Response};

#[cfg(feature = "stdio")]
pub(crate) use self::line::Origin;
#[cfg(feature = "lambda_http")]
pub(crate) use self::service::Buffered;
pub use self::service::McpService;
use crate::future::BoxFuture;
#[cfg(feature = "lambda")]
use crate::gate::{self, cors};
use crate::methods::Prepared;
use crate::reply::ReplyBody;
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
    /// deadline and the client's address, as an [`Invocation`](crate::server::Invocation) in the
    /// request's extensions. A request that is refused or fails gets a response as well.
    ///
    /// Notifications of a handler are collected and sent before its result, as an event stream. Use
    /// [`handle_streaming`](Self::handle_streaming) to send them at once.
    ///
    /// [`Invocation`]: crate::server::Invocation
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
        self.responding_boxed(request).await
    }

    /// The work of [`handle`](Self::handle), boxed: it is compiled once, and not in each crate that awaits it.
    fn responding_boxed(&self, request: Request<Bytes>) -> BoxFuture<'static, Response<ReplyBody>> {
        Box::pin(self.clone().responding(request))
    }

    /// The work of [`handle`](Self::handle) as a small future: the request passes the gate before it is
    /// made.
    pub(crate) fn responding(
        self,
        request: Request<Bytes>,
    ) -> impl Future<Output = Response<ReplyBody>> + Send + 'static {
        let (parts, body) = confidential::shared(request);
        let admission = self.admit(&parts, body.len());
        async move { self.respond(&parts, &body, admission).await }
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
        self.respond_streaming(parts, body, admission).await
    }

    /// The response to an event that is not an HTTP request.
    #[cfg(feature = "lambda")]
    pub(crate) fn refuse(&self, reason: &str) -> Response<ReplyBody> {
        let origins = &self.0.registry.settings.gate.origins;
        gate::refuse(http::StatusCode::BAD_REQUEST, reason)
            .into_response(cors::headers(origins, &HeaderMap::new()))
    }
}
