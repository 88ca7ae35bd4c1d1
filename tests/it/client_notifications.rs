//! Notifications and responses of the client: accepted with 202, or rejected with an HTTP error
//! without a JSON-RPC response.

use serde_json::{Value, json};

use harness::messages::{legacy, ping};
use harness::{Front, Reply, SERVED_VERSIONS, TestServer, Version};

fn notification(params: Value) -> Value {
    json!({"jsonrpc": "2.0", "method": "notifications/initialized", "params": params})
}

#[track_caller]
fn assert_rejected(reply: &Reply) {
    assert_eq!(reply.status, 400, "{reply:#?}");
    assert_eq!(reply.body.len(), 0, "{reply:#?}");
    assert_eq!(reply.header("content-type"), None, "{reply:#?}");
    assert_eq!(reply.values("access-control-allow-origin").count(), 1);
}

#[test]
fn a_rejected_notification_gets_an_http_error_and_no_response() {
    let server = TestServer::cases();
    let params = [json!([]), json!(1), json!("x"), json!(true)];
    for version in SERVED_VERSIONS {
        for params in &params {
            for front in Front::ALL {
                let request = server.post(&notification(params.clone()));
                assert_rejected(&request.version(version.name()).via(front).send());
            }
        }
        let twice = r#"{"jsonrpc":"2.0","method":"a","params":{"_meta":{},"_meta":{}}}"#;
        assert_rejected(&server.post_raw(twice).version(version.name()).send());
        let good = server
            .post(&notification(json!({})))
            .version(version.name())
            .send();
        assert_eq!((good.status, good.body.len()), (202, 0), "{good:#?}");
    }
    for version in ["2099-01-01", "latest", "2025-11-25, 2025-06-18"] {
        assert_rejected(
            &server
                .post(&notification(json!({})))
                .version(version)
                .send(),
        );
    }
    // Clients that accept only event streams get no stream either.
    let request = server.post(&notification(json!([])));
    assert_rejected(&request.set_header("Accept", "text/event-stream").send());
    let meta = json!({"_meta": {"io.modelcontextprotocol/protocolVersion": Version::MODERN}});
    assert_rejected(
        &server
            .post(&notification(meta))
            .version("2025-11-25")
            .send(),
    );
}

#[test]
fn a_rejected_response_gets_an_http_error_and_no_response() {
    let server = TestServer::cases();
    for member in ["result", "error"] {
        let response = json!({"jsonrpc": "2.0", "id": 1, member: {}});
        for version in [Version::MODERN, "2099-01-01"] {
            assert_rejected(&server.post(&response).version(version).send());
        }
        for version in legacy() {
            let reply = server.post(&response).version(version.name()).send();
            assert_eq!((reply.status, reply.body.len()), (202, 0), "{reply:#?}");
        }
    }
}

#[test]
fn a_rejected_notification_has_no_element_in_a_batch() {
    let server = TestServer::cases();
    let (good, bad) = (notification(json!({})), notification(json!([])));
    let send = |batch: Value| server.post(&batch).version("2025-03-26").send();
    let reply = send(json!([bad, ping(), good]));
    assert_eq!(
        reply.json(),
        json!([{"jsonrpc": "2.0", "id": 1, "result": {}}]),
        "{reply:#?}"
    );
    for batch in [json!([bad]), json!([good, bad]), json!([bad, bad])] {
        assert_rejected(&send(batch));
    }
    let reply = send(json!([good, good]));
    assert_eq!((reply.status, reply.body.len()), (202, 0), "{reply:#?}");
    // An element that is not a message gets an error without an id.
    let reply = send(json!([bad, 1]));
    assert_eq!(reply.json().as_array().map(Vec::len), Some(1), "{reply:#?}");
    assert_eq!(reply.json()[0]["error"]["code"], -32600, "{reply:#?}");
}
