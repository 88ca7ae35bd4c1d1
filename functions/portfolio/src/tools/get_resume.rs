//! `get_resume`: the whole résumé, or one of its sections.

use std::sync::Arc;

use lambda_mcp::{Args, Json, State};
use schemars::JsonSchema;
use serde::Deserialize;

use super::prepared::Prepared;
use crate::about::About;
use crate::content::Section;
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

/// The résumé, whole and by section.
#[derive(Debug)]
pub(super) struct Sections {
    whole: Prepared<Resume>,
    parts: Vec<(Section, Prepared<Resume>)>,
}

impl Sections {
    /// Writes them.
    pub(super) fn new(resume: &Resume) -> Result<Self, serde_json::Error> {
        let part = |section: Section| Ok((section, Prepared::new(&section.cut_from(resume))?));
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
    use crate::content::content_of;

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
        let publish = "[publish]\nalso = [\"basics.pronouns\", \"custom\"]";
        let content = content_of(&document, publish);
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
}
