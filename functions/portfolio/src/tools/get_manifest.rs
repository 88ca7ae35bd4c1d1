//! `get_manifest`: what this server is, whom it represents, what it offers, how to reach the
//! person.

use std::sync::Arc;

use lambda_mcp::handler::Stored;
use lambda_mcp::server::Tool;
use schemars::JsonSchema;
use serde::Serialize;
use serde_json::{Map, Value};

use super::manifest_entries::{PromptEntry, ResourceEntry, ToolEntry};
use super::prepared;
use super::read_only::{InLanguage, read_only};
use crate::about::{About, SERVER_NAME, SERVER_VERSION, server_description};
use crate::arguments::Listed;
use crate::content::resume::{Basics, Profile, Resume};
use crate::content::{ByLanguage, Content, Localized, Section};
use crate::offers::Offers;

pub(super) const ABOUT: About = About {
    name: "get_manifest",
    title: "Read about this server",
    description: "Describes this server: the person it represents, the published ways to reach \
        the person, the sections of the résumé, and the tools, resources and prompts that the \
        server offers. Call it first if you know nothing about the person, or to find out how to \
        reach the person.",
};

/// The answer of `get_manifest`.
#[derive(Debug, Serialize, JsonSchema)]
struct Manifest {
    /// This server.
    server: ServerFacts,
    /// Language of the texts, as a BCP 47 tag. Absent if the person does not name it.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schemars(with = "String")]
    language: Option<String>,
    /// The person whom the server represents.
    person: Person,
    /// How to reach the person.
    contact: Contact,
    /// The tools.
    tools: Vec<ToolEntry>,
    /// The resources and URI templates that can be read or attached.
    resources: Vec<ResourceEntry>,
    /// The prompts.
    prompts: Vec<PromptEntry>,
    /// The content of the résumé.
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
    /// URL that takes POST requests. Absent if it is not configured.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schemars(with = "String")]
    endpoint: Option<String>,
}

/// The person whom the server represents.
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

/// How to reach the person. Only published contact details are listed.
#[derive(Debug, Serialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
struct Contact {
    /// The published ways to reach the person. Empty if none is published.
    ways: Vec<Way>,
    /// Which way the person prefers.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schemars(with = "String")]
    preferred: Option<String>,
    /// How soon the person usually answers.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schemars(with = "String")]
    response_time: Option<String>,
    /// What a message to the person should contain.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schemars(with = "String")]
    note: Option<String>,
    /// Accounts on social and professional networks.
    profiles: Vec<Profile>,
    /// Further details in the person's own keys.
    #[serde(skip_serializing_if = "Map::is_empty")]
    more: Map<String, Value>,
}

/// One way to reach the person.
#[derive(Debug, Serialize, JsonSchema)]
struct Way {
    /// The kind of contact detail.
    kind: WayKind,
    /// The URL, address or number.
    value: String,
}

/// A kind of contact detail.
#[derive(Debug, Serialize, JsonSchema)]
#[serde(rename_all = "lowercase")]
enum WayKind {
    /// A web page with a form or instructions.
    Page,
    /// An e-mail address.
    Email,
    /// A phone number.
    Phone,
}

/// The content of the résumé.
#[derive(Debug, Serialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
struct ContentFacts {
    /// The format of the résumé.
    format: String,
    /// Languages in which the content is available, as BCP 47 tags, the default first. Empty if the
    /// person does not name the language.
    languages: Vec<String>,
    /// The sections that have entries.
    sections: Vec<SectionFacts>,
    /// When the résumé was last modified.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schemars(with = "String")]
    last_modified: Option<String>,
    /// Kinds of contact data that the person has but does not publish. No tool returns them.
    withheld: Vec<String>,
}

/// A section of the résumé.
#[derive(Debug, Serialize, JsonSchema)]
struct SectionFacts {
    /// Name, as `get_resume` takes it in `section`.
    name: String,
    /// Number of entries.
    entries: usize,
}

/// Builds the answer.
fn manifest(content: &Content, offers: &Offers, languages: &[String]) -> Manifest {
    let basics = content.resume.basics.clone().unwrap_or_default();
    Manifest {
        server: ServerFacts {
            name: SERVER_NAME.to_owned(),
            version: SERVER_VERSION.to_owned(),
            description: server_description(content),
            endpoint: offers.public_url.as_ref().map(|url| format!("{url}/mcp")),
        },
        language: content.language.clone(),
        contact: contact(content, &basics),
        person: person(content, basics),
        tools: offers.tools.iter().map(ToolEntry::of).collect(),
        resources: offers.resources.iter().map(ResourceEntry::of).collect(),
        prompts: offers.prompts.iter().map(PromptEntry::of).collect(),
        content: ContentFacts {
            format: "JSON Resume 1.0.0".to_owned(),
            languages: languages.to_vec(),
            sections: sections(&content.resume),
            last_modified: content
                .resume
                .meta
                .as_ref()
                .and_then(|meta| meta.last_modified.clone()),
            withheld: content
                .withheld
                .iter()
                .map(|kind| kind.key().to_owned())
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

/// Builds the tool.
pub(super) fn tool(content: &Arc<Localized>, offers: Offers) -> Tool<()> {
    let languages: Vec<String> = content.languages().map(str::to_owned).collect();
    let answers = ByLanguage::new(content, move |content| {
        Stored::new(&manifest(content, &offers, &languages))
    });
    read_only::<InLanguage, _, _>(
        ABOUT,
        Listed::in_language(content),
        prepared::handler(answers),
    )
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
        let offers = Offers {
            tools: vec![ABOUT],
            resources: Vec::new(),
            prompts: &[],
            public_url: public_url.map(str::to_owned),
        };
        let languages = ["en".to_owned()];
        serde_json::to_value(manifest(
            &content_of(&resume(), profile),
            &offers,
            &languages,
        ))
        .unwrap()
    }

    #[test]
    fn the_manifest_names_the_person_and_what_is_withheld() {
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
                "format": "JSON Resume 1.0.0", "languages": ["en"], "lastModified": "2026-01-01",
                "sections": [{"name": "basics", "entries": 1}, {"name": "work", "entries": 1}],
                "withheld": ["address", "email", "phone"]
            })
        );
        assert_eq!(manifest["tools"][0]["name"], "get_manifest");
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
