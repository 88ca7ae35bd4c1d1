//! The content as Markdown: fit to be read by a person, and by a model without further calls.
//!
//! Everything is made of [`Content`], which holds nothing private. Owners' texts are escaped
//! ([`text`]); a part that has nothing to say is left out.

mod block;
mod builder;
mod entries;
mod html;
mod inline;
mod profile;
mod prose;
mod text;

use serde_json::Map;

use crate::content::resume::{Meta, Project};
use crate::content::{Content, ListedProject};
use block::Block;
use builder::{Blocks, linked, some};

pub(crate) use text::{inline, one_line};

/// Returns a text of the owner as Markdown that is safe on a page of its own.
pub(crate) fn prose(text: &str) -> String {
    let mut out = String::new();
    block::write(&prose::blocks(text), 1, &mut out);
    out
}

/// A part of the document, which can also be read alone.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Part {
    Basics,
    Capabilities,
    Availability,
    Work,
    Projects,
    Volunteer,
    Education,
    Skills,
    Languages,
    Certificates,
    Awards,
    Publications,
    References,
    Interests,
    Contact,
}

impl Part {
    /// All of them, in the order of the document.
    pub(crate) const ALL: [Self; 15] = [
        Self::Basics,
        Self::Capabilities,
        Self::Availability,
        Self::Work,
        Self::Projects,
        Self::Volunteer,
        Self::Education,
        Self::Skills,
        Self::Languages,
        Self::Certificates,
        Self::Awards,
        Self::Publications,
        Self::References,
        Self::Interests,
        Self::Contact,
    ];

    /// Its name in a URI: for the sections of a JSON Resume, the schema's.
    pub(crate) const fn name(self) -> &'static str {
        match self {
            Self::Basics => "basics",
            Self::Capabilities => "capabilities",
            Self::Availability => "availability",
            Self::Work => "work",
            Self::Projects => "projects",
            Self::Volunteer => "volunteer",
            Self::Education => "education",
            Self::Skills => "skills",
            Self::Languages => "languages",
            Self::Certificates => "certificates",
            Self::Awards => "awards",
            Self::Publications => "publications",
            Self::References => "references",
            Self::Interests => "interests",
            Self::Contact => "contact",
        }
    }

    /// Its heading.
    pub(crate) const fn title(self) -> &'static str {
        match self {
            Self::Basics => "Person",
            Self::Capabilities => "What to hire for",
            Self::Availability => "Availability",
            Self::Work => "Work",
            Self::Projects => "Projects",
            Self::Volunteer => "Volunteering",
            Self::Education => "Education",
            Self::Skills => "Skills",
            Self::Languages => "Languages",
            Self::Certificates => "Certificates",
            Self::Awards => "Awards",
            Self::Publications => "Publications",
            Self::References => "References",
            Self::Interests => "Interests",
            Self::Contact => "Contact",
        }
    }

    /// Its blocks; none if there is nothing to say.
    fn blocks(self, content: &Content, projects: &[ListedProject<'_>]) -> Vec<Block> {
        let resume = &content.resume;
        match self {
            Self::Basics => profile::basics(content),
            Self::Capabilities => profile::capabilities(content),
            Self::Availability => profile::availability(content),
            Self::Work => entries::work(resume),
            Self::Projects => all_projects(projects),
            Self::Volunteer => entries::volunteer(resume),
            Self::Education => entries::education(resume),
            Self::Skills => entries::skills(resume.skills.as_deref()),
            Self::Languages => entries::languages(resume.languages.as_deref()),
            Self::Certificates => entries::certificates(resume),
            Self::Awards => entries::awards(resume),
            Self::Publications => entries::publications(resume),
            Self::References => entries::references(resume),
            Self::Interests => entries::interests(resume.interests.as_deref()),
            Self::Contact => profile::contact(content),
        }
    }
}

