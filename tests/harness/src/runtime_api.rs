//! The Lambda Runtime API, as small as a function under test needs it.
//!
//! `GET /2018-06-01/runtime/invocation/next` hands out queued events; `…/{id}/response`, `…/{id}/error`
//! and `…/init/error` give their outcome back. A response may be buffered or streamed (a metadata
//! prelude, eight NUL bytes, then the body).

use std::collections::HashMap;
use std::convert::Infallible;
use std::net::SocketAddr;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::{Arc, Mutex};
use std::time::{Duration, Instant, SystemTime, UNIX_EPOCH};

use bytes::Bytes;
use http::{HeaderMap, Method, Request, Response, StatusCode};
use http_body_util::{BodyExt as _, Full};
use hyper::body::Incoming;
use hyper::service::service_fn;
use hyper_util::rt::TokioIo;
use tokio::net::TcpListener;
use tokio::sync::{mpsc, oneshot, watch};
use tokio::task::JoinHandle;

use super::background;

const PREFIX: &str = "/2018-06-01/runtime/";

/// What the function gave back for one event.
#[derive(Debug)]
pub enum Answer {
    /// `…/response`, read to its end, with the moment each piece of it came.
    Response {
        /// The headers of the response to the Runtime API.
        headers: HeaderMap,
        /// The whole body.
        body: Bytes,
        /// When each piece of the body came.
        arrivals: Vec<Instant>,
    },
    /// `…/response` whose body broke off.
    BrokenResponse(String),
    /// `…/error`: Lambda calls this a function error.
    Error(String),
}

#[derive(Debug)]
struct Invocation {
    id: String,
    event: Bytes,
    timeout: Duration,
}

#[derive(Debug)]
struct Shared {
    next: tokio::sync::Mutex<mpsc::UnboundedReceiver<Invocation>>,
    pending: Mutex<HashMap<String, oneshot::Sender<Answer>>>,
    init_error: watch::Sender<Option<String>>,
    waiting: watch::Sender<usize>,
}

/// A Runtime API on a loopback port; it ends when dropped.
#[derive(Debug)]
pub struct RuntimeApi {
    address: SocketAddr,
    queue: mpsc::UnboundedSender<Invocation>,
    shared: Arc<Shared>,
    counter: AtomicUsize,
    accepting: JoinHandle<()>,
}

impl RuntimeApi {
    /// Binds a free port and serves.
    pub fn start() -> Self {
        let (queue, next) = mpsc::unbounded_channel();
        let shared = Arc::new(Shared {
            next: tokio::sync::Mutex::new(next),
            pending: Mutex::default(),
            init_error: watch::channel(None).0,
            waiting: watch::channel(0).0,
        });
        let listener = std::net::TcpListener::bind("127.0.0.1:0").expect("a loopback port");
        listener.set_nonblocking(true).unwrap();
        let address = listener.local_addr().unwrap();
        let accepting = background().spawn(accept(listener, Arc::clone(&shared)));
        Self {
            address,
            queue,
            shared,
            counter: AtomicUsize::new(0),
            accepting,
        }
    }

    /// The address to give as `AWS_LAMBDA_RUNTIME_API`.
    pub fn address(&self) -> SocketAddr {
        self.address
    }

    /// Queues one event; the receiver gets what the function says to it.
    pub fn invoke(&self, event: Bytes, timeout: Duration) -> oneshot::Receiver<Answer> {
        let count = self.counter.fetch_add(1, Ordering::Relaxed);
        let id = format!("8476a536-e9f4-11e8-9739-{count:012x}");
        let (answer, answered) = oneshot::channel();
        self.shared
            .pending
            .lock()
            .unwrap()
            .insert(id.clone(), answer);
        self.queue
            .send(Invocation { id, event, timeout })
            .expect("the API is up");
        answered
    }

    /// Becomes something when a function reports that it cannot start.
    pub fn init_error(&self) -> watch::Receiver<Option<String>> {
        self.shared.init_error.subscribe()
    }

    /// The number of functions that are waiting for an event now.
    pub fn waiting(&self) -> watch::Receiver<usize> {
        self.shared.waiting.subscribe()
    }
}

impl Drop for RuntimeApi {
    fn drop(&mut self) {
        self.accepting.abort();
    }
}

