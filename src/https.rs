//! The HTTPS client of the library: HTTP/1.1, with `rustls`, `ring` and the system's root certificates.
//!
//! Every use has the same type, so a program contains its code once.

use std::error::Error;
use std::fmt;
use std::io;
use std::sync::{Arc, OnceLock};
use std::task::{Context, Poll};
use std::time::Duration;

use bytes::Bytes;
use http::Uri;
use http_body_util::Full;
use hyper_rustls::{ConfigBuilderExt as _, HttpsConnector, MaybeHttpsStream};
use hyper_util::client::legacy::connect::HttpConnector;
use hyper_util::client::legacy::{Builder, Client};
use hyper_util::rt::{TokioExecutor, TokioIo, TokioTimer};
use rustls::{ClientConfig, ConfigBuilder, WantsVerifier};
use tokio::net::TcpStream;
use tower_service::Service;

use crate::future::BoxFuture;

/// Any error of a request.
pub(crate) type BoxError = Box<dyn Error + Send + Sync>;

/// A client with a pool of connections.
pub(crate) type HttpsClient = Client<Connector, Full<Bytes>>;

/// Returns the settings of a client. They close idle connections after 90 seconds.
pub(crate) fn builder() -> Builder {
    let mut builder = Client::builder(TokioExecutor::new());
    builder.pool_timer(TokioTimer::new());
    builder
}

/// Returns the settings of TLS. The first call reads the root certificates, which takes milliseconds.
///
/// # Errors
///
/// The system has no root certificates, or they cannot be read.
pub(crate) fn tls() -> io::Result<Arc<ClientConfig>> {
    static TLS: OnceLock<Arc<ClientConfig>> = OnceLock::new();
    if let Some(config) = TLS.get() {
        return Ok(Arc::clone(config));
    }
    let config = versions()?.with_native_roots()?.with_no_client_auth();
    Ok(Arc::clone(TLS.get_or_init(|| Arc::new(config))))
}

/// Returns settings of TLS that the certificates are to be added to.
pub(crate) fn versions() -> io::Result<ConfigBuilder<ClientConfig, WantsVerifier>> {
    let provider = Arc::new(rustls::crypto::ring::default_provider());
    ClientConfig::builder_with_provider(provider)
        .with_safe_default_protocol_versions()
        .map_err(io::Error::other)
}

/// Opens connections: with TLS for the scheme `https`, and without for `http`.
#[derive(Clone)]
pub(crate) struct Connector {
    inner: HttpsConnector<HttpConnector>,
    timeout: Option<Duration>,
}

impl Connector {
    /// Makes a connector. `timeout` is that of TCP and TLS together.
    pub(crate) fn new(tls: Arc<ClientConfig>, timeout: Option<Duration>) -> Self {
        let mut tcp = HttpConnector::new();
        // A request in several small writes must not wait for acknowledgements.
        tcp.set_nodelay(true);
        // Other schemes than `http` are for TLS.
        tcp.enforce_http(false);
        Self {
            inner: HttpsConnector::from((tcp, tls)),
            timeout,
        }
    }
}

impl Service<Uri> for Connector {
    type Response = MaybeHttpsStream<TokioIo<TcpStream>>;
    type Error = BoxError;
    type Future = BoxFuture<'static, Result<Self::Response, BoxError>>;

    fn poll_ready(&mut self, context: &mut Context<'_>) -> Poll<Result<(), BoxError>> {
        self.inner.poll_ready(context)
    }

    fn call(&mut self, uri: Uri) -> Self::Future {
        let connection = self.inner.call(uri);
        let Some(limit) = self.timeout else {
            return connection;
        };
        Box::pin(async move {
            let result = tokio::time::timeout(limit, connection).await;
            result.unwrap_or_else(|_| Err(TimedOut::new("HTTP connect", limit).into()))
        })
    }
}

/// A timeout of this client, as the AWS SDK words it.
#[derive(Debug)]
pub(crate) struct TimedOut {
    what: &'static str,
    limit: Duration,
}

impl TimedOut {
    pub(crate) const fn new(what: &'static str, limit: Duration) -> Self {
        Self { what, limit }
    }
}

impl fmt::Display for TimedOut {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{} timeout occurred after {:?}", self.what, self.limit)
    }
}

impl Error for TimedOut {}
