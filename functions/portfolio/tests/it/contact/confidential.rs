//! What no log holds: messages, addresses and the key, whatever happens and at every level.

use serde_json::json;

use super::provider::{Provider, Step};
use super::{API_KEY, FROM, OWNER, arguments, send, with_resend};

#[test]
fn no_log_holds_what_was_sent_or_by_whom() {
    let echo =
        |words: &str| json!({"statusCode": 422, "name": "validation_error", "message": words});
    let sent = arguments();
    let said = |field: &str| sent[field].as_str().unwrap().to_owned();
    let steps = vec![
        vec![Step::taken()],
        vec![Step::answer(
            422,
            echo(&format!("Invalid `to` field: {OWNER}")),
        )],
        vec![Step::answer(
            422,
            echo(&format!("Invalid `from` field: {FROM}")),
        )],
        vec![Step::answer(
            401,
            echo(&format!("API key {API_KEY} is invalid")),
        )],
        vec![Step::answer(422, echo(&said("brief")))],
        vec![Step::answer(422, echo(&said("brief").replace('\n', " ")))],
        vec![Step::answer(422, echo(&said("contact")))],
        vec![Step::answer(422, echo(&said("name")))],
        vec![
            Step::answer(500, sent.clone()),
            Step::answer(500, sent.clone()),
        ],
        vec![Step::Reset, Step::answer(403, json!(said("brief")))],
        vec![Step::limited("60")],
    ];
    for steps in steps {
        let provider = Provider::start(steps.clone());
        let server = with_resend(&provider.url())
            .env("LOG_LEVEL", "trace")
            .start();
        send(&server, sent.clone());
        let mut refused = sent.clone();
        refused["name"] = json!("SENTINEL\nSENTINEL");
        send(&server, refused);
        let log = server.finish();
        assert!(log.lines().count() >= 3, "{log}");
        assert!(!log.contains("SENTINEL"), "{steps:?}\n{log}");
        assert!(!log.contains("free in May"), "{steps:?}\n{log}");
    }
}

#[test]
fn a_configuration_that_is_refused_is_told_without_its_values() {
    let server = with_resend("http://SENTINEL.example")
        .env("CONTACT_TO", "SENTINEL")
        .env("RESEND_API_KEY", "re SENTINEL")
        .start();
    let ended = format!("{:?}", server.post(&json!({})).outcome());
    for name in ["CONTACT_TO", "RESEND_API_KEY", "RESEND_BASE_URL"] {
        assert!(ended.contains(name), "{ended}");
    }
    assert!(!ended.contains("SENTINEL"), "{ended}");
}
