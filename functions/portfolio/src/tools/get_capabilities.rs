//! `get_capabilities`: what the person can do and be hired for.

use std::sync::Arc;

use lambda_mcp::{Json, State};
use schemars::JsonSchema;
use serde::Serialize;
use serde_json::{Map, Value};

use super::prepared::Prepared;
use crate::about::About;
use crate::content::Content;
use crate::content::resume::{Certificate, Language, Skill};
use crate::portfolio::Portfolio;

pub(super) const ABOUT: About = About {
    name: "get_capabilities",
    title: "Read what the person can be hired for",
    description: "Returns what the person can be hired for and what not, skills with their \
        keywords and levels, spoken languages and certificates. Use it to decide whether the \
        person fits a task, a role or a technology. Whether the person has time is the answer of \
        check_availability.",
};

/// The answer of `get_capabilities`.
#[derive(Debug, Serialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
pub(super) struct Capabilities {
    /// The person's name.
    person: String,
    /// What the person does, in a sentence or two.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schemars(with = "String")]
    summary: Option<String>,
    /// What the person can be hired for, in the person's words; empty if nothing is written down.
    hire_for: Vec<String>,
    /// What the person does not take on.
    not_for: Vec<String>,
    /// Skills, each with its keywords.
    skills: Vec<Skill>,
    /// Spoken languages.
    languages: Vec<Language>,
    /// Certificates.
    certificates: Vec<Certificate>,
    /// What else the person says about it.
    #[serde(skip_serializing_if = "Map::is_empty")]
    more: Map<String, Value>,
}

/// Gathers them from résumé and profile.
pub(super) fn capabilities(content: &Content) -> Capabilities {
    let words = content.profile.capabilities.clone();
    let resume = content.resume.clone();
    Capabilities {
        person: content.person(),
        summary: words.summary,
        hire_for: words.hire_for,
        not_for: words.not_for,
        skills: resume.skills.unwrap_or_default(),
        languages: resume.languages.unwrap_or_default(),
        certificates: resume.certificates.unwrap_or_default(),
        more: words.extra,
    }
}

/// Answers the tool.
pub(super) async fn get_capabilities(
    State(portfolio): State<Arc<Portfolio>>,
) -> Json<Prepared<Capabilities>> {
    Json(portfolio.answers.capabilities.clone())
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
