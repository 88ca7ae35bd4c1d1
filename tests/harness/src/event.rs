//! The event that each front sends for an HTTP request.

use base64::Engine as _;
use base64::engine::general_purpose::STANDARD as BASE64;
use serde_json::{Map, Value, json};

use super::HttpRequest;

/// The AWS service between the client and the function.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Front {
    /// An API Gateway REST API: payload version 1.
    Rest,
    /// An API Gateway HTTP API: payload version 2.
    Http,
    /// A Lambda Function URL: payload version 2, no stage.
    FunctionUrl,
    /// An Application Load Balancer with multi-value headers.
    Alb,
}

impl Front {
    /// All fronts.
    pub const ALL: [Self; 4] = [Self::Rest, Self::Http, Self::FunctionUrl, Self::Alb];

    /// Whether the response is read in payload version 2: single values, and `cookies`.
    pub fn reads_version_2(self) -> bool {
        matches!(self, Self::Http | Self::FunctionUrl)
    }
}

/// The event for `request`.
pub fn event(front: Front, request: &HttpRequest) -> Value {
    match front {
        Front::Rest => rest(request),
        Front::Http => http(request, "a1b2c3d4e5.execute-api.eu-central-1.amazonaws.com"),
        Front::FunctionUrl => {
            let request = HttpRequest {
                stage: "$default".to_owned(),
                ..request.clone()
            };
            http(&request, "k3j4h5g6f7d8s9a0.lambda-url.eu-central-1.on.aws")
        }
        Front::Alb => alb(request),
    }
}

fn rest(request: &HttpRequest) -> Value {
    let (body, is_base64) = body(request);
    let stage = if request.stage == "$default" {
        "prod"
    } else {
        &request.stage
    };
    let headers = with_host(request, "a1b2c3d4e5.execute-api.eu-central-1.amazonaws.com");
    json!({
        "resource": "/{proxy+}",
        "path": request.path(),
        "httpMethod": request.method,
        "headers": single(&headers),
        "multiValueHeaders": multi(&headers),
        "queryStringParameters": none_if_empty(query_single(request)),
        "multiValueQueryStringParameters": none_if_empty(query_multi(request)),
        "pathParameters": {"proxy": request.path().trim_start_matches('/')},
        "stageVariables": null,
        "requestContext": {
            "resourceId": "q1w2e3",
            "resourcePath": "/{proxy+}",
            "httpMethod": request.method,
            "extendedRequestId": "JKJaXmPLvHcESHA=",
            "requestTime": "01/Aug/2026:00:00:00 +0000",
            "path": format!("/{stage}{}", request.path()),
            "accountId": "123456789012",
            "protocol": "HTTP/1.1",
            "stage": stage,
            "domainPrefix": "a1b2c3d4e5",
            "requestTimeEpoch": 1_785_542_400_000_u64,
            "requestId": "c6af9ac6-7b61-11e6-9a41-93e8deadbeef",
            "identity": {"sourceIp": "198.51.100.9", "userAgent": "harness", "accountId": null},
            "domainName": "a1b2c3d4e5.execute-api.eu-central-1.amazonaws.com",
            "apiId": "a1b2c3d4e5"
        },
        "body": body,
        "isBase64Encoded": is_base64,
    })
}

fn http(request: &HttpRequest, domain: &str) -> Value {
    let (body, is_base64) = body(request);
    let path = match request.stage.as_str() {
        "$default" => request.path().to_owned(),
        stage => format!("/{stage}{}", request.path()),
    };
    let mut event = json!({
        "version": "2.0",
        "routeKey": "$default",
        "rawPath": path,
        "rawQueryString": request.query(),
        "headers": joined(&with_host(request, domain)),
        "queryStringParameters": query_single(request),
        "requestContext": {
            "accountId": "123456789012",
            "apiId": domain.split('.').next(),
            "domainName": domain,
            "domainPrefix": domain.split('.').next(),
            "http": {
                "method": request.method,
                "path": path,
                "protocol": "HTTP/1.1",
                "sourceIp": "198.51.100.9",
                "userAgent": "harness"
            },
            "requestId": "JKJaXmPLvHcESHA=",
            "routeKey": "$default",
            "stage": request.stage,
            "time": "01/Aug/2026:00:00:00 +0000",
            "timeEpoch": 1_785_542_400_000_u64
        },
        "body": body,
        "isBase64Encoded": is_base64,
    });
    // Payload version 2 omits absent members.
    let members = event.as_object_mut().unwrap();
    if members["body"].is_null() {
        members.remove("body");
    }
    if request.query().is_empty() {
        members.remove("queryStringParameters");
    }
    event
}

