//! What holds for every answer.

use std::collections::BTreeMap;

use serde_json::Value;
use serde_json::value::RawValue;

use harness::{HttpRequest, Reply};

use super::requests::MODERN;

/// The kind of an answer: its status, and what it says.
pub(crate) fn kind(reply: &Reply) -> String {
    let message: Value = match reply.messages() {
        Ok(messages) => messages.into_iter().next_back().unwrap_or(Value::Null),
        Err(_) => return format!("{} text", reply.status),
    };
    let what = if let Some(code) = message["error"]["code"].as_i64() {
        code.to_string()
    } else if message["result"]["isError"] == true {
        "tool error".to_owned()
    } else if message.get("result").is_some() {
        "result".to_owned()
    } else if message.is_array() {
        "batch".to_owned()
    } else {
        "nothing".to_owned()
    };
    format!("{} {what}", reply.status)
}

/// The statuses on which an error of this code may ride, in either era.
fn statuses(code: i64) -> &'static [u16] {
    match code {
        // The envelope, or what the gate refuses: its message says what.
        -32600 => &[400, 403, 404, 406, 413, 415],
        -32700 | -32022..=-32020 => &[400],
        // Only modern clients take 404 for a method that does not exist.
        -32601 => &[200, 404],
        // `_meta` is part of the envelope, `params` are not.
        -32602 => &[200, 400],
        -32002 => &[200],
        -32000 => &[405],
        _ => &[],
    }
}

/// What is wrong with an answer.
pub(crate) fn faults(request: &HttpRequest, reply: &Reply) -> Vec<String> {
    let mut faults = Vec::new();
    if reply.status >= 500 {
        faults.push("the server says that it failed".to_owned());
    }
    if !reply.body.is_empty() && !reply.is_json() && !reply.is_sse() {
        faults.push("the body is not declared".to_owned());
    }
    let Ok(messages) = reply.messages() else {
        faults.push("the body is not JSON".to_owned());
        return faults;
    };
    let body = Sent::of(request);
    let expects_message = match body.as_ref() {
        _ if matches!(&*request.method, "HEAD" | "OPTIONS") => false,
        // What cannot be read is refused in words.
        None | Some(Sent::Unreadable) => true,
        Some(Sent::Request { .. }) => true,
        Some(Sent::NoReply) => !matches!(reply.status, 202 | 400),
        // An array that is no batch of the version is refused as a whole.
        Some(Sent::Batch { requests }) => {
            *requests > 0 || (reply.status >= 400 && !messages.is_empty())
        }
    };
    if expects_message != (messages.len() == 1) {
        faults.push(format!(
            "{} messages, expected one: {expects_message}",
            messages.len()
        ));
    }
    for message in messages.iter().flat_map(elements) {
        if let Some(code) = message["error"]["code"].as_i64() {
            let in_batch = messages[0].is_array();
            if !in_batch && !statuses(code).contains(&reply.status) {
                faults.push(format!("{code} on status {}", reply.status));
            }
        } else if reply.status != 200 {
            faults.push(format!("a result on status {}", reply.status));
        }
    }
    if let Some(Sent::Request {
        id,
        method,
        version,
    }) = body
    {
        faults.extend(id_fault(&id, reply));
        let is_unknown = messages.iter().any(|m| m["error"]["code"] == -32601);
        let is_modern = version.as_deref().is_some_and(|version| version >= MODERN);
        if is_unknown && is_modern != (reply.status == 404) {
            faults.push(format!(
                "unknown method {method} on status {}",
                reply.status
            ));
        }
    }
    faults
}

fn elements(message: &Value) -> &[Value] {
    match message {
        Value::Array(elements) => elements,
        one => std::slice::from_ref(one),
    }
}

/// The id is that of the request byte for byte, or there is none.
fn id_fault(id: &str, reply: &Reply) -> Option<String> {
    let members: BTreeMap<String, Box<RawValue>> = serde_json::from_slice(&reply.body).ok()?;
    match members.get("id").map(|id| id.get()) {
        None if members.contains_key("error") => None,
        Some("null") if reply.status == 405 || members.contains_key("error") => None,
        Some(echoed) if echoed == id => None,
        other => Some(format!("the id {id} comes back as {other:?}")),
    }
}

/// What a body holds, as an outsider reads it.
enum Sent {
    /// A request. Its version is that of `_meta`, else of the header.
    Request {
        /// The JSON text of the id.
        id: String,
        method: String,
        version: Option<String>,
    },
    /// A notification or a response.
    NoReply,
    Batch {
        requests: usize,
    },
    Unreadable,
}

impl Sent {
    fn of(request: &HttpRequest) -> Option<Self> {
        let body = request.body.as_deref()?;
        let body = body.strip_prefix("\u{feff}".as_bytes()).unwrap_or(body);
        let Ok(text) = std::str::from_utf8(body) else {
            return Some(Self::Unreadable);
        };
        if text.trim_start().starts_with('[') {
            let elements: Vec<Value> = serde_json::from_str(text).ok()?;
            // What is no notification and no response gets a response.
            let requests = elements
                .iter()
                .filter(|element| !is_silent(element))
                .count();
            return Some(Self::Batch { requests });
        }
        // With members of the same name nobody can say what it is.
        let Ok(Members(members)) = serde_json::from_str(text) else {
            return Some(Self::Unreadable);
        };
        let message: Value = serde_json::from_str(text).ok()?;
        if is_silent(&message) {
            return Some(Self::NoReply);
        }
        let id = members.get("id")?.get().to_owned();
        let meta = &message["params"]["_meta"]["io.modelcontextprotocol/protocolVersion"];
        let header = request.header("MCP-Protocol-Version").next();
        Some(Self::Request {
            id,
            method: message["method"].to_string(),
            version: meta.as_str().or(header).map(str::to_owned),
        })
    }
}

/// A notification or a response, which get no answer.
fn is_silent(message: &Value) -> bool {
    let has = |name: &str| message.get(name).is_some();
    message["jsonrpc"] == "2.0"
        && ((message["method"].is_string() && !has("id"))
            || (!has("method") && (has("result") != has("error")) && has("id")))
}

/// The members of an object, all with names of their own.
struct Members(BTreeMap<String, Box<RawValue>>);

impl<'de> serde::Deserialize<'de> for Members {
    fn deserialize<D: serde::Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        struct Visitor;
        impl<'de> serde::de::Visitor<'de> for Visitor {
            type Value = Members;

            fn expecting(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
                f.write_str("an object")
            }

            fn visit_map<A: serde::de::MapAccess<'de>>(
                self,
                mut map: A,
            ) -> Result<Members, A::Error> {
                let mut members = BTreeMap::new();
                while let Some((name, value)) = map.next_entry::<String, Box<RawValue>>()? {
                    if members.insert(name, value).is_some() {
                        return Err(serde::de::Error::custom("a member twice"));
                    }
                }
                Ok(Members(members))
            }
        }
        deserializer.deserialize_map(Visitor)
    }
}
