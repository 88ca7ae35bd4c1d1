use serde_json::{Value, json};

use super::*;

fn raw(event: &Value) -> Box<RawValue> {
    serde_json::value::to_raw_value(event).unwrap()
}

fn request(event: &Value) -> Result<Request<Bytes>, InvalidEvent> {
    let json = raw(event);
    Event::read(json.get()).into_request(&Bytes::copy_from_slice(json.get().as_bytes()))
}

/// The headers as handlers get them.
fn all_headers(request: &Request<Bytes>) -> &http::HeaderMap {
    let invocation = request.extensions().get::<Invocation>().unwrap();
    invocation.all_headers.as_ref().unwrap().get()
}

fn served_path(event: &Value) -> String {
    request(event).unwrap().uri().path().to_owned()
}

fn base_url(event: &Value) -> Option<String> {
    request(event)
        .unwrap()
        .extensions()
        .get::<Invocation>()
        .unwrap()
        .base_url
        .clone()
}

#[test]
fn the_path_is_the_one_within_the_function() {
    let v1 = |resource: &str, path: &str, whole: &str| {
        json!({"httpMethod": "POST", "resource": resource, "path": path,
               "requestContext": {"stage": "prod", "path": whole, "domainName": "a.example"}})
    };
    let v2 = |route: &str, path: &str, stage: &str| {
        json!({"version": "2.0", "routeKey": route, "rawPath": path,
               "requestContext": {"stage": stage, "domainName": "a.example", "http": {"method": "POST"}}})
    };
    let cases = [
        (v2("$default", "/mcp/", "mcp"), "/mcp/", "https://a.example"),
        (
            v1("/{proxy+}", "/mcp", "/prod/mcp"),
            "/mcp",
            "https://a.example/prod",
        ),
        (
            v1("/mcp", "/mcp", "/prod/mcp"),
            "/mcp",
            "https://a.example/prod",
        ),
        (
            v1("/mcp", "/base/mcp", "/base/mcp"),
            "/mcp",
            "https://a.example/base",
        ),
        (v1("/{proxy+}", "/mcp", "/mcp"), "/mcp", "https://a.example"),
        (
            v2("$default", "/prod/mcp", "prod"),
            "/mcp",
            "https://a.example/prod",
        ),
        (v2("$default", "/mcp", "prod"), "/mcp", "https://a.example"),
        (
            v2("$default", "/mcp", "$default"),
            "/mcp",
            "https://a.example",
        ),
        (
            v2("POST /mcp", "/base/mcp", "prod"),
            "/mcp",
            "https://a.example/base",
        ),
        (
            v2("$default", "/production/mcp", "prod"),
            "/production/mcp",
            "https://a.example",
        ),
    ];
    for (event, path, url) in cases {
        assert_eq!(served_path(&event), path, "{event}");
        assert_eq!(base_url(&event).as_deref(), Some(url), "{event}");
    }
}

#[test]
fn a_greedy_route_tells_what_it_took() {
    let event = json!({
        "httpMethod": "POST", "resource": "/{proxy+}", "path": "/base/mcp",
        "pathParameters": {"proxy": "mcp"},
        "requestContext": {"stage": "prod", "path": "/base/mcp", "domainName": "a.example"},
    });
    assert_eq!(served_path(&event), "/mcp");
    assert_eq!(base_url(&event).as_deref(), Some("https://a.example/base"));
}

#[test]
fn the_caller_s_address_is_read_with_or_without_a_port() {
    let address = |text: &str| {
        let event = json!({
            "httpMethod": "POST", "path": "/mcp", "requestContext": {"identity": {"sourceIp": text}},
        });
        let request = request(&event).unwrap();
        request.extensions().get::<Invocation>().unwrap().source_ip
    };
    let plain = address("198.51.100.7");
    assert!(plain.is_some());
    assert_eq!(address("198.51.100.7:5678"), plain);
    assert_eq!(address("[2001:db8::1]:5678"), address("2001:db8::1"));
    assert_eq!(address("nowhere"), None);
}

#[test]
fn repeated_headers_are_kept() {
    let request = request(&json!({
        "httpMethod": "POST", "path": "/mcp",
        "headers": {"Mcp-Name": "b"},
        "multiValueHeaders": {"Mcp-Name": ["a", "b"], "X": null, "bad name": ["x"], "Bad-Value": ["a\nb"]},
    }))
    .unwrap();
    for headers in [request.headers(), all_headers(&request)] {
        let values: Vec<_> = headers.get_all("mcp-name").iter().collect();
        assert_eq!(values, ["a", "b"]);
    }
    // What HTTP forbids in a value does not make the header vanish.
    assert_eq!(all_headers(&request)["bad-value"], "a?b");
    assert_eq!(all_headers(&request).len(), 3);
    assert_eq!(request.headers().len(), 2);
}

