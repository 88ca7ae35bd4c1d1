//! [`WellKnown`]: texts that other services look for at `/.well-known/`, such as the proof that a domain
//! is the owner's. They are files in `well-known/`, and published as they are.

use super::finding::{FileReport, Report};
use super::place::Place;
use super::source::{Bytes, Sources};

/// The names that are served, with their media types. The gateway has a path for each of them, so that a
/// client that tries other names does not start the function.
const NAMES: [(&str, &str); 5] = [
    ("mcp-registry-auth", "text/plain; charset=utf-8"),
    ("openai-apps-challenge", "text/plain; charset=utf-8"),
    ("glama.json", "application/json"),
    ("security.txt", "text/plain; charset=utf-8"),
    ("atproto-did", "text/plain; charset=utf-8"),
];

/// The longest text, in bytes.
const MAX_BYTES: usize = 4096;

/// Reads the files that are published as they are.
pub(super) fn read_all(sources: &Sources, report: &mut Report) -> Vec<WellKnown> {
    let files = sources.well_known.iter();
    files
        .filter_map(|(name, source)| {
            let mut report = FileReport::json(&source.name, report);
            WellKnown::read(name, &source.bytes, &mut report)
        })
        .collect()
}

/// A text for `/.well-known/`.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct WellKnown {
    /// The path, such as `/.well-known/mcp-registry-auth`.
    pub path: String,
    pub media_type: &'static str,
    /// The text, without blanks and line ends around it.
    pub text: String,
}

impl WellKnown {
    /// Reads a file. Reports one that cannot be published.
    fn read(name: &str, bytes: &Bytes, report: &mut FileReport<'_>) -> Option<Self> {
        let Some((_, media_type)) = NAMES.iter().find(|(known, _)| *known == name) else {
            let known: Vec<&str> = NAMES.iter().map(|(known, _)| *known).collect();
            let message = format!("is not published; the names are: {}", known.join(", "));
            report.warning(Place::Root, message);
            return None;
        };
        let fault = match bytes {
            Err(error) => format!("cannot be read: {error}"),
            Ok(bytes) => match text(bytes, media_type) {
                Ok(text) => {
                    return Some(Self {
                        path: format!("/.well-known/{name}"),
                        media_type,
                        text: text.to_owned(),
                    });
                }
                Err(fault) => fault.to_owned(),
            },
        };
        report.error(Place::Root, fault);
        None
    }
}

fn text<'b>(bytes: &'b [u8], media_type: &str) -> Result<&'b str, &'static str> {
    if bytes.len() > MAX_BYTES {
        return Err("must not exceed 4,096 bytes");
    }
    let text = std::str::from_utf8(bytes)
        .map_err(|_| "is not UTF-8")?
        .trim();
    if text.is_empty() {
        return Err("is empty");
    }
    if media_type == "application/json"
        && serde_json::from_str::<serde::de::IgnoredAny>(text).is_err()
    {
        return Err("is not JSON");
    }
    Ok(text)
}

#[cfg(test)]
mod tests {
    use std::borrow::Cow;

    use super::*;
    use crate::finding::Report;

    fn read(name: &str, text: &[u8]) -> (Option<WellKnown>, String) {
        let mut report = Report::default();
        let bytes = Ok(Cow::Owned(text.to_vec()));
        let found = WellKnown::read(name, &bytes, &mut FileReport::json("f", &mut report));
        let said = report
            .sorted()
            .iter()
            .map(|finding| finding.to_string())
            .collect();
        (found, said)
    }

    #[test]
    fn only_known_names_and_short_texts_are_published() {
        let (found, said) = read("mcp-registry-auth", b" v=MCPv1; k=ed25519; p=abc=\n");
        let found = found.unwrap();
        assert_eq!(found.path, "/.well-known/mcp-registry-auth");
        assert_eq!(found.text, "v=MCPv1; k=ed25519; p=abc=");
        assert_eq!(said, "");
        let rows: [(&str, &[u8], &str); 6] = [
            (
                "../profile.toml",
                b"x",
                "warning: f: is not published; the names are: mcp-",
            ),
            (
                "openid-configuration",
                b"{}",
                "warning: f: is not published",
            ),
            ("security.txt", b" \n", "error: f: is empty"),
            ("security.txt", &[0xff], "error: f: is not UTF-8"),
            (
                "security.txt",
                &[b'a'; 4097],
                "error: f: must not exceed 4,096 bytes",
            ),
            ("glama.json", b"{", "error: f: is not JSON"),
        ];
        for (name, text, expected) in rows {
            let (found, said) = read(name, text);
            assert_eq!(found, None, "{name}");
            assert!(said.starts_with(expected), "{said}");
        }
    }
}
