//! One HTTP request and its response.

use std::future::poll_fn;
use std::pin::Pin;

use bytes::Bytes;
use http::header::{ACCEPT, CONTENT_TYPE};
use http::{HeaderMap, HeaderValue, Method, Request, Response};
use http_body::Body as _;
use serde_json::{Map, Value, json};

use super::answers::Answers;
use super::draft::{Body, Draft, header_name, header_value};
use super::headers;
use super::settings::Settings;
use crate::handler::{Invocation, OutputFaults};
use crate::reply::ReplyBody;
use crate::wire::version::Era;

const VERSION: &str = "MCP-Protocol-Version";

/// Sends a draft; returns the response, and the id that its message must have.
///
/// `answers` are those the client still has: they decide what it declares it can do.
pub(super) async fn send(
    settings: &Settings,
    draft: &Draft,
    answers: &Answers,
) -> (Response<Bytes>, Option<Value>) {
    let (body, id) = body(settings, draft, answers);
    let mut request = Request::new(body);
    *request.method_mut() = Method::POST;
    let endpoint = &settings.server.registry().settings.gate.endpoint;
    match endpoint.parse() {
        Ok(uri) => *request.uri_mut() = uri,
        Err(error) => panic!("the endpoint {endpoint:?} is not a path: {error}"),
    }
    *request.headers_mut() = headers_of(settings, request.body());
    for edit in settings.headers.iter().chain(&draft.headers) {
        edit.apply(request.headers_mut());
    }
    (send_http(settings, request).await, id)
}

/// Sends any HTTP request and reads the response to its end.
pub(super) async fn send_http(settings: &Settings, mut request: Request<Bytes>) -> Response<Bytes> {
    // What the request itself has replaces what the client adds.
    let own = std::mem::replace(request.extensions_mut(), settings.extensions.clone());
    request.extensions_mut().extend(own);
    let faults = OutputFaults::default();
    let mut invocation = Invocation::of(request.extensions()).clone();
    invocation.output_faults = Some(faults.clone());
    request.extensions_mut().insert(invocation);
    let sent = settings.inspect.as_ref().map(|_| request.clone());
    let response = if settings.is_streaming {
        settings.server.handle_streaming(request).await
    } else {
        settings.server.handle(request).await
    };
    let (parts, body) = response.into_parts();
    let response = Response::from_parts(parts, read(body).await);
    if let Some(fault) = faults.take().first() {
        panic!("{fault}");
    }
    if let (Some(inspect), Some(sent)) = (&settings.inspect, &sent) {
        inspect(sent, &response);
    }
    response
}

async fn read(mut body: ReplyBody) -> Bytes {
    let mut whole = Vec::new();
    while let Some(Ok(frame)) = poll_fn(|cx| Pin::new(&mut body).poll_frame(cx)).await {
        if let Ok(data) = frame.into_data() {
            whole.extend_from_slice(&data);
        }
    }
    whole.into()
}

/// The headers that a client of the version sends with this body.
fn headers_of(settings: &Settings, body: &[u8]) -> HeaderMap {
    let message: Value = serde_json::from_slice(body).unwrap_or_default();
    let mut headers = HeaderMap::new();
    headers.insert(CONTENT_TYPE, HeaderValue::from_static("application/json"));
    let accept = HeaderValue::from_static("application/json, text/event-stream");
    headers.insert(ACCEPT, accept);
    let method = message.get("method").and_then(Value::as_str);
    // The handshake comes before a version is agreed on.
    if method != Some("initialize") {
        let version = HeaderValue::from_static(settings.version.as_str());
        headers.insert(header_name(VERSION), version);
    }
    if settings.version.era() == Era::Modern {
        let called = message
            .get("params")
            .and_then(|params| params.get("name")?.as_str());
        let tool = called.filter(|_| method == Some("tools/call"));
        let registry = settings.server.registry();
        let schema = tool
            .and_then(|name| registry.tool(name))
            .and_then(|tool| tool.input_schema().ok());
        for (name, value) in headers::derived(&message, schema) {
            headers.insert(header_name(&name), header_value(&value));
        }
    }
    headers
}

fn body(settings: &Settings, draft: &Draft, answers: &Answers) -> (Bytes, Option<Value>) {
    let (method, params, is_notification) = match &draft.body {
        Body::Raw(bytes) => return (bytes.clone(), None),
        Body::Message {
            method,
            params,
            is_notification,
        } => (method, params.clone(), *is_notification),
    };
    let params = with_input(with_meta(settings, draft, params, answers), draft);
    let mut message = json!({"jsonrpc": "2.0", "method": method, "params": params});
    if is_notification {
        return (message.to_string().into(), None);
    }
    let id = Value::from(settings.next_id());
    if let Some(message) = message.as_object_mut() {
        message.insert("id".to_owned(), id.clone());
    }
    (message.to_string().into(), Some(id))
}

/// Adds `_meta`; parameters that are not an object are sent unchanged.
fn with_meta(settings: &Settings, draft: &Draft, mut params: Value, answers: &Answers) -> Value {
    let Some(members) = params.as_object_mut() else {
        return params;
    };
    let mut meta = envelope(settings, answers);
    meta.extend(settings.meta.clone());
    meta.extend(draft.meta.clone());
    // What the test wrote itself comes last.
    if let Some(Value::Object(own)) = members.remove("_meta") {
        meta.extend(own);
    }
    if !meta.is_empty() {
        members.insert("_meta".to_owned(), Value::Object(meta));
    }
    params
}

/// The envelope of a modern request. Specification: *Base Protocol, `_meta`*.
fn envelope(settings: &Settings, answers: &Answers) -> Map<String, Value> {
    let mut meta = Map::new();
    if settings.version.era() == Era::Legacy {
        return meta;
    }
    let mut insert = |name: &str, value: Value| {
        meta.insert(format!("io.modelcontextprotocol/{name}"), value);
    };
    insert("protocolVersion", json!(settings.version.as_str()));
    insert("clientCapabilities", capabilities(settings, answers));
    if let Some(info) = &settings.client_info {
        insert("clientInfo", info.clone());
    }
    meta
}

/// What the client declares that it can do.
fn capabilities(settings: &Settings, answers: &Answers) -> Value {
    if let Some(exactly) = &settings.capabilities {
        return exactly.clone();
    }
    let mut capabilities = answers.capabilities();
    if settings.supports_tasks
        && let Some(capabilities) = capabilities.as_object_mut()
    {
        let tasks = json!({"io.modelcontextprotocol/tasks": {}});
        capabilities.insert("extensions".to_owned(), tasks);
    }
    capabilities
}

fn with_input(mut params: Value, draft: &Draft) -> Value {
    if let Some(members) = params.as_object_mut() {
        let input = [
            ("inputResponses", &draft.input_responses),
            ("requestState", &draft.request_state),
        ];
        for (name, value) in input {
            if let Some(value) = value {
                members.insert(name.to_owned(), value.clone());
            }
        }
    }
    params
}

/// The parameters of `initialize`.
pub(super) fn hello(settings: &Settings) -> Value {
    let info = settings.client_info.clone();
    json!({
        "protocolVersion": settings.version.as_str(),
        "capabilities": capabilities(settings, &settings.answers),
        "clientInfo": info.unwrap_or_else(|| json!({"name": "", "version": ""})),
    })
}
