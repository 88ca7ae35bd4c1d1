//! Reads `profile.toml`: what JSON Resume has no place for. What is published, availability, the
//! featured projects, the wording of capabilities, how to make contact.

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use serde_json::{Map, Value};

use super::close::closest;
use super::finding::{FileReport, Pointer};
use super::json::{self, hint};
use super::normalize;
use super::private::Publish;
use super::shape::{Kind, Shape, field, shape};

/// The words for [`Status`] that an owner may write.
const STATUSES: &[&str] = &["open", "limited", "booked", "closed"];

/// Whether the person takes on work.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "lowercase")]
pub(crate) enum Status {
    /// Looking for work.
    Open,
    /// Some work fits in.
    Limited,
    /// Not before the date in `from`.
    Booked,
    /// Takes no offers.
    Closed,
    /// The person has not said.
    #[default]
    Unknown,
}

static FILE: Shape = shape(
    "a profile",
    &[
        field("publish", Kind::Object(&PUBLISH)),
        field("availability", Kind::Object(&AVAILABILITY)),
        field("projects", Kind::Object(&PROJECTS)),
        field("capabilities", Kind::Object(&CAPABILITIES)),
        field("contact", Kind::Object(&CONTACT)),
    ],
);

static PUBLISH: Shape = shape(
    "a table",
    &[
        field("phone", Kind::Flag),
        field("email", Kind::Flag),
        field("address", Kind::Flag),
        field("reference_contacts", Kind::Flag),
    ],
);

static AVAILABILITY: Shape = shape(
    "a table",
    &[
        field("status", Kind::Word(STATUSES)),
        field("from", Kind::EndDate),
        field("notice", Kind::Text),
        field("kinds", Kind::Texts),
        field("arrangements", Kind::Texts),
        field("hours_per_week", Kind::Count),
        field("locations", Kind::Texts),
        field("time_zones", Kind::Texts),
        field("rate_note", Kind::Text),
        field("note", Kind::Text),
        field("updated", Kind::Date),
    ],
);

static PROJECTS: Shape = shape("a table", &[field("featured", Kind::Texts)]);

static CAPABILITIES: Shape = shape(
    "a table",
    &[
        field("summary", Kind::Text),
        field("hire_for", Kind::Texts),
        field("not_for", Kind::Texts),
    ],
);

static CONTACT: Shape = shape(
    "a table",
    &[
        field("url", Kind::Url),
        field("preferred", Kind::Text),
        field("response_time", Kind::Text),
        field("note", Kind::Text),
    ],
);

/// Tables whose unknown keys mean nothing to any tool.
const CLOSED_TABLES: &[&str] = &["publish", "projects"];

/// The owner's profile, as far as it is published.
#[derive(Debug, Clone, Default, PartialEq, Deserialize)]
#[serde(default)]
pub(crate) struct Profile {
    /// When and how the person can be hired.
    pub(crate) availability: Availability,
    /// Which projects come first.
    pub(crate) projects: Featured,
    /// What the person can be hired for.
    pub(crate) capabilities: Capabilities,
    /// How to make contact.
    pub(crate) contact: ContactWords,
}

/// When and how the person can be hired.
#[derive(Debug, Clone, Default, PartialEq, Deserialize)]
#[serde(default)]
pub(crate) struct Availability {
    pub(crate) status: Option<Status>,
    pub(crate) from: Option<String>,
    pub(crate) notice: Option<String>,
    pub(crate) kinds: Vec<String>,
    pub(crate) arrangements: Vec<String>,
    pub(crate) hours_per_week: Option<u64>,
    pub(crate) locations: Vec<String>,
    pub(crate) time_zones: Vec<String>,
    pub(crate) rate_note: Option<String>,
    pub(crate) note: Option<String>,
    pub(crate) updated: Option<String>,
    #[serde(flatten)]
    pub(crate) extra: Map<String, Value>,
}

/// The names of featured projects, the most important first.
#[derive(Debug, Clone, Default, PartialEq, Deserialize)]
#[serde(default)]
pub(crate) struct Featured {
    pub(crate) featured: Vec<String>,
}

/// What the person can be hired for, in the owner's words.
#[derive(Debug, Clone, Default, PartialEq, Deserialize)]
#[serde(default)]
pub(crate) struct Capabilities {
    pub(crate) summary: Option<String>,
    pub(crate) hire_for: Vec<String>,
    pub(crate) not_for: Vec<String>,
    #[serde(flatten)]
    pub(crate) extra: Map<String, Value>,
}

/// How to make contact, in the owner's words.
#[derive(Debug, Clone, Default, PartialEq, Deserialize)]
#[serde(default)]
pub(crate) struct ContactWords {
    pub(crate) url: Option<String>,
    pub(crate) preferred: Option<String>,
    pub(crate) response_time: Option<String>,
    pub(crate) note: Option<String>,
    #[serde(flatten)]
    pub(crate) extra: Map<String, Value>,
}

