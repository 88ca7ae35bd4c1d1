//! `get_resume`: the whole résumé, or one of its sections.

use lambda_mcp::server::Tool;
use lambda_mcp::{Args, Json};
use schemars::JsonSchema;
use serde::Deserialize;

use super::prepared::Prepared;
use super::read_only::read_only;
use crate::about::About;
use crate::content::resume::Resume;
use crate::content::{Content, Section};

pub(super) const ABOUT: About = About {
    name: "get_resume",
    title: "Read the résumé",
    description: "Returns the person's résumé in the JSON Resume format (schema 1.0.0): work \
        history, education, publications and every other published section. Use it for facts \
        about the person's career and background. Set `section` to read one section. Omit it to \
        read the whole résumé. For projects only, get_projects is shorter; for skills only, \
        get_capabilities is shorter.",
};

/// Arguments of `get_resume`.
#[derive(Debug, Deserialize, JsonSchema)]
struct GetResume {
    /// The section to return. Defaults to the whole résumé.
    section: Option<Section>,
}

/// The answers: the whole résumé, and each section.
#[derive(Debug)]
struct Answers {
    whole: Prepared<Resume>,
    parts: Vec<(Section, Prepared<Resume>)>,
}

impl Answers {
    fn new(resume: &Resume) -> Result<Self, serde_json::Error> {
        let part = |section: Section| Ok((section, Prepared::new(&section.cut_from(resume))?));
        Ok(Self {
            whole: Prepared::new(resume)?,
            parts: Section::ALL
                .into_iter()
                .map(part)
                .collect::<Result<_, serde_json::Error>>()?,
        })
    }

    fn get(&self, section: Option<Section>) -> &Prepared<Resume> {
        self.parts
            .iter()
            .find(|(known, _)| Some(*known) == section)
            .map_or(&self.whole, |(_, part)| part)
    }
}

/// Builds the tool.
///
/// # Errors
///
/// An answer cannot be serialized.
pub(super) fn tool(content: &Content) -> Result<Tool<()>, serde_json::Error> {
    let answers = Answers::new(&content.resume)?;
    let handler = move |Args(GetResume { section }): Args<GetResume>| {
        let answer = answers.get(section).clone();
        async move { Json(answer) }
    };
    Ok(read_only(ABOUT, handler))
}

#[cfg(test)]
mod tests {
    use serde_json::{Value, json};

    use super::*;
    use crate::content::content_of;

    fn answer(sections: &Answers, section: Option<Section>) -> Value {
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
        let sections = Answers::new(&content.resume).unwrap();
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
