//! The HTTP request inside a Lambda event.
//!
//! One type covers the payloads v1 (REST API) and v2 (HTTP API, Function URL) of API Gateway and
//! those of load balancers, which differ in the members that are present. Every member is optional
//! and may be `null`, so that any event gets a response.

mod authorizer;
mod headers;
mod large;
mod text;

use std::borrow::Cow;
use std::net::IpAddr;

use base64::Engine as _;
use base64::engine::general_purpose::STANDARD;
use bytes::Bytes;
use http::{Method, Request, Uri};
use serde::Deserialize;
use serde::de::IgnoredAny;
use serde_json::value::RawValue;
use thiserror::Error;

use self::authorizer::Identity;
use self::headers::KnownHeaders;
pub(super) use self::large::{Parts, parts};
use self::text::{Text, text};
use super::load_balancer::address;
use crate::handler::Invocation;
use crate::request_headers::AllHeaders;
use crate::server::Authorizer;

/// The front that sent an event. It determines the form of the response.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Front {
    /// Payload v1: headers are lists.
    V1,
    /// Payload v2: headers are single values.
    V2,
    /// A load balancer. It reads lists or single values, depending on a setting that the event does
    /// not tell, so the response has both.
    LoadBalancer,
}

/// Why an event is not an HTTP request.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Error)]
pub(crate) enum InvalidEvent {
    #[error("The event is not an HTTP request.")]
    NotHttp,
    #[error("The event's path is invalid.")]
    Path,
    #[error("The event's body is not valid Base64.")]
    Base64,
}

/// The members of an event that are needed.
#[derive(Debug, Default, Deserialize)]
#[serde(rename_all = "camelCase", default)]
pub(crate) struct Event<'a> {
    #[serde(borrow)]
    http_method: Option<Text<'a>>,
    #[serde(borrow)]
    path: Option<Text<'a>>,
    #[serde(borrow)]
    resource: Option<Text<'a>>,
    #[serde(borrow)]
    raw_path: Option<Text<'a>>,
    #[serde(borrow)]
    route_key: Option<Text<'a>>,
    /// Read only if there are no lists, which payload v1 has as well.
    #[serde(borrow)]
    headers: Option<&'a RawValue>,
    #[serde(rename = "multiValueHeaders")]
    known_headers: KnownHeaders,
    #[serde(borrow)]
    path_parameters: Option<PathParameters<'a>>,
    #[serde(borrow)]
    body: Option<Text<'a>>,
    is_base64_encoded: Option<bool>,
    #[serde(borrow)]
    request_context: Option<RequestContext<'a>>,
}

#[derive(Debug, Default, Deserialize)]
#[serde(rename_all = "camelCase", default)]
struct RequestContext<'a> {
    #[serde(borrow)]
    stage: Option<Text<'a>>,
    #[serde(borrow)]
    domain_name: Option<Text<'a>>,
    /// Payload v1: the path with the stage or base path in front of it.
    #[serde(borrow)]
    path: Option<Text<'a>>,
    #[serde(borrow)]
    identity: Option<Identity<'a>>,
    #[serde(borrow)]
    http: Option<Http<'a>>,
    #[serde(borrow)]
    authorizer: Option<&'a RawValue>,
    elb: Option<IgnoredAny>,
}

#[derive(Debug, Default, Deserialize)]
#[serde(default)]
struct PathParameters<'a> {
    #[serde(borrow)]
    proxy: Option<Text<'a>>,
}

/// `http` of payload v2.
#[derive(Debug, Default, Deserialize)]
#[serde(rename_all = "camelCase", default)]
struct Http<'a> {
    #[serde(borrow)]
    method: Option<Text<'a>>,
    #[serde(borrow)]
    source_ip: Option<Text<'a>>,
}

impl<'a> Event<'a> {
    /// Parses an event. An event of another form has no members.
    pub(crate) fn read(json: &'a str) -> Self {
        let read = || {
            let mut event: Self = serde_json::from_str(json)?;
            match event.headers {
                Some(headers) if !event.known_headers.has_any => {
                    event.known_headers = serde_json::from_str(headers.get())?;
                }
                _ => {}
            }
            Ok::<_, serde_json::Error>(event)
        };
        read().unwrap_or_default()
    }

    /// The same event with another body.
    pub(crate) fn with_body(self, body: String) -> Self {
        Self {
            body: Some(Text(Cow::Owned(body))),
            ..self
        }
    }

    /// The front that sent the event.
    pub(crate) fn front(&self) -> Front {
        let context = self.request_context.as_ref();
        if context.is_some_and(|context| context.elb.is_some()) {
            Front::LoadBalancer
        } else if self.raw_path.is_some() || context.is_some_and(|context| context.http.is_some()) {
            Front::V2
        } else {
            Front::V1
        }
    }

