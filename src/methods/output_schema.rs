//! Checks the structured content of results against the schema that their tool declares.
//! Specification: *Tools, Output Schema*: servers must provide structured results that conform to it.
//!
//! Clients check as well, and drop what does not conform. So debug builds answer with an internal
//! error, and the test client fails the test. Release builds check nothing: the schema and the result
//! are both of the author's making, and tests find a contradiction.

use serde::Deserialize;
use serde_json::Value;
use serde_json::value::RawValue;

use super::context::Request;
use crate::error::ProtocolError;
use crate::json::Document;
use crate::schema::{Budget, Validator};
use crate::server::RegisteredTool;

/// Checks the result of a task, which is a `CallToolResult` as JSON.
///
/// # Errors
///
/// As [`check`].
pub(super) fn check_task(
    request: &Request<'_>,
    tool: &RegisteredTool,
    result: &RawValue,
) -> Result<(), ProtocolError> {
    #[derive(Deserialize)]
    #[serde(rename_all = "camelCase")]
    struct Written<'a> {
        #[serde(borrow)]
        structured_content: Option<&'a RawValue>,
        #[serde(default)]
        is_error: bool,
    }
    if !is_wanted(request) {
        return Ok(());
    }
    match serde_json::from_str(result.get()) {
        Ok(Written {
            structured_content,
            is_error: false,
        }) => check(request, tool, structured_content),
        // "Error responses are not required to conform."
        Ok(_) | Err(_) => Ok(()),
    }
}

/// Whether results are checked: in debug builds and for the test client.
fn is_wanted(request: &Request<'_>) -> bool {
    cfg!(debug_assertions) || request.context.invocation.output_faults.is_some()
}

/// Checks the structured content of a tool's result, in debug builds and for the test client.
///
/// # Errors
///
/// The output does not match the schema. The log, or the test, says in which field.
pub(super) fn check(
    request: &Request<'_>,
    tool: &RegisteredTool,
    structured: Option<&RawValue>,
) -> Result<(), ProtocolError> {
    if !is_wanted(request) {
        return Ok(());
    }
    let Some(fault) = fault(tool, structured) else {
        return Ok(());
    };
    tracing::error!(fault, "a result does not match its output schema");
    if let Some(faults) = &request.context.invocation.output_faults {
        faults.push(fault);
    }
    Err(ProtocolError::Internal)
}

/// What is wrong with an output, in words.
fn fault(tool: &RegisteredTool, structured: Option<&RawValue>) -> Option<String> {
    let schema = tool.output_schema()?;
    let name = &tool.spec.name;
    let Some(structured) = structured else {
        return Some(format!(
            "tool `{name}` declares an output schema, but its result has no structured content"
        ));
    };
    // A schema with keywords that are not supported here is checked by clients alone.
    let validator = Validator::compile(schema)
        .inspect_err(|error| tracing::warn!(tool = name, %error, "output schema not checked"))
        .ok()?;
    let content: Value = serde_json::from_str(structured.get()).ok()?;
    let invalid = validator
        .check_unchanged(Document::of(&content).root(), Budget::steps_only())
        .err()?;
    Some(format!(
        "the result of tool `{name}` does not match its output schema: {invalid}"
    ))
}
