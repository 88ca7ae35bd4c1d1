//! `get_resume`: the whole résumé, or one of its sections.
//!
//! An answer is not longer than clients accept: in place of a longer résumé there is an overview
//! that names the sections, and a longer section has pages.

use std::sync::Arc;

use lambda_mcp::handler::Stored;
use lambda_mcp::server::Tool;
use lambda_mcp::{Args, ToolError};
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use super::pages::{Page, Pages};
use super::read_only::read_only;
use crate::about::About;
use crate::arguments::Listed;
use crate::content::resume::Resume;
use crate::content::tokens::{self, BUDGET, PAGE};
use crate::content::{ByLanguage, Localized, Section};
use crate::view;

pub(super) const ABOUT: About = About {
    name: "get_resume",
    title: "Read the résumé",
    description: "Returns the person's résumé in the JSON Resume format (schema 1.0.0): work \
        history, education, publications and every other published section. Use it for facts \
        about the person's career and background. Set `section` to read one section. Omit it to \
        read the whole résumé. For projects only, get_projects is shorter; for skills only, \
        get_capabilities is shorter.",
};

/// Members of the answer that are not of the résumé. Sections with these names, which JSON Resume
/// does not define, are in the resources alone.
const RESERVED: [&str; 2] = ["overview", "page"];

/// Arguments of `get_resume`.
#[derive(Debug, Deserialize, JsonSchema)]
struct GetResume {
    /// The section to return. Defaults to the whole résumé.
    section: Option<Section>,
    /// Page of a section that has several pages. Defaults to 1.
    #[schemars(range(min = 1))]
    page: Option<usize>,
    /// Language of the texts.
    language: Option<String>,
}

/// A JSON Resume (schema 1.0.0). Contact data that the owner does not publish is left out.
#[derive(Debug, Serialize, JsonSchema)]
struct Answer {
    /// Which sections there are and how to read them. Present if the whole résumé is longer than
    /// many clients accept; the sections are then left out.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schemars(with = "Overview")]
    overview: Option<Overview>,
    /// The page, if the section has several.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schemars(with = "Page")]
    page: Option<Page>,
    #[serde(flatten)]
    resume: Resume,
}

/// Which sections there are and how to read them.
#[derive(Debug, Serialize, JsonSchema)]
struct Overview {
    /// How to read the sections.
    note: String,
    /// The sections that have entries.
    sections: Vec<SectionSize>,
}

/// A section and its size.
#[derive(Debug, Serialize, JsonSchema)]
struct SectionSize {
    /// Name, as `get_resume` takes it in `section`.
    name: String,
    /// Number of entries.
    entries: usize,
    /// Estimated size in tokens.
    tokens: usize,
    /// Number of pages.
    pages: usize,
}

/// The answers: the whole résumé, and the pages of each section.
#[derive(Debug)]
struct Answers {
    whole: Stored<Answer>,
    sections: Vec<(Section, Pages<Answer>)>,
}

impl Answers {
    fn new(resume: &Resume) -> Result<Self, serde_json::Error> {
        let mut resume = resume.clone();
        for name in RESERVED {
            resume.extra.shift_remove(name);
        }
        let resume = &resume;
        let mut sections = Vec::with_capacity(Section::ALL.len());
        let mut sizes = Vec::new();
        for section in Section::ALL {
            let document = serde_json::to_value(section.cut_from(resume))?;
            let (entries, size) = (
                section.entries(resume),
                tokens::estimate(&document.to_string()),
            );
            let pages = Pages::new(&document, section.name())?;
            if entries > 0 && !matches!(section, Section::Basics | Section::Meta) {
                sizes.push(SectionSize {
                    name: section.name().to_owned(),
                    entries,
                    tokens: size,
                    pages: pages.len(),
                });
            }
            sections.push((section, pages));
        }
        let tokens = size(resume)?;
        let whole = if tokens > BUDGET {
            Stored::new(&overview(resume, tokens, sizes)?)?
        } else {
            Stored::of(resume)?
        };
        Ok(Self { whole, sections })
    }

    fn get(
        &self,
        section: Option<Section>,
        page: Option<usize>,
    ) -> Result<&Stored<Answer>, ToolError> {
        let pages = self
            .sections
            .iter()
            .find(|(known, _)| Some(*known) == section);
        match pages {
            Some((_, pages)) => pages.get(page),
            None => Ok(&self.whole),
        }
    }
}

/// Returns the size of the whole résumé in tokens.
fn size(resume: &Resume) -> Result<usize, serde_json::Error> {
    Ok(tokens::estimate(&serde_json::to_string(resume)?))
}

/// What is answered in place of a résumé that is too long: who the person is, and the sections.
fn overview(
    resume: &Resume,
    tokens: usize,
    sections: Vec<SectionSize>,
) -> Result<Answer, serde_json::Error> {
    let mut note = format!(
        "The whole résumé takes about {tokens} tokens, more than many clients accept. Read it by \
         section: call get_resume with `section` set to one of the names below."
    );
    if sections.iter().any(|section| section.pages > 1) {
        note.push_str(" For a section with several pages, set `page` as well.");
    }
    let mut short = Resume {
        basics: resume.basics.clone(),
        meta: resume.meta.clone(),
        extra: resume.extra.clone(),
        ..Resume::default()
    };
    if !short.extra.is_empty() && size(&short)? > PAGE {
        let names: Vec<String> = short.extra.keys().map(|name| format!("`{name}`")).collect();
        note.push_str(&format!(
            " What JSON Resume does not define ({}) is only in the resource resume://json.",
            names.join(", ")
        ));
        short.extra.clear();
    }
    Ok(Answer {
        overview: Some(Overview { note, sections }),
        page: None,
        resume: short,
    })
}

