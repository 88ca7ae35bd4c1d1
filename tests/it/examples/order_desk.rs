//! The order desk: its own tests, and the program as clients of both eras call it.

use serde_json::{Value, json};

use harness::messages::{request, request_with, with_headers};
use harness::{Reply, SERVED_VERSIONS, ServerConfig, TestServer, Version};

// With `test = true`, cargo would build this example for its tests only, and no program of it.
#[path = "../../../examples/order_desk/main.rs"]
#[expect(dead_code, reason = "the program has a `main`")]
mod example;

/// Sends a message with the token of a sign-in.
fn send(server: &TestServer, version: Version, token: &str, message: &Value) -> Reply {
    with_headers(server, version, message)
        .header("Authorization", &format!("Bearer {token}"))
        .send()
}

fn call(server: &TestServer, version: Version, token: &str, tool: &str, arguments: Value) -> Reply {
    let params = json!({"name": tool, "arguments": arguments});
    let message = request(version, "tools/call", params);
    send(server, version, token, &message)
}

/// The order that a tool returns, from its text: versions before 2025-06-18 have nothing else.
fn order(reply: Reply) -> Value {
    let result = reply.result();
    serde_json::from_str(result["content"][0]["text"].as_str().unwrap()).unwrap()
}

#[test]
fn an_order_goes_from_its_clerk_to_its_refund_in_every_version() {
    for version in SERVED_VERSIONS {
        let server = ServerConfig::new("order_desk").start();
        let items = json!([{"article": "MUG-001", "quantity": 2}]);
        let arguments = json!({"customer": "Mary", "items": items});
        let placed = order(call(
            &server,
            version,
            "desk-clerk",
            "place_order",
            arguments,
        ));
        assert_eq!(placed["total_cents"], 1_800, "{placed}");
        assert_eq!(placed["placed_by"], "clara", "{placed}");
        let id = json!({"id": placed["id"]});

        let shipped = call(&server, version, "desk-clerk", "ship_order", id.clone());
        assert_eq!(order(shipped)["status"], "shipped");
        let refund = |token| call(&server, version, token, "refund_order", id.clone());
        let refused = refund("desk-clerk");
        assert_eq!(refused.status, 403);
        let challenge = refused.header("www-authenticate").unwrap();
        assert!(challenge.contains(r#"scope="orders:admin""#), "{challenge}");
        assert_eq!(order(refund("desk-manager"))["status"], "refunded");

        let read = json!({"uri": format!("orders://{}", placed["id"])});
        let message = request(version, "resources/read", read);
        let contents = send(&server, version, "desk-clerk", &message).result();
        let text = contents["contents"][0]["text"].as_str().unwrap();
        assert!(text.contains("refunded"), "{text}");
        assert_eq!(with_headers(&server, version, &message).send().status, 401);
    }
}

#[test]
fn a_client_that_shows_forms_asks_before_a_parcel_leaves() {
    let server = ServerConfig::new("order_desk").start();
    let version = Version::V2026_07_28;
    let ship = |more: Value| {
        let mut params = json!({"name": "ship_order", "arguments": {"id": 1}});
        for (name, value) in more.as_object().unwrap() {
            params[name] = value.clone();
        }
        let forms = json!({"io.modelcontextprotocol/clientCapabilities": {"elicitation": {}}});
        let message = request_with(version, "tools/call", params, forms);
        send(&server, version, "desk-clerk", &message)
    };
    for (agreed, status) in [(false, "open"), (true, "shipped")] {
        let asked = ship(json!({})).result();
        let question = &asked["inputRequests"]["confirm"]["params"];
        assert_eq!(question["message"], "Ship order 1 to Ada?", "{asked}");
        let answer = json!({"action": "accept", "content": {"ship": agreed}});
        let state = asked["requestState"].clone();
        let answered = ship(json!({"inputResponses": {"confirm": answer}, "requestState": state}));
        assert_eq!(order(answered)["status"], status);
    }
}
