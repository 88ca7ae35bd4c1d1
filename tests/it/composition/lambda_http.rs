//! The handler of `lambda_http`, by its own `run` and by ours. `cases` runs the case table with it.

use serde_json::{Value, json};

use harness::messages::{ask, assert_lives, call, ping};
use harness::{Front, HttpRequest, Outcome, ServerConfig, TestServer, Version, event};

const OURS: &str = "lambda_mcp::lambda_http";
const THEIRS: &str = "lambda_http";

fn cases(edge: &str) -> TestServer {
    ServerConfig::new("cases").env("EDGE", edge).start()
}

#[test]
fn every_front_and_stage_is_served() {
    for edge in [OURS, THEIRS] {
        let server = cases(edge);
        for front in Front::ALL {
            for stage in ["$default", "prod", "mcp"] {
                let request = HttpRequest::post(ping().to_string());
                let reply = server.send_later(request).via(front).stage(stage).send();
                assert_eq!(reply.status, 200, "{edge} {front:?} {stage}: {reply:#?}");
                assert_eq!(reply.result(), json!({}));
            }
        }
    }
}

#[test]
fn published_documents_have_the_url_of_the_api() {
    let server = ServerConfig::new("axum_router").start();
    for front in [Front::Rest, Front::Http] {
        let request = HttpRequest::new("GET", "/mcp/server-card");
        let reply = server.send_later(request).via(front).stage("prod").send();
        let url = "https://a1b2c3d4e5.execute-api.eu-central-1.amazonaws.com/prod/mcp";
        let card = reply.json().to_string();
        assert!(card.contains(url), "{front:?}: {reply:#?}");
    }
}

#[test]
fn the_log_has_the_platforms_request_id_and_one_line_for_each_message() {
    for edge in [OURS, THEIRS] {
        let server = cases(edge);
        call(
            &server,
            Version::V2026_07_28,
            "demo_read",
            json!({"q": "a"}),
        );
        ask(&server, Version::V2025_11_25, "tools/list", json!({}));
        let log = server.finish();
        let lines = log
            .lines()
            .map(|line| serde_json::from_str::<Value>(line).unwrap());
        let lines: Vec<Value> = lines.filter(|line| line["message"] == "request").collect();
        assert_eq!(lines.len(), 2, "{edge}: {log}");
        for line in lines {
            assert!(
                line["request_id"]
                    .as_str()
                    .is_some_and(|id| id.starts_with("8476a536")),
                "{line}"
            );
        }
    }
}

/// Events that make `lambda_http` panic or fail.
fn hostile() -> Vec<(&'static str, Front, Value)> {
    let of = |front: Front| event(front, &HttpRequest::post(ping().to_string()));
    let with = |front: Front, pointer: &str, value: Value| {
        let mut event = of(front);
        *event.pointer_mut(pointer).unwrap() = value;
        event
    };
    let mut broken_base64 = with(Front::Http, "/body", json!("%%%"));
    broken_base64["isBase64Encoded"] = json!(true);
    let mut no_scheme = of(Front::Rest);
    no_scheme["headers"]["x-forwarded-proto"] = json!("not a scheme");
    let mut bad_host = of(Front::Http);
    bad_host["headers"]["host"] = json!("a host");
    vec![
        ("a body that is not Base64", Front::Http, broken_base64),
        ("a host with a space", Front::Http, bad_host),
        ("a scheme with spaces", Front::Rest, no_scheme),
        (
            "a query with a space",
            Front::Http,
            with(Front::Http, "/rawQueryString", json!("a b")),
        ),
        (
            "no method",
            Front::Rest,
            with(Front::Rest, "/httpMethod", json!(null)),
        ),
        ("an empty object", Front::Rest, json!({})),
        ("a text", Front::Rest, json!("hello")),
    ]
}

#[test]
fn an_event_that_lambda_http_cannot_read_gets_400() {
    let server = cases(OURS);
    for (what, front, event) in hostile() {
        match server.invoke(front, &event) {
            Outcome::Reply(reply) => {
                assert_eq!(reply.status, 400, "{what}: {reply:#?}");
                assert!(
                    reply.json()["error"]["message"].is_string(),
                    "{what}: {reply:#?}"
                );
            }
            other => panic!("{what}: {other:?}"),
        }
        assert_lives(&server);
    }
}

/// The reason for `lambda_mcp::lambda_http::run`. If this fails, `lambda_http` answers by itself.
#[test]
fn the_run_of_lambda_http_reports_a_function_error_for_such_an_event() {
    let server = cases(THEIRS);
    let (_, front, event) = hostile().swap_remove(0);
    let outcome = server.invoke(front, &event);
    assert!(matches!(outcome, Outcome::FunctionError(_)), "{outcome:?}");
    assert_lives(&server);
}

#[test]
fn the_example_serves_its_route_and_its_tool() {
    let server = ServerConfig::new("lambda_http_routes").start();
    for front in Front::ALL {
        let request = HttpRequest::new("GET", "/hours");
        let page = server.send_later(request).via(front).stage("prod").send();
        let text = String::from_utf8_lossy(&page.body).into_owned();
        assert_eq!(
            (page.status, text.as_str()),
            (200, "Open from 8:00 to 18:00."),
            "{front:?}"
        );
    }
    for version in harness::SERVED_VERSIONS {
        let result = call(&server, version, "opening_hours", json!({})).result();
        assert_eq!(result["content"][0]["text"], "Open from 8:00 to 18:00.");
    }
    assert_eq!(server.request("GET", "/mcp").send().status, 405);
}

#[test]
fn the_router_of_the_axum_example_runs_on_lambda() {
    let server = ServerConfig::new("axum_router").start();
    for front in Front::ALL {
        let request = HttpRequest::new("GET", "/");
        let home = server.send_later(request).via(front).stage("prod").send();
        assert_eq!(
            (home.status, home.body.as_slice()),
            (200, b"Apples and pears.".as_slice())
        );
    }
    let result = call(
        &server,
        Version::V2026_07_28,
        "price",
        json!({"fruit": "pear"}),
    )
    .result();
    assert_eq!(result["content"][0]["text"], "A pear costs 60 cents.");
}
