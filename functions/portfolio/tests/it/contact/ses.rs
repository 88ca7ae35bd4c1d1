//! Amazon SES: its errors by a service of ours, and delivery by `moto` (`make test-ses`).

use std::time::Duration;

use serde_json::{Value, json};

use super::provider::{Provider, Step, nobody};
use super::{FROM, OWNER, arguments, refusal, send, sent};
use harness::{ServerConfig, TestServer, background};

fn with_ses(url: &str) -> ServerConfig {
    ServerConfig::new("portfolio")
        .env("CONTACT_PROVIDER", "ses")
        .env("CONTACT_AUTH", "none")
        .env("RATE_LIMITS", super::NO_LIMIT)
        .env("CONTACT_TO", OWNER)
        .env("CONTACT_FROM", FROM)
        .env("AWS_ENDPOINT_URL_SESV2", url)
        .env("AWS_ACCESS_KEY_ID", "AKIASENTINEL")
        .env("AWS_SECRET_ACCESS_KEY", "SENTINEL-secret")
}

fn error(status: u16, code: &'static str) -> Step {
    Step::Answer {
        status,
        headers: vec![
            ("x-amzn-errortype", code),
            ("content-type", "application/json"),
        ],
        body: json!({"message": format!("INTERNAL {code}")}).to_string(),
    }
}

fn start(provider: &Provider) -> TestServer {
    with_ses(&provider.url()).env("LOG_LEVEL", "trace").start()
}

#[test]
fn a_message_reaches_ses_as_its_api_wants_it() {
    let provider = Provider::start([Step::answer(200, json!({"MessageId": "0100-a"}))]);
    let server = start(&provider);
    sent(&send(&server, arguments()));
    let received = provider.received();
    assert_eq!(received.len(), 1);
    assert_eq!(received[0].path, "/v2/email/outbound-emails");
    let body = &received[0].body;
    assert_eq!(
        body["FromEmailAddress"],
        FROM.replace("Portfolio", "\"Portfolio\"")
    );
    assert_eq!(body["Destination"], json!({"ToAddresses": [OWNER]}));
    assert_eq!(
        body["ReplyToAddresses"],
        json!(["ada-SENTINEL@example.org"])
    );
    let simple = &body["Content"]["Simple"];
    assert_eq!(
        simple["Subject"],
        json!({"Data": "Message from Ada SENTINEL", "Charset": "UTF-8"})
    );
    let text = simple["Body"]["Text"]["Data"].as_str().unwrap();
    assert!(
        text.ends_with("> SENTINEL brief:\n> are you free in May?\n"),
        "{text}"
    );
    let html = simple["Body"]["Html"]["Data"].as_str().unwrap();
    assert!(
        html.contains("SENTINEL brief:\nare you free in May?</div>"),
        "{html}"
    );
    let log = server.finish();
    assert!(log.contains("0100-a"), "{log}");
    assert!(!log.contains("SENTINEL"), "{log}");
}

#[test]
fn only_what_was_certainly_not_taken_is_sent_again() {
    let rows = [
        (error(429, "TooManyRequestsException"), 2, None),
        (error(503, "ServiceUnavailable"), 2, None),
        (
            error(500, "InternalFailure"),
            1,
            Some("may deliver it twice"),
        ),
        (Step::Reset, 1, Some("may deliver it twice")),
        (error(400, "MessageRejected"), 1, Some("was not sent")),
        (error(403, "AccessDeniedException"), 1, Some("was not sent")),
    ];
    for (step, requests, expected) in rows {
        let taken = Step::answer(200, json!({"MessageId": "0100-a"}));
        let provider = Provider::start([step.clone(), taken]);
        let server = start(&provider);
        let reply = send(&server, arguments());
        assert_eq!(provider.received().len(), requests, "{step:?}");
        match expected {
            None => drop(sent(&reply)),
            Some(expected) => {
                let words = refusal(&reply);
                assert!(words.contains(expected), "{step:?}: {words}");
                assert!(!words.contains("INTERNAL"), "{words}");
            }
        }
        let log = server.finish();
        assert!(!log.contains("SENTINEL"), "{step:?}\n{log}");
    }
}

/// The functions of two instances with one table, and the service that they send by.
fn instance(provider: &Provider, store: std::net::SocketAddr) -> TestServer {
    with_ses(&provider.url())
        .env("RATE_LIMIT_TABLE", harness::dynamodb::TABLE)
        .env("AWS_ENDPOINT_URL_DYNAMODB", &format!("http://{store}"))
        .env("AWS_REGION", "eu-central-1")
        .start()
}

#[tokio::test(flavor = "multi_thread")]
async fn the_same_message_is_sent_once_in_ten_minutes_by_any_number_of_instances() {
    let store = harness::dynamodb::Store::start(2_945 * 7 * 86_400).await;
    let address = store.address;
    let calls = move || {
        let taken = || Step::answer(200, json!({"MessageId": "0100-a"}));
        let refused = error(400, "MessageRejected");
        let provider = Provider::start([refused, taken(), taken()]);
        let servers = [(); 2].map(|()| instance(&provider, address));
        // A message that was certainly not sent can be sent again at once.
        refusal(&send(&servers[0], arguments()));
        let first = sent(&send(&servers[1], arguments()));
        for server in &servers {
            let again = sent(&send(server, arguments()));
            assert_eq!(again["reference"], first["reference"]);
            let note = again["note"].as_str().unwrap();
            assert!(note.contains("was not sent again"), "{note}");
        }
        assert_eq!(provider.received().len(), 2);
        let mut other = arguments();
        other["brief"] = json!("another");
        sent(&send(&servers[0], other));
        assert_eq!(provider.received().len(), 3);
    };
    tokio::task::spawn_blocking(calls).await.unwrap();
}

