//! Headers that a modern client derives from its message. Specification: *Streamable HTTP, Standard
//! Request Headers*, *Value Encoding* and *Custom Headers from Tool Parameters*.

use base64::Engine as _;
use base64::engine::general_purpose::STANDARD;
use serde_json::Value;

/// The headers for a message; `schema` is the input schema of the tool that it calls.
pub(super) fn derived(message: &Value, schema: Option<&Value>) -> Vec<(String, String)> {
    let mut headers = Vec::new();
    let Some(method) = message.get("method").and_then(Value::as_str) else {
        return headers;
    };
    headers.push(("Mcp-Method".to_owned(), encode(method)));
    let params = message.get("params");
    let member = match method {
        "tools/call" | "prompts/get" => "name",
        "resources/read" => "uri",
        "tasks/get" | "tasks/update" | "tasks/cancel" => "taskId",
        _ => return headers,
    };
    if let Some(name) = params.and_then(|params| params.get(member)?.as_str()) {
        headers.push(("Mcp-Name".to_owned(), encode(name)));
    }
    let arguments = params.and_then(|params| params.get("arguments"));
    if let (Some(schema), Some(arguments)) = (schema, arguments) {
        parameters(schema, arguments, &mut headers);
    }
    headers
}

/// `Mcp-Param-*` for the arguments whose schema has an `x-mcp-header`.
fn parameters(schema: &Value, arguments: &Value, headers: &mut Vec<(String, String)>) {
    let properties = schema.get("properties").and_then(Value::as_object);
    for (name, property) in properties.into_iter().flatten() {
        let argument = arguments.get(name).filter(|value| !value.is_null());
        let Some(argument) = argument else {
            continue;
        };
        if let Some(header) = property.get("x-mcp-header").and_then(Value::as_str) {
            let text = match argument.as_str() {
                Some(text) => encode(text),
                None => argument.to_string(),
            };
            headers.push((format!("Mcp-Param-{header}"), text));
        }
        parameters(property, argument, headers);
    }
}

/// A text as a header value: Base64 between markers where the plain text would be changed or refused
/// on the way.
fn encode(text: &str) -> String {
    let is_plain = text.bytes().all(|byte| (b' '..=b'~').contains(&byte))
        && text.trim() == text
        && !(text.starts_with("=?base64?") && text.ends_with("?="));
    if is_plain {
        text.to_owned()
    } else {
        format!("=?base64?{}?=", STANDARD.encode(text))
    }
}
