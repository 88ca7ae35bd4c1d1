//! What a client sees of a limit: the refusal of each era, the status of a batch, and a store that is down.

use std::sync::atomic::Ordering;

use harness::Version;
use harness::messages;
use lambda_mcp::protocol::ProtocolVersion;
use serde_json::{Value, json};

use super::{ADDRESS, LEGACY, MODERN, RULES, call_as, client_at, server};
use crate::fixtures::assert_refused;

#[tokio::test]
async fn a_refusal_has_the_form_of_its_era() {
    let (server, _) = server(RULES);
    for _ in 0..2 {
        let admitted = call_as(&server, "search", "", ADDRESS).await;
        assert_eq!(admitted.status(), 200);
    }
    for (version, code) in [(LEGACY, -32000), (MODERN, 429)] {
        let params = json!({"name": "search", "arguments": {"text": "x"}});
        let version_of_harness = match version {
            MODERN => Version::V2026_07_28,
            _ => Version::V2025_11_25,
        };
        let mut message = messages::request(version_of_harness, "tools/call", params);
        message["id"] = json!("call-7");
        let client = client_at(&server, ADDRESS).version(version);
        let response = client.post(message.to_string()).await;
        let error = assert_refused(&response, 429, code);
        assert_eq!(response.message()["id"], "call-7");
        let wait: u64 = response.header("retry-after").unwrap().parse().unwrap();
        assert_eq!(error.data["retryAfterSeconds"], wait);
        assert!(response.header("ratelimit").unwrap().contains("r=0"));
    }
}

/// A client or a gateway that looks at the status alone waits as well.
#[tokio::test]
async fn a_batch_whose_calls_are_all_refused_has_their_status() {
    let (server, _) = server(RULES);
    let call = |id: u8| {
        let params = json!({"name": "search", "arguments": {"text": "x"}});
        json!({"jsonrpc": "2.0", "id": id, "method": "tools/call", "params": params})
    };
    let ping = json!({"jsonrpc": "2.0", "id": 9, "method": "ping"});
    let client = client_at(&server, ADDRESS).version(ProtocolVersion::V2025_03_26);
    let send = async |batch: Value| client.post(batch.to_string()).await;
    assert_eq!(send(json!([call(1), call(2)])).await.status(), 200);
    let refused = send(json!([call(3), call(4)])).await;
    assert_eq!(refused.status(), 429, "{refused}");
    assert!(refused.header("retry-after").is_some(), "{refused}");
    assert_eq!(refused.message().as_array().map(Vec::len), Some(2));
    // One that is answered has status 200.
    assert_eq!(send(json!([call(5), ping])).await.status(), 200);
}

#[tokio::test]
async fn without_a_store_reading_goes_on_and_writing_waits() {
    let (server, recorder) = server("search=20/365d:open;write=2/365d");
    recorder.down.store(true, Ordering::SeqCst);
    assert_eq!(call_as(&server, "read", "", ADDRESS).await.status(), 200);
    assert_eq!(call_as(&server, "search", "", ADDRESS).await.status(), 200);
    let response = call_as(&server, "write", "ada", ADDRESS).await;
    assert_refused(&response, 503, -32000);
    assert_eq!(response.header("retry-after"), Some("5"));
    let text = response.body_text();
    assert!(
        !text.contains("SENTINEL") && !text.contains("planted"),
        "{text}"
    );
    recorder.down.store(false, Ordering::SeqCst);
    assert_eq!(
        call_as(&server, "write", "ada", ADDRESS).await.status(),
        200
    );
}
