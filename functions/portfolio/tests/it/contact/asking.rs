//! Asking the person behind the client before anything is sent.

use serde_json::{Value, json};

use super::provider::Provider;
use super::{arguments, send, sent, with_resend};
use harness::messages::{call, call_with_forms};
use harness::{Process, Reply, ServerConfig, TestServer, Version};

fn asking(provider: &Provider) -> TestServer {
    with_resend(&provider.url())
        .env("CONTACT_CONFIRM", "ask")
        .start()
}

/// Calls `contact`; `more` are members beside the arguments.
fn with_forms(server: &TestServer, arguments: Value, more: Value) -> Reply {
    call_with_forms(server, "contact", arguments, more)
}

/// The call again, with what the person did.
fn answer_with(server: &TestServer, arguments: Value, asked: &Value, consent: Value) -> Reply {
    let more = json!({
        "inputResponses": {"consent": consent},
        "requestState": asked["requestState"],
    });
    with_forms(server, arguments, more)
}

#[test]
fn nothing_is_sent_before_the_person_agrees() {
    let provider = Provider::start([]);
    let server = asking(&provider);
    let asked = with_forms(&server, arguments(), json!({})).result();
    assert_eq!(asked["resultType"], "input_required", "{asked}");
    let question = &asked["inputRequests"]["consent"]["params"];
    let words = question["message"].as_str().unwrap();
    for shown in [
        "Ada SENTINEL",
        "ada-SENTINEL@example.org",
        "are you free in May?",
    ] {
        assert!(words.contains(shown), "{words}");
    }
    assert_eq!(question["requestedSchema"]["required"], json!(["send"]));
    assert_eq!(provider.connections(), 0);
    let yes = json!({"action": "accept", "content": {"send": true}});
    sent(&answer_with(&server, arguments(), &asked, yes));
    assert_eq!(provider.received().len(), 1);
}

#[test]
fn a_no_in_any_form_sends_nothing_and_says_so() {
    let provider = Provider::start([]);
    let server = asking(&provider);
    let asked = with_forms(&server, arguments(), json!({})).result();
    let answers = [
        json!({"action": "decline"}),
        json!({"action": "cancel"}),
        json!({"action": "accept", "content": {"send": false}}),
    ];
    for answer in answers {
        let result = answer_with(&server, arguments(), &asked, answer).result();
        let answer = &result["structuredContent"];
        assert_eq!(answer["status"], "not_sent", "{result}");
        assert!(answer.get("reference").is_none(), "{result}");
        assert!(
            answer["note"]
                .as_str()
                .unwrap()
                .contains("Nothing was sent")
        );
    }
    assert_eq!(provider.connections(), 0);
}

#[test]
fn an_agreement_is_to_one_message_alone() {
    let provider = Provider::start([]);
    let server = asking(&provider);
    let asked = with_forms(&server, arguments(), json!({})).result();
    let mut other = arguments();
    other["brief"] = json!("something else");
    let yes = json!({"action": "accept", "content": {"send": true}});
    let reply = answer_with(&server, other, &asked, yes);
    assert_eq!(reply.error_code(), -32602, "{reply:#?}");
    assert_eq!(provider.connections(), 0);
}

#[test]
fn a_message_that_cannot_be_sent_is_refused_before_anybody_is_asked() {
    let provider = Provider::start([]);
    let server = asking(&provider);
    let mut arguments = arguments();
    arguments["name"] = json!("a\nb");
    let result = with_forms(&server, arguments, json!({})).result();
    assert_eq!(result["isError"], true, "{result}");
}

#[test]
fn where_nobody_can_be_asked_the_call_is_the_agreement() {
    let provider = Provider::start([]);
    let server = asking(&provider);
    sent(&send(&server, arguments()));
    sent(&call(&server, Version::V2026_07_28, "contact", arguments()));
    assert_eq!(provider.received().len(), 2);
}

/// `portfolio stdio`, after the handshake with a client that shows forms.
fn on_a_connection(provider: &Provider, version: &str, more: &[(&str, &str)]) -> Process {
    let url = provider.url();
    let mut settings = vec![
        ("CONTACT_PROVIDER", "resend"),
        ("CONTACT_AUTH", "none"),
        ("CONTACT_CONFIRM", "ask"),
        ("CONTACT_TO", super::OWNER),
        ("CONTACT_FROM", super::FROM),
        ("RESEND_API_KEY", super::API_KEY),
        ("RESEND_BASE_URL", &url),
    ];
    settings.extend(more);
    let mut process = Process::start("portfolio", &["stdio"], &settings);
    let params = json!({
        "protocolVersion": version,
        "clientInfo": {"name": "it", "version": "1"},
        "capabilities": {"elicitation": {}},
    });
    process.ask(&json!({"jsonrpc": "2.0", "id": 0, "method": "initialize", "params": params}));
    process
}

