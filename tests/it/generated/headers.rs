//! The headers of a valid request, and changes of them.

use serde_json::Value;

use harness::HttpRequest;

use super::random::Random;
use super::requests::{MODERN, VERSIONS};

const VERSION: &str = "MCP-Protocol-Version";

/// Adds the headers that a client of the version sends.
pub(super) fn standard(request: &mut HttpRequest, version: &str, message: &Value) {
    let mut add = |name: &str, value: &str| {
        request.headers.push((name.to_owned(), value.to_owned()));
    };
    let method = message["method"].as_str().unwrap_or_default();
    if method != "initialize" || version == MODERN {
        add(VERSION, version);
    }
    if version == MODERN {
        add("Mcp-Method", method);
        let params = &message["params"];
        if let Some(name) = params["name"].as_str().or_else(|| params["uri"].as_str()) {
            add("Mcp-Name", name);
        }
    }
}

/// Changes one header. Returns what was changed.
pub(super) fn change(request: &mut HttpRequest, random: &mut Random) -> String {
    let accepts = [
        "*/*",
        "application/json",
        "text/event-stream",
        "application/*",
        "text/html",
        "application/json;q=0, text/event-stream",
        "",
        "nonsense",
    ];
    let types = [
        "application/json; charset=utf-8",
        "Application/JSON",
        "text/plain",
        "application/json-rpc",
        "",
        "application/json, application/json",
    ];
    let versions = [
        MODERN,
        "2025-11-25",
        "2025-06-18",
        "2025-03-26",
        "2024-11-05",
        "2027-01-01",
        "1999-01-01",
        "",
        "latest",
        "2025-11-25, 2025-11-25",
        "2025-11-25, 2025-06-18",
    ];
    let methods = ["tools/call", "tools/list", "TOOLS/LIST", "", "ping"];
    let names = [
        "echo",
        "hello",
        "ECHO",
        "",
        "=?base64?ZWNobw==?=",
        "=?base64?!?=",
    ];
    match random.below(9) {
        0 => set(request, "Accept", random.pick(&accepts)),
        1 => set(request, "Content-Type", random.pick(&types)),
        2 => set(request, VERSION, random.pick(&versions)),
        3 => set(request, "Mcp-Method", random.pick(&methods)),
        4 => set(request, "Mcp-Name", random.pick(&names)),
        5 => {
            let others = [
                ("Origin", "https://evil.example"),
                ("Origin", "http://localhost:3000"),
                ("Origin", "null"),
                ("Content-Encoding", "gzip"),
                ("Content-Encoding", "identity"),
                ("Authorization", "Bearer nonsense"),
                ("Mcp-Session-Id", "1"),
                ("Last-Event-ID", "1"),
            ];
            let (name, value) = random.pick(&others);
            set(request, name, value)
        }
        6 => remove(request, random),
        7 => repeat(request, random),
        _ => case(request, random),
    }
}

fn set(request: &mut HttpRequest, name: &str, value: &str) -> String {
    request
        .headers
        .retain(|(known, _)| !known.eq_ignore_ascii_case(name));
    request.headers.push((name.to_owned(), value.to_owned()));
    format!("{name}: {value}")
}

/// The index of a header of the request.
fn any(request: &HttpRequest, random: &mut Random) -> Option<usize> {
    (!request.headers.is_empty()).then(|| random.below(request.headers.len()))
}

fn remove(request: &mut HttpRequest, random: &mut Random) -> String {
    let Some(index) = any(request, random) else {
        return "no header".to_owned();
    };
    let (name, _) = request.headers.remove(index);
    format!("no {name}")
}

/// Sends a header on a second line, with the same or another value.
fn repeat(request: &mut HttpRequest, random: &mut Random) -> String {
    let Some(index) = any(request, random) else {
        return "no header".to_owned();
    };
    let (name, value) = request.headers[index].clone();
    let others = [
        &value,
        VERSIONS[1],
        "application/json",
        "tools/list",
        "echo",
        "",
    ];
    let second = random.pick(&others).to_owned();
    let story = format!("{name} twice: {value} and {second}");
    request.headers.push((name, second));
    story
}

/// Writes a header's name in another case.
fn case(request: &mut HttpRequest, random: &mut Random) -> String {
    let Some(index) = any(request, random) else {
        return "no header".to_owned();
    };
    let name = &mut request.headers[index].0;
    *name = if random.percent(50) {
        name.to_uppercase()
    } else {
        name.to_lowercase()
    };
    format!("{name} in this case")
}
