//! `get_manifest`: what this server is, whom it speaks for, what can be asked, how to reach the
//! person.

use std::sync::Arc;

use lambda_mcp::{Json, State};
use schemars::JsonSchema;
use serde::Serialize;
use serde_json::{Map, Value};

use super::TOOLS;
use super::offers::{PromptFacts, ResourceFacts, ToolFacts};
use super::prepared::Prepared;
use crate::about::About;
use crate::content::resume::{Basics, Profile, Resume};
use crate::content::{Content, Section};
use crate::portfolio::Portfolio;
use crate::prompts::PROMPTS;
use crate::resources;

pub(super) const ABOUT: About = About {
    name: "get_manifest",
    title: "Read what this server is",
    description: "Returns what this server is, whom it speaks for, which tools it has, what the \
        résumé holds and how to reach the person, as far as that is published. It also lists the \
        resources and prompts. Start here when you do not know the person, or to make contact.",
};

/// The answer of `get_manifest`.
#[derive(Debug, Serialize, JsonSchema)]
pub(super) struct Manifest {
    /// This server.
    server: ServerFacts,
    /// The person it speaks for.
    person: Person,
    /// How to reach the person.
    contact: Contact,
    /// What can be asked.
    tools: Vec<ToolFacts>,
    /// What can be read or attached; most are templates.
    resources: Vec<ResourceFacts>,
    /// What a conversation can begin with.
    prompts: Vec<PromptFacts>,
    /// What the answers are made of.
    content: ContentFacts,
}

/// This server.
#[derive(Debug, Serialize, JsonSchema)]
struct ServerFacts {
    /// Its name.
    name: String,
    /// Its version.
    version: String,
    /// What it is.
    description: String,
    /// Where it takes POST requests, if that is configured.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schemars(with = "String")]
    endpoint: Option<String>,
}

/// The person the server speaks for.
#[derive(Debug, Serialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
struct Person {
    /// Full name.
    name: String,
    /// Profession.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schemars(with = "String")]
    label: Option<String>,
    /// Home page.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schemars(with = "String")]
    url: Option<String>,
    /// City.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schemars(with = "String")]
    city: Option<String>,
    /// State, province or other region.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schemars(with = "String")]
    region: Option<String>,
    /// Country, as an ISO 3166-1 alpha-2 code.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schemars(with = "String")]
    country_code: Option<String>,
}

/// How to reach the person, as far as that is published.
#[derive(Debug, Serialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
struct Contact {
    /// The ways there are; empty if none is published.
    ways: Vec<Way>,
    /// The way that the person prefers.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schemars(with = "String")]
    preferred: Option<String>,
    /// When to expect an answer.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schemars(with = "String")]
    response_time: Option<String>,
    /// What the person asks of a message.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schemars(with = "String")]
    note: Option<String>,
    /// Accounts on networks.
    profiles: Vec<Profile>,
    /// What else the person says about it.
    #[serde(skip_serializing_if = "Map::is_empty")]
    more: Map<String, Value>,
}

/// One way to reach the person.
#[derive(Debug, Serialize, JsonSchema)]
struct Way {
    /// What kind of way it is.
    kind: WayKind,
    /// The URL, address or number.
    value: String,
}

/// A kind of way to reach the person.
#[derive(Debug, Serialize, JsonSchema)]
#[serde(rename_all = "lowercase")]
enum WayKind {
    /// A page with a form or instructions.
    Page,
    /// An e-mail address.
    Email,
    /// A phone number.
    Phone,
}

/// What the answers are made of.
#[derive(Debug, Serialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
struct ContentFacts {
    /// The format of the résumé.
    format: String,
    /// The sections that the résumé has, with the number of entries.
    sections: Vec<SectionFacts>,
    /// When the résumé was last changed.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schemars(with = "String")]
    last_modified: Option<String>,
    /// Kinds of contact data that the person has but does not publish: asking again does not help.
    withheld: Vec<String>,
}

/// A section of the résumé.
#[derive(Debug, Serialize, JsonSchema)]
struct SectionFacts {
    /// Its name, as `get_resume` takes it.
    name: String,
    /// How many entries it has.
    entries: usize,
}

