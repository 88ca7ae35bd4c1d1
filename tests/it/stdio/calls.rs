//! Calls side by side, cancellation, notifications. Specification: *stdio, Cancellation*; *Progress*;
//! *Logging*.

use serde_json::{Value, json};

use super::{assert_code, call, desk, initialized, modern, notification, request, text};

fn cancelled(id: Value) -> Value {
    notification(
        "notifications/cancelled",
        json!({ "requestId": id, "reason": "enough" }),
    )
}

#[test]
fn calls_run_side_by_side_and_are_answered_as_they_finish() {
    let mut process = initialized("2025-11-25", json!({}));
    process.send(&call(json!("slow"), "wait", json!({ "amount": 1000 })));
    process.send(&call(json!("fast"), "echo", json!({ "text": "first" })));
    assert_eq!(process.next()["id"], "fast");
    let slow = process.next();
    assert_eq!((slow["id"].as_str(), text(&slow)), (Some("slow"), "waited"));
}

#[test]
fn a_cancelled_call_is_stopped_and_gets_no_answer() {
    for id in [json!(7), json!("seven")] {
        let mut process = initialized("2025-11-25", json!({}));
        process.send(&call(id.clone(), "hang", json!({})));
        process.logs("hanging");
        // Another id, and what is no id, cancel nothing.
        process.send(&cancelled(json!("other")));
        process.send(&cancelled(json!({})));
        process.send(&notification("notifications/cancelled", json!(null)));
        process.send(&cancelled(id.clone()));
        process.logs("cancelled");
        // The id can be used again, and the next line is its answer.
        let answer = process.ask(&call(id.clone(), "echo", json!({ "text": "again" })));
        assert_eq!((&answer["id"], text(&answer)), (&id, "again"));
        // Cancelled after its end.
        process.send(&cancelled(id));
        process.close_input();
        assert_eq!(process.next_line(), None);
    }
}

#[test]
fn a_modern_call_is_cancelled_as_well() {
    let mut process = desk();
    process.send(&modern(json!(1), "tools/call", json!({ "name": "hang" })));
    process.logs("hanging");
    process.send(&cancelled(json!(1)));
    process.logs("cancelled");
    let answer = process.ask(&modern(json!(2), "tools/list", json!({})));
    assert_eq!(answer["id"], 2);
}

#[test]
fn two_calls_in_flight_cannot_have_one_id() {
    let mut process = initialized("2025-11-25", json!({}));
    process.send(&call(json!(1), "hang", json!({})));
    process.logs("hanging");
    let refused = process.ask(&call(json!(1), "echo", json!({ "text": "a" })));
    assert_code(&refused, -32600);
    // The number is not the text.
    assert_eq!(
        text(&process.ask(&call(json!("1"), "echo", json!({ "text": "a" })))),
        "a"
    );
}

#[test]
fn progress_and_log_messages_come_before_the_answer() {
    let mut process = initialized("2025-11-25", json!({}));
    let counting = |id: u32, token: Option<&str>| {
        let mut message = call(json!(id), "count", json!({ "amount": 2 }));
        if let Some(token) = token {
            message["params"]["_meta"] = json!({ "progressToken": token });
        }
        message
    };
    process.send(&counting(1, Some("t")));
    let heard: Vec<Value> = (0..5).map(|_| process.next()).collect();
    let methods: Vec<&str> = heard
        .iter()
        .filter_map(|line| line["method"].as_str())
        .collect();
    let (progress, message) = ("notifications/progress", "notifications/message");
    assert_eq!(methods, [progress, message, progress, message]);
    assert_eq!(heard[2]["params"]["progressToken"], "t");
    assert_eq!(heard[3]["params"]["data"], 2);
    assert_eq!(text(&heard[4]), "counted to 2");
    // The level holds for all that follows.
    let set = process.ask(&request(
        json!(2),
        "logging/setLevel",
        json!({ "level": "warning" }),
    ));
    assert_eq!(set["result"], json!({}), "{set}");
    assert_eq!(process.ask(&counting(3, None))["id"], 3);
    let wrong = process.ask(&request(
        json!(4),
        "logging/setLevel",
        json!({ "level": "loud" }),
    ));
    assert_code(&wrong, -32602);
    process.ask(&request(
        json!(5),
        "logging/setLevel",
        json!({ "level": "debug" }),
    ));
    assert_eq!(process.ask(&counting(6, None))["method"], message);
}

#[test]
fn modern_requests_name_their_log_level_themselves() {
    let mut process = desk();
    let mut message = modern(
        json!(1),
        "tools/call",
        json!({ "name": "count", "arguments": { "amount": 1 } }),
    );
    assert_eq!(process.ask(&message)["id"], 1);
    message["params"]["_meta"]["io.modelcontextprotocol/logLevel"] = json!("info");
    message["params"]["_meta"]["progressToken"] = json!(5);
    assert_eq!(process.ask(&message)["method"], "notifications/progress");
    assert_eq!(process.next()["method"], "notifications/message");
    assert_eq!(process.next()["id"], 1);
}

#[test]
fn a_batch_is_answered_by_one_line_where_the_version_has_batches() {
    let batch = json!([
        call(json!(1), "echo", json!({ "text": "a" })),
        notification("notifications/initialized", json!({})),
        call(json!(2), "echo", json!({ "text": "b" })),
    ]);
    let mut process = initialized("2025-03-26", json!({}));
    let answers = process.ask(&batch);
    let ids: Vec<&Value> = answers
        .as_array()
        .unwrap()
        .iter()
        .map(|one| &one["id"])
        .collect();
    assert_eq!(ids, [&json!(1), &json!(2)], "{answers}");
    for version in ["2025-11-25", "2025-06-18", "2024-11-05"] {
        assert_code(&initialized(version, json!({})).ask(&batch), -32600);
    }
    // Before the handshake, and for the handshake.
    for early in [
        super::initialize("2025-03-26", json!({})),
        call(json!(1), "echo", json!({})),
    ] {
        assert_code(&desk().ask(&json!([early]))[0], -32600);
    }
    assert_code(
        &desk().ask(&json!([modern(json!(1), "tools/list", json!({}))])),
        -32600,
    );
}
