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
        _ => None,
    }
}

/// Compares both headers with the method and the name in the body. If they are `required`, an absent
/// header is an error.
///
/// # Errors
///
/// A header does not match the body.
pub(super) fn check(
    headers: &HeaderMap,
    method: &str,
    name: Option<&str>,
    required: bool,
) -> Result<(), ProtocolError> {
    let declared = header_value::single(headers, MCP_METHOD)
        .map_err(|invalid| ProtocolError::header_mismatch(MCP_METHOD, invalid.reason()))?;
    if declared.is_some() || required {
        compare(MCP_METHOD, declared, method)?;
    }
    let Some(name) = name else {
        return Ok(());
    };
    let declared = header_value::decoded(headers, MCP_NAME)
        .map_err(|invalid| ProtocolError::header_mismatch(MCP_NAME, invalid.reason()))?;
    if declared.is_some() || required {
        compare(MCP_NAME, declared.as_deref(), name)?;
    }
    Ok(())
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
