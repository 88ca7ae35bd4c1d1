//! [`Double`]: the part of the Lambda API that the engine calls. It answers what was planned.

use std::collections::{HashMap, VecDeque};
use std::net::SocketAddr;
use std::sync::{Arc, Mutex};

use axum::Router;
use axum::body::Bytes;
use axum::extract::State;
use axum::http::{HeaderMap, Method, StatusCode, Uri};
use serde_json::{Value, json};

use super::EXECUTION;

/// An operation of the API.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub(super) enum Api {
    Invoke,
    Get,
    History,
    Callback,
    Stop,
}

/// A request that the API got.
#[derive(Debug, Clone)]
pub(super) struct Asked {
    /// Path and query, decoded.
    pub(super) target: String,
    pub(super) headers: HeaderMap,
    pub(super) body: Bytes,
}

impl Asked {
    pub(super) fn json(&self) -> Value {
        serde_json::from_slice(&self.body).unwrap()
    }

    pub(super) fn header(&self, name: &str) -> &str {
        self.headers[name].to_str().unwrap()
    }
}

/// An answer of the API.
#[derive(Debug, Clone)]
pub(super) struct Planned {
    status: u16,
    headers: Vec<(&'static str, String)>,
    body: Value,
}

impl Planned {
    pub(super) fn ok(body: Value) -> Self {
        Self {
            status: 200,
            headers: Vec::new(),
            body,
        }
    }

    /// An error, as the Lambda API writes it.
    pub(super) fn error(status: u16, kind: &str) -> Self {
        Self {
            status,
            headers: vec![("x-amzn-errortype", kind.to_owned())],
            body: json!({"Type": "User", "message": "planted-message"}),
        }
    }

    pub(super) fn header(mut self, name: &'static str, value: &str) -> Self {
        self.headers.push((name, value.to_owned()));
        self
    }
}

#[derive(Default)]
struct Script {
    /// The next answers of each operation; the last one stays.
    planned: HashMap<Api, VecDeque<Planned>>,
    asked: HashMap<Api, Vec<Asked>>,
}

pub(super) struct Double {
    address: SocketAddr,
    script: Arc<Mutex<Script>>,
}

impl Double {
    /// Begins to listen.
    pub(super) async fn start() -> Self {
        let listener = tokio::net::TcpListener::bind("127.0.0.1:0").await.unwrap();
        let address = listener.local_addr().unwrap();
        let script = Arc::<Mutex<Script>>::default();
        let app = Router::new()
            .fallback(answer)
            .with_state(Arc::clone(&script));
        tokio::spawn(async move { axum::serve(listener, app).await.unwrap() });
        Self { address, script }
    }

    pub(super) fn url(&self) -> String {
        format!("http://{}", self.address)
    }

    /// Plans the answers of an operation, instead of those planned before. The last one stays.
    pub(super) fn plan(&self, api: Api, answers: impl IntoIterator<Item = Planned>) {
        let mut script = self.script.lock().unwrap();
        script.planned.insert(api, answers.into_iter().collect());
    }

    /// Plans one answer for every request.
    pub(super) fn always(&self, api: Api, answer: Planned) {
        self.plan(api, [answer]);
    }

    /// Plans that executions start.
    pub(super) fn starts(&self) {
        let started = Planned {
            status: 202,
            headers: vec![("x-amz-durable-execution-arn", EXECUTION.to_owned())],
            body: Value::Null,
        };
        self.always(Api::Invoke, started);
    }

    /// What an operation was asked since the last look.
    pub(super) fn asked(&self, api: Api) -> Vec<Asked> {
        let mut script = self.script.lock().unwrap();
        script.asked.remove(&api).unwrap_or_default()
    }
}

async fn answer(
    State(script): State<Arc<Mutex<Script>>>,
    method: Method,
    uri: Uri,
    headers: HeaderMap,
    body: Bytes,
) -> (StatusCode, HeaderMap, String) {
    let target = percent_decoded(&uri.to_string());
    let api = operation(&method, uri.path()).unwrap_or_else(|| panic!("{method} {uri}"));
    let mut script = script.lock().unwrap();
    let asked = Asked {
        target,
        headers,
        body,
    };
    script.asked.entry(api).or_default().push(asked);
    let planned = script.planned.entry(api).or_default();
    let answer = if planned.len() > 1 {
        planned.pop_front().unwrap()
    } else {
        let last = planned.front().cloned();
        last.unwrap_or_else(|| panic!("nothing is planned for {api:?}"))
    };
    let mut headers = HeaderMap::new();
    for (name, value) in answer.headers {
        headers.insert(name, value.parse().unwrap());
    }
    let body = match answer.body {
        Value::Null => String::new(),
        body => body.to_string(),
    };
    (StatusCode::from_u16(answer.status).unwrap(), headers, body)
}

fn operation(method: &Method, path: &str) -> Option<Api> {
    let post = *method == Method::POST;
    let get = *method == Method::GET;
    if post && path.starts_with("/2015-03-31/functions/") && path.ends_with("/invocations") {
        Some(Api::Invoke)
    } else if post && path.starts_with("/2025-12-01/durable-execution-callbacks/") {
        path.ends_with("/succeed").then_some(Api::Callback)
    } else if !path.starts_with("/2025-12-01/durable-executions/") {
        None
    } else if get && path.ends_with("/history") {
        Some(Api::History)
    } else if post && path.ends_with("/stop") {
        Some(Api::Stop)
    } else {
        get.then_some(Api::Get)
    }
}

fn percent_decoded(text: &str) -> String {
    let mut bytes = Vec::new();
    let mut rest = text.bytes();
    while let Some(byte) = rest.next() {
        if byte == b'%' {
            let digits = [rest.next().unwrap(), rest.next().unwrap()];
            let digits = std::str::from_utf8(&digits).unwrap();
            bytes.push(u8::from_str_radix(digits, 16).unwrap());
        } else {
            bytes.push(byte);
        }
    }
    String::from_utf8(bytes).unwrap()
}
