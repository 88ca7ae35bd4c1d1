//! The messages by the types of `rust-mcp-schema`.
//!
//! Decoding alone would not see a member that the version does not have, so what was decoded is encoded
//! again and must still hold everything.

use serde::Serialize;
use serde::de::DeserializeOwned;
use serde_json::Value;

use super::Version;

/// Decodes `value` as the type the official schema of `version` calls `name`.
pub fn typed_check(version: Version, name: &str, value: &Value) -> Result<(), String> {
    let check = match version {
        Version::V2024_11_05 => v2024_11_05(name),
        Version::V2025_03_26 => v2025_03_26(name),
        Version::V2025_06_18 => v2025_06_18(name),
        Version::V2025_11_25 => v2025_11_25(name),
        Version::V2026_07_28 => v2026_07_28(name),
    };
    check.ok_or_else(|| format!("{} has no such type", version.name()))?(value)
}

type Check = fn(&Value) -> Result<(), String>;

/// A function from the schema's name of a type to its check, one per version.
macro_rules! types {
    ($function:ident, $module:path, [$($name:ident),+], $($alias:literal => $type:ident),+) => {
        fn $function(name: &str) -> Option<Check> {
            use $module as types;
            match name {
                $(stringify!($name) => Some(survives::<types::$name>),)+
                $($alias => Some(survives::<types::$type>),)+
                _ => None,
            }
        }
    };
}

types!(
    v2024_11_05,
    schema_2024_11_05::mcp_2024_11_05,
    [
        InitializeResult, ListToolsResult, CallToolResult, ListResourcesResult,
        ListResourceTemplatesResult, ReadResourceResult, ListPromptsResult, GetPromptResult,
        CompleteResult, ServerNotification, ServerRequest
    ],
    "EmptyResult" => Result,
    "JSONRPCResponse" => JsonrpcResponse,
    "JSONRPCError" => JsonrpcError,
    "JSONRPCRequest" => JsonrpcRequest,
    "JSONRPCNotification" => JsonrpcNotification
);
types!(
    v2025_03_26,
    schema_2025_03_26::mcp_2025_03_26,
    [
        InitializeResult, EmptyResult, ListToolsResult, CallToolResult, ListResourcesResult,
        ListResourceTemplatesResult, ReadResourceResult, ListPromptsResult, GetPromptResult,
        CompleteResult, ServerNotification, ServerRequest
    ],
    "JSONRPCResponse" => JsonrpcResponse,
    "JSONRPCError" => JsonrpcError,
    "JSONRPCRequest" => JsonrpcRequest,
    "JSONRPCNotification" => JsonrpcNotification
);
types!(
    v2025_06_18,
    schema_2025_06_18::mcp_2025_06_18,
    [
        InitializeResult, EmptyResult, ListToolsResult, CallToolResult, ListResourcesResult,
        ListResourceTemplatesResult, ReadResourceResult, ListPromptsResult, GetPromptResult,
        CompleteResult, ServerNotification, ServerRequest
    ],
    "JSONRPCResponse" => JsonrpcResponse,
    "JSONRPCError" => JsonrpcError,
    "JSONRPCRequest" => JsonrpcRequest,
    "JSONRPCNotification" => JsonrpcNotification
);
types!(
    v2025_11_25,
    schema_2025_11_25::mcp_2025_11_25,
    [
        InitializeResult, EmptyResult, ListToolsResult, CallToolResult, ListResourcesResult,
        ListResourceTemplatesResult, ReadResourceResult, ListPromptsResult, GetPromptResult,
        CompleteResult, ServerNotification, ServerRequest
    ],
    "JSONRPCResultResponse" => JsonrpcResultResponse,
    "JSONRPCErrorResponse" => JsonrpcErrorResponse,
    "JSONRPCRequest" => JsonrpcRequest,
    "JSONRPCNotification" => JsonrpcNotification
);
types!(
    v2026_07_28,
    schema_2026_07_28::mcp_2026_07_28,
    [
        DiscoverResult, ListToolsResult, CallToolResult, ListResourcesResult,
        ListResourceTemplatesResult, ReadResourceResult, ListPromptsResult, GetPromptResult,
        CompleteResult, InputRequiredResult, ServerNotification, HeaderMismatchError,
        MissingRequiredClientCapabilityError, UnsupportedProtocolVersionError
    ],
    "JSONRPCResultResponse" => JsonrpcResultResponse,
    "JSONRPCErrorResponse" => JsonrpcErrorResponse,
    "JSONRPCNotification" => JsonrpcNotification
);

fn survives<T: DeserializeOwned + Serialize>(value: &Value) -> Result<(), String> {
    let decoded: T = serde_json::from_value(value.clone()).map_err(|error| error.to_string())?;
    let again = serde_json::to_value(&decoded).map_err(|error| error.to_string())?;
    same(value, &again, "")
}

/// Whether `again` still holds what `value` holds.
fn same(value: &Value, again: &Value, path: &str) -> Result<(), String> {
    match (value, again) {
        (Value::Object(before), Value::Object(after)) => {
            before
                .iter()
                .try_for_each(|(name, value)| match after.get(name) {
                    Some(again) => same(value, again, &format!("{path}/{name}")),
                    // The older types keep three members of a JSON Schema and drop the rest of it.
                    None if path.ends_with("/inputSchema") || path.ends_with("/outputSchema") => {
                        Ok(())
                    }
                    // The types take a choice for the plain text it also is.
                    None if path.contains("/requestedSchema/properties/")
                        && ["enum", "enumNames", "oneOf"].contains(&name.as_str()) =>
                    {
                        Ok(())
                    }
                    None => Err(format!("the type has no `{path}/{name}`")),
                })
        }
        (Value::Array(before), Value::Array(after)) if before.len() == after.len() => {
            let pairs = before.iter().zip(after).enumerate();
            pairs
                .into_iter()
                .try_for_each(|(i, (v, a))| same(v, a, &format!("{path}/{i}")))
        }
        (Value::Number(before), Value::Number(after)) if before.as_f64() == after.as_f64() => {
            Ok(())
        }
        _ if value == again => Ok(()),
        _ => Err(format!("`{path}` was {value} and is read as {again}")),
    }
}