/// Gathers it.
pub(super) fn manifest(content: &Content, public_url: Option<&str>) -> Manifest {
    let basics = content.resume.basics.clone().unwrap_or_default();
    Manifest {
        server: ServerFacts {
            name: crate::serve::SERVER_NAME.to_owned(),
            version: env!("CARGO_PKG_VERSION").to_owned(),
            description: crate::serve::description(content),
            endpoint: public_url.map(|url| format!("{url}/mcp")),
        },
        contact: contact(content, &basics),
        person: person(content, basics),
        tools: TOOLS.iter().map(ToolFacts::of).collect(),
        resources: resources::offers().map(ResourceFacts::of).collect(),
        prompts: PROMPTS.iter().map(PromptFacts::of).collect(),
        content: ContentFacts {
            format: "JSON Resume 1.0.0".to_owned(),
            sections: sections(&content.resume),
            last_modified: content
                .resume
                .meta
                .as_ref()
                .and_then(|meta| meta.last_modified.clone()),
            withheld: content
                .withheld
                .iter()
                .map(|kind| (*kind).to_owned())
                .collect(),
        },
    }
}

fn person(content: &Content, basics: Basics) -> Person {
    let location = basics.location.unwrap_or_default();
    Person {
        name: content.person(),
        label: basics.label,
        url: basics.url,
        city: location.city,
        region: location.region,
        country_code: location.country_code,
    }
}

fn contact(content: &Content, basics: &Basics) -> Contact {
    let words = content.profile.contact.clone();
    let ways = [
        (WayKind::Page, words.url),
        (WayKind::Email, basics.email.clone()),
        (WayKind::Phone, basics.phone.clone()),
    ];
    Contact {
        ways: ways
            .into_iter()
            .filter_map(|(kind, value)| {
                Some(Way {
                    kind,
                    value: value?,
                })
            })
            .collect(),
        preferred: words.preferred,
        response_time: words.response_time,
        note: words.note,
        profiles: basics.profiles.clone().unwrap_or_default(),
        more: words.extra,
    }
}

/// Lists the sections that have entries. `meta` is about the document: `lastModified` has what
/// matters of it.
fn sections(resume: &Resume) -> Vec<SectionFacts> {
    let sections = Section::ALL.into_iter().filter_map(|section| {
        let entries = section.entries(resume);
        (section != Section::Meta && entries > 0).then(|| SectionFacts {
            name: section.name().to_owned(),
            entries,
        })
    });
    sections.collect()
}

/// Answers the tool.
pub(super) async fn get_manifest(
    State(portfolio): State<Arc<Portfolio>>,
) -> Json<Prepared<Manifest>> {
    Json(portfolio.answers.manifest.clone())
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;
    use crate::content::content_of;

    fn resume() -> Value {
        json!({
            "basics": {
                "name": "A", "label": "L", "email": "a@example.com", "phone": "+1 202-555-0142",
                "location": {"city": "C", "address": "1 Quay"},
                "profiles": [{"network": "n", "username": "u"}]
            },
            "work": [{"name": "W"}], "volunteer": [], "meta": {"lastModified": "2026-01-01"}
        })
    }

    fn answer(profile: &str, public_url: Option<&str>) -> Value {
        serde_json::to_value(manifest(&content_of(&resume(), profile), public_url)).unwrap()
    }

    #[test]
    fn it_says_whom_it_speaks_for_and_what_is_kept_back() {
        let profile = "[contact]\nurl = \"https://a.example/c\"\nnote = \"n\"\npgp = \"k\"";
        let manifest = answer(profile, Some("https://mcp.example.com"));
        assert_eq!(
            manifest["person"],
            json!({"name": "A", "label": "L", "city": "C"})
        );
        assert_eq!(
            manifest["server"]["endpoint"],
            "https://mcp.example.com/mcp"
        );
        assert_eq!(
            manifest["contact"],
            json!({
                "ways": [{"kind": "page", "value": "https://a.example/c"}], "note": "n",
                "profiles": [{"network": "n", "username": "u"}], "more": {"pgp": "k"}
            })
        );
        assert_eq!(
            manifest["content"],
            json!({
                "format": "JSON Resume 1.0.0", "lastModified": "2026-01-01",
                "sections": [{"name": "basics", "entries": 1}, {"name": "work", "entries": 1}],
                "withheld": ["address", "email", "phone"]
            })
        );
        let names: Vec<_> = TOOLS.iter().map(|about| about.name).collect();
        let listed: Vec<_> = manifest["tools"]
            .as_array()
            .unwrap()
            .iter()
            .map(|t| &t["name"])
            .collect();
        assert_eq!(listed, names);
    }

    #[test]
    fn published_contact_data_becomes_ways_to_reach_the_person() {
        let manifest = answer(
            "[publish]\nemail = true\nphone = true\naddress = true",
            None,
        );
        assert_eq!(
            manifest["contact"]["ways"],
            json!([
                {"kind": "email", "value": "a@example.com"},
                {"kind": "phone", "value": "+1 202-555-0142"}
            ])
        );
        assert_eq!(manifest["content"]["withheld"], json!([]));
        assert_eq!(manifest["server"].get("endpoint"), None);
    }
}
