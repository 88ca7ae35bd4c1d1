//! [`Blocks`], which collects the blocks of a section, and the forms of short values.

use serde_json::{Map, Value};

use super::block::Block;
use super::prose;
use super::text::{inline, link};

/// Collects the blocks of a section. Empty values add nothing.
#[derive(Debug, Default)]
pub(super) struct Blocks(Vec<Block>);

impl Blocks {
    pub(super) fn heading(&mut self, title: &str) {
        self.0.push(Block::Heading(inline(title)));
    }

    /// Adds a line of short facts, which are Markdown already.
    pub(super) fn facts(&mut self, facts: impl IntoIterator<Item = Option<String>>) {
        let facts: Vec<String> = facts
            .into_iter()
            .flatten()
            .filter(|f| !f.is_empty())
            .collect();
        if !facts.is_empty() {
            self.0.push(Block::Paragraph(facts.join(" · ")));
        }
    }

    /// Adds a text to read, in the owner's Markdown or HTML.
    pub(super) fn text(&mut self, text: Option<&str>) {
        self.0.extend(prose::blocks(text.unwrap_or_default()));
    }

    /// Adds a list of texts to read.
    pub(super) fn points(&mut self, points: Option<&[String]>) {
        let points = points.into_iter().flatten();
        self.bullets(points.flat_map(|point| prose::items(point)).collect());
    }

    /// Adds a list of items, which are Markdown already.
    pub(super) fn bullets(&mut self, items: Vec<String>) {
        let items: Vec<String> = items.into_iter().filter(|item| !item.is_empty()).collect();
        if !items.is_empty() {
            self.0.push(Block::Bullets(items));
        }
    }

    /// Adds a list of named values: first these, then the members that JSON Resume does not define.
    pub(super) fn named<'n>(
        &mut self,
        named: impl IntoIterator<Item = (&'n str, Option<String>)>,
        extra: &Map<String, Value>,
    ) {
        let line = |(name, value): (&str, Option<String>)| {
            let value = value.filter(|value| !value.is_empty())?;
            Some(format!("**{name}:** {value}"))
        };
        let mut lines: Vec<String> = named.into_iter().filter_map(line).collect();
        lines.extend(
            extra
                .iter()
                .filter_map(|(name, value)| line((&inline(&label(name)), Some(shown(value))))),
        );
        self.bullets(lines);
    }

    pub(super) fn into_inner(self) -> Vec<Block> {
        self.0
    }
}

/// Returns texts in one line.
pub(super) fn listed(texts: Option<&[String]>) -> Option<String> {
    let texts: Vec<String> = texts
        .into_iter()
        .flatten()
        .map(|text| inline(text))
        .collect();
    (!texts.is_empty()).then(|| texts.join(", "))
}

/// Returns a short text as Markdown.
pub(super) fn some(text: Option<&String>) -> Option<String> {
    text.map(|text| inline(text))
}

/// Returns a URL as Markdown.
pub(super) fn linked(url: Option<&String>) -> Option<String> {
    url.map(|url| link(url))
}

/// Returns a period. A missing date leaves it open.
pub(super) fn period(start: Option<&String>, end: Option<&String>) -> Option<String> {
    match (some(start), some(end)) {
        (Some(start), Some(end)) => Some(format!("{start} – {end}")),
        (Some(start), None) => Some(format!("since {start}")),
        (None, Some(end)) => Some(format!("until {end}")),
        (None, None) => None,
    }
}

/// Returns the name of a member as words: `hourlyRate` and `hourly_rate` become `Hourly rate`.
fn label(name: &str) -> String {
    let mut label = String::with_capacity(name.len());
    let mut was_lower = false;
    for c in name.chars() {
        let is_break = was_lower && c.is_uppercase();
        if is_break || matches!(c, '_' | '-') {
            label.push(' ');
        }
        if label.is_empty() {
            label.extend(c.to_uppercase());
        } else if is_break {
            label.extend(c.to_lowercase());
        } else if !matches!(c, '_' | '-') {
            label.push(c);
        }
        was_lower = c.is_lowercase();
    }
    label
}

/// Returns any value in one line of Markdown.
pub(super) fn shown(value: &Value) -> String {
    match value {
        Value::Null => String::new(),
        Value::Bool(true) => "yes".to_owned(),
        Value::Bool(false) => "no".to_owned(),
        Value::Number(number) => inline(&number.to_string()),
        Value::String(text) => link(text),
        Value::Array(items) => {
            let items = items.iter().map(inside).filter(|item| !item.is_empty());
            items.collect::<Vec<_>>().join(", ")
        }
        Value::Object(object) => {
            let members = object.iter().map(|(name, value)| (name, inside(value)));
            let members = members.filter(|(_, value)| !value.is_empty());
            let members = members.map(|(name, value)| format!("{}: {value}", inline(&label(name))));
            members.collect::<Vec<_>>().join("; ")
        }
    }
}

fn inside(value: &Value) -> String {
    let text = shown(value);
    if value.is_object() && !text.is_empty() {
        format!("({text})")
    } else {
        text
    }
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    #[test]
    fn names_of_members_become_words() {
        let rows = [
            ("pronouns", "Pronouns"),
            ("hourlyRate", "Hourly rate"),
            ("hourly_rate", "Hourly rate"),
            ("x-team", "X team"),
            ("GPA", "GPA"),
            ("serviceLevelSLA", "Service level sLA"),
            ("", ""),
        ];
        for (name, expected) in rows {
            assert_eq!(label(name), expected, "{name}");
        }
    }

    #[test]
    fn any_value_is_one_line() {
        let rows = [
            (json!(null), ""),
            (json!(true), "yes"),
            (json!(1.5), "1.5"),
            (json!("*a*\nb"), "\\*a\\* b"),
            (json!("https://a.example"), "<https://a.example>"),
            (json!(["a", null, ["b", 2]]), "a, b, 2"),
            (
                json!({"teamSize": 3, "x": {"y": [{"z": "[w]"}]}}),
                "Team size: 3; X: (Y: (Z: \\[w\\]))",
            ),
            (json!({"a": null, "b": {}}), ""),
        ];
        for (value, expected) in rows {
            assert_eq!(shown(&value), expected, "{value}");
        }
    }

    #[test]
    fn a_period_may_be_open_on_either_side() {
        let (start, end) = ("2020-01".to_owned(), "2021".to_owned());
        assert_eq!(period(Some(&start), Some(&end)).unwrap(), "2020-01 – 2021");
        assert_eq!(period(Some(&start), None).unwrap(), "since 2020-01");
        assert_eq!(period(None, Some(&end)).unwrap(), "until 2021");
        assert_eq!(period(None, None), None);
    }
}
