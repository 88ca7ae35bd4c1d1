//! The span of a request: its attributes, its parent, and that it costs nothing when nobody wants it.

use std::sync::Arc;
use std::sync::atomic::{AtomicUsize, Ordering};

use lambda_mcp::auth::{ApiKeys, Auth};
use lambda_mcp::protocol::ProtocolVersion;
use lambda_mcp::testing::TestClient;
use lambda_mcp::{Server, ToolError, tool};
use opentelemetry::trace::{SpanId, SpanKind, Status, TraceId, TracerProvider as _};
use opentelemetry_sdk::trace::{InMemorySpanExporter, SdkTracerProvider, SpanData};
use serde_json::{Value, json};
use tracing_subscriber::layer::SubscriberExt as _;

#[path = "../../examples/opentelemetry.rs"]
#[expect(dead_code, reason = "the program has a `main`")]
mod example;

const TRACE: &str = "0af7651916cd43dd8448eb211c80319c";
const PARENT: &str = "00f067aa0ba902b7";
const OTHER: &str = "00-11111111111111111111111111111111-2222222222222222-01";

fn traceparent() -> String {
    format!("00-{TRACE}-{PARENT}-01")
}

/// Sends requests with a collector in memory, and returns the spans that ended.
async fn collected<F: Future>(send: impl FnOnce() -> F) -> Vec<SpanData> {
    let exporter = InMemorySpanExporter::default();
    let provider = SdkTracerProvider::builder()
        .with_simple_exporter(exporter.clone())
        .build();
    let layer = tracing_opentelemetry::layer().with_tracer(provider.tracer("test"));
    let _collecting = tracing::subscriber::set_default(tracing_subscriber::registry().with(layer));
    send().await;
    exporter.get_finished_spans().unwrap()
}

fn attribute(span: &SpanData, name: &str) -> Option<String> {
    let mut attributes = span.attributes.iter();
    let found = attributes.find(|attribute| attribute.key.as_str() == name)?;
    Some(found.value.as_str().into_owned())
}

fn request_span(spans: &[SpanData]) -> &SpanData {
    let mut requests = spans
        .iter()
        .filter(|span| span.span_kind == SpanKind::Server);
    let request = requests
        .next()
        .unwrap_or_else(|| panic!("no span of a request in {spans:#?}"));
    assert!(
        requests.next().is_none(),
        "two spans of a request in {spans:#?}"
    );
    request
}

fn call(of: u16) -> Value {
    json!({"name": "square", "arguments": {"of": of}})
}

#[tokio::test]
async fn the_example_continues_the_trace_of_the_message() {
    let spans = collected(|| async {
        let client = TestClient::new(example::server().build().unwrap())
            .meta("traceparent", json!(traceparent()))
            // The headers are those of another hop.
            .header("traceparent", OTHER);
        let response = client.request("tools/call", call(7)).await;
        assert_eq!(response.text(), "49");
    })
    .await;
    let request = request_span(&spans);
    assert_eq!(request.name, "tools/call square");
    assert_eq!(
        request.span_context.trace_id(),
        TraceId::from_hex(TRACE).unwrap()
    );
    assert_eq!(request.parent_span_id, SpanId::from_hex(PARENT).unwrap());
    for (name, value) in [
        ("mcp.method.name", "tools/call"),
        ("mcp.protocol.version", "2026-07-28"),
        ("gen_ai.operation.name", "execute_tool"),
        ("gen_ai.tool.name", "square"),
    ] {
        assert_eq!(
            attribute(request, name).as_deref(),
            Some(value),
            "{request:#?}"
        );
    }
    assert!(
        attribute(request, "jsonrpc.request.id").is_some(),
        "{request:#?}"
    );
    assert_eq!(attribute(request, "error.type"), None);

    // The handler's own span, and its line within it.
    let own = spans.iter().find(|span| span.name == "multiply").unwrap();
    assert_eq!(own.parent_span_id, request.span_context.span_id());
    assert_eq!(own.span_context.trace_id(), request.span_context.trace_id());
}

#[tokio::test]
async fn headers_parent_the_span_if_the_message_has_no_trace() {
    let spans = collected(|| async {
        let client = TestClient::new(example::server().build().unwrap());
        let request = client.request("tools/call", call(7));
        let response = request.header("traceparent", &traceparent()).await;
        assert_eq!(response.text(), "49");
    })
    .await;
    let request = request_span(&spans);
    assert_eq!(request.parent_span_id, SpanId::from_hex(PARENT).unwrap());
}

