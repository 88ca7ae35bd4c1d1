//! The events of the fronts: real ones, odd ones and broken ones. Each gets an HTTP answer.

use std::path::{Path, PathBuf};

use serde_json::{Value, json};

use harness::messages::{assert_lives, ping};
use harness::{Front, Outcome, Reply, ServerConfig, TestServer};

/// An event of `tests/data/events`.
fn event(name: &str) -> Value {
    let text = std::fs::read_to_string(folder().join(name).with_extension("json")).unwrap();
    serde_json::from_str(&text).unwrap()
}

fn folder() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/data/events")
}

/// The names of all events: each is one `ping`, as some front hands it on.
fn every_event() -> Vec<String> {
    let files = std::fs::read_dir(folder())
        .unwrap()
        .map(|entry| entry.unwrap().path());
    let events = files.filter(|path| {
        path.extension()
            .is_some_and(|extension| extension == "json")
    });
    let names: Vec<String> = events
        .map(|path| path.file_stem().unwrap().to_string_lossy().into_owned())
        .collect();
    assert!(names.len() >= 7, "the events are there");
    names
}

/// Which front reads the answer to an event.
fn front_of(event: &Value) -> Front {
    if event["requestContext"].get("elb").is_some() {
        // Without multi-value headers a load balancer reads single ones, as an HTTP API does.
        if event["multiValueHeaders"].is_object() {
            Front::Alb
        } else {
            Front::Http
        }
    } else if event["version"] == "2.0" {
        Front::Http
    } else {
        Front::Rest
    }
}

/// Invokes and wants an HTTP response, whatever its status.
#[track_caller]
fn answer(server: &TestServer, front: Front, event: &Value) -> Reply {
    match server.invoke(front, event) {
        Outcome::Reply(reply) => reply,
        other => panic!("no HTTP answer to {event:#}: {other:#?}"),
    }
}

#[test]
fn every_front_gets_its_answer() {
    let server = TestServer::cases();
    for name in every_event() {
        let event = event(&name);
        let reply = answer(&server, front_of(&event), &event);
        assert_eq!(reply.status, 200, "{name}: {reply:#?}");
        let id = reply.json()["id"].clone();
        assert_eq!(
            reply.json(),
            json!({"jsonrpc": "2.0", "id": id, "result": {}}),
            "{name}"
        );
        assert!(!id.is_null(), "{name}");
        assert!(reply.is_json(), "{name}");
    }
}

#[test]
fn stages_and_trailing_slashes_are_no_part_of_the_path() {
    let server = TestServer::cases();
    let paths = ["/mcp", "/mcp/"];
    for front in [Front::Rest, Front::Http, Front::FunctionUrl, Front::Alb] {
        for stage in ["$default", "prod", "mcp", "v1"] {
            for path in paths {
                let mut request = harness::HttpRequest::post(ping().to_string());
                request.target = path.to_owned();
                let reply = server.send_later(request).via(front).stage(stage).send();
                assert_eq!(reply.status, 200, "{front:?} {stage} {path}: {reply:#?}");
            }
        }
    }
}

#[test]
fn a_base_path_of_a_custom_domain_is_no_part_of_the_path() {
    // With payload version 1 the path has the base path in front, with version 2 the raw path does.
    let server = TestServer::cases();
    let mut rest = event("rest-api-custom-domain");
    rest["path"] = json!("/v1/mcp");
    assert_eq!(answer(&server, Front::Rest, &rest).status, 200);
}

#[test]
fn only_one_segment_is_taken_for_a_stage() {
    let server = TestServer::cases();
    for path in ["/a/b/mcp", "/prod/other/mcp", "/prodmcp", "/prod/mcpx"] {
        let mut staged = event("http-api-stage");
        // A route that names its path would say it better than the path does.
        staged["routeKey"] = json!("$default");
        staged["rawPath"] = json!(path);
        staged["requestContext"]["http"]["path"] = json!(path);
        assert_eq!(answer(&server, Front::Http, &staged).status, 404, "{path}");
    }
}

