//! `tools/call`. Specification: *Tools, Calling Tools* and *Error Handling*.

use bytes::Bytes;
use http::HeaderMap;
use serde_json::value::RawValue;
use serde_json::{Map, Value};

use super::answer::{Failure, Outcome};
use super::context::Request;
use super::invoke::{Abort, HandlerCall, Stopped, invoke};
use super::multi_round_trip::Round;
use super::output_schema;
use super::params;
use super::result;
use super::target::ToolCall;
use crate::era::param_headers;
use crate::error::{ProtocolError, ToolError};
use crate::handler::{InvalidArguments, ToolOutput};
use crate::server::RegisteredTool;
use crate::wire::content::{self, Content};
use crate::wire::tools::CallToolResult;

const TIMED_OUT: &str =
    "The tool did not finish in time and was stopped. Ask for less, or try again later.";
const INPUT_NOT_SUPPORTED: &str = "The tool has to ask for more input, which this client cannot \
     be asked for: that takes protocol version 2026-07-28.";

/// Calls a tool.
pub(super) async fn answer(
    request: &Request<'_>,
    ToolCall { tool, params }: &ToolCall<'_>,
    headers: &mut HeaderMap,
) -> Result<(Bytes, Outcome), Failure> {
    let name = tool.spec.name.as_str();
    let arguments = Value::Object(params::arguments(params.arguments)?);
    if let Some(headers) = request.call.headers {
        param_headers::check(&tool.param_headers, headers, &arguments)?;
    }
    let handler_call = HandlerCall {
        kind: "tool",
        name,
        handler: &tool.handler,
        validator: Some(&tool.validator),
        arguments,
        round: Some(Round {
            input_responses: params.input_responses,
            request_state: params.request_state,
            target: name,
            arguments: params.arguments,
            may_ask: tool.may_ask,
        }),
    };
    let result = invoke(request, handler_call, headers).await;
    let writer = Writer(request);
    match result {
        Ok(output) => {
            output_schema::check(request, tool, &output)?;
            Ok(writer.output(&output)?)
        }
        Err(stopped) => writer.stopped(tool, stopped),
    }
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
        let structured_content = self.structured(output.structured.as_deref());
        let result = CallToolResult {
            content: &content::at(&output.content, version),
            structured_content,
            is_error: false,
        };
        Ok((self.write(&result, output.meta.as_ref())?, Outcome::Ok))
    }

    /// The structured content, if the version has such content.
    fn structured<'c>(&self, content: Option<&'c RawValue>) -> Option<&'c RawValue> {
        let version = self.0.call.version;
        content.filter(|json| {
            version.has_any_structured_content()
                || (version.has_structured_content() && json.get().starts_with('{'))
        })
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
            Stopped::Failed(error) => self.failed(&error, tool.spec.output_schema.is_some())?,
            Stopped::InputRequired(result) => (result, Outcome::InputRequired),
            Stopped::InputNotSupported => self.error(INPUT_NOT_SUPPORTED)?,
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
            let text = format!("The arguments do not fit: {invalid}. Correct them and call again.");
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
