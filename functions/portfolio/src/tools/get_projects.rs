//! `get_projects`: the person's projects, the featured ones first.

use std::sync::{Arc, OnceLock};

use lambda_mcp::handler::Stored;
use lambda_mcp::server::Tool;
use lambda_mcp::{Args, ToolError};
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use super::pages::{Page, Pages};
use super::read_only::read_only;
use crate::about::About;
use crate::arguments::Listed;
use crate::content::tokens::{self, PAGE, Size};
use crate::content::{ByLanguage, Content, ListedProject, Localized, kept};
use crate::view;

pub(super) const ABOUT: About = About {
    name: "get_projects",
    title: "List projects",
    description: "Returns the person's projects: description, achievements, technologies, dates, \
        roles and links. Use it to assess what the person has built, or to find an example for a \
        technology. Featured projects, which the person considers the best, come first. Set \
        `featured` to true to return only those.",
};

/// Arguments of `get_projects`.
#[derive(Debug, Deserialize, JsonSchema)]
struct GetProjects {
    /// `true` returns only featured projects. Defaults to `false`, which returns all projects.
    featured: Option<bool>,
    /// Page of a list that has several pages. Defaults to 1.
    #[schemars(range(min = 1))]
    page: Option<usize>,
    /// Language of the texts.
    language: Option<String>,
}

/// The answer of `get_projects`.
#[derive(Debug, Serialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
struct Projects<'c> {
    /// The page, if there are several.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schemars(with = "Page")]
    page: Option<Page>,
    /// The person's name.
    person: String,
    /// Language of the texts, as a BCP 47 tag. Absent if the person does not name it.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schemars(with = "String")]
    language: Option<String>,
    /// The projects, featured projects first.
    projects: Vec<ListedProject<'c>>,
    /// Number of all projects, on all pages.
    total: usize,
    /// Number of featured projects, on all pages.
    featured: usize,
}

/// Lists the projects.
fn projects(content: &Content, featured_only: bool) -> Projects<'_> {
    let mut projects = content.listed_projects();
    let total = projects.len();
    let is_featured = |listed: &ListedProject<'_>| listed.featured;
    let featured = projects.iter().filter(|listed| is_featured(listed)).count();
    if featured_only {
        projects.retain(is_featured);
    }
    Projects {
        page: None,
        person: content.person(),
        language: content.language.clone(),
        projects,
        total,
        featured,
    }
}

/// The pages of the answers: all projects, and the featured ones. Each is made on first need.
#[derive(Debug, Default)]
struct Answers {
    all: OnceLock<Pages<Projects<'static>>>,
    featured: OnceLock<Pages<Projects<'static>>>,
}

impl Answers {
    fn get(
        &self,
        content: &Content,
        featured_only: bool,
        page: Option<usize>,
    ) -> Result<&Stored<Projects<'static>>, ToolError> {
        let cell = if featured_only {
            &self.featured
        } else {
            &self.all
        };
        let pages = kept(cell, || {
            let listed = projects(content, featured_only).projects;
            let sizes = listed.iter().map(Size::of_json);
            Ok::<_, serde_json::Error>(Pages::new(&sizes.collect::<Result<Vec<_>, _>>()?))
        })?;
        pages.get(page, |entries, page| {
            let mut answer = projects(content, featured_only);
            answer.projects.truncate(entries.end);
            answer.projects.drain(..entries.start);
            Stored::of(&Projects { page, ..answer })
        })
    }
}

/// Returns whether the list may have several pages in any language.
fn has_pages(content: &Localized) -> bool {
    content.contents().any(|content| {
        // A list that cannot be serialized has no pages.
        tokens::exceeds(&projects(content, false), PAGE).unwrap_or_default()
    })
}

/// Builds the tool.
pub(super) fn tool(content: &Arc<Localized>) -> Tool<()> {
    let answers = ByLanguage::new(content, |_| Ok(Answers::default()));
    let handler = move |Args(arguments): Args<GetProjects>| {
        let answer = answer(&answers, &arguments);
        async move { answer }
    };
    let content = Arc::clone(content);
    let listed = move || Listed::of(&content).pages(has_pages(&content));
    read_only::<GetProjects, _, _>(ABOUT, listed, handler).view(view::URI)
}

fn answer(
    answers: &ByLanguage<Answers>,
    arguments: &GetProjects,
) -> Result<Stored<Projects<'static>>, ToolError> {
    let (answers, content) = answers.with_content(arguments.language.as_deref())?;
    let featured_only = arguments.featured.unwrap_or_default();
    Ok(answers.get(content, featured_only, arguments.page)?.clone())
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;
    use crate::content::content_of;

    #[test]
    fn featured_projects_come_first_in_the_owners_order() {
        let content = content_of(
            &json!({"basics": {"name": "A"}, "projects": [
                {"name": "One"}, {"name": "Two", "featured": "old", "x": 1}, {"name": "Three"}, {"description": "four"}
            ]}),
            "[projects]\nfeatured = [\"Three\", \"Two\"]",
        );
        let featured = json!([
            {"featured": true, "name": "Three"},
            {"featured": true, "name": "Two", "x": 1},
        ]);
        assert_eq!(
            serde_json::to_value(projects(&content, true)).unwrap(),
            json!({"person": "A", "projects": featured, "total": 4, "featured": 2})
        );
        let all = projects(&content, false);
        let names: Vec<_> = all
            .projects
            .iter()
            .map(|p| (p.featured, p.project.name.as_deref()))
            .collect();
        assert_eq!(
            names,
            [
                (true, Some("Three")),
                (true, Some("Two")),
                (false, Some("One")),
                (false, None)
            ]
        );
    }

    #[test]
    fn a_resume_without_projects_has_an_empty_list() {
        let content = content_of(&json!({"basics": {"name": "A"}}), "");
        assert_eq!(
            serde_json::to_value(projects(&content, false)).unwrap(),
            json!({"person": "A", "projects": [], "total": 0, "featured": 0})
        );
    }
}