/// Returns whether a section may have several pages in any language.
fn has_pages(content: &Localized) -> Result<bool, serde_json::Error> {
    for content in content.contents() {
        if size(&content.resume)? > PAGE {
            return Ok(true);
        }
    }
    Ok(false)
}

/// Builds the tool.
pub(super) fn tool(content: &Arc<Localized>) -> Tool<()> {
    let answers = ByLanguage::new(content, |content| Answers::new(&content.resume));
    let handler = move |Args(arguments): Args<GetResume>| {
        let answer = answer(&answers, &arguments);
        async move { answer }
    };
    let content = Arc::clone(content);
    // A résumé that cannot be serialized has no pages.
    let listed = move || Listed::of(&content).pages(has_pages(&content).unwrap_or_default());
    read_only::<GetResume, _, _>(ABOUT, listed, handler).view(view::URI)
}

fn answer(
    answers: &ByLanguage<Answers>,
    arguments: &GetResume,
) -> Result<Stored<Answer>, ToolError> {
    let answers = answers.get(arguments.language.as_deref())?;
    let answer = answers.get(arguments.section, arguments.page)?;
    Ok(answer.clone())
}

#[cfg(test)]
mod tests {
    use serde_json::{Value, json};

    use super::*;
    use crate::content::content_of;

    fn read(answers: &Answers, section: Option<Section>, page: Option<usize>) -> Value {
        serde_json::to_value(answers.get(section, page).unwrap()).unwrap()
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
        assert_eq!(read(&sections, None, None), document);
        for section in Section::ALL {
            let name = section.name();
            let unwritten = if section == Section::Meta {
                json!({})
            } else {
                json!([])
            };
            let expected = document.get(name).cloned().unwrap_or(unwritten);
            assert_eq!(
                read(&sections, Some(section), None),
                json!({ name: expected })
            );
        }
    }

    /// A résumé of `jobs` jobs of about 1,000 tokens each.
    fn long(jobs: usize) -> Resume {
        let work: Vec<Value> = (0..jobs)
            .map(|n| json!({"name": format!("W{n}"), "summary": "seven..".repeat(490)}))
            .collect();
        let document = json!({
            "basics": {"name": "A"}, "work": work, "skills": [{"name": "S"}],
            "patents": ["x"], "overview": "y"
        });
        let profile = "[publish]\nalso = [\"patents\", \"overview\"]";
        content_of(&document, profile).resume
    }

    #[test]
    fn a_resume_that_is_too_long_is_an_overview_and_its_sections_have_pages() {
        let answers = Answers::new(&long(50)).unwrap();
        let whole = read(&answers, None, None);
        assert!(tokens::estimate(&whole.to_string()) < 1000, "{whole}");
        assert_eq!(whole["basics"], json!({"name": "A"}));
        assert_eq!(whole["patents"], json!(["x"]));
        assert_eq!(whole.get("work"), None);
        let sections = whole["overview"]["sections"].as_array().unwrap();
        let named: Vec<_> = sections.iter().map(|section| &section["name"]).collect();
        assert_eq!(named, ["work", "skills"]);
        assert_eq!(
            (&sections[0]["entries"], &sections[0]["pages"]),
            (&json!(50), &json!(3))
        );
        let note = whole["overview"]["note"].as_str().unwrap();
        assert!(
            note.contains("`section`") && note.contains("`page`"),
            "{note}"
        );

        let pages: Vec<Value> = (1..=3)
            .map(|page| read(&answers, Some(Section::Work), Some(page)))
            .collect();
        assert_eq!(read(&answers, Some(Section::Work), None), pages[0]);
        let mut names = Vec::new();
        for (index, page) in pages.iter().enumerate() {
            assert!(tokens::estimate(&page.to_string()) <= PAGE + 100);
            assert_eq!(page["page"]["number"], index + 1);
            assert_eq!(page["page"]["of"], 3);
            let jobs = page["work"].as_array().unwrap();
            names.extend(
                jobs.iter()
                    .map(|job| job["name"].as_str().unwrap().to_owned()),
            );
        }
        let expected: Vec<String> = (0..50).map(|n| format!("W{n}")).collect();
        assert_eq!(names, expected);
        let error = answers.get(Some(Section::Work), Some(4)).unwrap_err();
        assert_eq!(error.to_string(), "`page` must be 1 to 3; got 4.");
        let error = answers.get(Some(Section::Skills), Some(2)).unwrap_err();
        assert_eq!(
            error.to_string(),
            "`page` must be 1: there is one page; got 2."
        );
    }

    #[test]
    fn a_resume_within_the_budget_is_whole() {
        let resume = long(20);
        assert!(size(&resume).unwrap() < BUDGET);
        let answers = Answers::new(&resume).unwrap();
        let mut expected = serde_json::to_value(&resume).unwrap();
        expected.as_object_mut().unwrap().shift_remove("overview");
        assert_eq!(read(&answers, None, None), expected);
    }
}
