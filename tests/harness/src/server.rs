//! What a test talks to: a running server, and requests to it.

use std::collections::BTreeMap;
use std::time::{Duration, Instant};

use base64::Engine as _;
use base64::engine::general_purpose::STANDARD as BASE64;
use bytes::Bytes;
use serde_json::Value;
use tokio::sync::watch;

use super::child::Child;
use super::http_server::HttpServer;
use super::{
    Answer, Front, HttpRequest, Logs, Outcome, Reply, RuntimeApi, Version, background, event,
    schema,
};

/// The function's timeout in the shipped template: no answer may take longer.
pub(crate) const FUNCTION_TIMEOUT: Duration = Duration::from_secs(10);

/// How to start a server.
#[derive(Clone, Debug)]
pub struct ServerConfig {
    program: String,
    env: BTreeMap<String, String>,
    children: usize,
}

impl ServerConfig {
    /// A program of this package: `portfolio`, or the name of an example.
    pub fn new(program: &str) -> Self {
        Self {
            program: program.to_owned(),
            env: BTreeMap::new(),
            children: 1,
        }
    }

    /// The example server that has everything the official suite asks for.
    pub fn conformance() -> Self {
        Self::new("conformance").env("ALLOWED_HOSTS", "*")
    }

    /// Sets a variable of the function's configuration.
    pub fn env(mut self, name: &str, value: &str) -> Self {
        self.env.insert(name.to_owned(), value.to_owned());
        self
    }

    /// The number of execution environments; each works on one event at a time.
    pub fn children(mut self, children: usize) -> Self {
        self.children = children;
        self
    }

    /// Starts it.
    pub fn start(self) -> TestServer {
        let api = RuntimeApi::start();
        let logs = Logs::default();
        let start = || Child::start(&self.program, &self.env, api.address(), &logs);
        let children = (0..self.children).map(|_| start()).collect();
        TestServer {
            back: Back::Lambda { children, api },
            logs,
        }
    }
}

/// A server under test; it ends when dropped.
#[derive(Debug)]
pub struct TestServer {
    back: Back,
    logs: Logs,
}

#[derive(Debug)]
enum Back {
    /// Children first: they end before the API they listen to.
    Lambda {
        children: Vec<Child>,
        api: RuntimeApi,
    },
    Http(HttpServer),
}

impl TestServer {
    /// The example server that the case table is written for.
    pub fn cases() -> Self {
        ServerConfig::new("cases").start()
    }

    /// An HTTP server that runs already; `url` is that of its endpoint.
    pub fn at(url: &str) -> Self {
        Self {
            back: Back::Http(HttpServer::new(url)),
            logs: Logs::default(),
        }
    }

    /// A Runtime API without a program: the test plays the function's part.
    pub fn without_program(api: RuntimeApi) -> Self {
        Self {
            back: Back::Lambda {
                children: Vec::new(),
                api,
            },
            logs: Logs::default(),
        }
    }

    /// A `POST` of a JSON-RPC message to the endpoint.
    pub fn post(&self, message: &Value) -> RequestBuilder<'_> {
        self.send_later(HttpRequest::post(message.to_string()))
    }

    /// A `POST` of any bytes to the endpoint.
    pub fn post_raw(&self, body: impl Into<Vec<u8>>) -> RequestBuilder<'_> {
        self.send_later(HttpRequest::post(body))
    }

    /// Any request, without headers or body.
    pub fn request(&self, method: &str, target: &str) -> RequestBuilder<'_> {
        self.send_later(HttpRequest::new(method, target))
    }

    /// A request made elsewhere.
    pub fn send_later(&self, request: HttpRequest) -> RequestBuilder<'_> {
        let deadline = FUNCTION_TIMEOUT;
        RequestBuilder {
            server: self,
            request,
            front: Front::Http,
            deadline,
        }
    }

    /// Gives an event to the function as it stands; the answer is read as `front` reads it.
    pub fn invoke(&self, front: Front, event: &Value) -> Outcome {
        self.invoke_raw(front, event.to_string(), FUNCTION_TIMEOUT)
    }

    /// Gives bytes to the function as its event.
    pub fn invoke_raw(&self, front: Front, event: impl Into<Bytes>, deadline: Duration) -> Outcome {
        let Back::Lambda { children, api } = &self.back else {
            panic!("an HTTP server takes no events");
        };
        let started = Instant::now();
        let answered = api.invoke(event.into(), FUNCTION_TIMEOUT);
        let init_error = api.init_error();
        let exits = children.iter().map(Child::exit).collect();
        let logs = self.logs.clone();
        wait(async move {
            tokio::select! {
                biased;
                answer = answered => match answer {
                    Ok(answer) => read(front, answer, started.elapsed()),
                    Err(_) => Outcome::Malformed("the Runtime API went away".to_owned()),
                },
                words = set(init_error) => Outcome::InitError(words),
                status = all_gone(exits) => Outcome::Exited { status, logs: logs.text() },
                () = tokio::time::sleep(deadline) => Outcome::Late { deadline, logs: logs.text() },
            }
        })
    }

    /// What the program has written so far; [`Self::finish`] gives all of it.
    pub fn logs(&self) -> &Logs {
        &self.logs
    }

    /// Waits until every child is idle again, ends them, and gives all they wrote.
    pub fn finish(mut self) -> String {
        if let Back::Lambda { children, api } = &mut self.back {
            let mut waiting = api.waiting();
            let all = children.len();
            let idle = wait(async move {
                let idle = waiting.wait_for(|waiting| *waiting >= all);
                tokio::time::timeout(FUNCTION_TIMEOUT, idle).await.is_ok()
            });
            assert!(idle, "a child is still busy:\n{}", self.logs.text());
            children.iter_mut().for_each(Child::stop);
        }
        self.logs.text()
    }
}

