//! The description of one HTTP request, before a front turns it into an event.

use serde_json::Value;

/// A request as a client sends it: repeated headers stay repeated, the body is bytes.
#[derive(Clone, Debug)]
pub struct HttpRequest {
    /// The HTTP method.
    pub method: String,
    /// The path with its query.
    pub target: String,
    /// The headers, in order.
    pub headers: Vec<(String, String)>,
    /// The body, if there is one.
    pub body: Option<Vec<u8>>,
    /// The gateway's stage; `$default` is the one that shows in no path.
    pub stage: String,
    /// Have the front encode the body, as it does for what it takes for binary.
    pub base64: bool,
}

impl HttpRequest {
    /// A request without headers or body.
    pub fn new(method: &str, target: &str) -> Self {
        Self {
            method: method.to_owned(),
            target: target.to_owned(),
            headers: Vec::new(),
            body: None,
            stage: "$default".to_owned(),
            base64: false,
        }
    }

    /// A `POST` to the endpoint as every client of the specification sends it.
    pub fn post(body: impl Into<Vec<u8>>) -> Self {
        let mut request = Self::new("POST", "/mcp");
        request
            .headers
            .push(("Content-Type".into(), "application/json".into()));
        request.headers.push((
            "Accept".into(),
            "application/json, text/event-stream".into(),
        ));
        request.body = Some(body.into());
        request
    }

    /// The path without the query.
    pub fn path(&self) -> &str {
        self.target.split('?').next().unwrap_or_default()
    }

    /// The query without its question mark.
    pub fn query(&self) -> &str {
        self.target.split_once('?').map_or("", |(_, query)| query)
    }

    /// All values of a header.
    pub fn header<'a>(&'a self, name: &'a str) -> impl Iterator<Item = &'a str> {
        let named = self
            .headers
            .iter()
            .filter(move |(n, _)| n.eq_ignore_ascii_case(name));
        named.map(|(_, value)| value.as_str())
    }

    /// The body, where it is JSON. A byte order mark in front is ignored.
    pub fn json(&self) -> Option<Value> {
        let body = self.body.as_deref()?;
        let body = body.strip_prefix("\u{feff}".as_bytes()).unwrap_or(body);
        serde_json::from_slice(body).ok()
    }
}