impl Part {
    /// Whether [`part`] writes something. It costs much less than to write it.
    pub(crate) fn is_written(self, content: &Content) -> bool {
        fn has<T>(list: Option<&Vec<T>>) -> bool {
            list.is_some_and(|list| !list.is_empty())
        }
        /// Whether any entry makes a line.
        fn has_line<T>(list: Option<&Vec<T>>, lines: fn(Option<&[T]>) -> Vec<Block>) -> bool {
            let mut entries = list.into_iter().flatten();
            entries.any(|entry| !lines(Some(std::slice::from_ref(entry))).is_empty())
        }
        let Content {
            resume, profile, ..
        } = content;
        match self {
            // Their entries have headings.
            Self::Work => has(resume.work.as_ref()),
            Self::Projects => has(resume.projects.as_ref()),
            Self::Volunteer => has(resume.volunteer.as_ref()),
            Self::Education => has(resume.education.as_ref()),
            Self::Certificates => has(resume.certificates.as_ref()),
            Self::Awards => has(resume.awards.as_ref()),
            Self::Publications => has(resume.publications.as_ref()),
            Self::References => has(resume.references.as_ref()),
            // Short texts, which can be empty.
            Self::Skills => has_line(resume.skills.as_ref(), entries::skills),
            Self::Languages => has_line(resume.languages.as_ref(), entries::languages),
            Self::Interests => has_line(resume.interests.as_ref(), entries::interests),
            // A text of ours, or marks around a text, are never empty. Only without one of them the
            // texts must be read.
            Self::Basics => {
                let label = resume.basics.as_ref().and_then(|one| one.label.as_ref());
                label.is_some() || self.has_blocks(content)
            }
            Self::Capabilities => {
                let words = &profile.capabilities;
                let has_points = !words.hire_for.is_empty() || !words.not_for.is_empty();
                has_points || self.has_blocks(content)
            }
            Self::Availability => profile.availability.status.is_some() || self.has_blocks(content),
            Self::Contact => !content.withheld.is_empty() || self.has_blocks(content),
        }
    }

    fn has_blocks(self, content: &Content) -> bool {
        !self.blocks(content, &[]).is_empty()
    }
}

/// The whole document.
pub(crate) fn document(content: &Content, projects: &[ListedProject<'_>]) -> String {
    let person = text::inline(&content.person());
    let mut page = block::page(&person, &Part::Basics.blocks(content, projects));
    for part in Part::ALL.into_iter().filter(|part| *part != Part::Basics) {
        section(part.title(), &part.blocks(content, projects), &mut page);
    }
    let mut more = Blocks::default();
    more.named([], &content.resume.extra);
    section("More", &more.into_inner(), &mut page);
    let about = content.resume.meta.as_ref().map(about).unwrap_or_default();
    section("About this résumé", &about, &mut page);
    page
}

fn section(title: &str, blocks: &[Block], page: &mut String) {
    if !blocks.is_empty() {
        page.push_str(&format!("\n## {title}\n"));
        block::write(blocks, 2, page);
    }
}

fn about(meta: &Meta) -> Vec<Block> {
    let mut blocks = Blocks::default();
    blocks.named(
        [
            ("Last changed", some(meta.last_modified.as_ref())),
            ("Newest version", linked(meta.canonical.as_ref())),
        ],
        &meta.extra,
    );
    blocks.into_inner()
}

/// One part as a page of its own; `None` if there is nothing to say.
pub(crate) fn part(
    part: Part,
    content: &Content,
    projects: &[ListedProject<'_>],
) -> Option<String> {
    let mut blocks = part.blocks(content, projects);
    if blocks.is_empty() {
        return None;
    }
    blocks.extend(language(content));
    let person = text::inline(&content.person());
    let title = if part == Part::Basics {
        person
    } else {
        format!("{} – {person}", part.title())
    };
    Some(block::page(&title, &blocks))
}

/// The language of a page, if it is known.
fn language(content: &Content) -> Vec<Block> {
    let mut blocks = Blocks::default();
    let language = content.resume.language().map(str::to_owned);
    blocks.named([("Language", some(language.as_ref()))], &Map::new());
    blocks.into_inner()
}

/// One project as a page of its own.
pub(crate) fn project(content: &Content, project: &ListedProject<'_>) -> String {
    let title = text::inline(&entries::project_title(&project.project));
    let person = text::inline(&content.person());
    let mut blocks = Blocks::default();
    blocks.facts([Some(format!("A project of {person}"))]);
    entries::project(&project.project, project.featured, &mut blocks);
    let mut blocks = blocks.into_inner();
    blocks.extend(language(content));
    block::page(&title, &blocks)
}

fn all_projects(projects: &[ListedProject<'_>]) -> Vec<Block> {
    let mut blocks = Blocks::default();
    for ListedProject { featured, project } in projects {
        let project: &Project = project;
        blocks.heading(&entries::project_title(project));
        entries::project(project, *featured, &mut blocks);
    }
    blocks.into_inner()
}

#[cfg(test)]
mod tests;