fn alb(request: &HttpRequest) -> Value {
    let (body, is_base64) = body(request);
    let headers = with_host(request, "lb-123578498.eu-central-1.elb.amazonaws.com");
    json!({
        "requestContext": {"elb": {"targetGroupArn":
            "arn:aws:elasticloadbalancing:eu-central-1:123456789012:targetgroup/mcp/0123456789abcdef"}},
        "httpMethod": request.method,
        "path": request.path(),
        "multiValueQueryStringParameters": query_multi(request),
        "multiValueHeaders": multi(&lower_case(&headers)),
        "body": body.as_str().unwrap_or_default(),
        "isBase64Encoded": is_base64,
    })
}

type Headers = Vec<(String, String)>;

fn with_host(request: &HttpRequest, domain: &str) -> Headers {
    let mut headers = request.headers.clone();
    if request.header("host").next().is_none() {
        headers.push(("Host".into(), domain.into()));
    }
    headers.push(("X-Forwarded-For".into(), "198.51.100.9".into()));
    headers.push(("X-Forwarded-Port".into(), "443".into()));
    headers.push(("X-Forwarded-Proto".into(), "https".into()));
    headers
}

fn lower_case(headers: &Headers) -> Headers {
    headers
        .iter()
        .map(|(name, value)| (name.to_ascii_lowercase(), value.clone()))
        .collect()
}

/// The last value of each name, as payload version 1 has it in `headers`.
fn single(headers: &Headers) -> Value {
    let pairs = headers
        .iter()
        .map(|(name, value)| (name.clone(), json!(value)));
    Value::Object(pairs.collect())
}

fn multi(headers: &Headers) -> Value {
    let mut map = Map::new();
    for (name, value) in headers {
        let values = map.entry(name.clone()).or_insert_with(|| json!([]));
        values.as_array_mut().unwrap().push(json!(value));
    }
    Value::Object(map)
}

/// Lower-case names, repeated values joined by a comma: payload version 2.
fn joined(headers: &Headers) -> Value {
    let mut map = Map::<String, Value>::new();
    for (name, value) in lower_case(headers) {
        let text = match map.get(&name).and_then(Value::as_str) {
            Some(before) => format!("{before},{value}"),
            None => value,
        };
        map.insert(name, json!(text));
    }
    Value::Object(map)
}

fn query_pairs(request: &HttpRequest) -> impl Iterator<Item = (String, String)> {
    let pairs = request.query().split('&').filter(|pair| !pair.is_empty());
    pairs.map(|pair| {
        let (name, value) = pair.split_once('=').unwrap_or((pair, ""));
        (name.to_owned(), value.to_owned())
    })
}

fn query_single(request: &HttpRequest) -> Value {
    single(&query_pairs(request).collect())
}

fn query_multi(request: &HttpRequest) -> Value {
    multi(&query_pairs(request).collect())
}

fn none_if_empty(map: Value) -> Value {
    if map.as_object().is_some_and(Map::is_empty) {
        Value::Null
    } else {
        map
    }
}

/// The body of the event, and whether it is Base64.
fn body(request: &HttpRequest) -> (Value, bool) {
    match &request.body {
        None => (Value::Null, false),
        Some(bytes) => match std::str::from_utf8(bytes) {
            Ok(text) if !request.base64 => (json!(text), false),
            _ => (json!(BASE64.encode(bytes)), true),
        },
    }
}
