//! A complete `text/event-stream`, taken apart.

use serde_json::Value;

/// The JSON messages of the stream; comments and empty `data` (a priming event) carry none.
pub(crate) fn messages(stream: &str) -> Result<Vec<Value>, String> {
    let normal = stream.replace("\r\n", "\n").replace('\r', "\n");
    if !normal.is_empty() && !normal.ends_with("\n\n") {
        return Err(format!(
            "the last event is not finished by an empty line: {stream:?}"
        ));
    }
    let events = normal
        .split("\n\n")
        .map(data)
        .filter(|data| !data.is_empty());
    let parsed = events.map(|data| {
        serde_json::from_str(&data).map_err(|error| format!("no JSON in {data:?}: {error}"))
    });
    parsed.collect()
}

fn data(event: &str) -> String {
    let lines = event.lines().filter_map(|line| line.strip_prefix("data:"));
    let lines: Vec<&str> = lines
        .map(|line| line.strip_prefix(' ').unwrap_or(line))
        .collect();
    lines.join("\n")
}
