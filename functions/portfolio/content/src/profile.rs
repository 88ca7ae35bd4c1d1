//! [`Profile`]: what `profile.toml` adds to a résumé, without what is not published.

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use serde_json::{Map, Value};

use super::accent::Accent;

/// Whether the person accepts work.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "lowercase")]
pub enum Status {
    /// Looks for work.
    Open,
    /// Has time for some work.
    Limited,
    /// Has no time before the date in `from`.
    Booked,
    /// Accepts no offers.
    Closed,
    /// Not specified.
    #[default]
    Unknown,
}

/// The owner's profile.
#[derive(Debug, Clone, Default, PartialEq, Serialize, Deserialize)]
#[serde(default)]
pub struct Profile {
    /// When and how the person can be hired.
    pub availability: Availability,
    /// The featured projects.
    pub projects: Featured,
    /// What the person can be hired for.
    pub capabilities: Capabilities,
    /// How to contact the person.
    pub contact: Contact,
    /// How the server presents itself.
    pub server: ServerTable,
    /// The page for people.
    pub page: PageTable,
}

/// The page for people.
#[derive(Debug, Clone, Default, PartialEq, Serialize, Deserialize)]
#[serde(default)]
pub struct PageTable {
    /// Whether there is one. Absent means that there is.
    pub enabled: Option<bool>,
    /// The colour of links and buttons.
    pub accent: Option<Accent>,
    /// A picture of the person, as an `https:` or `data:` URL.
    pub picture: Option<String>,
    /// A text below the page, in Markdown.
    pub footer: Option<String>,
}

/// How the server presents itself.
#[derive(Debug, Clone, Default, PartialEq, Serialize, Deserialize)]
#[serde(default)]
pub struct ServerTable {
    /// The name in the protocol and in the MCP registry, such as `com.example/portfolio`.
    pub name: Option<String>,
    /// The icon, as an `https:` or `data:` URL.
    pub icon: Option<String>,
    /// Whether the tools `search` and `fetch` are offered.
    pub search: bool,
}

/// When and how the person can be hired.
#[derive(Debug, Clone, Default, PartialEq, Serialize, Deserialize)]
#[serde(default)]
pub struct Availability {
    pub status: Option<Status>,
    pub from: Option<String>,
    pub notice: Option<String>,
    pub kinds: Vec<String>,
    pub arrangements: Vec<String>,
    pub hours_per_week: Option<u64>,
    pub locations: Vec<String>,
    pub time_zones: Vec<String>,
    pub rate_note: Option<String>,
    pub note: Option<String>,
    pub updated: Option<String>,
    #[serde(flatten)]
    pub extra: Map<String, Value>,
}

/// The names of featured projects, the most important first.
#[derive(Debug, Clone, Default, PartialEq, Serialize, Deserialize)]
#[serde(default)]
pub struct Featured {
    pub featured: Vec<String>,
}

/// What the person can be hired for.
#[derive(Debug, Clone, Default, PartialEq, Serialize, Deserialize)]
#[serde(default)]
pub struct Capabilities {
    pub summary: Option<String>,
    pub hire_for: Vec<String>,
    pub not_for: Vec<String>,
    #[serde(flatten)]
    pub extra: Map<String, Value>,
}

/// How to contact the person.
#[derive(Debug, Clone, Default, PartialEq, Serialize, Deserialize)]
#[serde(default)]
pub struct Contact {
    pub url: Option<String>,
    pub preferred: Option<String>,
    pub response_time: Option<String>,
    pub note: Option<String>,
    #[serde(flatten)]
    pub extra: Map<String, Value>,
}