#[test]
fn repeated_headers_are_all_seen() {
    let server = TestServer::cases();
    let mut rest = event("rest-api");
    // `headers` keeps the last value; the first one is only in the multi-value form.
    rest["multiValueHeaders"]["MCP-Protocol-Version"] = json!(["2025-06-18", "2025-11-25"]);
    let reply = answer(&server, Front::Rest, &rest);
    assert_eq!(reply.status, 400, "{reply:#?}");
    rest["multiValueHeaders"]["MCP-Protocol-Version"] = json!(["2025-11-25", "2025-11-25"]);
    assert_eq!(answer(&server, Front::Rest, &rest).status, 200);
    let mut http = event("http-api");
    http["headers"]["mcp-protocol-version"] = json!("2025-06-18,2025-11-25");
    assert_eq!(answer(&server, Front::Http, &http).status, 400);
}

#[test]
fn the_console_s_test_event_has_null_maps() {
    let server = TestServer::cases();
    let mut console = event("rest-api");
    for member in ["headers", "multiValueHeaders", "body", "requestContext"] {
        console[member] = Value::Null;
    }
    // It is read as what it is: a POST that does not say its body is JSON.
    assert_eq!(answer(&server, Front::Rest, &console).status, 415);
    for member in ["headers", "multiValueHeaders"] {
        let mut half = event("rest-api");
        half[member] = Value::Null;
        assert_eq!(
            answer(&server, Front::Rest, &half).status,
            200,
            "without {member}"
        );
    }
}

#[test]
fn header_values_that_cannot_be_headers_are_survived() {
    let server = TestServer::cases();
    for value in [
        "a\nb",
        "a\r\nSet-Cookie: x",
        "\u{0}",
        "\u{1b}[31m",
        "é",
        "日本",
        "",
    ] {
        let mut rest = event("rest-api");
        rest["headers"]["X-Odd"] = json!(value);
        rest["multiValueHeaders"]["X-Odd"] = json!([value]);
        let reply = answer(&server, Front::Rest, &rest);
        assert!([200, 400].contains(&reply.status), "{value:?}: {reply:#?}");
    }
    for name in ["", "bad name", "a:b", "é", "a\nb"] {
        let mut http = event("http-api");
        http["headers"][name] = json!("x");
        let reply = answer(&server, Front::Http, &http);
        assert!([200, 400].contains(&reply.status), "{name:?}: {reply:#?}");
    }
    assert_lives(&server);
}

#[test]
fn a_header_that_decides_is_not_dropped_because_it_is_odd() {
    // A value that cannot be read must not turn into 'absent': absent means allowed.
    let server = TestServer::cases();
    for origin in [
        "https://evil.example\u{7f}",
        "https://évil.example",
        "https://evil.example\n",
    ] {
        let mut http = event("http-api");
        http["headers"]["origin"] = json!(origin);
        let reply = answer(&server, Front::Http, &http);
        assert!([400, 403].contains(&reply.status), "{origin:?}: {reply:#?}");
    }
    let guarded = ServerConfig::new("cases")
        .env("ALLOWED_HOSTS", "localhost")
        .start();
    for host in ["evil.example\n", "évil.example", "localhost\u{0}"] {
        let mut http = event("http-api");
        http["headers"]["host"] = json!(host);
        let reply = answer(&guarded, Front::Http, &http);
        assert!([400, 403].contains(&reply.status), "{host:?}: {reply:#?}");
    }
}

#[test]
fn odd_hosts_and_forwarded_headers_break_nothing() {
    let server = TestServer::cases();
    let headers = [
        ("host", "bad host"),
        ("host", ""),
        ("host", "[::1"),
        ("host", "a:b:c"),
        ("x-forwarded-proto", "ht tp"),
        ("x-forwarded-for", "not an address"),
        ("x-forwarded-port", "-1"),
    ];
    for (name, value) in headers {
        for (base, front) in [("http-api", Front::Http), ("alb", Front::Http)] {
            let mut event = event(base);
            event["headers"][name] = json!(value);
            let reply = answer(&server, front, &event);
            assert_eq!(reply.status, 200, "{name}: {value:?}: {reply:#?}");
        }
    }
}

