//! Secrets by reference: the function reads them from Parameter Store when a request first needs one,
//! and the key of request states from the limits table.

use std::collections::BTreeMap;
use std::io::{BufRead as _, BufReader, Read as _, Write as _};
use std::net::{TcpListener, TcpStream};
use std::sync::{Arc, Mutex};

use harness::dynamodb::{Store, TABLE};
use harness::messages::{call_with_forms, request, with_headers};
use harness::{Outcome, Reply, ServerConfig, TestServer, Version};
use serde_json::{Value, json};

const NAME: &str = "/portfolio/api-keys";
/// A key that must not appear in any log.
const KEY: &str = "test-key-SENTINEL";

/// Parameter Store on loopback, as far as `GetParameters` goes.
struct ParameterStore {
    url: String,
    state: Arc<Mutex<State>>,
}

#[derive(Default)]
struct State {
    values: BTreeMap<String, String>,
    requests: Vec<Value>,
    is_down: bool,
}

impl ParameterStore {
    fn start() -> Self {
        let listener = TcpListener::bind("127.0.0.1:0").unwrap();
        let url = format!("http://{}", listener.local_addr().unwrap());
        let state = Arc::new(Mutex::new(State::default()));
        let shared = Arc::clone(&state);
        std::thread::spawn(move || {
            for connection in listener.incoming() {
                let Ok(connection) = connection else { return };
                let shared = Arc::clone(&shared);
                std::thread::spawn(move || serve(connection, &shared));
            }
        });
        Self { url, state }
    }

    fn set(&self, value: &str) {
        let mut state = self.state.lock().unwrap();
        state.values.insert(NAME.to_owned(), value.to_owned());
    }

    fn requests(&self) -> usize {
        self.state.lock().unwrap().requests.len()
    }
}

/// Answers the requests of a connection until it ends.
fn serve(connection: TcpStream, state: &Mutex<State>) {
    let mut writer = connection.try_clone().unwrap();
    let mut reader = BufReader::new(connection);
    while let Some((headers, body)) = read(&mut reader) {
        assert!(
            headers.contains("x-amz-target: amazonssm.getparameters"),
            "{headers}"
        );
        let body: Value = serde_json::from_slice(&body).unwrap();
        assert_eq!(body["WithDecryption"], true);
        let (status, answer) = answer(&body, &mut state.lock().unwrap());
        let answer = answer.to_string();
        let head = format!(
            "HTTP/1.1 {status}\r\nContent-Type: application/x-amz-json-1.1\r\nContent-Length: {}\r\n\r\n",
            answer.len()
        );
        writer
            .write_all(format!("{head}{answer}").as_bytes())
            .unwrap();
    }
}

fn answer(body: &Value, state: &mut State) -> (&'static str, Value) {
    state.requests.push(body.clone());
    if state.is_down {
        let error = json!({"__type": "InternalServerError", "message": "SENTINEL"});
        return ("500 Internal Server Error", error);
    }
    let names = body["Names"].as_array().unwrap().iter();
    let names = names.map(|name| name.as_str().unwrap());
    let (found, missing): (Vec<_>, Vec<_>) =
        names.partition(|name| state.values.contains_key(*name));
    let found: Vec<_> = found
        .iter()
        .map(|name| json!({"Name": name, "Type": "SecureString", "Value": state.values[*name]}))
        .collect();
    (
        "200 OK",
        json!({"Parameters": found, "InvalidParameters": missing}),
    )
}

/// The lower-case head and the body of a request; `None` at the end of the connection.
fn read(reader: &mut BufReader<TcpStream>) -> Option<(String, Vec<u8>)> {
    let mut head = String::new();
    loop {
        let mut line = String::new();
        if reader.read_line(&mut line).ok()? == 0 {
            return None;
        }
        if line == "\r\n" {
            break;
        }
        head.push_str(&line.to_ascii_lowercase());
    }
    let (_, length) = head.split_once("content-length: ")?;
    let length = length.lines().next()?.trim().parse().ok()?;
    let mut body = vec![0; length];
    reader.read_exact(&mut body).ok()?;
    Some((head, body))
}

fn start(store: &ParameterStore) -> TestServer {
    ServerConfig::new("portfolio")
        .env("CONTACT_PROVIDER", "log")
        .env("CONTACT_OUTBOX", "/dev/null")
        .env("RATE_LIMITS", "contact=1000/1h")
        .env("API_KEYS_PARAMETER", NAME)
        .env("AWS_ENDPOINT_URL_SSM", &store.url)
        .env("AWS_ACCESS_KEY_ID", "test")
        .env("AWS_SECRET_ACCESS_KEY", "test")
        .start()
}

