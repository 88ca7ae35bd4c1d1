//! Checks the structured content of results against the schema that their tool declares.
//! Specification: *Tools, Output Schema*: servers must provide structured results that conform to it.
//!
//! Clients check as well, and drop what does not conform. So debug builds answer with an internal
//! error, and the test client fails the test. Release builds check nothing: the schema and the result
//! are both of the author's making, and tests find a contradiction.

use serde_json::Value;

use super::context::Request;
use crate::error::ProtocolError;
use crate::handler::ToolOutput;
use crate::schema::{Budget, Validator};
use crate::server::RegisteredTool;

/// Checks the output of a tool, in debug builds and for the test client.
///
/// # Errors
///
/// The output does not match the schema. The log, or the test, says in which field.
pub(super) fn check(
    request: &Request<'_>,
    tool: &RegisteredTool,
    output: &ToolOutput,
) -> Result<(), ProtocolError> {
    let faults = &request.context.invocation.output_faults;
    if !cfg!(debug_assertions) && faults.is_none() {
        return Ok(());
    }
    let Some(fault) = fault(tool, output) else {
        return Ok(());
    };
    tracing::error!(fault, "a result does not match its output schema");
    if let Some(faults) = faults {
        faults.push(fault);
    }
    Err(ProtocolError::Internal)
}

/// What is wrong with an output, in words.
fn fault(tool: &RegisteredTool, output: &ToolOutput) -> Option<String> {
    let schema = tool.spec.output_schema.as_ref()?;
    let name = &tool.spec.name;
    let Some(structured) = &output.structured else {
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
        .check_unchanged(&content, Budget::steps_only())
        .err()?;
    Some(format!(
        "the result of tool `{name}` does not match its output schema: {invalid}"
    ))
}
