//! What `lambda_http` makes of an event, and what it knows of it.

use std::panic::{AssertUnwindSafe, catch_unwind};

use ::lambda_http::request::RequestContext;
use ::lambda_http::{Context, Request, RequestExt as _};
use bytes::Bytes;
use http::uri::PathAndQuery;
use http::{HeaderName, HeaderValue, StatusCode, Uri};
use serde::Serialize;
use serde_json::value::RawValue;

use crate::gate::{self, cors};
use crate::handler::Invocation;
use crate::lambda::{Event, Front, LambdaResponse};
use crate::pipeline::Server;

const X_AMZN_TRACE_ID: HeaderName = HeaderName::from_static("x-amzn-trace-id");

/// In the extensions of a request: its path has no stage.
#[derive(Debug, Clone, Copy)]
struct WithoutStage;

/// Reads an event with `lambda_http`.
///
/// # Errors
///
/// The event is not a valid HTTP request: why, for its sender.
pub(super) fn read(payload: &RawValue, context: Context) -> Result<(Request, Front), NotHttp> {
    let event = Event::read(payload.get());
    let front = event.front();
    // It panics for a body that is not Base64, and for a host, scheme, path or query that is not valid in
    // a URI.
    let read = || ::lambda_http::request::from_str(payload.get());
    let Ok(Ok(mut request)) = catch_unwind(AssertUnwindSafe(read)) else {
        let request_id = context.request_id;
        tracing::warn!(request_id, "`lambda_http` cannot read the event");
        let whole = Bytes::copy_from_slice(payload.get().as_bytes());
        let reason = event.into_request(&whole).err();
        let reason = reason.map_or_else(
            || "The event is not a valid HTTP request.".to_owned(),
            |invalid| invalid.to_string(),
        );
        return Err(NotHttp { reason, front });
    };
    if let Some(path) = event.served_path() {
        set_path(request.uri_mut(), &path);
        request.extensions_mut().insert(WithoutStage);
    }
    let trace = context.xray_trace_id.as_deref();
    if let Some(trace) = trace.and_then(|text| HeaderValue::from_str(text).ok()) {
        request.headers_mut().insert(X_AMZN_TRACE_ID, trace);
    }
    Ok((request.with_lambda_context(context), front))
}

/// An event that is not a valid HTTP request.
pub(super) struct NotHttp {
    reason: String,
    front: Front,
}

impl NotHttp {
    /// The response to its sender.
    pub(super) fn refuse(self) -> LambdaResponse {
        let refusal = gate::refuse(StatusCode::BAD_REQUEST, &self.reason);
        LambdaResponse::new(self.front, refusal.into_response(cors::public_headers()))
    }
}

/// Stores what `lambda_http` knows of the request as an [`Invocation`], and removes the stage from the
/// path. Returns whether the request comes from `lambda_http`.
pub(super) fn describe<B>(
    request: &mut http::Request<B>,
    server: &Server,
    is_streaming: bool,
) -> bool {
    let extensions = request.extensions();
    let Some(known) = extensions.request_context_ref() else {
        return false;
    };
    let raw_path = extensions.raw_http_path();
    let uri_path = request.uri().path();
    let path = if extensions.get::<WithoutStage>().is_some() {
        uri_path
    } else {
        without_stage(uri_path, raw_path, known)
    };
    let Some(json) = Known::to_json(known, raw_path) else {
        return false;
    };
    let event = Event::read(json.get());
    let front = event.front();
    let invocation = event.invocation(path);
    let invocation = Invocation {
        response_limit: Some(front.response_limit(is_streaming)),
        ..invocation.of_client(front, request.headers(), server)
    };
    let invocation = match extensions.lambda_context_ref() {
        Some(context) => invocation.of_lambda(context),
        None => invocation,
    };
    let path = (path != uri_path).then(|| path.to_owned());
    request.extensions_mut().insert(invocation);
    if let Some(path) = path {
        set_path(request.uri_mut(), &path);
    }
    true
}

/// The part of an event that is left after `lambda_http` read it, for [`Event::read`].
#[derive(Serialize)]
#[serde(rename_all = "camelCase")]
struct Known<'a> {
    request_context: &'a RequestContext,
    #[serde(skip_serializing_if = "Option::is_none")]
    path: Option<&'a str>,
    #[serde(skip_serializing_if = "Option::is_none")]
    raw_path: Option<&'a str>,
}

impl Known<'_> {
    fn to_json(request_context: &RequestContext, path: &str) -> Option<Box<RawValue>> {
        let is_v2 = matches!(request_context, RequestContext::ApiGatewayV2(_));
        let known = Known {
            request_context,
            path: (!is_v2).then_some(path),
            raw_path: is_v2.then_some(path),
        };
        serde_json::value::to_raw_value(&known).ok()
    }
}

