//! [`serve_local`]: a plain HTTP server on the developer's machine.

use std::convert::Infallible;
use std::net::{IpAddr, Ipv4Addr, SocketAddr};
use std::pin::pin;
use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};
use std::time::Duration;

use http::{Request, Response};
use hyper::body::Incoming;
use hyper::server::conn::http1;
use hyper::service::service_fn;
use hyper_util::rt::{TokioIo, TokioTimer};
use tokio::net::{TcpListener, TcpStream};
use tokio::task::JoinSet;
use tower_service::Service as _;

use crate::handler::Invocation;
use crate::lambda::{Error, LogLevel};
use crate::pipeline::{McpService, Server};
use crate::reply::ReplyBody;

/// How long a connection may take to send the headers of a request.
const HEADERS_TIMEOUT: Duration = Duration::from_secs(10);
/// The pause after a connection could not be accepted, as when the process has too many files open.
const ACCEPT_PAUSE: Duration = Duration::from_millis(100);

/// Where [`serve_local`] listens: a port of this machine only, or a socket address.
///
/// # Examples
///
/// ```
/// use std::net::SocketAddr;
///
/// use lambda_mcp::ListenOn;
///
/// assert_eq!(ListenOn::from(9000).address().to_string(), "127.0.0.1:9000");
///
/// // Reachable from other machines.
/// let everywhere = SocketAddr::from(([0, 0, 0, 0], 9000));
/// assert_eq!(ListenOn::from(everywhere).address(), everywhere);
/// ```
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct ListenOn(SocketAddr);

impl ListenOn {
    /// Returns the socket address.
    #[must_use]
    pub const fn address(self) -> SocketAddr {
        self.0
    }
}

impl From<u16> for ListenOn {
    /// A port of `127.0.0.1`. 0 chooses a free one.
    fn from(port: u16) -> Self {
        Self(SocketAddr::new(IpAddr::V4(Ipv4Addr::LOCALHOST), port))
    }
}

impl From<SocketAddr> for ListenOn {
    fn from(address: SocketAddr) -> Self {
        Self(address)
    }
}

/// Serves HTTP/1.1 on this machine until Ctrl-C, for development without an emulator of Lambda.
///
/// Listens on `127.0.0.1` if it gets a port, or on the socket address that it gets. The log goes to the
/// standard output as JSON lines, as that of [`run`](crate::run); the first one, `serving`, has the URL.
/// Notifications are sent at once, and a client that closes the connection cancels its call.
///
/// Pages of other web origins cannot call the server, unless [`ServerBuilder::origins`] allows them.
///
/// [`ServerBuilder::origins`]: crate::server::ServerBuilder::origins
///
/// # Errors
///
/// [`Error::Local`] if the address cannot be used, and [`Error::LocalOnLambda`] on Lambda.
///
/// # Examples
///
/// One program for both: with a port as its argument it serves locally, without one on Lambda.
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
///     match std::env::args().nth(1).and_then(|port| port.parse::<u16>().ok()) {
///         Some(port) => lambda_mcp::serve_local(server, port).await,
///         None => lambda_mcp::run(server).await,
///     }
/// }
/// ```
pub async fn serve_local(server: Server, listen_on: impl Into<ListenOn>) -> Result<(), Error> {
    // Lambda and its emulators set it. A function that only listens would never answer an event.
    if std::env::var_os("AWS_LAMBDA_RUNTIME_API").is_some() {
        return Err(Error::LocalOnLambda);
    }
    LogLevel::default().init();
    let ListenOn(address) = listen_on.into();
    let listener = TcpListener::bind(address).await.map_err(Error::Local)?;
    let address = listener.local_addr().map_err(Error::Local)?;
    let endpoint = &server.registry().settings.gate.endpoint;
    tracing::info!(url = format!("http://{address}{endpoint}"), "serving");
    let service = server.into_service();
    let requests = Arc::new(AtomicU64::new(1));
    // Dropping it ends the connections.
    let mut connections = JoinSet::new();
    // One future for the whole loop: an interrupt between two of them would be lost.
    let mut interrupted = pin!(tokio::signal::ctrl_c());
    loop {
        tokio::select! {
            ended = &mut interrupted => return ended.map_err(Error::Local),
            accepted = listener.accept() => match accepted {
                Ok((stream, client)) => {
                    let service = service.clone();
                    let requests = Arc::clone(&requests);
                    connections.spawn(connection(stream, client.ip(), service, requests));
                }
                Err(error) => {
                    tracing::warn!(%error, "a connection was not accepted");
                    tokio::time::sleep(ACCEPT_PAUSE).await;
                }
            },
            Some(_ended) = connections.join_next() => {}
        }
    }
}

/// Serves the requests of a connection.
async fn connection(
    stream: TcpStream,
    client: IpAddr,
    service: McpService,
    requests: Arc<AtomicU64>,
) {
    let respond = service_fn(move |mut request: Request<Incoming>| {
        let number = requests.fetch_add(1, Ordering::Relaxed);
        let invocation = Invocation {
            request_id: Some(format!("local-{number}").into()),
            source_ip: Some(client),
            ..Invocation::default()
        };
        request.extensions_mut().insert(invocation);
        let mut service = service.clone();
        async move { service.call(request).await as Result<Response<ReplyBody>, Infallible> }
    });
    let served = http1::Builder::new()
        .timer(TokioTimer::new())
        .header_read_timeout(HEADERS_TIMEOUT)
        .serve_connection(TokioIo::new(stream), respond)
        .await;
    if let Err(error) = served {
        tracing::debug!(%error, "a connection ended early");
    }
}
