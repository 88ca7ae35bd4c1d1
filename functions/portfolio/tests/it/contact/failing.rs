//! A mail service that fails: which requests are retried, and the error the caller gets.

use std::time::Duration;

use serde_json::json;

use super::provider::{Provider, Step, nobody};
use super::{arguments, refusal, send, sent, start, with_resend};
use harness::Reply;

/// What a service's error body might say that is nobody's business.
const INTERNAL: &str = "INTERNAL-pg-host-7";

fn error(status: u16) -> Step {
    Step::answer(
        status,
        json!({"statusCode": status, "name": "some_error", "message": INTERNAL}),
    )
}

/// Sends a message to a service of these steps; gives the answer, the requests' number and the log.
fn try_with(steps: Vec<Step>) -> (Reply, usize, String) {
    let provider = Provider::start(steps);
    let server = start(&provider);
    let reply = send(&server, arguments());
    let log = server.finish();
    let received = provider.received();
    for request in &received {
        assert_eq!(
            (request.header("idempotency-key"), &request.body),
            (received[0].header("idempotency-key"), &received[0].body)
        );
    }
    (reply, received.len(), log)
}

#[test]
fn a_passing_trouble_is_tried_once_more_with_the_same_key() {
    let troubles = [
        error(500),
        error(502),
        error(503),
        error(504),
        Step::limited("0"),
        Step::limited("1"),
        Step::Reset,
    ];
    for trouble in troubles {
        let (reply, requests, log) = try_with(vec![trouble.clone()]);
        assert_eq!(requests, 2, "{trouble:?}\n{log}");
        sent(&reply);
        assert!(log.contains("sending a mail is retried"), "{log}");
    }
}

#[test]
fn a_second_trouble_is_the_end_and_the_caller_may_repeat() {
    for trouble in [error(500), error(503), Step::Reset] {
        let (reply, requests, log) = try_with(vec![trouble.clone(), trouble.clone()]);
        assert_eq!(requests, 2, "{trouble:?}\n{log}");
        let words = refusal(&reply);
        assert!(words.contains("not known whether"), "{words}");
        assert!(words.contains("exactly the same arguments"), "{words}");
        assert!(words.contains("get_manifest"), "{words}");
        assert!(!words.contains(INTERNAL), "{words}");
    }
}

#[test]
fn a_refusal_is_not_tried_again() {
    for status in [400, 401, 403, 404, 409, 422] {
        let (reply, requests, log) = try_with(vec![error(status)]);
        assert_eq!(requests, 1, "{status}\n{log}");
        let words = refusal(&reply);
        assert!(words.contains("was not sent"), "{words}");
        assert!(words.contains("get_manifest"), "{words}");
        assert!(
            !words.contains(INTERNAL) && !words.contains("some_error"),
            "{words}"
        );
        assert!(!words.contains(&status.to_string()), "{words}");
        // The owner finds the reason.
        let told = log
            .lines()
            .find(|line| line.contains("a handler failed"))
            .unwrap();
        assert!(told.contains(&status.to_string()), "{told}");
        assert!(told.contains(INTERNAL), "{told}");
    }
}

#[test]
fn a_long_wait_is_the_callers_to_wait() {
    for step in [
        Step::limited("3"),
        Step::limited("3600"),
        Step::limited("soon"),
    ] {
        let (reply, requests, log) = try_with(vec![step]);
        assert_eq!(requests, 1, "{log}");
        let words = refusal(&reply);
        assert!(words.contains("in a few minutes"), "{words}");
    }
}

#[test]
fn a_repeat_that_is_still_under_way_is_not_called_a_failure() {
    let concurrent = json!({"statusCode": 409, "name": "concurrent_idempotent_requests",
                            "message": "still in progress"});
    let (reply, requests, _) = try_with(vec![Step::Reset, Step::answer(409, concurrent)]);
    assert_eq!(requests, 2);
    assert!(refusal(&reply).contains("not known whether"));
}

#[test]
fn silence_ends_before_the_function_does() {
    let (reply, requests, log) = try_with(vec![Step::Hang]);
    assert_eq!(requests, 1, "{log}");
    assert!(refusal(&reply).contains("not known whether"));
    assert!(
        reply.elapsed < Duration::from_secs(6),
        "{:?}",
        reply.elapsed
    );
    assert!(log.contains("did not answer within"), "{log}");
}

#[test]
fn a_status_counts_without_its_body() {
    let (reply, requests, _) = try_with(vec![Step::HangInBody(200)]);
    assert_eq!(requests, 1);
    sent(&reply);
    let (reply, requests, _) = try_with(vec![Step::HangInBody(403)]);
    assert_eq!(requests, 1);
    assert!(refusal(&reply).contains("was not sent"));
}

#[test]
fn an_answer_that_is_no_json_or_endless_changes_nothing() {
    for body in [String::new(), "<html>".to_owned(), "x".repeat(1_000_000)] {
        let headers = Vec::new();
        let (status, retry) = (200, body.clone());
        let step = Step::Answer {
            status,
            headers: headers.clone(),
            body,
        };
        sent(&try_with(vec![step]).0);
        let refused = Step::Answer {
            status: 403,
            headers,
            body: retry,
        };
        assert!(refusal(&try_with(vec![refused]).0).contains("was not sent"));
    }
}

#[test]
fn a_redirection_is_not_followed() {
    let elsewhere = Provider::start([]);
    let location: &'static str = Box::leak(elsewhere.url().into_boxed_str());
    for status in [301, 307, 308] {
        let step = Step::Answer {
            status,
            headers: vec![("Location", location)],
            body: String::new(),
        };
        let (reply, requests, _) = try_with(vec![step]);
        assert_eq!(requests, 1);
        assert!(refusal(&reply).contains("was not sent"));
    }
    assert_eq!(elsewhere.connections(), 0);
}

#[test]
fn a_service_that_is_not_there_has_taken_nothing() {
    let server = with_resend(&nobody()).start();
    let words = refusal(&send(&server, arguments()));
    assert!(words.contains("Nothing was delivered"), "{words}");
    let log = server.finish();
    assert!(log.contains("cannot be reached"), "{log}");
}
