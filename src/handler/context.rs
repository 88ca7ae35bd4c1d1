//! [`Context`]: the request that a handler serves, and messages to its client meanwhile.

use std::fmt;
use std::net::IpAddr;
use std::sync::{Arc, Mutex, PoisonError};
use std::time::{Duration, Instant};

use http::request::Parts;
use http::{Extensions, HeaderMap};
use serde_json::Value;

use crate::auth::Principal;
use crate::era::client::{Client, ClientInfo};
use crate::handler::asks::{Asked, Asks};
use crate::handler::cancellation::Cancellation;
use crate::handler::invocation::Invocation;
use crate::handler::notify::Notifier;
use crate::request_headers::AllHeaders;
use crate::wire::capabilities::ClientCapabilities;
use crate::wire::logging::LoggingLevel;
use crate::wire::version::ProtocolVersion;

/// The request that a handler serves: a handler parameter.
///
/// It tells who calls and how, and sends [`progress`](Self::progress) and [`log`](Self::log) messages
/// to the client while the handler runs. To ask the client for input, take
/// [`AskingContext`](crate::AskingContext) instead. A clone is cheap and refers to the same request.
///
/// # Examples
///
/// ```
/// use lambda_mcp::{Context, Server, tool};
///
/// async fn hello(context: Context) -> String {
///     let client = context.client_info().map_or("stranger", |client| &client.name);
///     format!("Hello, {client}. You speak {}.", context.protocol_version())
/// }
///
/// assert!(Server::builder("greeter", "1.0.0").tool(tool("hello", hello)).build().is_ok());
/// ```
#[derive(Debug, Clone)]
pub struct Context(Arc<ContextParts>);

/// What a context is made of.
pub(crate) struct ContextParts {
    pub(crate) version: ProtocolVersion,
    pub(crate) client: Client,
    pub(crate) principal: Option<Principal>,
    /// The HTTP request, which all messages of a batch share.
    pub(crate) request: Arc<Parts>,
    pub(crate) deadline: Instant,
    pub(crate) notifier: Notifier,
    pub(crate) asks: Mutex<Asks>,
    pub(crate) cancellation: Cancellation,
}

impl fmt::Debug for ContextParts {
    /// Leaves out the HTTP request: its headers may carry a credential.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("ContextParts")
            .field("version", &self.version)
            .field("client", &self.client)
            .field("principal", &self.principal)
            .field("deadline", &self.deadline)
            .finish_non_exhaustive()
    }
}

impl Context {
    pub(crate) fn new(parts: ContextParts) -> Self {
        Self(Arc::new(parts))
    }

    /// Returns the protocol version of the request.
    #[must_use]
    pub fn protocol_version(&self) -> ProtocolVersion {
        self.0.version
    }

    /// Returns the client's name and version, if it sent them. They prove nothing: do not base access
    /// on them.
    #[must_use]
    pub fn client_info(&self) -> Option<&ClientInfo> {
        self.0.client.info.as_ref()
    }

    /// Returns the capabilities that the client declared with this request, or when it opened the
    /// connection. Over HTTP, requests before revision 2026-07-28 declare none.
    #[must_use]
    pub fn client_capabilities(&self) -> &ClientCapabilities {
        &self.0.client.capabilities
    }

    /// Returns the caller, if its credential was checked: what was called requires a credential or
    /// [identifies its caller](crate::server::Tool::identifies_caller), or the server is
    /// [closed](crate::auth::Auth::required). `None` otherwise, and for a caller that is not known.
    ///
    /// # Examples
    ///
    /// ```
    /// use lambda_mcp::auth::{ApiKeys, Auth};
    /// use lambda_mcp::{Context, Server, tool};
    ///
    /// async fn my_orders(context: Context) -> String {
    ///     // The tool requires a scope, so the caller is known.
    ///     let name = context.principal().map_or("nobody", |principal| principal.subject());
    ///     format!("{name} has no orders.")
    /// }
    ///
    /// # fn main() -> Result<(), Box<dyn std::error::Error>> {
    /// let keys = format!("ada {} orders:read", ApiKeys::digest("a key of at least 20 characters"));
    /// let server = Server::builder("orders", "1.0.0")
    ///     .auth(Auth::new().verifier(keys.parse::<ApiKeys>()?))
    ///     .tool(tool("my_orders", my_orders).requires_scope("orders:read"))
    ///     .build()?;
    /// # Ok(())
    /// # }
    /// ```
    #[must_use]
    pub fn principal(&self) -> Option<&Principal> {
        self.0.principal.as_ref()
    }

    /// Returns the headers of the HTTP request.
    ///
    /// Clients choose them, except those that your gateway sets: do not base access on them. A value
    /// of `Authorization` is for this server only and must not be sent to another. Specification:
    /// *Authorization, Access Token Privilege Restriction*.
    ///
    /// # Examples
    ///
    /// ```
    /// use lambda_mcp::testing::TestClient;
    /// use lambda_mcp::{Context, Server, tool};
    /// use serde_json::json;
    ///
    /// async fn greet(context: Context) -> &'static str {
    ///     let language = context.headers().get("accept-language");
    ///     match language.and_then(|value| value.to_str().ok()) {
    ///         Some(text) if text.starts_with("de") => "Guten Tag.",
    ///         _ => "Good day.",
    ///     }
    /// }
    ///
    /// # #[tokio::main(flavor = "current_thread")]
    /// # async fn main() -> Result<(), Box<dyn std::error::Error>> {
    /// let server = Server::builder("greeter", "1.0.0").tool(tool("greet", greet)).build()?;
    /// let client = TestClient::new(server).header("Accept-Language", "de-AT");
    /// assert_eq!(client.call("greet", json!({})).await.text(), "Guten Tag.");
    /// # Ok(())
    /// # }
    /// ```
    #[must_use]
    pub fn headers(&self) -> &HeaderMap {
        let all = self.invocation().all_headers.as_ref();
        all.map_or(&self.0.request.headers, AllHeaders::get)
    }

