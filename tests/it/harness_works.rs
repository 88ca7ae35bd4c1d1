//! The harness judged by scripted functions and servers: what it must see, and what it must not miss.

use std::io::{BufRead as _, BufReader, Read as _, Write as _};
use std::net::{SocketAddr, TcpListener, TcpStream};
use std::sync::mpsc;
use std::time::{Duration, Instant};

use serde_json::{Value, json};

use harness::{Front, HttpRequest, Outcome, RuntimeApi, ServerConfig, TestServer, event};

/// What a scripted function does with its one event.
pub(crate) enum Play {
    Respond(Value),
    Stream(&'static [u8]),
    /// Begins a response and never ends it.
    Hang,
    Error,
    InitError,
}

/// A server whose function plays `play` once.
pub(crate) fn scripted(play: Play) -> TestServer {
    let api = RuntimeApi::start();
    let address = api.address();
    std::thread::spawn(move || act(address, &play));
    TestServer::without_program(api)
}

fn act(address: SocketAddr, play: &Play) {
    let (next, post) = (
        "/2018-06-01/runtime/invocation/next",
        "/2018-06-01/runtime/",
    );
    if let Play::InitError = play {
        exchange(
            address,
            &format!("POST {post}init/error"),
            "",
            b"bad content",
        );
        return;
    }
    let head = exchange(address, &format!("GET {next}"), "", b"");
    let id = head
        .lines()
        .find_map(|line| line.strip_prefix("lambda-runtime-aws-request-id: "));
    let post = format!("POST {post}invocation/{}", id.unwrap());
    match play {
        Play::Respond(value) => {
            exchange(
                address,
                &format!("{post}/response"),
                "",
                value.to_string().as_bytes(),
            );
        }
        Play::Stream(bytes) => {
            let mode = "Lambda-Runtime-Function-Response-Mode: streaming\r\n";
            exchange(address, &format!("{post}/response"), mode, bytes);
        }
        Play::Hang => {
            let mut stream = TcpStream::connect(address).unwrap();
            let head = "HTTP/1.1\r\nHost: x\r\nTransfer-Encoding: chunked\r\n\r\n1\r\n{\r\n";
            write!(stream, "{post}/response {head}").unwrap();
            let _ = stream.read(&mut [0]);
        }
        Play::Error => {
            exchange(
                address,
                &format!("{post}/error"),
                "",
                br#"{"errorType":"Oops"}"#,
            );
        }
        Play::InitError => unreachable!("it never asked for an event"),
    }
}

/// One HTTP exchange; gives the response's head and leaves its body unread.
fn exchange(address: SocketAddr, line: &str, headers: &str, body: &[u8]) -> String {
    let mut stream = TcpStream::connect(address).unwrap();
    let length = body.len();
    write!(
        stream,
        "{line} HTTP/1.1\r\nHost: x\r\n{headers}Content-Length: {length}\r\n\r\n"
    )
    .unwrap();
    stream.write_all(body).unwrap();
    let mut head = String::new();
    let mut lines = BufReader::new(stream).lines();
    while let Some(Ok(line)) = lines.next()
        && !line.is_empty()
    {
        head += &line;
        head.push('\n');
    }
    head
}

fn response(members: &Value) -> Value {
    let mut response = json!({"statusCode": 404, "body": "no", "isBase64Encoded": false});
    response
        .as_object_mut()
        .unwrap()
        .extend(members.as_object().unwrap().clone());
    response
}

fn get_through(front: Front, play: Play) -> Outcome {
    scripted(play)
        .request("GET", "/nope")
        .via(front)
        .deadline(Duration::from_secs(5))
        .outcome()
}

#[test]
fn a_gateway_reads_single_and_multi_value_headers() {
    let both = json!({"headers": {"Vary": "lost", "X-One": "1"},
                      "multiValueHeaders": {"vary": ["origin", "accept"]}});
    let reply = get_through(Front::Rest, Play::Respond(response(&both))).reply();
    assert_eq!((reply.status, reply.text().as_str()), (404, "no"));
    assert_eq!(
        reply.values("vary").collect::<Vec<_>>(),
        ["origin", "accept"]
    );
    assert_eq!(reply.header("x-one").as_deref(), Some("1"));

    let single = json!({"headers": {"Vary": "origin"}, "cookies": ["a=1", "b=2"],
                        "multiValueHeaders": {"vary": ["ignored"]}});
    let reply = get_through(Front::Http, Play::Respond(response(&single))).reply();
    assert_eq!(reply.values("vary").collect::<Vec<_>>(), ["origin"]);
    assert_eq!(reply.values("set-cookie").count(), 2);
}

#[test]
fn a_base64_body_is_decoded_and_a_wrong_one_is_malformed() {
    let base64 = json!({"body": "AP8=", "isBase64Encoded": true});
    let reply = get_through(Front::FunctionUrl, Play::Respond(response(&base64))).reply();
    assert_eq!(reply.body, [0, 255]);
    let wrong = json!({"body": "AP8", "isBase64Encoded": true});
    let outcome = get_through(Front::FunctionUrl, Play::Respond(response(&wrong)));
    assert!(matches!(outcome, Outcome::Malformed(_)), "{outcome:?}");
}

#[test]
fn what_a_front_cannot_use_is_malformed() {
    let cases = [
        (Front::Http, json!({"body": "no status"})),
        (Front::Http, json!({"statusCode": 100})),
        (
            Front::Rest,
            response(&json!({"body": {"json": "is no text"}})),
        ),
        (
            Front::Rest,
            response(&json!({"multiValueHeaders": {"vary": "no list"}})),
        ),
        (
            Front::Alb,
            response(&json!({"headers": {"x": "a load balancer drops it"}})),
        ),
        (
            Front::Http,
            response(&json!({"body": "x".repeat(6_300_000)})),
        ),
    ];
    for (front, value) in cases {
        let outcome = get_through(front, Play::Respond(value));
        assert!(matches!(outcome, Outcome::Malformed(_)), "{outcome:?}");
    }
}

#[test]
fn a_streamed_response_is_read_to_its_end() {
    let stream = b"{\"statusCode\":200,\"headers\":{\"content-type\":\"text/event-stream\"}}\
                   \0\0\0\0\0\0\0\0data: {\"jsonrpc\":\"2.0\",\"id\":1,\"result\":{}}\n\n";
    let server = scripted(Play::Stream(stream));
    let reply = server
        .post(&json!({"jsonrpc": "2.0", "id": 1, "method": "ping"}))
        .send();
    assert_eq!((reply.status, reply.result()), (200, json!({})));

    let no_prelude = get_through(Front::Http, Play::Stream(b"data: x\n\n"));
    assert!(
        matches!(no_prelude, Outcome::Malformed(_)),
        "{no_prelude:?}"
    );
}

#[test]
fn an_unfinished_event_of_a_stream_is_a_fault() {
    let stream = b"{\"statusCode\":200,\"headers\":{\"content-type\":\"text/event-stream\"}}\
                   \0\0\0\0\0\0\0\0data: {\"jsonrpc\":\"2.0\",\"id\":1,\"result\":{}}\n";
    let server = scripted(Play::Stream(stream));
    let outcome = server
        .post(&json!({"jsonrpc": "2.0", "id": 1, "method": "ping"}))
        .outcome();
    let Outcome::Reply(reply) = outcome else {
        panic!("{outcome:?}")
    };
    assert!(
        reply.faults[0].contains("not finished"),
        "{:?}",
        reply.faults
    );
}

#[test]
fn a_body_that_never_ends_is_late() {
    let server = scripted(Play::Hang);
    let started = Instant::now();
    let outcome = server
        .request("GET", "/mcp")
        .deadline(Duration::from_millis(300))
        .outcome();
    assert!(matches!(outcome, Outcome::Late { .. }), "{outcome:?}");
    assert!(started.elapsed() < Duration::from_secs(3));
}

#[test]
fn errors_of_the_function_are_no_responses() {
    let outcome = get_through(Front::Http, Play::Error);
    assert!(
        matches!(&outcome, Outcome::FunctionError(e) if e.contains("Oops")),
        "{outcome:?}"
    );
    let outcome = get_through(Front::Http, Play::InitError);
    assert!(
        matches!(&outcome, Outcome::InitError(e) if e == "bad content"),
        "{outcome:?}"
    );
}

#[test]
fn the_end_of_the_program_is_no_response() {
    // It refuses to start on a setting it cannot read.
    let server = ServerConfig::new("cases")
        .env("ALLOWED_ORIGINS", "no origin")
        .start();
    let outcome = server.request("GET", "/mcp").outcome();
    let Outcome::Exited { status, logs } = outcome else {
        panic!("{outcome:?}")
    };
    assert!(status.contains("exit status: 1"), "{status}");
    assert!(logs.contains("no origin"), "{logs}");
}

/// An HTTP server that answers one request with `head`, then holds the connection; its endpoint's URL,
/// and what it was asked.
fn http_server(head: &'static str) -> (String, mpsc::Receiver<String>) {
    let listener = TcpListener::bind("127.0.0.1:0").unwrap();
    let address = listener.local_addr().unwrap();
    let (sender, asked) = mpsc::channel();
    std::thread::spawn(move || {
        let (mut stream, _) = listener.accept().unwrap();
        let mut request = [0; 4096];
        let length = stream.read(&mut request).unwrap();
        sender
            .send(String::from_utf8_lossy(&request[..length]).into_owned())
            .unwrap();
        stream.write_all(head.as_bytes()).unwrap();
        let _ = stream.read(&mut [0]);
    });
    (format!("http://{address}/lambda-url/cases/mcp"), asked)
}

#[test]
fn a_running_http_server_is_driven_the_same_way() {
    let no = "HTTP/1.1 404 No\r\nContent-Length: 2\r\nVary: a\r\nVary: b\r\n\r\nno";
    let (url, asked) = http_server(no);
    let reply = TestServer::at(&url)
        .request("GET", "/nope")
        .header("Accept", "x/y")
        .send();
    assert_eq!(
        (reply.status, reply.header("vary").unwrap().as_str()),
        (404, "a, b")
    );
    let asked = asked.recv().unwrap();
    assert!(
        asked.starts_with("GET /lambda-url/cases/nope HTTP/1.1\r\n"),
        "{asked}"
    );
    assert!(asked.contains("accept: x/y\r\n"), "{asked}");

    let (url, _asked) =
        http_server("HTTP/1.1 200 OK\r\nContent-Type: text/event-stream\r\n\r\n: hi\n\n");
    let server = TestServer::at(&url);
    let started = Instant::now();
    let outcome = server
        .request("GET", "/mcp")
        .deadline(Duration::from_millis(300))
        .outcome();
    assert!(matches!(outcome, Outcome::Late { .. }), "{outcome:?}");
    assert!(started.elapsed() < Duration::from_secs(3));
}

#[test]
fn each_front_makes_its_own_event() {
    let mut request = HttpRequest::post(r#"{"a":1}"#);
    request.target = "/mcp?x=1&x=2".to_owned();
    request.stage = "prod".to_owned();
    request.headers.push(("Twice".into(), "1".into()));
    request.headers.push(("Twice".into(), "2".into()));

    let rest = event(Front::Rest, &request);
    assert_eq!(rest["path"], "/mcp");
    assert_eq!(rest["requestContext"]["path"], "/prod/mcp");
    assert_eq!(rest["headers"]["Twice"], "2");
    assert_eq!(rest["multiValueHeaders"]["Twice"], json!(["1", "2"]));
    assert_eq!(
        rest["multiValueQueryStringParameters"]["x"],
        json!(["1", "2"])
    );

    let http = event(Front::Http, &request);
    assert_eq!(http["rawPath"], "/prod/mcp");
    assert_eq!(http["headers"]["twice"], "1,2");
    assert_eq!(http["rawQueryString"], "x=1&x=2");

    assert_eq!(event(Front::FunctionUrl, &request)["rawPath"], "/mcp");
    assert_eq!(
        event(Front::Alb, &request)["multiValueHeaders"]["twice"],
        json!(["1", "2"])
    );

    request.body = Some(vec![0xff]);
    for front in Front::ALL {
        let event = event(front, &request);
        assert_eq!(
            (&event["body"], &event["isBase64Encoded"]),
            (&json!("/w=="), &json!(true))
        );
    }
}
