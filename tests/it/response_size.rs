//! The size of a response: one limit for whatever one request answers, set by the edge.

use std::sync::Arc;
use std::sync::atomic::{AtomicUsize, Ordering};

use bytes::Bytes;
use harness::messages::{request, request_with};
use harness::{Front, SERVED_VERSIONS, TestServer, Version, background};
use lambda_mcp::handler::CompletionRequest;
use lambda_mcp::server::{Invocation, ResponseLimit};
use lambda_mcp::{Args, Context, Server, State, prompt, resource, tool};
use proptest::prelude::*;
use schemars::JsonSchema;
use serde::Deserialize;
use serde_json::{Value, json};

const LIMIT: usize = 10_000;

#[derive(Deserialize, JsonSchema)]
struct Wanted {
    /// The number of characters.
    characters: usize,
    /// The character.
    #[serde(default)]
    of: Option<String>,
}

type Calls = Arc<AtomicUsize>;

async fn text(State(calls): State<Calls>, Args(wanted): Args<Wanted>) -> String {
    calls.fetch_add(1, Ordering::SeqCst);
    wanted
        .of
        .as_deref()
        .unwrap_or("x")
        .repeat(wanted.characters)
}

async fn page(State(_): State<Calls>) -> String {
    "x".repeat(LIMIT)
}

async fn names(_: CompletionRequest) -> Vec<String> {
    vec!["x".repeat(LIMIT)]
}

async fn noisy(context: Context) -> &'static str {
    for step in 1..=100 {
        context.progress(f64::from(step), None, Some(&"x".repeat(500)));
    }
    "done"
}

/// A server, and the number of calls that its tool `text` ran.
fn server() -> (Server, Calls) {
    let calls = Calls::default();
    let text_prompt = prompt("text", text).complete("of", names);
    let server = Server::builder("sizes", "1")
        .instructions("x".repeat(LIMIT))
        .state(Arc::clone(&calls))
        .tool(tool("text", text).description("x".repeat(LIMIT)))
        .tool(tool("noisy", noisy))
        .prompt(text_prompt)
        .resource(resource("test://page", "page", page))
        .build();
    (server.unwrap(), calls)
}

/// The status and the body of the response to a message, under a limit.
async fn send(
    server: &Server,
    version: Version,
    message: &Value,
    limit: Option<ResponseLimit>,
) -> (u16, String) {
    let mut invocation = Invocation::default();
    invocation.response_limit = limit;
    let mut request = http::Request::post("/mcp")
        .header("Content-Type", "application/json")
        .header("Accept", "application/json, text/event-stream")
        .header("MCP-Protocol-Version", version.name());
    if version.is_modern() {
        request = request.header("Mcp-Method", message["method"].as_str().unwrap());
        let params = &message["params"];
        if let Some(name) = params["name"].as_str().or(params["uri"].as_str()) {
            request = request.header("Mcp-Name", name);
        }
    }
    let body = Bytes::from(message.to_string());
    let request = request.extension(invocation).body(body).unwrap();
    let response = server.handle(request).await;
    let status = response.status().as_u16();
    let body = response.into_body().into_bytes().unwrap();
    (status, String::from_utf8(body.to_vec()).unwrap())
}

fn call(id: usize, characters: usize) -> Value {
    let params = json!({"name": "text", "arguments": {"characters": characters}});
    json!({"jsonrpc": "2.0", "id": id, "method": "tools/call", "params": params})
}

#[tokio::test]
async fn what_is_too_large_is_replaced_by_advice_whatever_the_method() {
    let (server, _) = server();
    let limit = ResponseLimit::bytes(LIMIT);
    let large = json!({"characters": LIMIT.to_string()});
    let text_prompt = json!({"type": "ref/prompt", "name": "text"});
    let methods = [
        ("prompts/get", json!({"name": "text", "arguments": large})),
        ("resources/read", json!({"uri": "test://page"})),
        (
            "completion/complete",
            json!({"ref": text_prompt, "argument": {"name": "of", "value": ""}}),
        ),
        ("tools/list", json!({})),
    ];
    for version in SERVED_VERSIONS {
        for (method, params) in &methods {
            let message = request(version, method, params.clone());
            let (status, body) = send(&server, version, &message, Some(limit)).await;
            let body: Value = serde_json::from_str(&body).unwrap();
            assert_eq!((status, &body["error"]["code"]), (200, &json!(-32603)));
            assert_eq!(
                body["error"]["message"],
                "Response too large: the response is larger than 10 KB and cannot be sent; ask for \
                 less",
                "{method} in {version:?}"
            );
            let (_, whole) = send(&server, version, &message, None).await;
            assert!(whole.len() > LIMIT, "without a limit: {method}");
        }
        let params = json!({"name": "text", "arguments": {"characters": LIMIT}});
        let message = request(version, "tools/call", params);
        let (_, body) = send(&server, version, &message, Some(limit)).await;
        let body: Value = serde_json::from_str(&body).unwrap();
        assert_eq!(body["result"]["isError"], true, "{body}");
        assert_eq!(
            body["result"]["content"][0]["text"],
            "The result is larger than 10 KB and cannot be sent. Ask for less of it."
        );
    }
}

#[tokio::test]
async fn an_escaped_limit_counts_what_the_platform_sends() {
    let (server, _) = server();
    // 4,000 quotes are 8,000 bytes of JSON text and 16,000 inside another JSON text.
    let params = json!({"name": "text", "arguments": {"characters": 4_000, "of": "\""}});
    let message = request(Version::V2025_11_25, "tools/call", params);
    let limits = [
        (ResponseLimit::bytes(LIMIT), false),
        (ResponseLimit::escaped_bytes(LIMIT), true),
        (ResponseLimit::escaped_bytes(20_000), false),
    ];
    for (limit, is_refused) in limits {
        let (_, body) = send(&server, Version::V2025_11_25, &message, Some(limit)).await;
        assert_eq!(body.contains("larger than"), is_refused, "{limit:?}");
    }
}

