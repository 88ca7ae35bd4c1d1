//! Reads a complete `text/event-stream`. Specification: *Streamable HTTP, Receiving Messages*.

use serde_json::Value;

/// The JSON messages of a stream, in order.
///
/// # Errors
///
/// The stream ends inside an event, or an event is not JSON.
pub(super) fn messages(stream: &str) -> Result<Vec<Value>, String> {
    let lines = stream.replace("\r\n", "\n").replace('\r', "\n");
    if !lines.is_empty() && !lines.ends_with("\n\n") {
        return Err("the last event of the stream is not complete".to_owned());
    }
    let events = lines
        .split("\n\n")
        .map(data)
        .filter(|data| !data.is_empty());
    events
        .map(|data| {
            serde_json::from_str(&data)
                .map_err(|error| format!("an event of the stream is not JSON ({error}): {data}"))
        })
        .collect()
}

/// The data of one event: its `data` lines, joined. A comment has none.
fn data(event: &str) -> String {
    let lines = event.lines().filter_map(|line| line.strip_prefix("data:"));
    let lines: Vec<&str> = lines
        .map(|line| line.strip_prefix(' ').unwrap_or(line))
        .collect();
    lines.join("\n")
}
