//! `requestState`: it is signed, belongs to one request, and expires.

use std::time::Duration;

use lambda_mcp::server::RequestStateKey;
use serde_json::{Value, json};

use harness::messages::{request_with, send};
use harness::{ServerConfig, Version};

use super::{Asked, Asking, accept, assert_invalid, text};
use crate::fixtures::{conformance, conformance_with};

#[tokio::test]
async fn earlier_answers_travel_in_the_state() {
    let server = conformance();
    let asking = Asking::tool(&server, "multi_round");
    let first = asking.begin().await;
    assert_eq!(first.keys(), ["step1"]);
    let response = asking
        .answer(&first, json!({"step1": accept(json!({"name": "Ada"}))}))
        .await;
    let second = Asked::read(&response);
    assert_eq!(second.keys(), ["step2"]);
    assert_ne!(first.state, second.state);
    let response = asking
        .answer(&second, json!({"step2": accept(json!({"color": "red"}))}))
        .await;
    assert_eq!(text(&response), "Ada likes red.");
    // The state of the first round knows nothing of its answer, so that is asked again.
    let response = asking
        .answer(&first, json!({"step2": accept(json!({"color": "red"}))}))
        .await;
    assert_eq!(Asked::read(&response).keys(), ["step1"]);
    // A newer answer wins over the one that travels.
    let both =
        json!({"step1": accept(json!({"name": "Bob"})), "step2": accept(json!({"color": "red"}))});
    assert_eq!(text(&asking.answer(&second, both).await), "Bob likes red.");
}

#[tokio::test]
async fn a_state_that_was_altered_is_refused() {
    let server = conformance();
    let confirm = Asking::tool(&server, "tampered_state");
    let asked = confirm.begin().await;
    let ok = json!({"confirm": accept(json!({"ok": true}))});
    assert!(text(&confirm.answer(&asked, ok.clone()).await).contains("state-ok"));
    let state = &asked.state;
    let (payload, seal) = state.split_once('.').unwrap();
    let flipped = (0..state.len()).step_by(7).map(|at| {
        let byte = if state.as_bytes()[at] == b'A' {
            "B"
        } else {
            "A"
        };
        format!("{}{byte}{}", &state[..at], &state[at + 1..])
    });
    let altered = flipped.chain([
        format!("{state}-TAMPERED"),
        format!("{state}="),
        format!(" {state}"),
        payload.to_owned(),
        format!("{payload}."),
        format!(".{seal}"),
        format!("{seal}.{payload}"),
        String::new(),
        "x".repeat(100_000),
    ]);
    for state in altered {
        let response = confirm
            .send(json!({"inputResponses": ok, "requestState": state}))
            .await;
        assert_invalid(&response, "not issued by this server");
    }
}

#[tokio::test]
async fn a_state_is_good_for_its_own_request_alone() {
    let server = conformance();
    let ok = json!({"confirm": accept(json!({"ok": true}))});
    let confirm = Asking::tool(&server, "request_state");
    let asked = confirm.begin().await;
    let elsewhere = [
        Asking::tool(&server, "tampered_state"),
        Asking::tool(&server, "elicitation"),
        Asking {
            params: json!({"name": "test_input_required_result_request_state", "arguments": {"more": 1}}),
            ..confirm.clone()
        },
        Asking::new(
            &server,
            "prompts/get",
            json!({"name": "test_input_required_result_prompt"}),
        ),
        Asking::new(&server, "resources/read", json!({"uri": "test://asking"})),
        Asking::new(
            &server,
            "resources/read",
            json!({"uri": "test://static-text"}),
        ),
    ];
    for asking in elsewhere {
        assert_invalid(
            &asking.answer(&asked, ok.clone()).await,
            "belongs to another request",
        );
    }
    // Arguments that were left out are the same request as empty ones.
    let same = Asking {
        params: json!({"name": "test_input_required_result_request_state"}),
        ..confirm.clone()
    };
    assert!(text(&same.answer(&asked, ok).await).contains("state-ok"));
}

#[tokio::test]
async fn a_state_expires() {
    let server = conformance_with(|server| server.request_state_ttl(Duration::ZERO));
    let confirm = Asking::tool(&server, "request_state");
    let ok = json!({"confirm": accept(json!({"ok": true}))});
    assert_invalid(&confirm.answer(&confirm.begin().await, ok).await, "expired");
}

#[tokio::test]
async fn instances_with_one_key_understand_each_other_and_no_one_else() {
    let secret = "0123456789abcdef0123456789abcdef";
    let keyed = |secret: &str| {
        let key = RequestStateKey::new(secret).unwrap();
        conformance_with(|server| server.request_state_key(key))
    };
    let (one, another) = (keyed(secret), keyed(secret));
    let (stranger, keyless) = (keyed("another secret of thirty-two bytes"), conformance());
    let name = "request_state";
    let asked = Asking::tool(&one, name).begin().await;
    let ok = json!({"confirm": accept(json!({"ok": true}))});
    let response = Asking::tool(&another, name)
        .answer(&asked, ok.clone())
        .await;
    assert!(text(&response).contains("state-ok"));
    for foreign in [&stranger, &keyless] {
        let response = Asking::tool(foreign, name).answer(&asked, ok.clone()).await;
        assert_invalid(&response, "not issued by this server");
    }
}

/// In a process of its own, for its log.
#[test]
fn the_log_says_that_input_was_required_and_nothing_of_the_answers() {
    let server = ServerConfig::conformance().start();
    let version = Version::V2026_07_28;
    let ask = |more: Value| {
        let mut params = json!({"name": "test_input_required_result_elicitation", "arguments": {}});
        for (name, value) in more.as_object().unwrap() {
            params[name] = value.clone();
        }
        let meta = json!({"io.modelcontextprotocol/clientCapabilities": {"elicitation": {}}});
        let message = request_with(version, "tools/call", params, meta);
        send(&server, version, &message)
    };
    let state = ask(json!({})).result()["requestState"].clone();
    let answers = [
        json!({"user_name": accept(json!({"name": "SENTINEL-ANSWER"}))}),
        json!({"user_name": accept(json!({"name": ["SENTINEL-WRONG"]}))}),
    ];
    for answers in answers {
        ask(json!({"inputResponses": answers, "requestState": state}));
    }
    ask(json!({"inputResponses": {}, "requestState": "SENTINEL-STATE"}));
    let log = server.finish();
    let outcomes: Vec<String> = log
        .lines()
        .map(|line| serde_json::from_str::<Value>(line).unwrap()["outcome"].to_string())
        .collect();
    assert_eq!(
        outcomes,
        [
            "\"input_required\"",
            "\"ok\"",
            "\"input_required\"",
            "\"error\""
        ],
        "{log}"
    );
    let state = state.as_str().unwrap();
    assert!(!log.contains("SENTINEL") && !log.contains(state), "{log}");
}
