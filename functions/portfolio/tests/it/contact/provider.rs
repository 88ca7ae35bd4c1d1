//! A mail service on a loopback port: it answers by a script and keeps what it was sent.

use std::collections::VecDeque;
use std::convert::Infallible;
use std::net::SocketAddr;
use std::sync::{Arc, Mutex};
use std::time::Duration;

use bytes::Bytes;
use http::{HeaderMap, Method, Request, Response};
use http_body_util::combinators::BoxBody;
use http_body_util::{BodyExt as _, Full, StreamBody};
use hyper::body::{Frame, Incoming};
use hyper::service::service_fn;
use hyper_util::rt::TokioIo;
use serde_json::{Value, json};
use tokio::net::{TcpListener, TcpStream};
use tokio::task::JoinHandle;

use harness::background;

/// What the service does with one connection, which carries one request.
#[derive(Clone, Debug)]
pub(super) enum Step {
    /// Answers.
    Answer {
        status: u16,
        headers: Vec<(&'static str, &'static str)>,
        body: String,
    },
    /// Reads the request and says nothing.
    Hang,
    /// Sends a status and never the body.
    HangInBody(u16),
    /// Reads the request and resets the connection.
    Reset,
}

impl Step {
    /// The mail was taken.
    pub(super) fn taken() -> Self {
        Self::answer(200, json!({"id": "49a3999c-0ce1-4ea6-ab68-afcd6dc2e794"}))
    }

    /// An answer without headers of interest.
    pub(super) fn answer(status: u16, body: Value) -> Self {
        Self::Answer {
            status,
            headers: Vec::new(),
            body: body.to_string(),
        }
    }

    /// "Too many requests".
    pub(super) fn limited(retry_after: &'static str) -> Self {
        Self::Answer {
            status: 429,
            headers: vec![("Retry-After", retry_after)],
            body: json!({"statusCode": 429, "name": "rate_limit_exceeded", "message": "slower"})
                .to_string(),
        }
    }
}

/// A request as it came.
#[derive(Clone, Debug)]
pub(super) struct Received {
    pub(super) method: Method,
    pub(super) path: String,
    pub(super) headers: HeaderMap,
    pub(super) body: Value,
}

impl Received {
    /// The only value of a header.
    #[track_caller]
    pub(super) fn header(&self, name: &str) -> &str {
        let values: Vec<_> = self.headers.get_all(name).iter().collect();
        assert_eq!(values.len(), 1, "{name} in {self:#?}");
        values[0].to_str().unwrap()
    }
}

#[derive(Debug, Default)]
struct Seen {
    steps: Mutex<VecDeque<Step>>,
    requests: Mutex<Vec<Received>>,
    connections: Mutex<usize>,
}

/// The running service; it ends when dropped.
#[derive(Debug)]
pub(super) struct Provider {
    address: SocketAddr,
    seen: Arc<Seen>,
    accepting: JoinHandle<()>,
}

impl Provider {
    /// Serves the steps in their order, one a connection; then it takes every mail.
    pub(super) fn start(steps: impl IntoIterator<Item = Step>) -> Self {
        let seen = Arc::new(Seen {
            steps: Mutex::new(steps.into_iter().collect()),
            ..Seen::default()
        });
        let listener = std::net::TcpListener::bind("127.0.0.1:0").expect("a loopback port");
        listener.set_nonblocking(true).unwrap();
        let address = listener.local_addr().unwrap();
        let accepting = background().spawn(accept(listener, Arc::clone(&seen)));
        Self {
            address,
            seen,
            accepting,
        }
    }

    pub(super) fn url(&self) -> String {
        format!("http://{}", self.address)
    }

    /// All requests that have come.
    pub(super) fn received(&self) -> Vec<Received> {
        self.seen.requests.lock().unwrap().clone()
    }

    /// The number of connections that were made.
    pub(super) fn connections(&self) -> usize {
        *self.seen.connections.lock().unwrap()
    }
}

impl Drop for Provider {
    fn drop(&mut self) {
        self.accepting.abort();
    }
}

/// The URL of a port where nobody listens.
pub(super) fn nobody() -> String {
    let listener = std::net::TcpListener::bind("127.0.0.1:0").expect("a loopback port");
    format!("http://{}", listener.local_addr().unwrap())
}

async fn accept(listener: std::net::TcpListener, seen: Arc<Seen>) {
    let listener = TcpListener::from_std(listener).expect("a listener");
    while let Ok((stream, _)) = listener.accept().await {
        *seen.connections.lock().unwrap() += 1;
        let step = seen.steps.lock().unwrap().pop_front();
        let step = step.unwrap_or_else(Step::taken);
        tokio::spawn(serve(stream, step, Arc::clone(&seen)));
    }
}

async fn serve(stream: TcpStream, step: Step, seen: Arc<Seen>) {
    if matches!(step, Step::Reset) {
        // Closing then sends a reset instead of an orderly end.
        stream.set_zero_linger().unwrap();
    }
    let service = service_fn(move |request: Request<Incoming>| {
        let (step, seen) = (step.clone(), Arc::clone(&seen));
        async move {
            let (parts, body) = request.into_parts();
            let body = body.collect().await.unwrap().to_bytes();
            seen.requests.lock().unwrap().push(Received {
                method: parts.method,
                path: parts.uri.path().to_owned(),
                headers: parts.headers,
                body: serde_json::from_slice(&body).unwrap_or_default(),
            });
            answer(step).await
        }
    });
    let _ = hyper::server::conn::http1::Builder::new()
        .keep_alive(false)
        .serve_connection(TokioIo::new(stream), service)
        .await;
}

type Body = BoxBody<Bytes, Infallible>;

async fn answer(step: Step) -> Result<Response<Body>, &'static str> {
    let (status, headers, body) = match step {
        Step::Answer {
            status,
            headers,
            body,
        } => (status, headers, Full::from(body).boxed()),
        Step::HangInBody(status) => {
            let never = futures_util::stream::pending::<Result<Frame<Bytes>, Infallible>>();
            (status, Vec::new(), StreamBody::new(never).boxed())
        }
        Step::Hang => {
            tokio::time::sleep(Duration::from_secs(60)).await;
            return Err("nobody waited so long");
        }
        Step::Reset => return Err("reset"),
    };
    let mut response = Response::builder().status(status);
    for (name, value) in headers {
        response = response.header(name, value);
    }
    Ok(response.body(body).unwrap())
}