    /// Returns the extensions of the `http::Request`: what a front, such as a tower layer, put there
    /// for the handlers.
    ///
    /// # Examples
    ///
    /// ```
    /// use lambda_mcp::testing::TestClient;
    /// use lambda_mcp::{Context, Server, tool};
    /// use serde_json::json;
    ///
    /// /// Inserted by the code in front of the server.
    /// #[derive(Clone)]
    /// struct Region(&'static str);
    ///
    /// async fn region(context: Context) -> String {
    ///     context.extensions().get().map_or("unknown".to_owned(), |Region(name)| (*name).to_owned())
    /// }
    ///
    /// # #[tokio::main(flavor = "current_thread")]
    /// # async fn main() -> Result<(), Box<dyn std::error::Error>> {
    /// let server = Server::builder("regions", "1.0.0").tool(tool("region", region)).build()?;
    /// let client = TestClient::new(server).extension(Region("eu-central-1"));
    /// assert_eq!(client.call("region", json!({})).await.text(), "eu-central-1");
    /// # Ok(())
    /// # }
    /// ```
    #[must_use]
    pub fn extensions(&self) -> &Extensions {
        &self.0.request.extensions
    }

    /// Returns what the platform knows of the request: its id, deadline, source address, stage, and
    /// what the authorizer of the gateway found out about the caller.
    ///
    /// [`Authorizer`](crate::server::Authorizer) has an example.
    #[must_use]
    pub fn invocation(&self) -> &Invocation {
        Invocation::of(self.extensions())
    }

    /// Returns the platform's id of the request, as in the log. On Lambda it is the AWS request id.
    #[must_use]
    pub fn request_id(&self) -> Option<&str> {
        self.invocation().request_id.as_deref()
    }

    /// Returns the client's address as the platform reports it. `X-Forwarded-For` is never read.
    #[must_use]
    pub fn source_ip(&self) -> Option<IpAddr> {
        self.invocation().source_ip
    }

    /// Returns the time left until the call is stopped: the rest of the [call timeout], or of the
    /// function's timeout if that is shorter. Zero if it has passed.
    ///
    /// [call timeout]: crate::server::ServerBuilder::call_timeout
    #[must_use]
    pub fn time_left(&self) -> Duration {
        self.0.deadline.saturating_duration_since(Instant::now())
    }

    /// Sends a progress notification: `progress` of `total`, in a unit of your choice, and a message
    /// for the user.
    ///
    /// `progress` must increase with each call; others are dropped, as are values that are not finite.
    /// Nothing is sent unless the client sent a progress token and accepts an event stream. Messages
    /// arrive at once with streaming responses and on connections, otherwise together with the result.
    ///
    /// Specification: *Progress*.
    ///
    /// # Examples
    ///
    /// ```
    /// use lambda_mcp::{Context, Server, tool};
    ///
    /// async fn import(context: Context) -> &'static str {
    ///     for row in 1..=3 {
    ///         // ... import the row ...
    ///         context.progress(f64::from(row), Some(3.0), Some("Importing rows"));
    ///     }
    ///     "Three rows are imported."
    /// }
    ///
    /// assert!(Server::builder("rows", "1.0.0").tool(tool("import", import)).build().is_ok());
    /// ```
    pub fn progress(&self, progress: f64, total: Option<f64>, message: Option<&str>) {
        if let Some(token) = &self.0.client.progress_token {
            let message = message.filter(|_| self.0.version.has_progress_messages());
            self.0.notifier.progress(token, progress, total, message);
        }
    }

    /// Sends a log message to the client; `logger` names the part of the server that writes it.
    ///
    /// Nothing is sent unless the server declares [`log_notifications`] and the client asked for
    /// messages of this level. Clients show log messages to users: never put secrets, personal data or
    /// internals into them.
    ///
    /// **Deprecated in revision 2026-07-28**: write to your own log with `tracing` instead. Clients
    /// keep support until at least 2027-07-28. Specification: *Logging*.
    ///
    /// [`log_notifications`]: crate::server::ServerBuilder::log_notifications
    ///
    /// # Examples
    ///
    /// ```
    /// use lambda_mcp::protocol::LoggingLevel;
    /// use lambda_mcp::{Context, Server, tool};
    /// use serde_json::json;
    ///
    /// async fn import(context: Context) -> &'static str {
    ///     context.log(LoggingLevel::Warning, Some("import"), &json!({ "skipped": 2 }));
    ///     "All rows but two are imported."
    /// }
    ///
    /// let server = Server::builder("rows", "1.0.0")
    ///     .log_notifications()
    ///     .tool(tool("import", import))
    ///     .build();
    /// assert!(server.is_ok());
    /// ```
    pub fn log(&self, level: LoggingLevel, logger: Option<&str>, data: &Value) {
        if self.0.client.log_level.is_some_and(|least| level >= least) {
            self.0.notifier.log(level, logger, data);
        }
    }

    /// Whether the call was cancelled.
    pub(crate) fn cancellation(&self) -> &Cancellation {
        &self.0.cancellation
    }

    /// Gives access to the questions and answers of the request.
    pub(crate) fn with_asks<T>(&self, use_asks: impl FnOnce(&mut Asks) -> T) -> T {
        // A panic while the lock is held leaves the questions consistent.
        use_asks(&mut self.0.asks.lock().unwrap_or_else(PoisonError::into_inner))
    }

    /// Takes what is left to ask.
    pub(crate) fn take_asked(&self) -> Asked {
        self.with_asks(Asks::take)
    }
}