#[tokio::test]
async fn a_small_batch_cannot_request_megabytes() {
    let (server, calls) = server();
    let batch: Vec<Value> = (0..50).map(|id| call(id, 125_000)).collect();
    for limit in [None, Some(ResponseLimit::escaped_bytes(6_000_000))] {
        calls.store(0, Ordering::SeqCst);
        let (status, body) = send(&server, Version::V2025_03_26, &json!(batch), limit).await;
        assert_eq!(status, 200);
        assert!(body.len() <= 1_000_000, "{} bytes", body.len());
        let answers: Vec<Value> = serde_json::from_str(&body).unwrap();
        assert_eq!(answers.len(), 50);
        let texts: Vec<&str> = answers
            .iter()
            .map(|answer| {
                let content = &answer["result"]["content"][0]["text"];
                content.as_str().or(answer["error"]["message"].as_str())
            })
            .map(Option::unwrap)
            .collect();
        let whole = texts.iter().filter(|text| text.len() == 125_000).count();
        assert_eq!(whole, 7, "as many as fit");
        assert_eq!(
            texts[7],
            "The results of the batch are larger than 1 MB together, so this one is left out. Call \
             the tool by itself, or ask for less."
        );
        for text in &texts[8..] {
            assert_eq!(
                *text,
                "Response too large: the responses to the batch are larger than 1 MB together, so \
                 this request was not processed; send it by itself"
            );
        }
        assert_eq!(calls.load(Ordering::SeqCst), 8, "nothing else is computed");
    }
}

#[tokio::test]
async fn notifications_take_what_the_response_leaves() {
    let (server, _) = server();
    let params = json!({"name": "noisy", "arguments": {}});
    let message = request_with(
        Version::V2025_11_25,
        "tools/call",
        params,
        json!({"progressToken": 1}),
    );
    let limit = Some(ResponseLimit::bytes(LIMIT));
    let (_, body) = send(&server, Version::V2025_11_25, &message, limit).await;
    assert!(body.len() <= LIMIT, "{} bytes", body.len());
    let events = body.matches("event: message").count();
    assert!((2..101).contains(&events), "{events} events");
    assert!(
        body.trim_end().ends_with('}') && body.contains("done"),
        "{body}"
    );
}

#[test]
fn the_limit_is_that_of_the_front() {
    let server = TestServer::cases();
    let read = |front: Front, q: &str| {
        let params = json!({"name": "demo_read", "arguments": {"q": q}});
        let message = request(Version::V2025_11_25, "tools/call", params);
        let sent = server
            .post(&message)
            .version("2025-11-25")
            .via(front)
            .send();
        sent.result()["content"][0]["text"]
            .as_str()
            .unwrap()
            .to_owned()
    };
    let cases = [
        (Front::Rest, "__8_MiB_result__", Some("6 MB")),
        (Front::Http, "__8_MiB_result__", Some("6 MB")),
        (Front::Alb, "__8_MiB_result__", Some("950 KB")),
        (Front::Alb, "__2_MiB_result__", Some("950 KB")),
        (Front::Rest, "__2_MiB_result__", None),
    ];
    for (front, q, limit) in cases {
        let text = read(front, q);
        match limit {
            Some(limit) => assert_eq!(
                text,
                format!(
                    "The result is larger than {limit} and cannot be sent. Ask for less of it."
                )
            ),
            None => assert!(text.len() > 2 * 1024 * 1024, "{front:?} {q}"),
        }
    }
}

#[tokio::test]
async fn the_commas_of_a_batch_count() {
    let (server, _) = server();
    let sizes = [
        2937, 417, 2106, 1348, 2984, 1413, 816, 2016, 2422, 2035, 1077, 1496, 1898, 660, 819, 1107,
        1990,
    ];
    let batch = { sizes.iter().enumerate() }.map(|(index, characters)| call(index, *characters));
    let batch = json!(batch.collect::<Vec<_>>());
    let whole = send(&server, Version::V2025_03_26, &batch, None)
        .await
        .1
        .len();
    // One byte too few for the whole of it.
    let limit = ResponseLimit::bytes(whole - 1);
    let (_, body) = send(&server, Version::V2025_03_26, &batch, Some(limit)).await;
    assert!(body.len() < whole, "{} of {whole}", body.len());
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(64))]

    /// Whatever its parts are, and however long their ids: nothing is larger than the limit.
    #[test]
    fn no_batch_is_larger_than_its_limit(
        sizes in prop::collection::vec(0_usize..3_000, 1..50),
        id in "[a\"\\\\]{0,200}",
        quotes in any::<bool>(),
        limit in 60_000_usize..200_000,
    ) {
        let (server, _) = server();
        let of = if quotes { "\"" } else { "x" };
        let batch: Vec<Value> = sizes.iter().enumerate().map(|(index, characters)| {
            let mut message = call(index, *characters);
            message["id"] = json!(format!("{id}{index}"));
            message["params"]["arguments"]["of"] = json!(of);
            message
        }).collect();
        let limit_bytes = ResponseLimit::escaped_bytes(limit);
        let batch = json!(batch);
        let sent = send(&server, Version::V2025_03_26, &batch, Some(limit_bytes));
        let (_, body) = background().block_on(sent);
        let escaped = serde_json::to_string(&body).unwrap().len() - 2;
        prop_assert!(escaped <= limit, "{escaped} > {limit}");
        let answers: Vec<Value> = serde_json::from_str(&body).unwrap();
        prop_assert_eq!(answers.len(), sizes.len());
    }
}
