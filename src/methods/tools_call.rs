//! `tools/call`. Specification: *Tools, Calling Tools* and *Error Handling*.

use bytes::Bytes;
use http::HeaderMap;
use serde_json::value::RawValue;
use serde_json::{Map, Value};

use super::answer::{Failure, Outcome, ResultJson};
use super::context::Request;
use super::invoke::{Abort, HandlerCall, Stopped, invoke};
use super::multi_round_trip::Round;
use super::output_schema;
use super::params;
use super::result;
use super::target::ToolCall;
use super::task_background::{self, Answered};
use super::task_create;
use super::task_request::not_declared;
use crate::era::param_headers;
use crate::error::{ProtocolError, ToolError};
use crate::handler::{Bound, InvalidArguments, ToolOutput};
use crate::json::Document;
use crate::reply::SharedJson;
use crate::server::{RegisteredTask, RegisteredTool};
use crate::tasks::Tasks;
use crate::wire::content::{self, Content};
use crate::wire::reduction;
use crate::wire::tools::CallToolResult;
use crate::wire::version::Era;

const TIMED_OUT: &str =
    "The tool did not finish in time and was stopped. Ask for less, or try again later.";
const CANCELLED: &str = "The call was cancelled before it ended.";
const TASKS_NOT_SUPPORTED: &str = "The tool takes longer than a call and runs only as a task, which \
     this client cannot ask for: that takes protocol version 2026-07-28 and its extension \
     `io.modelcontextprotocol/tasks`.";
const INPUT_NOT_SUPPORTED: &str = "The tool has to ask for more input, which this client cannot \
     be asked for: that takes protocol version 2026-07-28.";

/// Calls a tool.
pub(super) async fn answer(
    request: &Request<'_>,
    ToolCall { tool, params }: ToolCall<'_>,
    headers: &mut HeaderMap,
) -> Result<(ResultJson, Outcome), Failure> {
    let name = tool.spec.name.as_str();
    let arguments = params::arguments(params.arguments)?;
    if let Some(headers) = request.call.headers {
        param_headers::check(tool.param_headers()?, headers, arguments.root())?;
    }
    let round = Some(Round {
        input_responses: params.input_responses,
        request_state: params.request_state,
        target: name,
        may_ask: tool.may_ask,
    });
    let writer = Writer(request);
    let stopped = match way(request, tool) {
        Way::Inline => {
            let call = handler_call(request, tool, &tool.handler, arguments, round)?;
            match invoke(request, call, headers).await {
                Ok(output) => {
                    output_schema::check(request, tool, output.structured_content())?;
                    return Ok((writer.result(&output)?, Outcome::Ok));
                }
                Err(stopped) => stopped,
            }
        }
        Way::Task(tasks, task) => {
            let call = handler_call(request, tool, &task.arguments, arguments, round)?;
            match invoke(request, call, headers).await {
                Ok(arguments) => {
                    let created =
                        task_create::answer(request, tasks, (tool, task), arguments).await;
                    return Ok((created?.into(), Outcome::Task));
                }
                Err(stopped) => stopped,
            }
        }
        Way::Background(tasks, task) => {
            let call = handler_call(request, tool, &task.arguments, arguments, round)?;
            match invoke(request, call, headers).await {
                Ok(arguments) => {
                    let answered =
                        task_background::answer(request, tasks, (tool, task), arguments).await;
                    return match answered? {
                        Answered::Ended(result, outcome) => Ok((result.into(), outcome)),
                        Answered::Cancelled => Ok(own(writer.error(CANCELLED)?)),
                        Answered::Pending(Ok(output)) => Ok(own(writer.output(output)?)),
                        Answered::Pending(Err(error)) => {
                            Ok(own(writer.failed(error, tool.output_schema().is_some())?))
                        }
                    };
                }
                Err(stopped) => stopped,
            }
        }
        Way::None(Era::Modern) => return Err(not_declared().into()),
        Way::None(Era::Legacy) => return Ok(own(writer.error(TASKS_NOT_SUPPORTED)?)),
    };
    Ok(own(writer.stopped(tool, stopped)?))
}

/// A result of this call alone.
fn own((result, outcome): (Bytes, Outcome)) -> (ResultJson, Outcome) {
    (result.into(), outcome)
}

/// How a tool runs for the client of a request.
enum Way<'a> {
    /// Within the call.
    Inline,
    /// As a task.
    Task(&'a Tasks, &'a RegisteredTask),
    /// As a task, whose result the call waits for a short time.
    Background(&'a Tasks, &'a RegisteredTask),
    /// Not at all: it needs tasks, which the client does not support.
    None(Era),
}

/// "A server MUST NOT return `CreateTaskResult` to a client that did not include the extension
/// capability on its request." Extension *Tasks*, *Capability Negotiation*.
fn way<'a>(request: &Request<'a>, tool: &'a RegisteredTool) -> Way<'a> {
    let Some(task) = &tool.task else {
        return Way::Inline;
    };
    let era = request.call.version.era();
    let supports = era == Era::Modern && request.call.client.capabilities.supports_tasks();
    match &request.context.registry.settings.tasks {
        Some(tasks) if supports => Way::Task(tasks, task),
        Some(tasks) if task.settings.background.is_some() => Way::Background(tasks, task),
        _ if task.settings.is_required => Way::None(era),
        _ => Way::Inline,
    }
}

