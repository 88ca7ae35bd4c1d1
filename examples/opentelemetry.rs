//! Spans for OpenTelemetry: each request continues the trace of its client.
//!
//! Run it with `make run-example EXAMPLE=opentelemetry`:
//!
//! ```sh
//! curl -s http://127.0.0.1:9000/mcp -H 'Content-Type: application/json' \
//!   -d '{"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"name":"square","arguments":{"of":7},
//!        "_meta":{"traceparent":"00-0af7651916cd43dd8448eb211c80319c-00f067aa0ba902b7-01"}}}'
//! ```
//!
//! Here the spans end in memory. In your function, give `provider` the exporter of your collector, such
//! as that of `opentelemetry-otlp`.

use lambda_mcp::server::{ServerBuilder, TraceContext};
use lambda_mcp::{Args, Server, tool};
use opentelemetry::propagation::{Extractor, TextMapPropagator as _};
use opentelemetry::trace::TracerProvider as _;
use opentelemetry_sdk::propagation::TraceContextPropagator;
use opentelemetry_sdk::trace::{InMemorySpanExporter, SdkTracerProvider};
use schemars::JsonSchema;
use serde::Deserialize;
use tracing::Span;
use tracing_opentelemetry::OpenTelemetrySpanExt as _;
use tracing_subscriber::layer::SubscriberExt as _;
use tracing_subscriber::util::SubscriberInitExt as _;

/// The trace context of a request, as OpenTelemetry reads it.
struct Carrier<'a>(&'a TraceContext<'a>);

impl Extractor for Carrier<'_> {
    fn get(&self, name: &str) -> Option<&str> {
        self.0.get(name)
    }

    fn keys(&self) -> Vec<&str> {
        self.0.names()
    }
}

/// Makes the client's span the parent of the request's span.
fn continue_trace(span: &Span, trace: &TraceContext<'_>) {
    let parent = TraceContextPropagator::new().extract(&Carrier(trace));
    // It fails only if no OpenTelemetry layer is there.
    let _ = span.set_parent(parent);
}

#[derive(Deserialize, JsonSchema)]
struct Square {
    /// The number.
    of: u16,
}

async fn square(Args(Square { of }): Args<Square>) -> String {
    // A span of the handler becomes a child of the request's span.
    let square = tracing::info_span!("multiply", of).in_scope(|| u32::from(of) * u32::from(of));
    tracing::info!(square, "multiplied");
    square.to_string()
}

pub(crate) fn server() -> ServerBuilder<()> {
    Server::builder("numbers", "1.0.0")
        .on_request_span(continue_trace)
        .tool(tool("square", square).read_only())
}

#[tokio::main(flavor = "current_thread")]
async fn main() -> Result<(), Box<dyn std::error::Error>> {
    let exporter = InMemorySpanExporter::default();
    let provider = SdkTracerProvider::builder()
        .with_simple_exporter(exporter)
        .build();
    let spans = tracing_opentelemetry::layer().with_tracer(provider.tracer("numbers"));
    tracing_subscriber::registry()
        .with(tracing_subscriber::fmt::layer().json())
        .with(spans)
        .try_init()?;
    lambda_mcp::run(server().build()?).await?;
    Ok(provider.shutdown()?)
}
