//! Judges every message of a reply by the official schema of its request's version.
//!
//! Twice: by the types of `rust-mcp-schema` ([`typed_check`]), which any clone can run, and by the
//! official JSON schemas ([`official_schemas`]) where their folder is there. Results of the extension
//! *Tasks* are judged by its own schema, of which the project has a copy.

mod official;
mod tasks;
mod typed;
mod version;

use bytes::Bytes;
use serde_json::{Map, Value};

use super::{HttpRequest, Reply};

pub use official::official_schemas;
pub use typed::typed_check;
pub use version::{SERVED_VERSIONS, Version};

/// Fails unless every message of a response has the form that the official schemas say.
///
/// For responses that did not come through a process; [`TestServer`](crate::TestServer) judges its own.
#[track_caller]
pub fn assert_conforms(request: &http::Request<Bytes>, response: &http::Response<Bytes>) {
    let headers = |headers: &http::HeaderMap| {
        let pairs = headers.iter().map(|(name, value)| {
            let value = String::from_utf8_lossy(value.as_bytes()).into_owned();
            (name.to_string(), value)
        });
        pairs.collect()
    };
    let asked = HttpRequest {
        method: request.method().to_string(),
        target: request.uri().to_string(),
        headers: headers(request.headers()),
        body: Some(request.body().to_vec()),
        stage: "$default".to_owned(),
        base64: false,
    };
    let reply = Reply {
        status: response.status().as_u16(),
        headers: headers(response.headers()),
        body: response.body().to_vec(),
        elapsed: std::time::Duration::ZERO,
        arrivals: Vec::new(),
        faults: Vec::new(),
    };
    let faults = faults(&asked, &reply);
    assert!(faults.is_empty(), "{}\n{reply:#?}", faults.join("\n"));
}

/// What is wrong with the messages in `reply`; nothing, when all is well.
pub(crate) fn faults(request: &HttpRequest, reply: &Reply) -> Vec<String> {
    let on_endpoint = request.path().trim_end_matches('/').ends_with("/mcp");
    let messages = match reply.messages() {
        Ok(messages) => messages,
        Err(fault) if on_endpoint => return vec![fault],
        Err(_) => return Vec::new(),
    };
    if !on_endpoint
        && messages
            .iter()
            .all(|message| message.get("jsonrpc").is_none())
    {
        // A published document: not a message.
        return Vec::new();
    }
    let exchange = Exchange::new(request, reply);
    let mut faults = Vec::new();
    for message in &messages {
        match message {
            Value::Array(_) => exchange.batch(message, &mut faults),
            Value::Object(members) => exchange.message(members, false, &mut faults),
            other => faults.push(format!("neither a message nor a batch: {other}")),
        }
    }
    exchange.number_of_responses(&messages, &mut faults);
    faults
}

/// The version that a handshake agreed on, if the message ends one.
pub(crate) fn agreed(message: &Value) -> Option<Version> {
    Version::parse(message["result"]["protocolVersion"].as_str()?)
}

/// Judges a message that a server sends on a connection of its own accord. `agreed` is the version of the
/// handshake; without one the connection is modern, where a server sends no requests. Responses are not
/// judged here.
pub(crate) fn of_a_server(agreed: Option<Version>, message: &Value) -> Result<(), String> {
    let version = agreed.unwrap_or(Version::V2026_07_28);
    let (envelope, name) = match (message.get("method"), message.get("id")) {
        (None, _) => return Ok(()),
        (Some(_), None) => ("JSONRPCNotification", "ServerNotification"),
        (Some(_), Some(_)) if agreed.is_some() => ("JSONRPCRequest", "ServerRequest"),
        (Some(_), Some(_)) => return Err("a request of a server in the modern era".to_owned()),
    };
    judge(version, envelope, message)?;
    let mut message = message.clone();
    if !version.notifications_have_envelope() {
        let members = message.as_object_mut().unwrap();
        members.remove("jsonrpc");
        members.remove("id");
    }
    judge(version, name, &message)
}

/// The request's side of what is judged.
struct Exchange<'a> {
    status: u16,
    version: Version,
    /// The JSON-RPC messages of the request, as far as they could be read.
    asked: Vec<Value>,
    request: &'a HttpRequest,
}

impl<'a> Exchange<'a> {
    fn new(request: &'a HttpRequest, reply: &Reply) -> Self {
        let asked = match request.json() {
            Some(Value::Array(elements)) => elements,
            Some(one) => vec![one],
            None => Vec::new(),
        };
        let version = version::of(request, &asked, reply);
        Self {
            status: reply.status,
            version,
            asked,
            request,
        }
    }

    fn batch(&self, message: &Value, faults: &mut Vec<String>) {
        if self.version != Version::V2025_03_26 {
            faults.push(format!("{:?} knows no batches: {message}", self.version));
        }
        let elements = message.as_array().map(Vec::as_slice).unwrap_or_default();
        if elements.is_empty() {
            faults.push("an empty batch is no answer".to_owned());
        }
        for element in elements {
            match element {
                Value::Object(members) => self.message(members, true, faults),
                other => faults.push(format!("a batch holds {other}")),
            }
        }
    }

