//! `tools/call`. Specification: *Tools, Calling Tools* and *Error Handling*.

use std::time::SystemTime;

use bytes::Bytes;
use http::HeaderMap;
use serde_json::Value;
use serde_json::value::RawValue;

use super::multi_round_trip::{Next, Round};
use super::run::{self, Broken, Ran};
use super::shape::{self, Shape};
use super::{Answer, Failure, MethodContext, Outcome, Prepared};
use crate::era::Call;
use crate::era::param_headers;
use crate::error::ProtocolError;
use crate::error::protocol::excerpt;
use crate::handler::{InvalidArguments, NeedsInput, ToolOutput};
use crate::limit::{CallerKey, Limited, Target};
use crate::server::RegisteredTool;
use crate::wire::content::{self, Content};
use crate::wire::strict::{StrictValue, describe};
use crate::wire::tools::{CallToolParams, CallToolResult};

/// The most bytes a result may have once the platform has put it into its own JSON.
///
/// Lambda's bound is 6 MiB for the whole response; quotes and backslashes count twice there.
const MAX_RESULT_BYTES: usize = 5 * 1024 * 1024;

const TIMED_OUT: &str =
    "The tool did not finish in time and was stopped. Ask for less, or try again later.";
const CANNOT_ASK: &str = "The tool has to ask for more input, which this client cannot be asked \
     for: that takes protocol version 2026-07-28.";

/// Calls a tool.
pub(super) async fn answer(serving: &MethodContext<'_>, call: &Call<'_>) -> Answer {
    let params: CallToolParams<'_> = match super::params(call) {
        Ok(params) => params,
        Err(error) => return Err(error).into(),
    };
    let Some(tool) = serving.registry.tool(&params.name) else {
        return Err(ProtocolError::UnknownTool {
            name: excerpt(&params.name),
        })
        .into();
    };
    let mut headers = HeaderMap::new();
    let done = call_tool(serving, call, tool, &params, &mut headers).await;
    Answer {
        headers,
        ..Answer::of(Some(&tool.spec.name), done)
    }
}

async fn call_tool(
    serving: &MethodContext<'_>,
    call: &Call<'_>,
    tool: &RegisteredTool,
    params: &CallToolParams<'_>,
    headers: &mut HeaderMap,
) -> Result<(Bytes, Outcome), Failure> {
    let prepared = serving.prepared;
    let mut arguments = arguments(params.arguments)?;
    if let Some(headers) = call.headers {
        param_headers::check(&tool.param_headers, headers, &arguments)?;
    }
    let round = Round {
        input_responses: params.input_responses,
        request_state: params.request_state,
        target: &tool.spec.name,
        arguments: params.arguments,
    };
    let asks = round.open(serving, call)?;
    if let Err(invalid) = tool.validator.check(&mut arguments) {
        return Ok(unfit(prepared, call, tool, &invalid)?);
    }
    headers.extend(count(serving, tool).await?);
    let (context, deadline) = run::context(serving, call, asks);
    let name = &tool.spec.name;
    let error = match run::run(&tool.handler, arguments, &context, deadline).await {
        Ran::Done(Ok(output)) => return Ok(encode(prepared, call, &output)?),
        Ran::Unfit(invalid) => return Ok(unfit(prepared, call, tool, &invalid)?),
        Ran::Broken(how) => {
            tracing::error!(tool = name, how = how.as_str(), "a tool broke");
            return match how {
                Broken::TimedOut => Ok(tool_error(prepared, call, TIMED_OUT)?),
                Broken::Panicked => Err(ProtocolError::Internal.into()),
            };
        }
        Ran::Done(Err(error)) => error,
    };
    match error.cause() {
        Some(cause) if cause.is::<NeedsInput>() => {
            return match round.ask(serving, prepared, call, &context)? {
                Next::Ask(result) => Ok((result, Outcome::InputRequired)),
                Next::CannotAsk => Ok(tool_error(prepared, call, CANNOT_ASK)?),
            };
        }
        Some(cause) => tracing::error!(tool = name, error = %cause, "a tool failed"),
        None => {}
    }
    Ok(tool_error(prepared, call, &error.to_string())?)
}

/// Counts the call, which is about to reach its tool; what was refused before does not count.
async fn count(serving: &MethodContext<'_>, tool: &RegisteredTool) -> Result<HeaderMap, Limited> {
    let Some(limits) = &serving.registry.settings.limits else {
        return Ok(HeaderMap::new());
    };
    let caller = match serving.principal {
        Some(principal) => CallerKey::credential(&principal.id()),
        None => CallerKey::address(serving.invocation.source_ip),
    };
    let target = Target::tool(&*tool.spec.name);
    let quotas = limits.check(&target, &caller, SystemTime::now()).await?;
    Ok(quotas.headers())
}

/// The arguments as a value: absent and `null` mean none.
fn arguments(raw: Option<&RawValue>) -> Result<Value, ProtocolError> {
    let StrictValue(arguments) =
        serde_json::from_str(raw.map_or("null", RawValue::get)).map_err(|error| {
            ProtocolError::invalid_params(format!("`arguments`: {}", describe(&error)))
        })?;
    match arguments {
        Value::Null => Ok(Value::Object(serde_json::Map::new())),
        Value::Object(_) => Ok(arguments),
        Value::Bool(_) | Value::Number(_) | Value::String(_) | Value::Array(_) => Err(
            ProtocolError::invalid_params("`arguments` must be an object"),
        ),
    }
}

/// Arguments that do not fit are the model's to correct, in the versions that have a way to say so.
fn unfit(
    prepared: &Prepared,
    call: &Call<'_>,
    tool: &RegisteredTool,
    invalid: &InvalidArguments,
) -> Result<(Bytes, Outcome), ProtocolError> {
    if call.version.has_argument_tool_errors() {
        let text = format!("The arguments do not fit: {invalid}. Correct them and call again.");
        return tool_error(prepared, call, &text);
    }
    Err(ProtocolError::InvalidArguments {
        tool: tool.spec.name.clone(),
        reason: invalid.to_string(),
    })
}

/// Writes a result, or the advice to ask for less where it would not pass the platform.
fn encode(
    prepared: &Prepared,
    call: &Call<'_>,
    output: &ToolOutput,
) -> Result<(Bytes, Outcome), ProtocolError> {
    let version = call.version;
    let structured_content = output.structured.as_deref().filter(|json| {
        version.has_any_structured_content()
            || (version.has_structured_content() && json.get().starts_with('{'))
    });
    let result = CallToolResult {
        content: &content::at(&output.content, version),
        structured_content,
        is_error: false,
    };
    let json = write(prepared, call, &result, output.meta.as_ref())?;
    if escaped_len(&json) > MAX_RESULT_BYTES {
        let text = format!(
            "The result is larger than {} MiB and cannot be sent. Ask for less of it.",
            MAX_RESULT_BYTES / 1024 / 1024
        );
        return tool_error(prepared, call, &text);
    }
    Ok((json, Outcome::Ok))
}

fn tool_error(
    prepared: &Prepared,
    call: &Call<'_>,
    text: &str,
) -> Result<(Bytes, Outcome), ProtocolError> {
    let content = [Content::text(text)];
    let result = CallToolResult {
        content: &content,
        structured_content: None,
        is_error: true,
    };
    Ok((write(prepared, call, &result, None)?, Outcome::ToolError))
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