async fn accept(listener: std::net::TcpListener, shared: Arc<Shared>) {
    let listener = TcpListener::from_std(listener).expect("a listener");
    while let Ok((stream, _)) = listener.accept().await {
        let shared = Arc::clone(&shared);
        let service = service_fn(move |request| {
            let shared = Arc::clone(&shared);
            async move { Ok::<_, Infallible>(shared.route(request).await) }
        });
        let connection = hyper::server::conn::http1::Builder::new()
            .serve_connection(TokioIo::new(stream), service);
        tokio::spawn(connection);
    }
}

impl Shared {
    async fn route(&self, request: Request<Incoming>) -> Response<Full<Bytes>> {
        let path = request.uri().path().to_owned();
        let Some(path) = path.strip_prefix(PREFIX) else {
            return empty(StatusCode::NOT_FOUND);
        };
        match (
            request.method(),
            path.split('/').collect::<Vec<_>>().as_slice(),
        ) {
            (&Method::GET, ["invocation", "next"]) => self.next().await,
            (&Method::POST, ["invocation", id, "response"]) => {
                let (parts, body) = request.into_parts();
                let answer = match pieces(body).await {
                    Ok((body, arrivals)) => Answer::Response {
                        headers: parts.headers,
                        body,
                        arrivals,
                    },
                    Err(error) => Answer::BrokenResponse(error.to_string()),
                };
                self.settle(id, answer)
            }
            (&Method::POST, ["invocation", id, "error"]) => {
                let words = text(request).await;
                self.settle(id, Answer::Error(words))
            }
            (&Method::POST, ["init", "error"]) => {
                let words = text(request).await;
                self.init_error.send_replace(Some(words));
                empty(StatusCode::ACCEPTED)
            }
            _ => empty(StatusCode::NOT_FOUND),
        }
    }

    async fn next(&self) -> Response<Full<Bytes>> {
        let _waiting = Waiting::new(&self.waiting);
        let invocation = self.next.lock().await.recv().await;
        let Some(Invocation { id, event, timeout }) = invocation else {
            return empty(StatusCode::GONE);
        };
        let deadline = SystemTime::now().duration_since(UNIX_EPOCH).unwrap() + timeout;
        Response::builder()
            .header("content-type", "application/json")
            .header("lambda-runtime-aws-request-id", id)
            .header(
                "lambda-runtime-deadline-ms",
                deadline.as_millis().to_string(),
            )
            .header(
                "lambda-runtime-invoked-function-arn",
                "arn:aws:lambda:eu-central-1:123456789012:function:under-test",
            )
            .header(
                "lambda-runtime-trace-id",
                "Root=1-5bef4de7-ad49b0e87f6ef6c87fc2e700;Sampled=0",
            )
            .body(Full::new(event))
            .unwrap()
    }

    fn settle(&self, id: &str, answer: Answer) -> Response<Full<Bytes>> {
        let Some(waiting) = self.pending.lock().unwrap().remove(id) else {
            return empty(StatusCode::BAD_REQUEST);
        };
        // The test may have given up already.
        let _ = waiting.send(answer);
        empty(StatusCode::ACCEPTED)
    }
}

/// Counts a function as waiting while it lives, however the wait ends.
struct Waiting<'a>(&'a watch::Sender<usize>);

impl<'a> Waiting<'a> {
    fn new(count: &'a watch::Sender<usize>) -> Self {
        count.send_modify(|count| *count += 1);
        Self(count)
    }
}

impl Drop for Waiting<'_> {
    fn drop(&mut self) {
        self.0.send_modify(|count| *count -= 1);
    }
}

fn empty(status: StatusCode) -> Response<Full<Bytes>> {
    let mut response = Response::new(Full::default());
    *response.status_mut() = status;
    response
}

/// A body to its end, and when each piece came.
async fn pieces(mut body: Incoming) -> Result<(Bytes, Vec<Instant>), hyper::Error> {
    let (mut whole, mut arrivals) = (Vec::new(), Vec::new());
    while let Some(frame) = body.frame().await {
        if let Ok(piece) = frame?.into_data() {
            arrivals.push(Instant::now());
            whole.extend_from_slice(&piece);
        }
    }
    Ok((whole.into(), arrivals))
}

async fn text(request: Request<Incoming>) -> String {
    match request.into_body().collect().await {
        Ok(body) => String::from_utf8_lossy(&body.to_bytes()).into_owned(),
        Err(error) => format!("(the body broke off: {error})"),
    }
}
