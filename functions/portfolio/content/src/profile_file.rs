//! Reads `profile.toml`: what JSON Resume has no field for, and what is published.

use serde_json::{Map, Value};

use super::finding::FileReport;
use super::json::{self, hint};
use super::language;
use super::place::Place;
use super::profile_shape::{CLOSED_TABLES, PROFILE};
use super::shape::Kind;
use super::suggestion::did_you_mean;

/// Reads a file, and checks its keys. Returns `None` and reports the reason if it is not TOML.
pub(crate) fn read(bytes: &[u8], report: &mut FileReport<'_>) -> Option<Map<String, Value>> {
    let text = json::decode(bytes, report)?;
    let table: toml::Table = match toml::from_str(text) {
        Ok(table) => table,
        Err(error) => {
            let start = error.span().map_or(0, |span| span.start);
            let at = hint::position(text.get(..start).unwrap_or_default());
            let reason = error.message().lines().next().unwrap_or("unreadable");
            report.error_at_line(at, format!("is not TOML: {reason}"));
            return None;
        }
    };
    let profile = table
        .into_iter()
        .map(|(key, value)| (key, json_of(value)))
        .collect();
    check_keys(&profile, report);
    Some(profile)
}

fn json_of(value: toml::Value) -> Value {
    match value {
        toml::Value::String(text) => Value::String(text),
        toml::Value::Integer(number) => Value::from(number),
        toml::Value::Float(number) => Value::from(number),
        toml::Value::Boolean(flag) => Value::Bool(flag),
        toml::Value::Datetime(date) => Value::String(date.to_string()),
        toml::Value::Array(items) => items.into_iter().map(json_of).collect(),
        toml::Value::Table(table) => table
            .into_iter()
            .map(|(key, value)| (key, json_of(value)))
            .collect(),
    }
}

/// Reports unknown keys: an error where only known keys have an effect, a warning with a suggestion
/// where others are served as they are.
fn check_keys(profile: &Map<String, Value>, report: &mut FileReport<'_>) {
    for (name, table) in profile {
        let at = Place::Root.member(name);
        match PROFILE.field(name).map(|field| field.kind) {
            None => {
                let meant = did_you_mean(name, PROFILE.names());
                report.error(at, format!("is not a table of profile.toml{meant}"));
            }
            Some(Kind::Object(shape)) => {
                let keys = table.as_object().into_iter().flatten().map(|(key, _)| key);
                for key in keys.filter(|key| shape.field(key).is_none()) {
                    let meant = did_you_mean(key, shape.names());
                    if CLOSED_TABLES.contains(&name.as_str()) {
                        report.error(at.member(key), format!("is not a key of [{name}]{meant}"));
                    } else if !meant.is_empty() {
                        let message =
                            format!("is not a key of [{name}]{meant} It is served as it is.");
                        report.warning(at.member(key), message);
                    }
                }
            }
            Some(_) => {}
        }
    }
}

/// Returns the language of the texts, from the key `language`. Reports a value that is not a tag.
pub(crate) fn language(
    profile: &Map<String, Value>,
    report: &mut FileReport<'_>,
) -> Option<String> {
    let written = profile.get("language")?;
    let tag = written.as_str().and_then(language::tag);
    if tag.is_none() {
        let message = "must be a language tag such as `en` or `pt-BR`";
        report.error(Place::Root.member("language"), message);
    }
    tag
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::finding::Report;

    fn findings(text: &str) -> Vec<String> {
        let mut report = Report::default();
        let mut file = FileReport::toml("p", &mut report);
        if let Some(profile) = read(text.as_bytes(), &mut file) {
            language(&profile, &mut file);
        }
        report.sorted().iter().map(|f| f.to_string()).collect()
    }

    #[test]
    fn errors_say_where_and_what_was_meant() {
        let rows = [
            ("[publish\n", "error: p:1:9: is not TOML: "),
            (
                "[availability]\nstatus = open\n",
                "error: p:2:10: is not TOML: ",
            ),
            ("a = 1", "error: p: a: is not a table of profile.toml"),
            (
                "[avaliability]\n",
                "error: p: avaliability: is not a table of profile.toml; did you mean `availability`?",
            ),
            (
                "[publish]\nemial = true",
                "error: p: publish.emial: is not a key of [publish]; did you mean `email`?",
            ),
            (
                "[availability]\nnotise = \"x\"",
                "warning: p: availability.notise: is not a key of [availability]; did you mean `notice`? It is served as it is.",
            ),
            (
                "language = \"English\"",
                "error: p: language: must be a language tag such as `en` or `pt-BR`",
            ),
        ];
        for (text, expected) in rows {
            let found = findings(text);
            assert_eq!(found.len(), 1, "{text}: {found:?}");
            assert!(found[0].starts_with(expected), "{text}: {found:?}");
        }
        assert_eq!(
            findings("language = \"pt-br\"\n[contact]\npgp = 1"),
            Vec::<String>::new()
        );
    }
}