/// The path without the stage. `lambda_http` adds it to the path of payload v1; payload v2 has it.
fn without_stage<'a>(path: &'a str, raw_path: &str, known: &RequestContext) -> &'a str {
    let stage = match known {
        RequestContext::ApiGatewayV1(_) if path == raw_path => None,
        RequestContext::ApiGatewayV1(context) => context.stage.as_deref(),
        RequestContext::ApiGatewayV2(context) => context.stage.as_deref(),
        RequestContext::Alb(_) | _ => None,
    };
    let stage = stage.filter(|stage| !stage.is_empty() && *stage != "$default");
    let rest = stage.and_then(|stage| path.strip_prefix('/')?.strip_prefix(stage));
    rest.filter(|rest| rest.len() > 1 && rest.starts_with('/'))
        .unwrap_or(path)
}

/// Replaces the path of a URI. One that is not valid stays.
fn set_path(uri: &mut Uri, path: &str) {
    if uri.path() == path {
        return;
    }
    let path_and_query = match uri.query() {
        Some(query) => format!("{path}?{query}").parse::<PathAndQuery>(),
        None => path.parse::<PathAndQuery>(),
    };
    let mut parts = uri.clone().into_parts();
    parts.path_and_query = match path_and_query {
        Ok(path_and_query) => Some(path_and_query),
        Err(_) => return,
    };
    if let Ok(changed) = Uri::from_parts(parts) {
        *uri = changed;
    }
}

#[cfg(test)]
mod tests {
    use std::path::Path;

    use serde_json::{Value, json};

    use super::*;

    /// The events of `tests/data/events`, and two of them with each kind of authorizer.
    fn events() -> Vec<(String, Value)> {
        let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/data/events");
        let files = std::fs::read_dir(folder).unwrap();
        let read = |path: &Path| -> Value {
            serde_json::from_slice(&std::fs::read(path).unwrap()).unwrap()
        };
        let mut events: Vec<(String, Value)> = files
            .map(|entry| entry.unwrap().path())
            .filter(|path| {
                path.extension()
                    .is_some_and(|extension| extension == "json")
            })
            .map(|path| {
                (
                    path.file_stem().unwrap().to_string_lossy().into_owned(),
                    read(&path),
                )
            })
            .collect();
        let authorizers = [
            (
                "rest-api",
                json!({"claims": {"sub": "ada", "exp": "1785576656"}}),
            ),
            (
                "rest-api",
                json!({"principalId": "ada", "plan": "gold", "integrationLatency": 7}),
            ),
            (
                "http-api",
                json!({"jwt": {"claims": {"sub": "ada"}, "scopes": ["a", "b"]}}),
            ),
            ("http-api", json!({"lambda": {"plan": "gold", "seats": 3}})),
            (
                "http-api",
                json!({"iam": {
                    "userArn": "arn:aws:iam::123456789012:user/ada",
                    "accountId": "123456789012",
                    "userId": "AIDA",
                    "callerId": "AIDA",
                    "accessKey": "AKIA",
                    "principalOrgId": "o-1",
                    "cognitoIdentity": null,
                }}),
            ),
        ];
        for (name, authorizer) in authorizers {
            let (_, event) = events.iter().find(|(known, _)| known == name).unwrap();
            let mut event = event.clone();
            event["requestContext"]["authorizer"] = authorizer.clone();
            events.push((format!("{name} with {authorizer}"), event));
        }
        events
    }

    fn shown(path: &str, invocation: &Invocation) -> String {
        let Invocation {
            source_ip,
            base_url,
            stage,
            authorizer,
            hides_clients,
            ..
        } = invocation;
        format!("{path} {source_ip:?} {base_url:?} {stage:?} {authorizer:?} {hides_clients}")
    }

    #[test]
    fn a_request_through_lambda_http_is_known_as_well_as_our_own() {
        let server = Server::builder("known", "1.0.0").build().unwrap();
        let events = events();
        assert!(events.len() > 10, "{} events", events.len());
        for (name, event) in events {
            let raw = serde_json::value::to_raw_value(&event).unwrap();
            let event = Event::read(raw.get());
            let front = event.front();
            let whole = Bytes::copy_from_slice(raw.get().as_bytes());
            let own = event.into_request(&whole).unwrap();
            let invocation = own.extensions().get::<Invocation>().unwrap().clone();
            let invocation = invocation.of_client(front, own.headers(), &server);
            let own = shown(own.uri().path(), &invocation);

            let read = read(&raw, Context::default());
            let Ok((mut through, _)) = read else {
                panic!("{name} cannot be read");
            };
            assert!(describe(&mut through, &server, false));
            let invocation = through.extensions().get::<Invocation>().unwrap();
            assert_eq!(shown(through.uri().path(), invocation), own, "{name}");
        }
    }
}
