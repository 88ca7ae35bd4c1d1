//! `get_capabilities`: what the person can do and be hired for.

use std::sync::Arc;

use lambda_mcp::handler::Stored;
use lambda_mcp::server::Tool;
use schemars::JsonSchema;
use serde::Serialize;
use serde_json::{Map, Value};

use super::prepared;
use super::read_only::{InLanguage, read_only};
use crate::about::About;
use crate::arguments::Listed;
use crate::content::resume::{Certificate, Language, Skill};
use crate::content::{ByLanguage, Content, Localized};

pub(super) const ABOUT: About = About {
    name: "get_capabilities",
    title: "Read skills and services",
    description: "Returns what the person can be hired for, what the person declines, skills with \
        keywords and levels, spoken languages and certificates. Use it to decide whether the \
        person fits a task, a role or a technology. Use check_availability to find out whether \
        the person has time.",
};

/// The answer of `get_capabilities`.
#[derive(Debug, Serialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
struct Capabilities {
    /// The person's name.
    person: String,
    /// Language of the texts, as a BCP 47 tag. Absent if the person does not name it.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schemars(with = "String")]
    language: Option<String>,
    /// What the person does, in one or two sentences.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schemars(with = "String")]
    summary: Option<String>,
    /// What the person can be hired for. Empty if not specified.
    hire_for: Vec<String>,
    /// What the person declines. Empty if not specified.
    not_for: Vec<String>,
    /// Skills, each with its keywords.
    skills: Vec<Skill>,
    /// Spoken languages.
    languages: Vec<Language>,
    /// Certificates.
    certificates: Vec<Certificate>,
    /// Further details in the person's own keys.
    #[serde(skip_serializing_if = "Map::is_empty")]
    more: Map<String, Value>,
}

/// Reads the answer from the résumé and the profile.
fn capabilities(content: &Content) -> Capabilities {
    let words = content.profile.capabilities.clone();
    let resume = content.resume.clone();
    Capabilities {
        person: content.person(),
        language: content.language.clone(),
        summary: words.summary,
        hire_for: words.hire_for,
        not_for: words.not_for,
        skills: resume.skills.unwrap_or_default(),
        languages: resume.languages.unwrap_or_default(),
        certificates: resume.certificates.unwrap_or_default(),
        more: words.extra,
    }
}

/// Builds the tool.
pub(super) fn tool(content: &Arc<Localized>) -> Tool<()> {
    let answers = ByLanguage::new(content, |content| Stored::new(&capabilities(content)));
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

    #[test]
    fn wording_comes_from_the_profile_and_skills_from_the_resume() {
        let content = content_of(
            &json!({
                "basics": {"name": "A"},
                "skills": [{"name": "S", "keywords": ["k"], "years": 4}],
                "languages": [{"language": "L"}],
            }),
            "[capabilities]\nsummary = \"s\"\nhire_for = [\"h\"]\nhireFor = \"own word\"",
        );
        assert_eq!(
            serde_json::to_value(capabilities(&content)).unwrap(),
            json!({
                "person": "A", "summary": "s", "hireFor": ["h"], "notFor": [],
                "skills": [{"name": "S", "keywords": ["k"], "years": 4}],
                "languages": [{"language": "L"}], "certificates": [],
                "more": {"hireFor": "own word"}
            })
        );
    }
}
