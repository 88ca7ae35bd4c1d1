//! [`Profile`]: what `profile.toml` adds to a résumé, without what is not published.

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use serde_json::{Map, Value};

use super::accent::Accent;

/// Whether the person accepts work.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "lowercase")]
pub(crate) enum Status {
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
pub(crate) struct Profile {
    /// When and how the person can be hired.
    pub(crate) availability: Availability,
    /// The featured projects.
    pub(crate) projects: Featured,
    /// What the person can be hired for.
    pub(crate) capabilities: Capabilities,
    /// How to contact the person.
    pub(crate) contact: Contact,
    /// How the server presents itself.
    pub(crate) server: ServerTable,
    /// The page for people.
    pub(crate) page: PageTable,
}

/// The page for people.
#[derive(Debug, Clone, Default, PartialEq, Serialize, Deserialize)]
#[serde(default)]
pub(crate) struct PageTable {
    /// Whether there is one. Absent means that there is.
    pub(crate) enabled: Option<bool>,
    /// The colour of links and buttons.
    pub(crate) accent: Option<Accent>,
    /// A picture of the person, as an `https:` or `data:` URL.
    pub(crate) picture: Option<String>,
    /// A text below the page, in Markdown.
    pub(crate) footer: Option<String>,
}

/// How the server presents itself.
#[derive(Debug, Clone, Default, PartialEq, Serialize, Deserialize)]
#[serde(default)]
pub(crate) struct ServerTable {
    /// The name in the protocol and in the MCP registry, such as `com.example/portfolio`.
    pub(crate) name: Option<String>,
    /// The icon, as an `https:` or `data:` URL.
    pub(crate) icon: Option<String>,
    /// Whether the tools `search` and `fetch` are offered.
    pub(crate) search: bool,
}

/// When and how the person can be hired.
#[derive(Debug, Clone, Default, PartialEq, Serialize, Deserialize)]
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
#[derive(Debug, Clone, Default, PartialEq, Serialize, Deserialize)]
#[serde(default)]
pub(crate) struct Featured {
    pub(crate) featured: Vec<String>,
}

/// What the person can be hired for.
#[derive(Debug, Clone, Default, PartialEq, Serialize, Deserialize)]
#[serde(default)]
pub(crate) struct Capabilities {
    pub(crate) summary: Option<String>,
    pub(crate) hire_for: Vec<String>,
    pub(crate) not_for: Vec<String>,
    #[serde(flatten)]
    pub(crate) extra: Map<String, Value>,
}

/// How to contact the person.
#[derive(Debug, Clone, Default, PartialEq, Serialize, Deserialize)]
#[serde(default)]
pub(crate) struct Contact {
    pub(crate) url: Option<String>,
    pub(crate) preferred: Option<String>,
    pub(crate) response_time: Option<String>,
    pub(crate) note: Option<String>,
    #[serde(flatten)]
    pub(crate) extra: Map<String, Value>,
}