#[test]
fn without_a_table_an_instance_remembers_what_it_sent() {
    let provider = Provider::start([Step::answer(200, json!({"MessageId": "0100-a"}))]);
    let server = start(&provider);
    let first = sent(&send(&server, arguments()));
    for _ in 0..3 {
        let again = sent(&send(&server, arguments()));
        assert_eq!(again["reference"], first["reference"]);
        let note = again["note"].as_str().unwrap();
        assert!(note.contains("was not sent again"), "{note}");
    }
    assert_eq!(provider.received().len(), 1);
}

#[tokio::test(flavor = "multi_thread")]
async fn resend_gets_a_repeat_with_the_same_key_whether_there_is_a_table_or_not() {
    let store = harness::dynamodb::Store::start(2_945 * 7 * 86_400).await;
    let address = store.address;
    let calls = move || {
        let provider = Provider::start([]);
        let config = || super::with_resend(&provider.url());
        let with_table = config()
            .env("RATE_LIMIT_TABLE", harness::dynamodb::TABLE)
            .env("AWS_ENDPOINT_URL_DYNAMODB", &format!("http://{address}"))
            .env("AWS_REGION", "eu-central-1")
            .env("AWS_ACCESS_KEY_ID", "test")
            .env("AWS_SECRET_ACCESS_KEY", "test");
        for server in [config().start(), with_table.start()] {
            for _ in 0..2 {
                sent(&send(&server, arguments()));
            }
        }
        let received = provider.received();
        assert_eq!(received.len(), 4);
        for repeat in &received {
            let key = repeat.header("idempotency-key");
            assert_eq!(key, received[0].header("idempotency-key"));
            assert_eq!(repeat.body, received[0].body);
        }
    };
    tokio::task::spawn_blocking(calls).await.unwrap();
}

#[test]
fn ses_that_is_silent_or_not_there_is_told_in_time() {
    let provider = Provider::start([Step::Hang]);
    let server = start(&provider);
    let reply = send(&server, arguments());
    assert!(refusal(&reply).contains("may deliver it twice"));
    assert!(
        reply.elapsed < Duration::from_secs(6),
        "{:?}",
        reply.elapsed
    );
    let server = with_ses(&nobody()).start();
    let words = refusal(&send(&server, arguments()));
    assert!(words.contains("Nothing was delivered"), "{words}");
}

/// Reads `path` of the server at `url`; with a body, posts it there.
fn exchange(url: &str, path: &str, body: Option<&Value>) -> Value {
    use http_body_util::{BodyExt as _, Full};
    use hyper_util::rt::TokioIo;
    let authority = url.strip_prefix("http://").expect("plain HTTP").to_owned();
    let method = if body.is_some() { "POST" } else { "GET" };
    // `moto` finds the service's name in the scope of the credential.
    let scope = "AWS4-HMAC-SHA256 Credential=test/20260101/eu-central-1/ses/aws4_request, \
                 SignedHeaders=host, Signature=0";
    let request = http::Request::builder()
        .method(method)
        .uri(path)
        .header("host", &authority)
        .header("authorization", scope)
        .header("content-type", "application/json")
        .body(Full::<bytes::Bytes>::from(
            body.map(Value::to_string).unwrap_or_default(),
        ))
        .unwrap();
    let (done, wait) = std::sync::mpsc::channel();
    background().spawn(async move {
        let stream = tokio::net::TcpStream::connect(&authority).await.unwrap();
        let (mut sender, connection) = hyper::client::conn::http1::handshake(TokioIo::new(stream))
            .await
            .unwrap();
        tokio::spawn(connection);
        let response = sender.send_request(request).await.unwrap();
        let body = response.into_body().collect().await.unwrap().to_bytes();
        let _ = done.send(serde_json::from_slice(&body).unwrap_or_default());
    });
    wait.recv_timeout(Duration::from_secs(10))
        .expect("an answer")
}

#[test]
#[ignore = "needs a running moto: `make test-ses`"]
fn moto_takes_a_message_and_refuses_an_unknown_sender() {
    let url = std::env::var("MOTO_URL").expect("`make test-ses` sets MOTO_URL");
    let server = with_ses(&url).start();
    let words = refusal(&send(&server, arguments()));
    assert!(words.contains("was not sent"), "{words}");
    let identity = json!({"EmailIdentity": "portfolio-SENTINEL@owner.example"});
    exchange(&url, "/v2/email/identities", Some(&identity));
    sent(&send(&server, arguments()));
    let data = exchange(&url, "/moto-api/data.json", None);
    let messages = data["ses"]["Message"].as_array().expect("messages").clone();
    let [message] = messages.as_slice() else {
        panic!("one message was sent: {messages:#?}");
    };
    assert_eq!(message["subject"], "Message from Ada SENTINEL");
    assert!(
        message["body"]
            .as_str()
            .unwrap()
            .contains("are you free in May?")
    );
    let log = server.finish();
    assert!(!log.contains("SENTINEL"), "{log}");
}
