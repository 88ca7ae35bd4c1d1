//! Requests of the server to a client of the legacy era. Specification: 2025-11-25, *Elicitation*;
//! *Sampling*; *Roots*.

use harness::Process;
use serde_json::{Value, json};

use super::{assert_code, call, desk, initialized, modern, request, text};

/// Answers a request of the server.
fn answer(process: &mut Process, question: &Value, result: Value) {
    process.send(&json!({ "jsonrpc": "2.0", "id": question["id"], "result": result }));
}

fn greet() -> Value {
    call(json!(1), "greet", json!({}))
}

#[test]
fn a_form_is_filled_in_declined_or_dismissed() {
    let rows = [
        (
            json!({ "action": "accept", "content": { "name": "Ada" } }),
            "Hello, Ada.",
        ),
        (json!({ "action": "decline" }), "Hello."),
        (json!({ "action": "cancel" }), "Bye."),
    ];
    for version in ["2025-11-25", "2025-06-18"] {
        for (result, expected) in &rows {
            let mut process = initialized(version, json!({ "elicitation": {} }));
            let question = process.ask(&greet());
            assert_eq!(question["method"], "elicitation/create", "{question}");
            let params = &question["params"];
            assert_eq!(params["message"], "What is your name?");
            assert_eq!(
                params["requestedSchema"]["properties"]["name"]["type"],
                "string"
            );
            // Modes came with 2025-11-25.
            let mode = (version == "2025-11-25").then(|| json!("form"));
            assert_eq!(params.get("mode"), mode.as_ref(), "{question}");
            assert!(params.get("elicitationId").is_none(), "{question}");
            answer(&mut process, &question, result.clone());
            assert_eq!(text(&process.next()), *expected);
        }
    }
}

#[test]
fn choices_have_titles_in_the_form_of_the_version() {
    for version in ["2025-11-25", "2025-06-18"] {
        let mut process = initialized(version, json!({ "elicitation": {} }));
        let question = process.ask(&call(json!(1), "serve_drink", json!({})));
        let mut drink = question["params"]["requestedSchema"]["properties"]["drink"].clone();
        drink.as_object_mut().unwrap().shift_remove("description");
        let expected = match version {
            "2025-06-18" => json!({
                "type": "string",
                "enum": ["tea", "coffee"],
                "enumNames": ["Black tea", "Coffee, strong"],
            }),
            _ => json!({
                "type": "string",
                "oneOf": [
                    { "const": "tea", "title": "Black tea" },
                    { "const": "coffee", "title": "Coffee, strong" },
                ],
            }),
        };
        assert_eq!(drink, expected, "{question}");
        let accepted = |drink: &str| json!({ "action": "accept", "content": { "drink": drink } });
        // The title is not the value.
        answer(&mut process, &question, accepted("Black tea"));
        let again = process.next();
        assert_eq!(again["method"], "elicitation/create", "{again}");
        answer(&mut process, &again, accepted("coffee"));
        assert_eq!(text(&process.next()), "Coffee");
    }
}

#[test]
fn other_requests_are_served_while_the_user_is_asked() {
    let mut process = initialized("2025-11-25", json!({ "elicitation": {} }));
    let question = process.ask(&greet());
    assert_eq!(
        text(&process.ask(&call(json!(2), "echo", json!({ "text": "b" })))),
        "b"
    );
    // An answer to another request is none to this.
    process.send(&json!({ "jsonrpc": "2.0", "id": 4711, "result": {} }));
    answer(&mut process, &question, json!({ "action": "decline" }));
    assert_eq!(process.next()["id"], 1);
}

#[test]
fn the_model_and_the_directories_are_asked_for_in_one_round() {
    for version in super::LEGACY {
        let mut process = initialized(version, json!({ "sampling": {}, "roots": {} }));
        let first = process.ask(&call(json!(1), "describe", json!({})));
        let second = process.next();
        assert_eq!(first["method"], "sampling/createMessage", "{first}");
        assert_eq!(first["params"]["maxTokens"], 60);
        assert_eq!(second["method"], "roots/list", "{second}");
        answer(
            &mut process,
            &second,
            json!({ "roots": [{ "uri": "file:///a" }] }),
        );
        let said = json!({
            "role": "assistant", "model": "m", "content": { "type": "text", "text": "Said." },
        });
        answer(&mut process, &first, said);
        assert_eq!(text(&process.next()), "Said. file:///a", "{version}");
    }
}

#[test]
fn a_page_is_opened_where_the_version_has_pages() {
    let capabilities = json!({ "elicitation": { "url": {} } });
    let mut process = initialized("2025-11-25", capabilities.clone());
    let question = process.ask(&call(json!(1), "pay", json!({})));
    assert_eq!(question["params"]["mode"], "url", "{question}");
    assert_eq!(question["params"]["url"], "https://shop.example.com/pay");
    answer(&mut process, &question, json!({ "action": "accept" }));
    assert_eq!(text(&process.next()), "Accept");
    // Each elicitation has an id of its own.
    let again = process.ask(&call(json!(2), "pay", json!({})));
    let [first, second] = [&question, &again].map(|question| {
        let id = question["params"]["elicitationId"].as_str();
        id.unwrap_or_else(|| panic!("no id: {question}"))
    });
    assert!(first.len() == 32 && first != second, "{first}, {second}");
    let mut process = initialized("2025-06-18", capabilities);
    let refused = process.ask(&call(json!(1), "pay", json!({})));
    assert_eq!(refused["result"]["isError"], true, "{refused}");
}

