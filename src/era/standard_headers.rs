//! `Mcp-Method` and `Mcp-Name`, which mirror the body. Specification: *Streamable HTTP, Standard
//! Request Headers* and *Server Validation*.
//!
//! Only modern requests have these headers. On legacy requests they are ignored.

use http::HeaderMap;

use super::header_value;
use crate::error::ProtocolError;
use crate::error::protocol::excerpt;

const MCP_METHOD: &str = "Mcp-Method";
const MCP_NAME: &str = "Mcp-Name";

/// Returns the member of `params` that `Mcp-Name` mirrors, for the methods that have one.
pub(super) fn name_member(method: &str) -> Option<&'static str> {
    match method {
        "tools/call" | "prompts/get" => Some("name"),
        "resources/read" => Some("uri"),
        // Extension Tasks, Streamable HTTP: Routing Headers.
        "tasks/get" | "tasks/update" | "tasks/cancel" => Some("taskId"),
        _ => None,
    }
}

/// What a message mirrors into headers.
#[derive(Debug, Clone, Copy)]
pub(super) struct Mirrored<'a> {
    /// The method.
    pub(super) method: &'a str,
    /// The requested name, for the methods that have one. `None` if the member is not a string.
    pub(super) name: Option<&'a str>,
}

/// Compares both headers with the body. If they are `required`, an absent header is an error.
///
/// # Errors
///
/// A header does not match the body.
pub(super) fn check(
    headers: &HeaderMap,
    mirrored: Mirrored<'_>,
    required: bool,
) -> Result<(), ProtocolError> {
    let Mirrored { method, name } = mirrored;
    let declared = header_value::plain(headers, MCP_METHOD)
        .map_err(|invalid| ProtocolError::header_mismatch(MCP_METHOD, invalid.reason()))?;
    if declared.is_some() || required {
        compare(MCP_METHOD, declared.as_deref(), method)?;
    }
    let Some(member) = name_member(method) else {
        return Ok(());
    };
    let declared = header_value::decoded(headers, MCP_NAME)
        .map_err(|invalid| ProtocolError::header_mismatch(MCP_NAME, invalid.reason()))?;
    match name {
        None if declared.is_some() => Err(ProtocolError::header_mismatch(
            MCP_NAME,
            format!("header is present, but the body has no string `params.{member}`"),
        )),
        None if required => Err(ProtocolError::header_mismatch(
            MCP_NAME,
            format!("header and `params.{member}` are missing"),
        )),
        Some(name) if declared.is_some() || required => {
            compare(MCP_NAME, declared.as_deref(), name)
        }
        None | Some(_) => Ok(()),
    }
}

fn compare(header: &str, declared: Option<&str>, body: &str) -> Result<(), ProtocolError> {
    match declared {
        Some(declared) if declared == body => Ok(()),
        Some(declared) => Err(ProtocolError::header_mismatch(
            header,
            format!(
                "header value '{}' does not match body value '{}'",
                excerpt(declared),
                excerpt(body)
            ),
        )),
        None => Err(ProtocolError::header_mismatch(header, "header is missing")),
    }
}