#[tokio::test]
async fn a_request_without_a_trace_starts_one() {
    for odd in ["", "00-0-0-0", "not a traceparent"] {
        let spans = collected(|| async {
            let client = TestClient::new(example::server().build().unwrap());
            let client = client.meta("traceparent", json!(odd));
            let response = client.request("tools/list", json!({})).await;
            assert_eq!(response.status(), 200, "{response}");
        })
        .await;
        let request = request_span(&spans);
        assert_eq!(request.parent_span_id, SpanId::INVALID);
        assert_eq!(request.name, "tools/list");
    }
}

async fn fails() -> Result<String, ToolError> {
    Err(ToolError::new("try another"))
}

fn server() -> Server {
    let keys = format!(
        "ada {} a",
        ApiKeys::digest("a-key-of-at-least-20-characters")
    );
    Server::builder("spans", "1.0.0")
        .auth(Auth::new().verifier(keys.parse::<ApiKeys>().unwrap()))
        .tool(tool("fails", fails).requires_scope("a"))
        .build()
        .unwrap()
}

#[tokio::test]
async fn a_failure_has_an_error_type_and_a_caller_a_digest() {
    let spans = collected(|| async {
        let client = TestClient::new(server()).bearer("a-key-of-at-least-20-characters");
        assert!(client.call("fails", json!({})).await.is_error());
    })
    .await;
    let request = request_span(&spans);
    assert_eq!(
        attribute(request, "error.type").as_deref(),
        Some("tool_error")
    );
    assert!(
        matches!(request.status, Status::Error { .. }),
        "{request:#?}"
    );
    let subject = attribute(request, "enduser.pseudo.id").unwrap();
    assert!(subject.len() > 20 && !subject.contains("ada"), "{subject}");
    assert!(!format!("{spans:?}").contains("ada"), "{spans:#?}");

    let rows = [
        ("tools/call", json!({"name": "fails"}), "401"),
        ("tools/call", json!({"name": "none"}), "-32602"),
        ("no/such/method", json!({}), "-32601"),
    ];
    for (method, params, code) in rows {
        let spans = collected(|| async {
            let response = TestClient::new(server()).request(method, params).await;
            assert!(!response.message()["error"].is_null(), "{response}");
        })
        .await;
        let request = request_span(&spans);
        for name in ["rpc.response.status_code", "error.type"] {
            assert_eq!(
                attribute(request, name).as_deref(),
                Some(code),
                "{request:#?}"
            );
        }
        assert!(
            matches!(request.status, Status::Error { .. }),
            "{request:#?}"
        );
    }
}

#[tokio::test]
async fn what_a_client_says_in_confidence_is_in_no_span() {
    let spans = collected(|| async {
        let client = TestClient::new(server())
            .bearer("SENTINEL-1")
            .meta("com.example/user", json!("SENTINEL-2"));
        let call = json!({"name": "fails", "arguments": {"SENTINEL-3": "SENTINEL-4"}});
        assert_eq!(client.request("tools/call", call).await.status(), 401);
        let message = json!({"jsonrpc": "2.0", "id": "SENTINEL-5", "method": "ping"});
        let legacy = client.legacy(ProtocolVersion::V2025_11_25);
        assert_eq!(legacy.post(message.to_string()).await.status(), 200);
    })
    .await;
    assert_eq!(spans.len(), 2, "{spans:#?}");
    assert!(!format!("{spans:?}").contains("SENTINEL"), "{spans:#?}");
}

/// In a process of its own: `tracing` remembers for the whole process that another test wants spans.
#[test]
fn nothing_runs_for_a_span_that_nobody_wants() {
    let test = std::env::current_exe().unwrap();
    let output = std::process::Command::new(test)
        .args(["--ignored", "--exact", "spans::hook_without_a_subscriber"])
        .output()
        .unwrap();
    let words = String::from_utf8_lossy(&output.stdout).into_owned();
    assert!(
        output.status.success() && words.contains("1 passed"),
        "{words}"
    );
}

#[tokio::test]
#[ignore = "needs a process of its own: `nothing_runs_for_a_span_that_nobody_wants` starts it"]
async fn hook_without_a_subscriber() {
    let ran = Arc::new(AtomicUsize::new(0));
    let server = || {
        let ran = Arc::clone(&ran);
        let count = move |_: &tracing::Span, _: &lambda_mcp::server::TraceContext<'_>| {
            ran.fetch_add(1, Ordering::Relaxed);
        };
        let server = Server::builder("quiet", "1.0.0").on_request_span(count);
        server.tool(tool("fails", fails)).build().unwrap()
    };
    let response = TestClient::new(server()).call("fails", json!({})).await;
    assert!(response.is_error(), "{response}");
    assert_eq!(ran.load(Ordering::Relaxed), 0);
    collected(|| async {
        let response = TestClient::new(server()).call("fails", json!({})).await;
        assert!(response.is_error(), "{response}");
    })
    .await;
    assert_eq!(ran.load(Ordering::Relaxed), 1);
}