fn contact(server: &TestServer, key: &str) -> Reply {
    let arguments = json!({"brief": "Are you free in May?", "contact": "ada@example.org"});
    let params = json!({"name": "contact", "arguments": arguments});
    let message = request(Version::V2026_07_28, "tools/call", params);
    with_headers(server, Version::V2026_07_28, &message)
        .header("Authorization", &format!("Bearer {key}"))
        .send()
}

/// The entry by which the function knows `KEY`, made by its own command.
fn entry() -> String {
    use lambda_mcp::auth::ApiKeys;
    format!("ada {} contact:send", ApiKeys::digest(KEY))
}

#[test]
fn a_key_is_read_at_first_need_and_then_cached() {
    let store = ParameterStore::start();
    store.set(&entry());
    let server = start(&store);
    let list = request(Version::V2026_07_28, "tools/list", json!({}));
    assert_eq!(
        with_headers(&server, Version::V2026_07_28, &list)
            .send()
            .status,
        200
    );
    assert_eq!(store.requests(), 0, "a read-only request made a call");
    assert_eq!(contact(&server, KEY).status, 200);
    assert_eq!(contact(&server, KEY).status, 200);
    assert_eq!(contact(&server, "another-key").status, 401);
    assert_eq!(store.requests(), 1);
    let logs = server.finish();
    assert!(!logs.contains("SENTINEL"), "{logs}");
}

#[test]
fn without_the_store_a_credential_is_unavailable_and_not_refused() {
    let store = ParameterStore::start();
    store.state.lock().unwrap().is_down = true;
    let server = start(&store);
    let reply = contact(&server, KEY);
    assert_eq!(reply.status, 503);
    assert!(!String::from_utf8_lossy(&reply.body).contains("ssm"));
    let logs = server.finish();
    assert!(
        logs.contains("ssm: InternalServerError, status 500"),
        "{logs}"
    );
    assert!(!logs.contains("SENTINEL"), "{logs}");
}

#[test]
fn an_invalid_parameter_is_named_in_the_log_without_its_text() {
    let store = ParameterStore::start();
    store.set("SENTINEL");
    let server = start(&store);
    assert_eq!(contact(&server, KEY).status, 503);
    let logs = server.finish();
    assert!(logs.contains(NAME), "{logs}");
    assert!(!logs.contains("SENTINEL"), "{logs}");
}

fn asking(table_url: &str) -> TestServer {
    ServerConfig::new("portfolio")
        .env("CONTACT_PROVIDER", "log")
        .env("CONTACT_OUTBOX", "/dev/null")
        .env("CONTACT_AUTH", "none")
        .env("CONTACT_CONFIRM", "ask")
        .env("RATE_LIMITS", "contact=1000/1h")
        .env("REQUEST_STATE_TABLE", TABLE)
        .env("AWS_ENDPOINT_URL_DYNAMODB", table_url)
        .env("AWS_ACCESS_KEY_ID", "test")
        .env("AWS_SECRET_ACCESS_KEY", "test")
        .start()
}

fn contact_with_forms(server: &TestServer, more: Value) -> Reply {
    let arguments = json!({"brief": "Are you free in May?", "contact": "ada@example.org"});
    call_with_forms(server, "contact", arguments, more)
}

#[tokio::test(flavor = "multi_thread")]
async fn another_process_understands_the_state_of_a_round() {
    let store = Store::start(2_945 * 7 * 86_400).await;
    let url = format!("http://{}", store.address);
    let rounds = tokio::task::spawn_blocking(move || {
        let first = asking(&url);
        let asked = contact_with_forms(&first, json!({})).result();
        assert_eq!(asked["resultType"], "input_required", "{asked}");
        let yes = json!({"action": "accept", "content": {"send": true}});
        let more = json!({
            "inputResponses": {"consent": yes},
            "requestState": asked["requestState"],
        });
        contact_with_forms(&asking(&url), more).result()
    });
    let done = rounds.await.unwrap();
    assert_eq!(done["structuredContent"]["status"], "sent", "{done}");
    assert_eq!(
        store.items().await,
        ["pk=key#request-state secret=32 bytes"]
    );
}

#[test]
fn a_function_that_asks_does_not_start_without_its_key() {
    let server = asking("http://127.0.0.1:9");
    match server.post(&harness::messages::ping()).outcome() {
        Outcome::Exited { logs, .. } => assert!(logs.contains("REQUEST_STATE_TABLE"), "{logs}"),
        other => panic!("it started: {other:?}"),
    }
}
