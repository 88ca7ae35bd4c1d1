//! The span of a request, which the lines and spans of a handler are in.
//!
//! The attributes have the names of the OpenTelemetry conventions for the Model Context Protocol.
//! Nothing is computed if no subscriber wants the span. It holds no arguments, no result and nothing
//! that names the caller: the subject is a digest.

use std::borrow::Cow;

use tracing::Span;
use tracing::field::Empty;

use crate::era::Call;
use crate::handler::Invocation;
use crate::layer::{Outcome, TargetKind};
use crate::log::printable;
use crate::methods::Target;

/// Creates the span of a request. The caller is recorded when it is known.
pub(super) fn new(call: &Call<'_>, target: Option<&Target<'_>>, invocation: &Invocation) -> Span {
    let target = target.and_then(|target| target.kind().zip(target.name()));
    let name_if = |kind: TargetKind| target.filter(|(of, _)| *of == kind).map(|(_, name)| name);
    tracing::info_span!(
        "mcp.request",
        otel.name = &*span_name(call, target),
        otel.kind = "server",
        otel.status_code = Empty,
        request_id = invocation.request_id.as_deref(),
        mcp.method.name = &*printable(&call.method),
        mcp.protocol.version = call.version.as_str(),
        mcp.resource.uri = name_if(TargetKind::Resource),
        gen_ai.operation.name = name_if(TargetKind::Tool).map(|_| "execute_tool"),
        gen_ai.tool.name = name_if(TargetKind::Tool).or(name_if(TargetKind::Task)),
        gen_ai.prompt.name = name_if(TargetKind::Prompt),
        // Text that a client chose could be confidential.
        jsonrpc.request.id = call.id.as_number(),
        enduser.pseudo.id = Empty,
        rpc.response.status_code = Empty,
        "error.type" = Empty,
    )
}

/// The method, and the name of the tool or prompt. Other names are not few enough to group spans by.
fn span_name<'a>(call: &'a Call<'_>, target: Option<(TargetKind, &str)>) -> Cow<'a, str> {
    match target {
        Some((TargetKind::Tool | TargetKind::Task | TargetKind::Prompt, name)) => {
            Cow::Owned([&*call.method, " ", name].concat())
        }
        Some((TargetKind::Resource | TargetKind::Completion, _)) => Cow::Borrowed(&call.method),
        // Only a method that the server has ends here without an error, so any name is possible.
        None => printable(&call.method),
    }
}

/// Records the digest of the caller.
pub(super) fn caller(span: &Span, subject: Option<&str>) {
    if let Some(subject) = subject.filter(|_| !span.is_disabled()) {
        span.record("enduser.pseudo.id", subject);
    }
}

/// Records how the request ended: with the code of an error, or without one.
pub(super) fn end(span: &Span, outcome: Outcome, code: Option<i32>) {
    if span.is_disabled() {
        return;
    }
    if let Some(code) = code {
        let code = code.to_string();
        span.record("rpc.response.status_code", &*code);
        span.record("error.type", &*code);
    } else if outcome == Outcome::ToolError {
        span.record("error.type", outcome.as_str());
    } else {
        return;
    }
    span.record("otel.status_code", "ERROR");
}