    /// Returns the request, with an [`Invocation`] in its extensions. Of its headers it has those that
    /// the library reads; handlers get all of them, from the `whole` event.
    pub(crate) fn into_request(self, whole: &Bytes) -> Result<Request<Bytes>, InvalidEvent> {
        let context = self.request_context.as_ref();
        let http = context.and_then(|context| context.http.as_ref());
        // `cargo lambda watch` adds `"httpMethod": "GET"` to every event of payload v2.
        let method = http
            .and_then(|http| text(http.method.as_ref()))
            .or_else(|| text(self.http_method.as_ref()))
            .and_then(|method| Method::from_bytes(method.as_bytes()).ok())
            .ok_or(InvalidEvent::NotHttp)?;
        let path = self.served_path().ok_or(InvalidEvent::NotHttp)?;
        let uri = Uri::try_from(&*path).map_err(|_| InvalidEvent::Path)?;
        let whole = whole.clone();
        let invocation = Invocation {
            all_headers: Some(AllHeaders::new(move || headers::all(&whole))),
            ..self.invocation(&path)
        };
        let mut request = Request::new(Bytes::new());
        *request.method_mut() = method;
        *request.uri_mut() = uri;
        request.extensions_mut().insert(invocation);
        let encoded = self.is_base64_encoded == Some(true);
        *request.body_mut() = match self.body {
            None => Bytes::new(),
            Some(body) if encoded => STANDARD
                .decode(body.as_str())
                .map_err(|_| InvalidEvent::Base64)?
                .into(),
            Some(body) => Bytes::from(body.0.into_owned()),
        };
        *request.headers_mut() = self.known_headers.known;
        Ok(request)
    }

    /// What the event says about the request besides the request itself. `served` is its path within
    /// this function.
    pub(crate) fn invocation(&self, served: &str) -> Invocation {
        Invocation {
            source_ip: self.source_ip(),
            base_url: self.base_url(served),
            stage: self.stage().map(str::to_owned),
            authorizer: self.authorizer(),
            ..Invocation::default()
        }
    }

    /// The path within this function, without the stage or base path that a gateway adds.
    ///
    /// A route that names its path (`resource` in v1, `routeKey` in v2) is independent of both.
    /// Otherwise the stage is removed from the path, where payload v2 includes it.
    pub(crate) fn served_path(&self) -> Option<Cow<'_, str>> {
        let path = text(self.raw_path.as_ref()).or_else(|| text(self.path.as_ref()));
        let resource = text(self.resource.as_ref());
        let route_key = || Some(text(self.route_key.as_ref())?.split_once(' ')?.1);
        let route = resource.and_then(|resource| self.route(resource));
        route.or_else(|| self.route(route_key()?)).or_else(|| {
            let path = path?;
            // Payload v1 does not include the stage.
            let raw_path = text(self.raw_path.as_ref());
            let cut = self.stage().filter(|stage| *stage != "$default");
            let rest = cut
                .zip(raw_path)
                .and_then(|(stage, raw_path)| raw_path.strip_prefix('/')?.strip_prefix(stage));
            // On a custom domain, a path that is only the stage's name has none.
            let is_rest = |rest: &&str| {
                rest.starts_with('/') && (rest.len() > 1 || self.has_default_domain())
            };
            let rest = rest.filter(is_rest);
            Some(Cow::Borrowed(rest.unwrap_or(path)))
        })
    }

    /// Whether the request came to the domain that AWS gives an API. Its paths begin with the stage.
    fn has_default_domain(&self) -> bool {
        let context = self.request_context.as_ref();
        let domain = context.and_then(|context| text(context.domain_name.as_ref()));
        domain.is_some_and(|domain| domain.ends_with(".amazonaws.com"))
    }

    /// The path of a route: its text, in which the value of a greedy `{proxy+}` is filled in.
    fn route<'r>(&'r self, route: &'r str) -> Option<Cow<'r, str>> {
        if route.len() < 2 || !route.starts_with('/') {
            return None;
        }
        match route.strip_suffix("{proxy+}") {
            None if route.contains('{') => None,
            None => Some(Cow::Borrowed(route)),
            Some(front) => {
                let proxy = text(self.path_parameters.as_ref()?.proxy.as_ref())?;
                Some(Cow::Owned(format!("{front}{proxy}")))
            }
        }
    }

    /// The stage of the gateway.
    fn stage(&self) -> Option<&str> {
        let context = self.request_context.as_ref()?;
        text(context.stage.as_ref()).filter(|stage| !stage.is_empty())
    }

    /// What the authorizer of the gateway found out.
    fn authorizer(&self) -> Option<Authorizer> {
        let context = self.request_context.as_ref()?;
        match self.front() {
            Front::V1 => authorizer::v1(context.authorizer, context.identity.as_ref()),
            Front::V2 => authorizer::v2(context.authorizer?),
            Front::LoadBalancer => None,
        }
    }

    /// The address of the client.
    fn source_ip(&self) -> Option<IpAddr> {
        let context = self.request_context.as_ref()?;
        let text = match (&context.identity, &context.http) {
            (Some(identity), _) => text(identity.source_ip.as_ref()),
            (None, Some(http)) => text(http.source_ip.as_ref()),
            (None, None) => None,
        }?;
        // Some fronts append the port.
        address(text)
    }

    /// The URL in front of the served path, from members that only the gateway sets.
    fn base_url(&self, served: &str) -> Option<String> {
        let context = self.request_context.as_ref()?;
        let domain = text(context.domain_name.as_ref()).filter(|domain| !domain.is_empty())?;
        let whole = text(context.path.as_ref()).or_else(|| text(self.raw_path.as_ref()));
        let front = whole.and_then(|whole| {
            whole
                .trim_end_matches('/')
                .strip_suffix(served.trim_end_matches('/'))
        });
        Some(["https://", domain, front.unwrap_or_default()].concat())
    }
}

#[cfg(test)]
mod tests;
