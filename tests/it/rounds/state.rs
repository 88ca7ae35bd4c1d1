//! What a client carries between two rounds: it proves itself, belongs to one request, and expires.

use serde_json::{Value, json};

use super::{Asked, Asking, accept, assert_invalid, conformance, text};
use harness::ServerConfig;

#[test]
fn earlier_answers_travel_in_the_state() {
    let server = conformance();
    let asking = Asking::tool(&server, "multi_round");
    let first = asking.begin();
    assert_eq!(first.keys(), ["step1"]);
    let reply = asking.answer(&first, json!({"step1": accept(json!({"name": "Ada"}))}));
    let second = Asked::read(&reply);
    assert_eq!(second.keys(), ["step2"]);
    assert_ne!(first.state, second.state);
    let reply = asking.answer(&second, json!({"step2": accept(json!({"color": "red"}))}));
    assert_eq!(text(&reply), "Ada likes red.");
    // The state of the first round knows nothing of its answer, so that is asked again.
    let reply = asking.answer(&first, json!({"step2": accept(json!({"color": "red"}))}));
    assert_eq!(Asked::read(&reply).keys(), ["step1"]);
    // A newer answer wins over the one that travels.
    let both =
        json!({"step1": accept(json!({"name": "Bob"})), "step2": accept(json!({"color": "red"}))});
    assert_eq!(text(&asking.answer(&second, both)), "Bob likes red.");
}

#[test]
fn a_state_that_was_altered_is_refused() {
    let server = conformance();
    let confirm = Asking::tool(&server, "tampered_state");
    let asked = confirm.begin();
    let ok = json!({"confirm": accept(json!({"ok": true}))});
    assert!(text(&confirm.answer(&asked, ok.clone())).contains("state-ok"));
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
        let reply = confirm.send(json!({"inputResponses": ok, "requestState": state}));
        assert_invalid(&reply, "not issued by this server");
    }
}

#[test]
fn a_state_is_good_for_its_own_request_alone() {
    let server = conformance();
    let ok = json!({"confirm": accept(json!({"ok": true}))});
    let confirm = Asking::tool(&server, "request_state");
    let asked = confirm.begin();
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
            &asking.answer(&asked, ok.clone()),
            "belongs to another request",
        );
    }
    // Arguments that were left out are the same request as empty ones.
    let same = Asking {
        params: json!({"name": "test_input_required_result_request_state"}),
        ..confirm.clone()
    };
    assert!(text(&same.answer(&asked, ok)).contains("state-ok"));
}

#[test]
fn a_state_expires() {
    let server = ServerConfig::conformance().env("STATE_TTL_S", "0").start();
    let confirm = Asking::tool(&server, "request_state");
    let ok = json!({"confirm": accept(json!({"ok": true}))});
    assert_invalid(&confirm.answer(&confirm.begin(), ok), "expired");
}

#[test]
fn instances_with_one_key_understand_each_other_and_no_one_else() {
    let secret = "0123456789abcdef0123456789abcdef";
    let keyed = |secret: &str| ServerConfig::conformance().env("STATE_KEY", secret).start();
    let (one, another) = (keyed(secret), keyed(secret));
    let (stranger, keyless) = (keyed("another secret of thirty-two bytes"), conformance());
    let name = "request_state";
    let asked = Asking::tool(&one, name).begin();
    let ok = json!({"confirm": accept(json!({"ok": true}))});
    let reply = Asking::tool(&another, name).answer(&asked, ok.clone());
    assert!(text(&reply).contains("state-ok"));
    for foreign in [&stranger, &keyless] {
        let reply = Asking::tool(foreign, name).answer(&asked, ok.clone());
        assert_invalid(&reply, "not issued by this server");
    }
}

#[test]
fn the_log_tells_that_input_was_asked_for_and_nothing_of_it() {
    let server = conformance();
    let hello = Asking::tool(&server, "elicitation");
    let asked = hello.begin();
    let answer = json!({"user_name": accept(json!({"name": "SENTINEL-ANSWER"}))});
    hello.answer(&asked, answer);
    hello.answer(
        &asked,
        json!({"user_name": accept(json!({"name": ["SENTINEL-WRONG"]}))}),
    );
    hello.send(json!({"inputResponses": {}, "requestState": "SENTINEL-STATE"}));
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
    assert!(
        !log.contains("SENTINEL") && !log.contains(&asked.state),
        "{log}"
    );
}
