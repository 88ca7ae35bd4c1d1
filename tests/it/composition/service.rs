//! `Server::into_service`: bodies that are large, slow, broken or never needed.

use std::collections::VecDeque;
use std::pin::Pin;
use std::sync::Arc;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::task::{Context, Poll};
use std::time::Duration;

use bytes::Bytes;
use http::{Method, Request, StatusCode};
use http_body_util::BodyExt as _;
use hyper::body::{Body, Frame};
use lambda_mcp::{McpService, Server, tool};
use serde_json::{Value, json};
use tower_service::Service as _;

/// A body that arrives in pieces, and then ends, breaks off or stalls.
struct Pieces {
    pieces: VecDeque<Bytes>,
    then: Then,
    /// How often a piece was asked for.
    asked: Arc<AtomicUsize>,
}

#[derive(Clone, Copy)]
enum Then {
    Ends,
    Breaks,
    Stalls,
}

#[derive(Debug)]
struct Broken;

impl Body for Pieces {
    type Data = Bytes;
    type Error = Broken;

    fn poll_frame(
        mut self: Pin<&mut Self>,
        _: &mut Context<'_>,
    ) -> Poll<Option<Result<Frame<Bytes>, Broken>>> {
        self.asked.fetch_add(1, Ordering::Relaxed);
        if let Some(piece) = self.pieces.pop_front() {
            return Poll::Ready(Some(Ok(Frame::data(piece))));
        }
        match self.then {
            Then::Ends => Poll::Ready(None),
            Then::Breaks => Poll::Ready(Some(Err(Broken))),
            Then::Stalls => Poll::Pending,
        }
    }
}

async fn hello() -> &'static str {
    "Hello."
}

fn service(max_body_bytes: usize) -> McpService {
    let server = Server::builder("greeter", "1.0.0")
        .max_body_bytes(max_body_bytes)
        .call_timeout(Duration::from_secs(5))
        .tool(tool("hello", hello));
    server.build().unwrap().into_service()
}

/// Sends a body in pieces of `size` bytes. Returns the status, the JSON of the response, and how often
/// the body was asked for a piece.
async fn send(
    service: &mut McpService,
    verb: Method,
    body: &str,
    size: usize,
    then: Then,
) -> (StatusCode, Value, usize) {
    let asked = Arc::new(AtomicUsize::new(0));
    let pieces = body.as_bytes().chunks(size).map(Bytes::copy_from_slice);
    let body = Pieces {
        pieces: pieces.collect(),
        then,
        asked: Arc::clone(&asked),
    };
    let request = Request::builder()
        .method(verb)
        .uri("/mcp")
        .header("Content-Type", "application/json")
        .body(body)
        .unwrap();
    let response = service.call(request).await.unwrap();
    let (parts, body) = response.into_parts();
    let body = body.collect().await.unwrap().to_bytes();
    let body = serde_json::from_slice(&body).unwrap_or(Value::Null);
    (parts.status, body, asked.load(Ordering::Relaxed))
}

fn call() -> String {
    let params = json!({"name": "hello"});
    json!({"jsonrpc": "2.0", "id": 1, "method": "tools/call", "params": params}).to_string()
}

#[tokio::test]
async fn a_body_may_arrive_in_any_pieces() {
    for size in [1, 7, 1000] {
        let mut service = service(call().len());
        let (status, body, _) = send(&mut service, Method::POST, &call(), size, Then::Ends).await;
        assert_eq!(status, 200);
        assert_eq!(body["result"]["content"][0]["text"], "Hello.", "{body}");
    }
}

#[tokio::test]
async fn a_body_is_not_read_beyond_the_limit() {
    let mut service = service(100);
    let large = "x".repeat(1_000_000);
    let (status, body, asked) = send(&mut service, Method::POST, &large, 10, Then::Stalls).await;
    assert_eq!(status, 413, "{body}");
    assert!(
        body["error"]["message"]
            .as_str()
            .unwrap()
            .contains("100 bytes"),
        "{body}"
    );
    assert_eq!(asked, 11);
    // One byte too much, in the last piece.
    let (status, ..) = send(&mut service, Method::POST, &large[..101], 50, Then::Ends).await;
    assert_eq!(status, 413);
}

#[tokio::test]
async fn a_body_that_is_not_needed_is_not_read() {
    let mut service = service(100);
    for (verb, expected) in [
        (Method::GET, 405),
        (Method::DELETE, 405),
        (Method::OPTIONS, 204),
    ] {
        let (status, _, asked) = send(&mut service, verb.clone(), "x", 1, Then::Stalls).await;
        assert_eq!((status.as_u16(), asked), (expected, 0), "{verb}");
    }
}

#[tokio::test(start_paused = true)]
async fn a_body_that_stalls_gets_408_within_the_call_timeout() {
    let mut service = service(1000);
    let started = tokio::time::Instant::now();
    let (status, body, _) = send(&mut service, Method::POST, &call(), 7, Then::Stalls).await;
    assert_eq!(status, 408, "{body}");
    // The clock of the test is paused: it shows the timeout itself.
    assert_eq!(started.elapsed().as_secs(), 5);
}

#[tokio::test]
async fn a_body_that_breaks_off_gets_400() {
    let mut service = service(1000);
    let (status, body, _) = send(&mut service, Method::POST, &call(), 7, Then::Breaks).await;
    assert_eq!(status, 400, "{body}");
    assert!(
        body["error"]["message"]
            .as_str()
            .unwrap()
            .contains("not complete"),
        "{body}"
    );
}