/// Reads the file's bytes to a settled document.
pub(crate) fn read(bytes: &[u8], report: &mut FileReport<'_>) -> Option<Map<String, Value>> {
    let text = json::decode(bytes, report)?;
    let table: toml::Table = match toml::from_str(text) {
        Ok(table) => table,
        Err(error) => {
            let start = error.span().map_or(0, |span| span.start);
            let (line, column) = hint::position(text.get(..start).unwrap_or_default());
            let reason = error
                .message()
                .lines()
                .next()
                .unwrap_or("unreadable")
                .to_owned();
            report.error_at(line, column, format!("is not TOML: {reason}"));
            return None;
        }
    };
    let profile = table
        .into_iter()
        .map(|(key, value)| (key, json_of(value)))
        .collect();
    check_keys(&profile, report);
    Some(normalize::object(profile, &FILE, &Pointer::root(), report))
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

/// A misspelt key would silently change nothing: an error where only known keys mean something, a
/// warning where others are served as they are.
fn check_keys(profile: &Map<String, Value>, report: &mut FileReport<'_>) {
    for (name, table) in profile {
        let at = Pointer::root().join(name);
        let Some(Kind::Object(shape)) = FILE.field(name).map(|field| field.kind) else {
            let meant = suggestion(name, FILE.names());
            report.error(&at, format!("is not a table of profile.toml{meant}"));
            continue;
        };
        let is_closed = CLOSED_TABLES.contains(&name.as_str());
        let unknown = table.as_object().into_iter().flatten().map(|(key, _)| key);
        for key in unknown.filter(|key| shape.field(key).is_none()) {
            let meant = suggestion(key, shape.names());
            if is_closed {
                report.error(&at.join(key), format!("is not a key of [{name}]{meant}"));
            } else if !meant.is_empty() {
                let rule = format!("is not a key of [{name}]{meant} It is served as it is.");
                report.warning(&at.join(key), rule);
            }
        }
    }
}

fn suggestion(word: &str, names: impl Iterator<Item = &'static str>) -> String {
    closest(word, names)
        .map(|name| format!("; did you mean `{name}`?"))
        .unwrap_or_default()
}

/// What the owner publishes.
pub(crate) fn publish(profile: &Map<String, Value>) -> Publish {
    let is_on = |key| profile.get("publish").and_then(|table| table.get(key)) == Some(&true.into());
    Publish {
        phone: is_on("phone"),
        email: is_on("email"),
        address: is_on("address"),
        reference_contacts: is_on("reference_contacts"),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::content::finding::Report;

    fn parse(text: &str) -> (Option<Map<String, Value>>, Vec<String>) {
        let mut report = Report::default();
        let profile = read(text.as_bytes(), &mut FileReport::toml("p", &mut report));
        (
            profile,
            report.sorted().iter().map(|f| f.to_string()).collect(),
        )
    }

    #[test]
    fn a_full_profile_is_read_into_its_types() {
        let (profile, found) = parse(
            r#"
            [publish]
            email = true
            [availability]
            status = "Open"
            from = 2026-03-01
            kinds = ["contract"]
            hours_per_week = 20
            travel = "a week a quarter"
            [projects]
            featured = ["One", "Two"]
            [capabilities]
            hire_for = ["a"]
            [contact]
            url = "https://example.com/contact"
            "#,
        );
        assert_eq!(found, Vec::<String>::new());
        let profile = profile.unwrap();
        assert_eq!(
            publish(&profile),
            Publish {
                email: true,
                ..Publish::default()
            }
        );
        let profile: Profile = serde_json::from_value(Value::Object(profile)).unwrap();
        assert_eq!(profile.availability.status, Some(Status::Open));
        assert_eq!(profile.availability.from.as_deref(), Some("2026-03-01"));
        assert_eq!(profile.availability.hours_per_week, Some(20));
        assert_eq!(profile.availability.extra["travel"], "a week a quarter");
        assert_eq!(profile.projects.featured, ["One", "Two"]);
        assert_eq!(
            profile.contact.url.as_deref(),
            Some("https://example.com/contact")
        );
    }

    #[test]
    fn every_word_for_the_status_is_one() {
        for word in STATUSES {
            let (profile, found) = parse(&format!("[availability]\nstatus = \"{word}\""));
            let profile = Value::Object(profile.unwrap());
            let profile: Profile = serde_json::from_value(profile).unwrap();
            assert!(
                found.is_empty() && profile.availability.status.is_some(),
                "{word}: {found:?}"
            );
        }
    }

    #[test]
    fn nothing_is_published_unless_it_says_true() {
        for text in ["", "[publish]", "[publish]\nphone = false"] {
            assert_eq!(
                publish(&parse(text).0.unwrap()),
                Publish::default(),
                "{text}"
            );
        }
        let (profile, found) = parse("[publish]\nphone = \"true\"\nemails = true");
        assert_eq!(publish(&profile.unwrap()), Publish::default());
        assert_eq!(
            found,
            [
                "error: p: publish.emails: is not a key of [publish]; did you mean `email`?",
                "error: p: publish.phone: must be `true` or `false`; found a text",
            ]
        );
    }

    #[test]
    fn faults_say_where_and_what_was_meant() {
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
                "publish = true",
                "error: p: publish: must be a table; found true or false",
            ),
            (
                "[availability]\nstatus = \"maybe\"",
                "error: p: availability.status: must be one of `open`, `limited`, `booked`, `closed`; found \"maybe\"",
            ),
            (
                "[availability]\nhours_per_week = 0",
                "error: p: availability.hours_per_week: must be a whole number above zero; found a number",
            ),
            (
                "[availability]\nnotise = \"x\"",
                "warning: p: availability.notise: is not a key of [availability]; did you mean `notice`? It is served as it is.",
            ),
            (
                "[contact]\nurl = \"example.com\"",
                "warning: p: contact.url: is not an absolute URL",
            ),
        ];
        for (text, expected) in rows {
            let (_, found) = parse(text);
            assert_eq!(found.len(), 1, "{text}: {found:?}");
            assert!(found[0].starts_with(expected), "{text}: {found:?}");
        }
    }
}
