//! `tools/call`. Specification: *Tools, Calling Tools* and *Error Handling*.

use std::any::Any;
use std::panic::AssertUnwindSafe;
use std::time::Instant;

use bytes::Bytes;
use futures_util::FutureExt as _;
use serde_json::Value;
use serde_json::value::RawValue;

use super::shape::{self, Shape};
use super::{Answer, Prepared};
use crate::era::Call;
use crate::error::protocol::excerpt;
use crate::error::{ProtocolError, ToolError};
use crate::server::{Context, InvalidArguments, Invocation, Registered, Registry, ToolOutput};
use crate::wire::content::Content;
use crate::wire::strict::StrictValue;
use crate::wire::tools::{CallToolParams, CallToolResult};

/// The most bytes a result may have once the platform has put it into its own JSON.
///
/// Lambda's bound is 6 MiB for the whole response; quotes and backslashes count twice there.
const MAX_RESULT_BYTES: usize = 5 * 1024 * 1024;

/// Calls a tool.
pub(super) async fn answer(
    registry: &Registry,
    prepared: &Prepared,
    call: &Call<'_>,
    invocation: &Invocation,
) -> Answer {
    let (tool, arguments) = match find(registry, call) {
        Ok(found) => found,
        Err(error) => return Err(error).into(),
    };
    let started = Instant::now();
    let limit = started + registry.settings.call_timeout;
    let deadline = invocation
        .deadline
        .map_or(limit, |platform| limit.min(platform));
    let context = Context::new(
        call.version,
        call.client.clone(),
        invocation.clone(),
        deadline,
    );
    let outcome = run(tool, arguments, &context, deadline).await;
    let (result, is_tool_error) = match outcome {
        Outcome::Done(output) => encode(prepared, call, &output),
        Outcome::Failed(error) => (encode_error(prepared, call, &error.to_string()), true),
        Outcome::Unfit(invalid) if call.version.has_argument_tool_errors() => {
            let text = format!("The arguments do not fit: {invalid}. Correct them and call again.");
            (encode_error(prepared, call, &text), true)
        }
        Outcome::Unfit(invalid) => (
            Err(ProtocolError::InvalidArguments {
                tool: tool.spec.name.clone(),
                reason: invalid.to_string(),
            }),
            false,
        ),
        Outcome::Panicked => (Err(ProtocolError::Internal), false),
    };
    Answer {
        result,
        target: Some(tool.spec.name.clone()),
        is_tool_error,
    }
}

/// The tool that is called, and its arguments as a value.
fn find<'r>(
    registry: &'r Registry,
    call: &Call<'_>,
) -> Result<(&'r Registered, Value), ProtocolError> {
    let CallToolParams { name, arguments } = super::params(call)?;
    let tool = registry
        .tool(&name)
        .ok_or_else(|| ProtocolError::UnknownTool {
            name: excerpt(&name),
        })?;
    let arguments = arguments.map_or("null", RawValue::get);
    let StrictValue(arguments) = serde_json::from_str(arguments).map_err(|error| {
        let text = error.to_string();
        let reason = text.split(" at line ").next().unwrap_or_default();
        ProtocolError::invalid_params(format!("`arguments`: {reason}"))
    })?;
    match arguments {
        Value::Null => Ok((tool, Value::Object(serde_json::Map::new()))),
        Value::Object(_) => Ok((tool, arguments)),
        Value::Bool(_) | Value::Number(_) | Value::String(_) | Value::Array(_) => Err(
            ProtocolError::invalid_params("`arguments` must be an object"),
        ),
    }
}

enum Outcome {
    Done(ToolOutput),
    Failed(ToolError),
    Unfit(InvalidArguments),
    Panicked,
}

/// Runs a tool to its end, its deadline or its panic.
async fn run(tool: &Registered, arguments: Value, context: &Context, deadline: Instant) -> Outcome {
    let name = tool.spec.name.as_str();
    // A handler's first part runs when it is called, so a panic can come from there, too.
    let started = std::panic::catch_unwind(AssertUnwindSafe(|| tool.start(arguments, context)));
    let future = match started {
        Ok(Ok(future)) => AssertUnwindSafe(future).catch_unwind(),
        Ok(Err(invalid)) => return Outcome::Unfit(invalid),
        Err(panic) => return panicked(name, &*panic),
    };
    match tokio::time::timeout_at(deadline.into(), future).await {
        Ok(Ok(Ok(output))) => Outcome::Done(output),
        Ok(Ok(Err(error))) => {
            if let Some(cause) = error.cause() {
                tracing::error!(tool = name, error = %cause, "a tool failed");
            }
            Outcome::Failed(error)
        }
        Ok(Err(panic)) => panicked(name, &*panic),
        Err(_elapsed) => {
            tracing::error!(tool = name, "a tool did not finish in time");
            Outcome::Failed(ToolError::new(
                "The tool did not finish in time and was stopped. Ask for less, or try again later.",
            ))
        }
    }
}

/// A panic's text can hold what a request said, so only text that was fixed at build is logged.
fn panicked(tool: &str, panic: &(dyn Any + Send)) -> Outcome {
    let message = panic
        .downcast_ref::<&'static str>()
        .copied()
        .unwrap_or("(formatted message)");
    tracing::error!(tool, message, "a tool panicked");
    Outcome::Panicked
}

/// Writes a result, or the advice to ask for less where it would not pass the platform.
fn encode(
    prepared: &Prepared,
    call: &Call<'_>,
    output: &ToolOutput,
) -> (Result<Bytes, ProtocolError>, bool) {
    let version = call.version;
    let structured = output.structured.as_deref().filter(|json| {
        version.has_any_structured_content()
            || (version.has_structured_content() && json.get().starts_with('{'))
    });
    let known: Vec<Content>;
    let content = if output
        .content
        .iter()
        .all(|content| content.exists_in(version))
    {
        &output.content
    } else {
        known = output
            .content
            .iter()
            .filter(|c| c.exists_in(version))
            .cloned()
            .collect();
        &known
    };
    let result = CallToolResult {
        content,
        structured_content: structured,
        is_error: false,
    };
    let written = write(prepared, call, &result, output.meta.as_ref());
    match written {
        Ok(json) if escaped_len(&json) > MAX_RESULT_BYTES => {
            let text = format!(
                "The result is larger than {} MiB and cannot be sent. Ask for less of it.",
                MAX_RESULT_BYTES / 1024 / 1024
            );
            (encode_error(prepared, call, &text), true)
        }
        written => (written, false),
    }
}

fn encode_error(prepared: &Prepared, call: &Call<'_>, text: &str) -> Result<Bytes, ProtocolError> {
    let content = [Content::text(text)];
    let result = CallToolResult {
        content: &content,
        structured_content: None,
        is_error: true,
    };
    write(prepared, call, &result, None)
}

fn write(
    prepared: &Prepared,
    call: &Call<'_>,
    result: &CallToolResult<'_>,
    meta: Option<&serde_json::Map<String, Value>>,
) -> Result<Bytes, ProtocolError> {
    let shape = Shape {
        version: call.version,
        server_info: &prepared.server_info,
        cache: None,
        meta,
    };
    shape::complete(shape, result)
}

/// The length of JSON text as a string inside other JSON. It has no control characters to escape.
fn escaped_len(json: &[u8]) -> usize {
    json.len()
        + json
            .iter()
            .filter(|byte| matches!(byte, b'"' | b'\\'))
            .count()
}
