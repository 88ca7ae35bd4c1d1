//! The HTTP client for AWS SDKs beside that of the SDK: both must report the same outcome of an attempt, so that
//! the SDK retries the same ones.

use std::net::SocketAddr;
use std::sync::Arc;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::time::Duration;

use aws_config::SdkConfig;
use aws_sdk_dynamodb::Client;
use aws_sdk_dynamodb::config::retry::RetryConfig;
use aws_sdk_dynamodb::config::timeout::TimeoutConfig;
use aws_sdk_dynamodb::config::{Builder, SharedHttpClient};
use aws_sdk_dynamodb::error::{DisplayErrorContext, SdkError};
use aws_smithy_http_client::tls::Provider;
use aws_smithy_http_client::tls::rustls_provider::CryptoMode;
use lambda_mcp::aws::http_client;
use tokio::io::{AsyncReadExt as _, AsyncWriteExt as _};
use tokio::net::{TcpListener, TcpStream};

const OK: &str = "HTTP/1.1 200 OK\r\ncontent-length: 17\r\n\r\n{\"TableNames\":[]}";

/// What a server does with a connection.
#[derive(Debug, Clone, Copy)]
enum Peer {
    /// It answers each request with these bytes.
    Answers(&'static str),
    /// The same, and then closes the connection without announcing it.
    AnswersAndCloses(&'static str),
    /// It closes the connection before a request.
    Refuses,
    /// It resets the connection instead of an answer.
    Resets,
    /// It reads, and never answers.
    Hangs,
}

struct Server {
    address: SocketAddr,
    connections: Arc<AtomicUsize>,
}

impl Server {
    async fn start(peer: Peer) -> Self {
        let listener = TcpListener::bind("127.0.0.1:0").await.unwrap();
        let address = listener.local_addr().unwrap();
        let connections = Arc::new(AtomicUsize::new(0));
        let count = Arc::clone(&connections);
        tokio::spawn(async move {
            while let Ok((stream, _)) = listener.accept().await {
                count.fetch_add(1, Ordering::SeqCst);
                tokio::spawn(serve(stream, peer));
            }
        });
        Self {
            address,
            connections,
        }
    }

    fn connections(&self) -> usize {
        self.connections.load(Ordering::SeqCst)
    }
}

async fn serve(mut stream: TcpStream, peer: Peer) {
    let mut buffer = vec![0; 16 * 1024];
    if matches!(peer, Peer::Refuses) {
        return;
    }
    // Each request is small enough to arrive in one piece.
    while stream.read(&mut buffer).await.is_ok_and(|read| read > 0) {
        match peer {
            Peer::Answers(bytes) => stream.write_all(bytes.as_bytes()).await.unwrap(),
            Peer::AnswersAndCloses(bytes) => {
                stream.write_all(bytes.as_bytes()).await.unwrap();
                return;
            }
            Peer::Resets => {
                stream.set_zero_linger().unwrap();
                return;
            }
            Peer::Refuses | Peer::Hangs => {}
        }
    }
}

/// What a function would read from its environment, with the client of the library.
pub(crate) fn config(url: &str) -> SdkConfig {
    let config = harness::dynamodb::config(url).into_builder();
    config.http_client(http_client()).build()
}

fn clients() -> [(&'static str, SharedHttpClient); 2] {
    let ring = Provider::Rustls(CryptoMode::Ring);
    let sdk = aws_smithy_http_client::Builder::new().tls_provider(ring);
    [("sdk", sdk.build_https()), ("ours", http_client())]
}

fn client(http: &SharedHttpClient, url: &str, attempts: u32, limits: TimeoutConfig) -> Client {
    let retry = RetryConfig::standard()
        .with_max_attempts(attempts)
        .with_initial_backoff(Duration::from_millis(1));
    let config = Builder::from(&harness::dynamodb::config(url))
        .http_client(http.clone())
        .retry_config(retry)
        .timeout_config(limits)
        .build();
    Client::from_conf(config)
}

/// The outcome of a call, as the SDK sees it when it decides on another attempt.
async fn outcome(client: &Client) -> String {
    match client.list_tables().send().await {
        Ok(_) => "answered".to_owned(),
        Err(SdkError::ServiceError(answer)) => format!("status {}", answer.raw().status()),
        Err(SdkError::DispatchFailure(failure)) => {
            let kind = failure.as_connector_error().unwrap().as_other();
            let is = [
                (failure.is_timeout(), "timeout"),
                (failure.is_io(), "io"),
                (failure.is_user(), "user"),
                (failure.is_other(), "other"),
            ];
            let named: Vec<_> = is.iter().filter(|(is, _)| *is).map(|(_, n)| *n).collect();
            format!("{} {kind:?}", named.join(" "))
        }
        Err(error) => {
            let text = DisplayErrorContext(&error).to_string();
            text.split(':').next().unwrap().to_owned()
        }
    }
}

#[tokio::test]
async fn a_failed_attempt_is_classified_as_by_the_client_of_the_sdk() {
    let limits = TimeoutConfig::builder()
        .connect_timeout(Duration::from_millis(300))
        .read_timeout(Duration::from_millis(300))
        .build();
    let cut = "HTTP/1.1 200 OK\r\ncontent-length: 17\r\n\r\n{";
    let moved = "HTTP/1.1 302 Found\r\nlocation: /moved\r\ncontent-length: 0\r\n\r\n";
    let rows = [
        ("http", Peer::Answers(OK), "answered"),
        ("http", Peer::Answers(moved), "status 302"),
        ("http", Peer::Refuses, "io None"),
        ("http", Peer::Resets, "io None"),
        ("http", Peer::Hangs, "timeout None"),
        (
            "http",
            Peer::Answers("SSH-2.0-OpenSSH_9.2\r\n"),
            "other None",
        ),
        (
            "http",
            Peer::AnswersAndCloses(""),
            "other Some(TransientError)",
        ),
        (
            "http",
            Peer::AnswersAndCloses("HTTP/1.1 200"),
            "other Some(TransientError)",
        ),
        ("http", Peer::AnswersAndCloses(cut), "response error"),
        // The handshake of TLS is a part of connecting.
        ("https", Peer::Hangs, "timeout None"),
        ("https", Peer::Answers(OK), "io None"),
        ("https", Peer::Refuses, "io None"),
        ("https", Peer::Resets, "io None"),
        ("gopher", Peer::Answers(OK), "io None"),
    ];
    for (scheme, peer, expected) in rows {
        for (name, http) in clients() {
            let server = Server::start(peer).await;
            let url = format!("{scheme}://{}", server.address);
            let client = client(&http, &url, 1, limits.clone());
            let found = outcome(&client).await;
            assert_eq!(found, expected, "{name}: {scheme}, {peer:?}");
        }
    }
}

#[tokio::test]
async fn a_port_that_nobody_listens_on_is_an_error_of_io() {
    let free = TcpListener::bind("127.0.0.1:0").await.unwrap();
    let url = format!("http://{}", free.local_addr().unwrap());
    drop(free);
    for (name, http) in clients() {
        let client = client(&http, &url, 1, TimeoutConfig::disabled());
        assert_eq!(outcome(&client).await, "io None", "{name}");
    }
}

/// One connection serves request after request, and another client of the same settings. A connection that the
/// peer closed while it was idle is replaced without an error.
#[tokio::test]
async fn connections_are_reused_while_they_are_open() {
    let rows = [
        (Peer::Answers(OK), 1..=1),
        (Peer::AnswersAndCloses(OK), 6..=6),
    ];
    for (peer, connections) in rows {
        for (name, http) in clients() {
            let server = Server::start(peer).await;
            let url = format!("http://{}", server.address);
            for _ in 0..2 {
                let client = client(&http, &url, 1, TimeoutConfig::disabled());
                for _ in 0..3 {
                    assert_eq!(outcome(&client).await, "answered", "{name}: {peer:?}");
                }
            }
            let opened = server.connections();
            assert!(connections.contains(&opened), "{name}: {peer:?}: {opened}");
        }
    }
}

/// The SDK closes the connection of an attempt that failed for the moment.
#[tokio::test]
async fn another_attempt_uses_another_connection() {
    let busy = "HTTP/1.1 503 Service Unavailable\r\ncontent-length: 0\r\n\r\n";
    for (name, http) in clients() {
        let server = Server::start(Peer::Answers(busy)).await;
        let url = format!("http://{}", server.address);
        let client = client(&http, &url, 3, TimeoutConfig::disabled());
        assert_eq!(outcome(&client).await, "status 503", "{name}");
        assert_eq!(server.connections(), 3, "{name}");
    }
}
