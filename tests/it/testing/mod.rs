//! The test client of the library: what it sends, what it reads, and how it fails a test.

mod failures;
mod questions;
mod requests;
mod results;
mod tasks;

use std::sync::{Arc, Mutex};

use lambda_mcp::testing::TestClient;
use serde_json::Value;

/// Requests as they were sent: their headers and their message.
pub(crate) type Sent = Arc<Mutex<Vec<(http::HeaderMap, Value)>>>;

/// A client that keeps what it sends.
pub(crate) fn recorded(client: TestClient) -> (TestClient, Sent) {
    let sent = Sent::default();
    let record = Arc::clone(&sent);
    let client = client.inspect(move |request, _| {
        let message = serde_json::from_slice(request.body()).unwrap_or_default();
        let headers = request.headers().clone();
        record.lock().unwrap().push((headers, message));
    });
    (client, sent)
}

pub(crate) fn only(sent: &Sent) -> (http::HeaderMap, Value) {
    let mut sent = sent.lock().unwrap();
    assert_eq!(sent.len(), 1);
    sent.pop().unwrap()
}