    fn message(&self, members: &Map<String, Value>, in_batch: bool, faults: &mut Vec<String>) {
        let message = Value::Object(members.clone());
        let found = match (
            members.get("method"),
            members.get("result"),
            members.get("error"),
        ) {
            (Some(_), None, None) => self.notification(message.clone()),
            (None, Some(result), None) => self.result(result, &message),
            (None, None, Some(error)) => self.error(error, in_batch, &message),
            _ => Err("neither a notification, nor a result, nor an error".to_owned()),
        };
        let unknown: Vec<&String> = members
            .keys()
            .filter(|name| !KNOWN.contains(&name.as_str()))
            .collect();
        if !unknown.is_empty() {
            faults.push(format!("members unknown to JSON-RPC: {unknown:?}"));
        }
        if let Err(fault) = found {
            faults.push(format!(
                "by the schema of {}: {fault}\n  in {message}",
                self.version.name()
            ));
        }
    }

    fn notification(&self, mut message: Value) -> Result<(), String> {
        self.judge("JSONRPCNotification", &message)?;
        if !self.version.notifications_have_envelope() {
            message.as_object_mut().unwrap().remove("jsonrpc");
        }
        self.judge("ServerNotification", &message)
    }

    fn result(&self, result: &Value, message: &Value) -> Result<(), String> {
        let id = &message["id"];
        let method = self
            .asked
            .iter()
            .find(|asked| asked["id"] == *id && !id.is_null());
        let method = method.and_then(|asked| asked["method"].as_str());
        let method = method.ok_or_else(|| format!("a result for no request: id {id}"))?;
        let name = self.version.result_type(method, result).ok_or_else(|| {
            format!("no type is known for the result of `{method}` in this version")
        })?;
        self.judge(self.version.result_envelope(), message)?;
        self.judge(name, result)?;
        // A completed task has what the call would have returned.
        match (method, result.get("result")) {
            ("tasks/get", Some(called)) => self.judge("CallToolResult", called),
            _ => Ok(()),
        }
    }

    fn error(&self, error: &Value, in_batch: bool, message: &Value) -> Result<(), String> {
        let mut message = message.clone();
        if message["id"].is_null() {
            if self.status < 400 && !in_batch {
                return Err(format!("an error without an id on status {}", self.status));
            }
            let has_null = message.get("id").is_some();
            // The body of a 405 is fixed, whatever the version.
            if has_null && self.version.errors_can_lack_the_id() && self.status != 405 {
                return Err("an error with `id: null`".to_owned());
            }
            // Older versions require an id, and JSON-RPC 2.0, section 5, requires `null` if it could
            // not be read. The rest of the message is judged with a stand-in.
            message["id"] = Value::from(0);
        } else if self.asked.iter().all(|asked| asked["id"] != message["id"]) {
            return Err(format!("an error for an id nobody sent: {}", message["id"]));
        }
        self.judge(self.version.error_envelope(), &message)?;
        // These codes have one shape in every version: the one 2026-07-28 gives them.
        let special = match error["code"].as_i64() {
            Some(-32020) => "HeaderMismatchError",
            Some(-32021) => "MissingRequiredClientCapabilityError",
            Some(-32022) => "UnsupportedProtocolVersionError",
            _ => return Ok(()),
        };
        judge(Version::V2026_07_28, special, &message)
    }

    fn judge(&self, name: &str, value: &Value) -> Result<(), String> {
        judge(self.version, name, value)
    }

    /// A request has exactly one response, everything else has none.
    ///
    /// In a batch that holds for the requests whose id can be read; errors for the rest have no id.
    fn number_of_responses(&self, messages: &[Value], faults: &mut Vec<String>) {
        if self.status != 200 || self.request.method != "POST" {
            return;
        }
        let flat = messages.iter().flat_map(|message| match message {
            Value::Array(elements) => elements.as_slice(),
            one => std::slice::from_ref(one),
        });
        let responses = flat.filter(|message| message.get("method").is_none());
        let in_batch = messages.iter().any(Value::is_array);
        let responses = responses
            .filter(|response| !in_batch || !response["id"].is_null())
            .count();
        let requests = self
            .asked
            .iter()
            .filter(|asked| has_id(asked) && !is_response(asked))
            .count();
        if responses != requests {
            faults.push(format!("{responses} responses to {requests} requests"));
        }
    }
}

const KNOWN: [&str; 6] = ["jsonrpc", "id", "result", "error", "method", "params"];

fn has_id(message: &Value) -> bool {
    let is_whole = |id: &Value| id.as_f64().is_some_and(|number| number.fract() == 0.0);
    message
        .get("id")
        .is_some_and(|id| id.is_string() || is_whole(id))
}

fn is_response(message: &Value) -> bool {
    message.get("method").is_none()
        && (message.get("result").is_some() || message.get("error").is_some())
}

/// Puts a stand-in for a number that the schemas allow and the types of `rust-mcp-schema` cannot hold:
/// they have `i64`, and no `1.0`.
fn with_small_number(value: &Value) -> Value {
    let mut value = value.clone();
    for place in ["/id", "/params/progressToken"] {
        if let Some(number @ Value::Number(_)) = value.pointer_mut(place)
            && !number.is_i64()
        {
            *number = Value::from(0);
        }
    }
    value
}

fn judge(version: Version, name: &str, value: &Value) -> Result<(), String> {
    if tasks::defines(name) {
        return tasks::check(name, value).map_err(|fault| format!("(JSON schema) {name}: {fault}"));
    }
    typed_check(version, name, &with_small_number(value))
        .map_err(|fault| format!("(types) {name}: {fault}"))?;
    official::check(version, name, value).map_err(|fault| format!("(JSON schema) {name}: {fault}"))
}
