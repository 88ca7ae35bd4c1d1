//! The client's address behind an Application Load Balancer: limits count by it.

use serde_json::{Value, json};

use harness::HttpRequest;
use harness::{Front, Reply, ServerConfig, TestServer, event};

/// A server whose tool `demo_noargs` can be called once by each client.
fn limited() -> ServerConfig {
    ServerConfig::new("cases").env("LIMITS", "demo_noargs=1/1h")
}

/// An event of a load balancer that accepted a connection from `address` and has these settings.
fn called(address: &str, sent: &[&str], is_multi_value: bool) -> Value {
    let message = json!({"jsonrpc": "2.0", "id": 1, "method": "tools/call", "params": {"name": "demo_noargs"}});
    let mut event = event(Front::Alb, &HttpRequest::post(message.to_string()));
    let mut forwarded: Vec<&str> = sent.to_vec();
    forwarded.push(address);
    let joined = forwarded.join(", ");
    event["multiValueHeaders"]["x-forwarded-for"] = json!([joined]);
    if !is_multi_value {
        let lists = event
            .as_object_mut()
            .unwrap()
            .remove("multiValueHeaders")
            .unwrap();
        let single = lists.as_object().unwrap().iter().map(|(name, values)| {
            (
                name.clone(),
                values.as_array().unwrap().last().unwrap().clone(),
            )
        });
        event["headers"] = Value::Object(single.collect());
    }
    event
}

fn send(server: &TestServer, event: &Value) -> Reply {
    server.invoke(Front::Alb, event).reply()
}

#[test]
fn the_address_that_the_load_balancer_appends_is_counted_and_no_other() {
    for is_multi_value in [true, false] {
        let server = limited().env("TRUST_LOAD_BALANCER", "1").start();
        let status = |address: &str, sent: &[&str]| {
            send(&server, &called(address, sent, is_multi_value)).status
        };
        assert_eq!(status("198.51.100.9", &[]), 200);
        // Each client has a counter of its own, whatever it writes into the header.
        assert_eq!(status("198.51.100.10", &["198.51.100.9"]), 200);
        assert_eq!(status("198.51.100.9", &["203.0.113.1"]), 429);
        assert_eq!(
            status("198.51.100.9:4711", &["203.0.113.2", "unknown"]),
            429
        );
        assert_eq!(status("[2001:db8::1]:443", &[]), 200);
        assert_eq!(status("2001:db8::2", &[]), 429);
        server.finish();
    }
}

/// `lambda_http` keeps the last of repeated headers, which is where a load balancer appends.
#[test]
fn the_edge_of_lambda_http_counts_the_same_address() {
    for edge in ["lambda_mcp::lambda_http", "lambda_http"] {
        let config = limited().env("EDGE", edge);
        let server = config.clone().env("TRUST_LOAD_BALANCER", "1").start();
        let status =
            |address: &str, sent: &[&str]| send(&server, &called(address, sent, true)).status;
        assert_eq!(status("198.51.100.9", &[]), 200, "{edge}");
        assert_eq!(status("198.51.100.10", &["198.51.100.9"]), 200, "{edge}");
        assert_eq!(status("198.51.100.9", &["203.0.113.1"]), 429, "{edge}");
        let server = config.start();
        let reply = send(&server, &called("198.51.100.9", &[], true));
        assert_eq!(reply.status, 503, "{edge}: {reply:#?}");
    }
}

#[test]
fn without_an_address_calls_are_refused_and_the_log_names_the_setting() {
    // Nobody said that the load balancer appends the address: the client could have written it.
    let server = limited().start();
    for address in ["198.51.100.9", "198.51.100.10"] {
        let reply = send(&server, &called(address, &[], true));
        assert_eq!(reply.status, 503, "{reply:#?}");
        assert_eq!(reply.header("retry-after").as_deref(), Some("5"));
        assert!(!reply.text().contains("load balancer"), "{reply:#?}");
    }
    let log = server.finish();
    assert!(
        log.contains("call `ServerBuilder::trust_load_balancer_client_address`"),
        "{log}"
    );

    // The load balancer may be set to remove the header.
    let server = limited().env("TRUST_LOAD_BALANCER", "1").start();
    let mut event = called("198.51.100.9", &[], true);
    event["multiValueHeaders"]
        .as_object_mut()
        .unwrap()
        .remove("x-forwarded-for");
    assert_eq!(send(&server, &event).status, 503);
}

#[test]
fn what_needs_no_address_is_served() {
    let total = ServerConfig::new("cases")
        .env("LIMITS", "demo_noargs=total:1/1h")
        .start();
    let called = called("198.51.100.9", &[], true);
    assert_eq!(send(&total, &called).status, 200);
    assert_eq!(send(&total, &called).status, 429);

    let unlimited = TestServer::cases();
    assert_eq!(send(&unlimited, &called).status, 200);
}

#[test]
fn the_header_counts_behind_a_load_balancer_alone() {
    let server = limited().env("TRUST_LOAD_BALANCER", "1").start();
    let message = json!({"jsonrpc": "2.0", "id": 1, "method": "tools/call", "params": {"name": "demo_noargs"}});
    for front in [Front::Rest, Front::Http] {
        for (address, expected) in [("203.0.113.1", [200, 429]), ("203.0.113.2", [429, 429])] {
            let status = server
                .post(&message)
                .header("X-Forwarded-For", address)
                .via(front)
                .send()
                .status;
            assert!(expected.contains(&status), "{front:?} {address}: {status}");
        }
    }
}
