//! `get_resume`: the whole résumé, or one of its sections.

use std::sync::Arc;

use lambda_mcp::{Args, Json, State};
use schemars::JsonSchema;
use serde::Deserialize;

use super::prepared::Prepared;
use crate::about::About;
use crate::content::resume::Resume;
use crate::portfolio::Portfolio;

pub(super) const ABOUT: About = About {
    name: "get_resume",
    title: "Read the résumé",
    description: "Returns the person's résumé in the JSON Resume format (schema 1.0.0): work \
        history, education, publications and everything else the person has written down. Use it \
        for facts about career and background. Pass `section` to read one part only; leave it out \
        for the whole document. For projects alone get_projects is shorter, for skills \
        get_capabilities.",
};

/// Arguments of `get_resume`.
#[derive(Debug, Deserialize, JsonSchema)]
pub(super) struct GetResume {
    /// The section to return; the whole document if it is left out.
    section: Option<Section>,
}

/// A section of a JSON Resume.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Deserialize, JsonSchema)]
#[serde(rename_all = "lowercase")]
pub(crate) enum Section {
    Basics,
    Work,
    Volunteer,
    Education,
    Awards,
    Certificates,
    Publications,
    Skills,
    Languages,
    Interests,
    References,
    Projects,
    Meta,
}

impl Section {
    /// All of them, in the schema's order.
    pub(crate) const ALL: [Self; 13] = [
        Self::Basics,
        Self::Work,
        Self::Volunteer,
        Self::Education,
        Self::Awards,
        Self::Certificates,
        Self::Publications,
        Self::Skills,
        Self::Languages,
        Self::Interests,
        Self::References,
        Self::Projects,
        Self::Meta,
    ];

    /// Its name in the document.
    pub(crate) const fn name(self) -> &'static str {
        match self {
            Self::Basics => "basics",
            Self::Work => "work",
            Self::Volunteer => "volunteer",
            Self::Education => "education",
            Self::Awards => "awards",
            Self::Certificates => "certificates",
            Self::Publications => "publications",
            Self::Skills => "skills",
            Self::Languages => "languages",
            Self::Interests => "interests",
            Self::References => "references",
            Self::Projects => "projects",
            Self::Meta => "meta",
        }
    }

    /// The document reduced to this section, which is there, if empty, whether the person has
    /// written it or not.
    pub(crate) fn of(self, resume: &Resume) -> Resume {
        let whole = resume.clone();
        let mut part = Resume::default();
        match self {
            Self::Basics => part.basics = Some(whole.basics.unwrap_or_default()),
            Self::Work => part.work = Some(whole.work.unwrap_or_default()),
            Self::Volunteer => part.volunteer = Some(whole.volunteer.unwrap_or_default()),
            Self::Education => part.education = Some(whole.education.unwrap_or_default()),
            Self::Awards => part.awards = Some(whole.awards.unwrap_or_default()),
            Self::Certificates => part.certificates = Some(whole.certificates.unwrap_or_default()),
            Self::Publications => part.publications = Some(whole.publications.unwrap_or_default()),
            Self::Skills => part.skills = Some(whole.skills.unwrap_or_default()),
            Self::Languages => part.languages = Some(whole.languages.unwrap_or_default()),
            Self::Interests => part.interests = Some(whole.interests.unwrap_or_default()),
            Self::References => part.references = Some(whole.references.unwrap_or_default()),
            Self::Projects => part.projects = Some(whole.projects.unwrap_or_default()),
            Self::Meta => part.meta = Some(whole.meta.unwrap_or_default()),
        }
        part
    }
}

/// The résumé, whole and by section.
#[derive(Debug)]
pub(super) struct Sections {
    whole: Prepared<Resume>,
    parts: Vec<(Section, Prepared<Resume>)>,
}

impl Sections {
    /// Writes them.
    pub(super) fn new(resume: &Resume) -> Result<Self, serde_json::Error> {
        let part = |section: Section| Ok((section, Prepared::new(&section.of(resume))?));
        Ok(Self {
            whole: Prepared::new(resume)?,
            parts: Section::ALL
                .into_iter()
                .map(part)
                .collect::<Result<_, serde_json::Error>>()?,
        })
    }

    /// All of them, the whole document first.
    #[cfg(test)]
    pub(super) fn all(&self) -> impl Iterator<Item = &Prepared<Resume>> {
        std::iter::once(&self.whole).chain(self.parts.iter().map(|(_, part)| part))
    }

    fn get(&self, section: Option<Section>) -> &Prepared<Resume> {
        self.parts
            .iter()
            .find(|(known, _)| Some(*known) == section)
            .map_or(&self.whole, |(_, part)| part)
    }
}

/// Answers the tool.
pub(super) async fn get_resume(
    State(portfolio): State<Arc<Portfolio>>,
    Args(GetResume { section }): Args<GetResume>,
) -> Json<Prepared<Resume>> {
    Json(portfolio.answers.resume.get(section).clone())
}

#[cfg(test)]
mod tests {
    use serde_json::{Value, json};

    use super::*;
    use crate::tools::content_of;

    fn answer(sections: &Sections, section: Option<Section>) -> Value {
        serde_json::to_value(sections.get(section)).unwrap()
    }

    #[test]
    fn the_whole_document_and_each_section_alone() {
        let document = json!({
            "basics": {"name": "A", "pronouns": "they"},
            "work": [{"name": "W", "technologies": ["Rust"]}],
            "custom": {"x": 1}
        });
        let content = content_of(&document, "");
        let sections = Sections::new(&content.resume).unwrap();
        assert_eq!(answer(&sections, None), document);
        for section in Section::ALL {
            let name = section.name();
            let unwritten = if section == Section::Meta {
                json!({})
            } else {
                json!([])
            };
            let expected = document.get(name).cloned().unwrap_or(unwritten);
            assert_eq!(answer(&sections, Some(section)), json!({ name: expected }));
        }
    }

    #[test]
    fn every_section_of_the_schema_can_be_asked_for() {
        let schema = schemars::schema_for!(Section).to_value();
        let names = schema["enum"].as_array().unwrap();
        let expected: Vec<_> = crate::content::sections()
            .filter(|name| *name != "$schema")
            .map(Value::from)
            .collect();
        assert_eq!(names, &expected);
        let named: Vec<_> = Section::ALL.map(Section::name).map(Value::from).to_vec();
        assert_eq!(names, &named);
    }
}