fn handler_call<'a, T>(
    request: &Request<'_>,
    tool: &'a RegisteredTool,
    handler: &'a Bound<T>,
    arguments: Document<'a>,
    round: Option<Round<'a>>,
) -> Result<HandlerCall<'a, T>, ProtocolError> {
    Ok(HandlerCall {
        kind: "tool",
        name: &tool.spec.name,
        handler,
        validator: Some(tool.validator(request.call.version)?),
        arguments,
        round,
    })
}

/// Writes a tool error.
///
/// # Errors
///
/// The error cannot be written as JSON.
pub(super) fn error(request: &Request<'_>, text: &str) -> Result<(Bytes, Outcome), ProtocolError> {
    Writer(request).error(text)
}

/// Writes the results of `tools/call`.
struct Writer<'a>(&'a Request<'a>);

impl Writer<'_> {
    /// Writes the output of a tool.
    fn output(&self, output: &ToolOutput) -> Result<(Bytes, Outcome), ProtocolError> {
        let version = self.0.call.version;
        let structured_content = self.structured(output.structured_content());
        let blocks = output.blocks();
        let result = CallToolResult {
            content: &content::at(&blocks, version),
            structured_content,
            is_error: false,
        };
        Ok((self.write(&result, output.meta.as_ref())?, Outcome::Ok))
    }

    /// Returns the result of an output. That of a stored one is written once.
    fn result(&self, output: &ToolOutput) -> Result<ResultJson, ProtocolError> {
        let write = || Ok(self.output(output)?.0);
        let Some(stored) = output.as_stored() else {
            return write().map(ResultJson::Own);
        };
        let shape = self.0.result();
        let result = stored.result(shape.version(), shape.server_info(), || {
            write().map(SharedJson::new)
        });
        result.map(ResultJson::Shared)
    }

    /// The structured content, if the version has such content.
    fn structured<'c>(&self, content: Option<&'c RawValue>) -> Option<&'c RawValue> {
        content.and_then(|json| reduction::structured(json, self.0.call.version))
    }

    /// Writes the failure of a tool. "Servers MUST provide structured results that conform to this
    /// schema": the data of a failure seldom does, so a tool with an output schema sends it as text.
    fn failed(
        &self,
        error: &ToolError,
        has_output_schema: bool,
    ) -> Result<(Bytes, Outcome), ProtocolError> {
        let structured = error.structured_content();
        let mut content = vec![Content::text(error.to_string())];
        content.extend(structured.map(|json| Content::text(json.get())));
        let structured = structured.filter(|_| !has_output_schema);
        let result = CallToolResult {
            content: &content,
            structured_content: self.structured(structured),
            is_error: true,
        };
        Ok((self.write(&result, None)?, Outcome::ToolError))
    }

    fn stopped(
        &self,
        tool: &RegisteredTool,
        stopped: Stopped<ToolError>,
    ) -> Result<(Bytes, Outcome), Failure> {
        let name = tool.spec.name.as_str();
        Ok(match stopped {
            Stopped::Refused(failure) => return Err(failure),
            Stopped::InvalidArguments(invalid) => self.invalid_arguments(name, &invalid)?,
            Stopped::Failed(error) => self.failed(&error, tool.output_schema().is_some())?,
            Stopped::InputRequired(result) => (result, Outcome::InputRequired),
            Stopped::InputNotSupported => self.error(INPUT_NOT_SUPPORTED)?,
            Stopped::NotAnswered(reason) => self.error(&format!(
                "The tool has to ask for more input, which this client did not give: {reason}."
            ))?,
            Stopped::Aborted(Abort::TimedOut) => self.error(TIMED_OUT)?,
            Stopped::Aborted(Abort::Panicked) => return Err(ProtocolError::Internal.into()),
        })
    }

    /// Reports invalid arguments: to the model in the versions that allow it, else to the client.
    fn invalid_arguments(
        &self,
        name: &str,
        invalid: &InvalidArguments,
    ) -> Result<(Bytes, Outcome), ProtocolError> {
        if self.0.call.version.has_argument_tool_errors() {
            let invalid = invalid.to_string();
            let end = if invalid.ends_with('?') { "" } else { "." };
            let text =
                format!("The arguments do not fit: {invalid}{end} Correct them and call again.");
            return self.error(&text);
        }
        Err(ProtocolError::InvalidArguments {
            tool: name.to_owned(),
            reason: invalid.to_string(),
        })
    }

    fn error(&self, text: &str) -> Result<(Bytes, Outcome), ProtocolError> {
        let content = [Content::text(text)];
        let result = CallToolResult {
            content: &content,
            structured_content: None,
            is_error: true,
        };
        Ok((self.write(&result, None)?, Outcome::ToolError))
    }

    fn write(
        &self,
        result: &CallToolResult<'_>,
        meta: Option<&Map<String, Value>>,
    ) -> Result<Bytes, ProtocolError> {
        let shape = self.0.result().meta(meta);
        result::complete(shape, result)
    }
}
