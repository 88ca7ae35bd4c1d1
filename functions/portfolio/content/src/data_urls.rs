//! Removes `data:` URLs: embedded files, which are of no use to an agent and can be larger than
//! everything else together.

use std::ops::Range;

use serde_json::{Map, Value};

use super::finding::FileReport;
use super::place::Place;

/// The scheme, before its colon.
const SCHEME: &str = "data";

/// Removes the `data:` URLs from a document, each with a warning.
pub(crate) fn remove(document: &mut Map<String, Value>, report: &mut FileReport<'_>) {
    document.retain(|name, value| keeps(value, Place::Root.member(name), report));
}

fn keeps(value: &mut Value, at: Place<'_>, report: &mut FileReport<'_>) -> bool {
    match value {
        Value::Object(object) => {
            object.retain(|name, value| keeps(value, at.member(name), report));
            true
        }
        Value::Array(items) => {
            let mut index = 0;
            items.retain_mut(|item| {
                let keeps = keeps(item, at.item(index), report);
                index += 1;
                keeps
            });
            true
        }
        Value::String(text) => {
            let Some(rest) = without_data_urls(text) else {
                return true;
            };
            let message = "contains an embedded file (a `data:` URL), which is left out; link to it \
                instead";
            report.warning(at, message);
            *text = rest;
            !text.trim().is_empty()
        }
        Value::Null | Value::Bool(_) | Value::Number(_) => true,
    }
}

/// Returns a text without its `data:` URLs. `None` if it has none.
fn without_data_urls(text: &str) -> Option<String> {
    let mut rest = String::new();
    let mut at = 0;
    while let Some(url) = next(text, at) {
        rest.push_str(text.get(at..url.start).unwrap_or_default());
        at = url.end;
    }
    (at > 0).then(|| rest + text.get(at..).unwrap_or_default())
}

/// Finds the next `data:` URL (RFC 2397): a media type or parameters, a comma, the data.
fn next(text: &str, from: usize) -> Option<Range<usize>> {
    let rest = text.get(from..)?;
    // A colon is found much faster than a word, and most texts have none.
    let found = rest.match_indices(':').find_map(|(colon, _)| {
        let before = rest.get(..colon)?.strip_suffix(SCHEME)?;
        let head = rest.get(colon + 1..)?;
        let (media_type, _) = head.split_once(',')?;
        let is_part = |c: char| c.is_ascii_alphanumeric() || "/+-.;=_".contains(c);
        let is_media_type = media_type.contains(['/', ';']) && media_type.chars().all(is_part);
        let is_word = before.ends_with(char::is_alphanumeric);
        (is_media_type && !is_word).then_some(before.len())
    })?;
    let start = from + found;
    let ends = |c: char| c.is_whitespace() || "\"'()<>[]".contains(c);
    let end = text.get(start..)?.find(ends);
    Some(start..end.map_or(text.len(), |end| start + end))
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;
    use crate::finding::Report;

    #[test]
    fn embedded_files_are_left_out_with_a_warning() {
        let image = format!("data:image/png;base64,{}", "A".repeat(1000));
        let document = json!({
            "basics": {"image": image, "summary": format!("Me: ![me]({image}) and {image}")},
            "projects": [{"logos": [image, "x"], "y": "data: see data:x, or metadata:a/b,c"}],
        });
        let mut document = document.as_object().unwrap().clone();
        let mut report = Report::default();
        remove(&mut document, &mut FileReport::json("r", &mut report));
        assert_eq!(
            Value::Object(document),
            json!({
                "basics": {"summary": "Me: ![me]() and "},
                "projects": [{"logos": ["x"], "y": "data: see data:x, or metadata:a/b,c"}],
            })
        );
        let found: Vec<String> = report.sorted().iter().map(|f| f.to_string()).collect();
        assert_eq!(found.len(), 3, "{found:?}");
        assert!(found[0].starts_with("warning: r: /basics/image: contains an embedded file"));
    }
}
