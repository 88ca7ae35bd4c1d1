//! Generated requests, from valid to nonsense, and what holds for every answer, whatever the request.
//!
//! The requests are the same in each run. `make test-differential` sends them to the servers of other
//! SDKs as well, and compares the answers.

mod bodies;
mod headers;
mod invariants;
mod random;
mod requests;

use bytes::Bytes;
use http::{HeaderName, HeaderValue};
use serde_json::json;

use harness::{Front, HttpRequest, Outcome, Reply, ServerConfig, background};
use lambda_mcp::Server;

use self::requests::{Generated, generate};

#[path = "../../fixtures/differential/server.rs"]
mod server;

/// The number of requests.
const COUNT: usize = 2500;
/// One front for each form of event.
const FRONTS: [Front; 3] = [Front::Rest, Front::Http, Front::Alb];
/// Headers of which the fronts have their own, or which no request of a test changes.
const COMPARED: [&str; 7] = [
    "content-type",
    "allow",
    "retry-after",
    "www-authenticate",
    "accept-encoding",
    "access-control-allow-origin",
    "access-control-allow-methods",
];

/// What a client sees, as far as it does not depend on the front.
fn seen(reply: &Reply) -> (u16, Vec<Option<String>>, String) {
    let headers = COMPARED.map(|name| reply.header(name)).to_vec();
    (reply.status, headers, reply.text())
}

/// The answer of a server in this process, as over HTTP.
fn over_http(server: &Server, request: &HttpRequest) -> Reply {
    let mut sent = http::Request::new(Bytes::from(request.body.clone().unwrap_or_default()));
    *sent.method_mut() = request.method.parse().unwrap();
    *sent.uri_mut() = request.target.parse().unwrap();
    for (name, value) in &request.headers {
        let name: HeaderName = name.parse().unwrap();
        sent.headers_mut()
            .append(name, HeaderValue::from_str(value).unwrap());
    }
    let server = server.clone();
    let response = background().block_on(async move { server.handle(sent).await });
    let (parts, body) = response.into_parts();
    let headers = parts.headers.iter();
    let headers =
        headers.map(|(name, value)| (name.to_string(), value.to_str().unwrap().to_owned()));
    Reply {
        status: parts.status.as_u16(),
        headers: headers.collect(),
        body: body.into_bytes().unwrap_or_default().to_vec(),
        elapsed: std::time::Duration::ZERO,
        arrivals: Vec::new(),
        faults: Vec::new(),
    }
}

#[test]
fn every_generated_request_gets_one_answer_that_is_right_in_itself() {
    let program = ServerConfig::new("differential")
        .env("ALLOWED_HOSTS", "*")
        .start();
    let server = server::builder().build().unwrap();
    let mut faults = Vec::new();
    for Generated { request, story } in generate(COUNT) {
        let mut replies = Vec::new();
        for front in FRONTS {
            match program.send_later(request.clone()).via(front).outcome() {
                Outcome::Reply(reply) => replies.push((format!("{front:?}"), reply)),
                other => faults.push(format!("{story}: {front:?}: {other:?}")),
            }
        }
        replies.push(("HTTP".to_owned(), over_http(&server, &request)));
        let (_, first) = &replies[0];
        for (front, reply) in &replies[1..] {
            let (one, other) = (seen(first), seen(reply));
            if one != other {
                faults.push(format!(
                    "{story}: {front} answers {other:?}\n  but not {one:?}"
                ));
            }
        }
        for fault in first
            .faults
            .iter()
            .cloned()
            .chain(invariants::faults(&request, first))
        {
            faults.push(format!(
                "{story}: {fault}\n  {} {}",
                first.status,
                first.text()
            ));
        }
    }
    let shown = faults
        .iter()
        .take(20)
        .map(String::as_str)
        .collect::<Vec<_>>();
    assert!(
        faults.is_empty(),
        "{} faults:\n{}",
        faults.len(),
        shown.join("\n")
    );
}

#[test]
fn the_requests_reach_every_kind_of_answer() {
    let server = server::builder().build().unwrap();
    let mut kinds = std::collections::BTreeMap::<String, usize>::new();
    for Generated { request, .. } in generate(COUNT) {
        let reply = over_http(&server, &request);
        *kinds.entry(invariants::kind(&reply)).or_default() += 1;
    }
    let expected = [
        "200 result",
        "200 tool error",
        "200 batch",
        "200 -32601",
        "200 -32602",
        "200 -32002",
        "202 nothing",
        "204 nothing",
        "400 nothing",
        "400 -32020",
        "400 -32022",
        "400 -32600",
        "400 -32602",
        "400 -32700",
        "403 -32600",
        "404 -32601",
        "405 -32000",
        "406 -32600",
        "415 -32600",
    ];
    let missing: Vec<_> = expected
        .iter()
        .filter(|kind| !kinds.contains_key(**kind))
        .collect();
    assert!(missing.is_empty(), "{missing:?} of {kinds:?}");
    // A valid request is not the exception.
    assert!(kinds["200 result"] > COUNT / 5, "{kinds:?}");
}

/// Writes the requests, and the kind of each answer, as JSON lines for `make test-differential`.
#[test]
#[ignore = "writes a file for `make test-differential`, which sets GENERATED_REQUESTS"]
fn the_requests_are_written_down() {
    use base64::Engine as _;
    let path = std::env::var("GENERATED_REQUESTS").expect("GENERATED_REQUESTS, a path");
    let server = server::builder().build().unwrap();
    let lines = generate(COUNT).map(|Generated { request, story }| {
        let ours = invariants::kind(&over_http(&server, &request));
        let body =
            base64::engine::general_purpose::STANDARD.encode(request.body.unwrap_or_default());
        let line = json!({
            "story": story, "ours": ours, "method": request.method, "headers": request.headers, "body": body,
        });
        format!("{line}\n")
    });
    std::fs::write(path, lines.collect::<String>()).expect("the file can be written");
}