/// Events in which one member is replaced.
fn mangled() -> Vec<(String, Value)> {
    let odd = [
        json!(null),
        json!(true),
        json!(-1),
        json!(1e300),
        json!("x"),
        json!(""),
        json!([]),
        json!([null]),
        json!({}),
        json!({"a": null}),
        json!({"a": [1]}),
    ];
    let mut events = Vec::new();
    for base in [
        "rest-api",
        "http-api",
        "function-url",
        "alb",
        "alb-multi-value",
    ] {
        let whole = event(base);
        let names: Vec<String> = whole.as_object().unwrap().keys().cloned().collect();
        for name in names {
            for value in &odd {
                let mut event = whole.clone();
                event[&name] = value.clone();
                events.push((format!("{base}.{name} = {value}"), event));
            }
            let mut event = whole.clone();
            event.as_object_mut().unwrap().remove(&name);
            events.push((format!("{base} without {name}"), event));
        }
    }
    let http = ["method", "path", "sourceIp", "protocol", "userAgent"];
    for (member, value) in http
        .iter()
        .flat_map(|member| odd.iter().map(move |value| (member, value)))
    {
        let mut event = event("http-api");
        event["requestContext"]["http"][member] = value.clone();
        events.push((
            format!("http-api.requestContext.http.{member} = {value}"),
            event,
        ));
    }
    events
}

#[test]
fn an_event_with_a_wrong_member_gets_an_answer() {
    let server = TestServer::cases();
    for (words, event) in mangled() {
        // The answer is read leniently: what a broken event came from, nobody can say.
        match server.invoke(Front::Rest, &event) {
            Outcome::Reply(reply) => assert_ne!(reply.status, 500, "{words}: {reply:#?}"),
            other => panic!("{words}: no HTTP answer: {other:#?}"),
        }
    }
    assert_lives(&server);
}

#[test]
fn what_is_no_event_gets_an_answer() {
    let server = TestServer::cases();
    let events = [
        "[]",
        "{}",
        "null",
        "true",
        "0",
        "\"x\"",
        "[[]]",
        "{\"version\":\"2.0\"}",
        "{\"version\":\"1.0\"}",
        "{\"version\":2}",
        "{\"httpMethod\":\"POST\"}",
        "{\"httpMethod\":\"GE T\",\"path\":\"/mcp\"}",
        "{\"requestContext\":{}}",
        "{\"requestContext\":{\"elb\":null}}",
        "{\"Records\":[{\"eventSource\":\"aws:sqs\"}]}",
        "{\"httpMethod\":\"POST\",\"httpMethod\":\"GET\",\"path\":\"/mcp\"}",
        "{\"httpMethod\":\"POST\",\"path\":\"mcp\"}",
        "{\"httpMethod\":\"POST\",\"path\":\"/m%zz\"}",
        "{\"httpMethod\":\"POST\",\"path\":\"/\\u0000\"}",
        "{\"httpMethod\":\"POST\",\"path\":\"//mcp\"}",
    ];
    let deep = format!("{{\"x\":{}{}}}", "[".repeat(100_000), "]".repeat(100_000));
    for event in events.iter().copied().chain([deep.as_str()]) {
        let start: String = event.chars().take(80).collect();
        let outcome = server.invoke_raw(
            Front::Rest,
            event.to_owned(),
            std::time::Duration::from_secs(10),
        );
        let Outcome::Reply(reply) = outcome else {
            panic!("{start}: no HTTP answer: {outcome:#?}")
        };
        assert!((400..500).contains(&reply.status), "{start}: {reply:#?}");
    }
    assert_lives(&server);
}

#[test]
fn an_invalid_base64_body_is_a_bad_request() {
    let server = TestServer::cases();
    for body in ["e30", "e30==", "%%%", "e3 0=", "_-__", "é"] {
        for (base, front) in [("http-api", Front::Http), ("rest-api", Front::Rest)] {
            let mut event = event(base);
            event["body"] = json!(body);
            event["isBase64Encoded"] = json!(true);
            let reply = answer(&server, front, &event);
            assert_eq!(reply.status, 400, "{base} {body:?}: {reply:#?}");
            assert!(
                reply.text().contains("Base64"),
                "{base} {body:?}: {reply:#?}"
            );
            assert_eq!(reply.values("access-control-allow-origin").count(), 1);
        }
    }
    assert_lives(&server);
}