#[test]
fn a_client_without_the_capability_is_not_asked() {
    let rows = [
        ("2025-11-25", json!({}), "greet", "elicitation"),
        (
            "2025-11-25",
            json!({ "elicitation": { "url": {} } }),
            "greet",
            "form",
        ),
        (
            "2025-03-26",
            json!({ "elicitation": {} }),
            "greet",
            "elicitation",
        ),
        ("2025-11-25", json!({ "roots": {} }), "describe", "sampling"),
    ];
    for (version, capabilities, tool, lacks) in rows {
        let mut process = initialized(version, capabilities);
        let refused = process.ask(&call(json!(1), tool, json!({})));
        assert_eq!(refused["result"]["isError"], true, "{refused}");
        let words = text(&refused);
        assert!(
            words.contains("capabilities lack") && words.contains(lacks),
            "{words}"
        );
    }
    // In the modern era the server never sends requests.
    let mut process = desk();
    let refused = process.ask(&modern(json!(1), "tools/call", json!({ "name": "greet" })));
    assert_code(&refused, -32021);
}

#[test]
fn a_client_that_refuses_or_talks_nonsense_fails_the_call_only() {
    let refusals = [
        (
            json!({ "error": { "code": -1, "message": "User rejected" } }),
            "User rejected",
        ),
        (json!({ "error": {} }), "refused"),
        (
            json!({ "result": { "action": "dance" } }),
            "elicitation/create",
        ),
        (json!({ "result": [] }), "elicitation/create"),
    ];
    let mut process = initialized("2025-11-25", json!({ "elicitation": {} }));
    for (members, words) in refusals {
        let question = process.ask(&greet());
        let mut response = json!({ "jsonrpc": "2.0", "id": question["id"] });
        let members = members.as_object().unwrap().clone();
        response.as_object_mut().unwrap().extend(members);
        process.send(&response);
        let refused = process.next();
        assert_eq!(refused["result"]["isError"], true, "{refused}");
        assert!(text(&refused).contains(words), "{refused}");
    }
    assert_eq!(
        text(&process.ask(&call(json!(2), "echo", json!({ "text": "on" })))),
        "on"
    );
}

#[test]
fn cancelling_a_call_cancels_its_question() {
    let mut process = initialized("2025-11-25", json!({ "elicitation": {} }));
    let question = process.ask(&greet());
    process.send(&json!({
        "jsonrpc": "2.0", "method": "notifications/cancelled", "params": { "requestId": 1 },
    }));
    let cancelled = process.next();
    assert_eq!(
        cancelled["method"], "notifications/cancelled",
        "{cancelled}"
    );
    assert_eq!(cancelled["params"]["requestId"], question["id"]);
    // A late answer is ignored.
    answer(&mut process, &question, json!({ "action": "decline" }));
    assert_eq!(
        process.ask(&call(json!(2), "echo", json!({ "text": "on" })))["id"],
        2
    );
}

#[test]
fn prompts_can_ask_too() {
    let mut process = initialized("2025-11-25", json!({ "elicitation": {} }));
    let question = process.ask(&request(
        json!(1),
        "prompts/get",
        json!({ "name": "greet" }),
    ));
    answer(
        &mut process,
        &question,
        json!({ "action": "accept", "content": { "name": "Ada" } }),
    );
    let prompt = process.next();
    let said = &prompt["result"]["messages"][0]["content"]["text"];
    assert_eq!(said, "Greet Ada.", "{prompt}");
    let mut process = initialized("2025-11-25", json!({}));
    assert_code(
        &process.ask(&request(
            json!(1),
            "prompts/get",
            json!({ "name": "greet" }),
        )),
        -32602,
    );
}

/// `examples/ask_the_user.rs`, in the words of its head.
#[test]
fn the_example_books_a_trip() {
    let mut process = Process::start("ask_the_user", &["stdio"], &[]);
    process.ask(&super::initialize(
        "2025-11-25",
        json!({ "elicitation": {}, "sampling": {} }),
    ));
    let details = process.ask(&call(json!(1), "book", json!({ "city": "Bern" })));
    let content = json!({ "travellers": 2, "class": "first" });
    answer(
        &mut process,
        &details,
        json!({ "action": "accept", "content": content }),
    );
    let (consent, greeting) = (process.next(), process.next());
    answer(
        &mut process,
        &consent,
        json!({ "action": "accept", "content": { "agreed": true } }),
    );
    let said = json!({
        "role": "assistant", "model": "m", "content": { "type": "text", "text": "Bon voyage!" },
    });
    answer(&mut process, &greeting, said);
    assert_eq!(
        text(&process.next()),
        "Booked Bern for 2 in First class. Bon voyage!"
    );
}