#[test]
fn single_headers_are_read_where_there_are_no_lists() {
    let event = json!({"httpMethod": "POST", "path": "/mcp", "headers": {"A": "é"}, "multiValueHeaders": null});
    let request = request(&event).unwrap();
    assert_eq!(all_headers(&request)["a"].as_bytes(), "é".as_bytes());
}

#[test]
fn bodies_are_decoded_or_refused() {
    let event = |body: Value, encoded: Value| json!({"httpMethod": "POST", "path": "/mcp", "body": body, "isBase64Encoded": encoded});
    let body = |event: Value| request(&event).map(|request| request.into_body());
    assert_eq!(body(event(json!("{}"), json!(false))).unwrap(), "{}");
    assert_eq!(body(event(json!("e30="), json!(true))).unwrap(), "{}");
    assert_eq!(body(event(Value::Null, Value::Null)).unwrap(), "");
    assert_eq!(
        body(event(json!("e30"), json!(true))),
        Err(InvalidEvent::Base64)
    );
}

#[test]
fn other_events_are_no_requests() {
    for event in [
        json!([]),
        json!("x"),
        json!({}),
        json!({"httpMethod": 5}),
        json!({"Records": []}),
        json!(null),
    ] {
        assert_eq!(
            request(&event).unwrap_err(),
            InvalidEvent::NotHttp,
            "{event}"
        );
    }
    let event = json!({"httpMethod": "POST", "path": "/mcp with space"});
    assert_eq!(request(&event).unwrap_err(), InvalidEvent::Path);
}

#[test]
fn the_front_is_told_by_its_members() {
    let origin = |event: Value| Event::read(raw(&event).get()).front();
    assert_eq!(
        origin(
            json!({"httpMethod": "GET", "path": "/", "requestContext": {"elb": {"targetGroupArn": "x"}}})
        ),
        Front::LoadBalancer
    );
    assert_eq!(origin(json!({"rawPath": "/"})), Front::V2);
    assert_eq!(origin(json!({"httpMethod": "GET", "path": "/"})), Front::V1);
}

#[test]
fn the_local_emulator_is_read_as_payload_v2() {
    let event = json!({
        "httpMethod": "GET", "resource": null, "version": "2.0", "routeKey": "$default", "rawPath": "/mcp",
        "headers": {"host": "127.0.0.1:9000"}, "body": "{}", "isBase64Encoded": false,
        "requestContext": {"stage": "$default", "domainName": "localhost", "http": {"method": "POST", "path": "/mcp"}},
    });
    assert_eq!(request(&event).unwrap().method(), Method::POST);
    assert_eq!(Event::read(raw(&event).get()).front(), Front::V2);
    let answer = crate::reply::ReplyBody::from(Bytes::new());
    let response =
        super::super::response::LambdaResponse::new(Front::V2, http::Response::new(answer));
    assert_eq!(
        serde_json::to_value(response).unwrap()["cookies"],
        json!([])
    );
}

#[test]
fn the_address_is_what_the_platform_saw() {
    let source = |text: &str| {
        let context = json!({"http": {"method": "POST", "sourceIp": text}});
        let headers = json!({"x-forwarded-for": "203.0.113.1", "forwarded": "for=203.0.113.1"});
        let event = json!({"version": "2.0", "rawPath": "/mcp", "headers": headers,
                           "requestContext": context});
        let request = request(&event).unwrap();
        let address = request.extensions().get::<Invocation>().unwrap().source_ip;
        address.map(|address| address.to_string())
    };
    let rows = [
        ("198.51.100.7", Some("198.51.100.7")),
        ("198.51.100.7:5678", Some("198.51.100.7")),
        (
            "2001:0DB8:0001:0002:ffff:0:0:9",
            Some("2001:db8:1:2:ffff::9"),
        ),
        ("[2001:db8::1]:443", Some("2001:db8::1")),
        ("", None),
        ("unknown", None),
        ("198.51.100.7, 203.0.113.1", None),
    ];
    for (text, expected) in rows {
        assert_eq!(source(text).as_deref(), expected, "{text}");
    }
}