/// A request on its way.
#[derive(Debug)]
#[must_use = "nothing is sent before `send` or `outcome`"]
pub struct RequestBuilder<'a> {
    server: &'a TestServer,
    request: HttpRequest,
    front: Front,
    deadline: Duration,
}

impl RequestBuilder<'_> {
    /// Adds a header; one of that name may be there already.
    pub fn header(mut self, name: &str, value: &str) -> Self {
        self.request
            .headers
            .push((name.to_owned(), value.to_owned()));
        self
    }

    /// Puts a header in the place of all of that name.
    pub fn set_header(self, name: &str, value: &str) -> Self {
        self.without_header(name).header(name, value)
    }

    /// Takes a header away.
    pub fn without_header(mut self, name: &str) -> Self {
        self.request
            .headers
            .retain(|(n, _)| !n.eq_ignore_ascii_case(name));
        self
    }

    /// The legacy version header.
    pub fn version(self, version: &str) -> Self {
        self.set_header("MCP-Protocol-Version", version)
    }

    /// The headers that a modern client derives from the message: version, method, name.
    pub fn modern_headers(mut self) -> Self {
        let message = self.request.json().unwrap_or_default();
        self = self.version(Version::MODERN);
        if let Some(method) = message["method"].as_str() {
            self = self.set_header("Mcp-Method", method);
        }
        let name = message["params"]["name"]
            .as_str()
            .or(message["params"]["uri"].as_str())
            .or(message["params"]["taskId"].as_str());
        match name {
            Some(name) => self.set_header("Mcp-Name", &header_text(name)),
            None => self,
        }
    }

    /// Which front makes the event (not for an HTTP server).
    pub fn via(mut self, front: Front) -> Self {
        self.front = front;
        self
    }

    /// The gateway's stage.
    pub fn stage(mut self, stage: &str) -> Self {
        stage.clone_into(&mut self.request.stage);
        self
    }

    /// Has the front encode the body.
    pub fn base64(mut self) -> Self {
        self.request.base64 = true;
        self
    }

    /// The time in which the whole body must have come.
    pub fn deadline(mut self, deadline: Duration) -> Self {
        self.deadline = deadline;
        self
    }

    /// Sends it; panics unless a response comes that the official schemas accept.
    #[track_caller]
    pub fn send(self) -> Reply {
        self.outcome().reply()
    }

    /// Sends it and tells how it ended.
    pub fn outcome(self) -> Outcome {
        let outcome = match &self.server.back {
            Back::Lambda { .. } => {
                let event = event(self.front, &self.request);
                self.server
                    .invoke_raw(self.front, event.to_string(), self.deadline)
            }
            Back::Http(server) => wait(server.send(self.request.clone(), self.deadline)),
        };
        match outcome {
            Outcome::Reply(mut reply) => {
                reply.faults = schema::faults(&self.request, &reply);
                Outcome::Reply(reply)
            }
            other => other,
        }
    }
}

/// A text as a header value: in the Base64 form where a plain header could not carry it.
fn header_text(text: &str) -> String {
    let plain = text.bytes().all(|byte| (b' '..=b'~').contains(&byte)) && text.trim() == text;
    if plain {
        text.to_owned()
    } else {
        format!("=?base64?{}?=", BASE64.encode(text))
    }
}

fn read(front: Front, answer: Answer, elapsed: Duration) -> Outcome {
    match answer {
        Answer::Response {
            headers,
            body,
            arrivals,
        } => match Reply::read(front, &headers, &body, elapsed) {
            Ok(reply) => Outcome::Reply(Reply { arrivals, ..reply }),
            Err(fault) => Outcome::Malformed(fault),
        },
        Answer::BrokenResponse(fault) => Outcome::Malformed(fault),
        Answer::Error(words) => Outcome::FunctionError(words),
    }
}

/// Ends when every child has ended; never when there is none.
async fn all_gone(exits: Vec<watch::Receiver<Option<String>>>) -> String {
    if exits.is_empty() {
        return std::future::pending().await;
    }
    let mut status = String::new();
    for exit in exits {
        status = set(exit).await;
    }
    status
}

/// Waits for a value; for ever, when whoever would set it has gone.
async fn set(mut value: watch::Receiver<Option<String>>) -> String {
    let set = value
        .wait_for(Option::is_some)
        .await
        .ok()
        .and_then(|value| value.clone());
    match set {
        Some(value) => value,
        None => std::future::pending().await,
    }
}

/// Runs a future on the background runtime and blocks for its end.
fn wait<T: Send + 'static>(future: impl Future<Output = T> + Send + 'static) -> T {
    let (sender, receiver) = std::sync::mpsc::channel();
    background().spawn(async move {
        let _ = sender.send(future.await);
    });
    receiver.recv().expect("the background task ends")
}