/// A client of the older era cannot be asked over HTTP, but on a connection.
#[test]
fn on_a_connection_older_clients_are_asked_too() {
    let worker = "arn:aws:lambda:eu-central-1:123456789012:function:worker:live";
    let call = json!({
        "jsonrpc": "2.0", "id": 1, "method": "tools/call",
        "params": {"name": "contact", "arguments": arguments()},
    });
    for version in ["2025-11-25", "2025-06-18"] {
        for task in [&[][..], &[("TASK_FUNCTION", worker)]] {
            let provider = Provider::start([]);
            let mut process = on_a_connection(&provider, version, task);
            let question = process.ask(&call);
            assert_eq!(question["method"], "elicitation/create", "{question}");
            let no = json!({"action": "decline"});
            process.send(&json!({"jsonrpc": "2.0", "id": question["id"], "result": no}));
            let declined = process.next();
            let words = declined["result"]["content"][0]["text"].as_str();
            assert!(words.unwrap().contains("Nothing was sent"), "{declined}");
            assert_eq!(provider.connections(), 0);
            if task.is_empty() {
                let question = process.ask(&call);
                process.send(&json!({"jsonrpc": "2.0", "id": question["id"], "result": yes()}));
                let answer = process.next()["result"]["structuredContent"].clone();
                assert_eq!(answer["status"], "sent", "{answer}");
                assert_eq!(provider.received().len(), 1);
            }
        }
    }
}

#[test]
fn nobody_is_asked_unless_it_is_configured() {
    let provider = Provider::start([]);
    let server = with_resend(&provider.url()).start();
    sent(&with_forms(&server, arguments(), json!({})));
}

/// Where the calls are counted, with the setting for it.
async fn on_both_stores(check: fn(&dyn Fn(ServerConfig) -> ServerConfig)) {
    let store = harness::dynamodb::Store::start(2_945 * 7 * 86_400).await;
    let address = store.address;
    let checks = move || {
        check(&|config| config);
        check(&|config| {
            config
                .env("RATE_LIMIT_TABLE", harness::dynamodb::TABLE)
                .env("AWS_ENDPOINT_URL_DYNAMODB", &format!("http://{address}"))
                .env("AWS_REGION", "eu-central-1")
                .env("AWS_ACCESS_KEY_ID", "test")
                .env("AWS_SECRET_ACCESS_KEY", "test")
        });
    };
    tokio::task::spawn_blocking(checks).await.unwrap();
}

fn message(number: u32) -> Value {
    json!({"brief": format!("Message {number}"), "contact": "ada@example.org"})
}

fn yes() -> Value {
    json!({"action": "accept", "content": {"send": true}})
}

#[tokio::test(flavor = "multi_thread")]
async fn the_rounds_of_one_message_count_once() {
    on_both_stores(|counted| {
        let provider = Provider::start([]);
        let config = with_resend(&provider.url()).env("CONTACT_CONFIRM", "ask");
        let server = counted(config.env("RATE_LIMITS", "contact=3/365d")).start();
        for number in 1..=3 {
            let asked = with_forms(&server, message(number), json!({})).result();
            sent(&answer_with(&server, message(number), &asked, yes()));
        }
        let reply = with_forms(&server, message(4), json!({}));
        assert_eq!(reply.status, 429, "{reply:#?}");
        assert_eq!(provider.received().len(), 3);
    })
    .await;
}

#[tokio::test(flavor = "multi_thread")]
async fn an_answer_that_is_sent_again_counts_each_time() {
    on_both_stores(|counted| {
        let provider = Provider::start([]);
        let config = with_resend(&provider.url()).env("CONTACT_CONFIRM", "ask");
        let server = counted(config.env("RATE_LIMITS", "contact=3/365d")).start();
        let asked = with_forms(&server, message(1), json!({})).result();
        let statuses: Vec<u16> = (0..6)
            .map(|_| answer_with(&server, message(1), &asked, yes()).status)
            .collect();
        // One count for the question and its first answer, and one for each repeated answer.
        assert_eq!(statuses, [200, 200, 200, 429, 429, 429]);
    })
    .await;
}
