//! `get_resume`: the whole résumé, or one of its sections.
//!
//! An answer is not longer than clients accept: in place of a longer résumé there is an overview
//! that names the sections, and a longer section has pages.

use std::borrow::Cow;
use std::sync::{Arc, OnceLock};

use lambda_mcp::handler::Stored;
use lambda_mcp::server::Tool;
use lambda_mcp::{Args, ToolError};
use schemars::JsonSchema;
use serde::ser::Error as _;
use serde::{Deserialize, Serialize};

use super::pages::{Page, Pages};
use super::read_only::read_only;
use crate::about::About;
use crate::arguments::Listed;
use crate::content::resume::Resume;
use crate::content::tokens::{self, BUDGET, PAGE, Size};
use crate::content::{ByLanguage, Localized, Section, kept};
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

/// The answers of one résumé: the whole of it, and the pages of each section. Each is made on first need.
#[derive(Debug, Default)]
struct Answers {
    whole: OnceLock<Stored<Answer>>,
    sections: [OnceLock<SectionPages>; Section::ALL.len()],
}

/// The pages of a section.
#[derive(Debug)]
struct SectionPages {
    pages: Pages<Answer>,
    /// The size of all entries, without the commas between them.
    entries: Size,
}

impl SectionPages {
    fn new(section: Section, resume: &Resume) -> Result<Self, serde_json::Error> {
        let sizes = section.sizes(resume)?;
        Ok(Self {
            pages: Pages::new(&sizes),
            entries: sizes.iter().fold(Size::default(), |all, size| all + *size),
        })
    }
}

impl Answers {
    fn get(
        &self,
        resume: &Resume,
        section: Option<Section>,
        page: Option<usize>,
    ) -> Result<&Stored<Answer>, ToolError> {
        let Some(section) = section else {
            return Ok(kept(&self.whole, || self.whole(resume))?);
        };
        let SectionPages { pages, .. } = self.section(section, resume)?;
        pages.get(page, |entries, page| {
            Stored::new(&Answer {
                overview: None,
                page,
                resume: section.part_of(resume, entries),
            })
        })
    }

    fn section(
        &self,
        section: Section,
        resume: &Resume,
    ) -> Result<&SectionPages, serde_json::Error> {
        let mut known = Section::ALL.into_iter().zip(&self.sections);
        let found = known.find_map(|(known, cell)| (known == section).then_some(cell));
        let cell = found.ok_or_else(|| serde_json::Error::custom("a section has no place"))?;
        kept(cell, || SectionPages::new(section, resume))
    }

    /// The whole résumé, or its overview.
    fn whole(&self, resume: &Resume) -> Result<Stored<Answer>, serde_json::Error> {
        let mut resume = Cow::Borrowed(resume);
        for name in RESERVED {
            if resume.extra.contains_key(name) {
                resume.to_mut().extra.shift_remove(name);
            }
        }
        let resume: &Resume = &resume;
        if !tokens::exceeds(resume, BUDGET)? {
            return Stored::of(resume);
        }
        let mut size = Size::of_json(&Section::without_entries(resume))?;
        let mut sizes = Vec::new();
        for section in Section::ALL {
            let entries = section.entries(resume);
            let SectionPages {
                pages,
                entries: listed,
            } = self.section(section, resume)?;
            let listed = (1..entries).fold(*listed, |all, _| all + Size::COMMA);
            size = size + listed;
            if entries > 0 && !matches!(section, Section::Basics | Section::Meta) {
                let rest = Size::of_json(&section.part_of(resume, 0..0))?;
                sizes.push(SectionSize {
                    name: section.name().to_owned(),
                    entries,
                    tokens: (rest + listed).tokens(),
                    pages: pages.len(),
                });
            }
        }
        Stored::new(&overview(resume, size.tokens(), sizes)?)
    }
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
    if !short.extra.is_empty() && tokens::exceeds(&short, PAGE)? {
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
        if tokens::exceeds(&content.resume, PAGE)? {
            return Ok(true);
        }
    }
    Ok(false)
}

/// Builds the tool.
pub(super) fn tool(content: &Arc<Localized>) -> Tool<()> {
    let answers = ByLanguage::new(content, |_| Ok(Answers::default()));
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
    let (answers, content) = answers.with_content(arguments.language.as_deref())?;
    let answer = answers.get(&content.resume, arguments.section, arguments.page)?;
    Ok(answer.clone())
}

#[cfg(test)]
mod tests {
    use serde_json::{Value, json};

    use super::*;
    use crate::content::content_of;

    /// A résumé and its answers.
    struct Read(Resume, Answers);

    impl Read {
        fn new(resume: Resume) -> Self {
            Self(resume, Answers::default())
        }

        fn get(
            &self,
            section: Option<Section>,
            page: Option<usize>,
        ) -> Result<&Stored<Answer>, ToolError> {
            self.1.get(&self.0, section, page)
        }
    }

    fn read(answers: &Read, section: Option<Section>, page: Option<usize>) -> Value {
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
        let sections = Read::new(content.resume);
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
        let answers = Read::new(long(50));
        let whole = read(&answers, None, None);
        assert!(tokens::estimate(&whole.to_string()) < 1000, "{whole}");
        let mut resume = serde_json::to_value(&answers.0).unwrap();
        let work = json!({ "work": resume["work"] }).to_string();
        let tokens = tokens::estimate(&work);
        assert_eq!(whole["overview"]["sections"][0]["tokens"], tokens);
        resume.as_object_mut().unwrap().shift_remove("overview");
        let about = format!("about {} tokens", tokens::estimate(&resume.to_string()));
        let note = whole["overview"]["note"].as_str().unwrap();
        assert!(note.contains(&about), "{note}");
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
        assert!(!tokens::exceeds(&resume, BUDGET).unwrap());
        let answers = Read::new(resume.clone());
        let mut expected = serde_json::to_value(&resume).unwrap();
        expected.as_object_mut().unwrap().shift_remove("overview");
        assert_eq!(read(&answers, None, None), expected);
    }
}
