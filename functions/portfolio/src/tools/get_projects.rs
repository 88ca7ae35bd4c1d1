//! `get_projects`: the person's projects, the featured ones first.

use std::sync::Arc;

use lambda_mcp::{Args, Json, State};
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use super::prepared::Prepared;
use crate::about::About;
use crate::content::Content;
use crate::content::resume::Project;
use crate::portfolio::Portfolio;

pub(super) const ABOUT: About = About {
    name: "get_projects",
    title: "List projects",
    description: "Returns the person's projects with description, achievements, technologies, \
        dates, roles and links. Use it to judge what the person has built or to find an example \
        for a technology. The featured projects, which the person considers the best, come first; \
        pass `featured: true` for those alone.",
};

/// Arguments of `get_projects`.
#[derive(Debug, Deserialize, JsonSchema)]
pub(super) struct GetProjects {
    /// `true` returns featured projects only; `false`, or leaving it out, returns all.
    featured: Option<bool>,
}

/// The answer of `get_projects`.
#[derive(Debug, Serialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
pub(crate) struct Projects {
    /// The person's name.
    person: String,
    /// The projects, featured ones first.
    pub(crate) projects: Vec<ListedProject>,
    /// How many projects the person lists in all.
    total: usize,
    /// How many of them are featured.
    featured: usize,
}

/// A project in a list.
#[derive(Debug, Serialize, JsonSchema)]
pub(crate) struct ListedProject {
    /// Whether the person features it.
    pub(crate) featured: bool,
    #[serde(flatten)]
    pub(crate) project: Project,
}

/// Orders the projects: featured ones as the owner ranks them, then the others as they stand.
pub(crate) fn projects(content: &Content, featured_only: bool) -> Projects {
    let all = content.resume.projects.as_deref().unwrap_or_default();
    let names = &content.profile.projects.featured;
    let rank = |project: &Project| {
        let name = project.name.as_deref()?;
        names.iter().position(|featured| featured == name)
    };
    let mut ranked: Vec<(Option<usize>, &Project)> =
        all.iter().map(|project| (rank(project), project)).collect();
    ranked.sort_by_key(|(rank, _)| rank.unwrap_or(usize::MAX));
    Projects {
        person: content.person(),
        total: all.len(),
        featured: ranked.iter().filter(|(rank, _)| rank.is_some()).count(),
        projects: ranked
            .into_iter()
            .filter(|(rank, _)| rank.is_some() || !featured_only)
            .map(|(rank, project)| ListedProject::new(rank.is_some(), project))
            .collect(),
    }
}

impl ListedProject {
    fn new(featured: bool, project: &Project) -> Self {
        let mut project = project.clone();
        // The list says it; a field of that name in the résumé would stand beside it.
        project.extra.shift_remove("featured");
        Self { featured, project }
    }
}

/// Answers the tool.
pub(super) async fn get_projects(
    State(portfolio): State<Arc<Portfolio>>,
    Args(GetProjects { featured }): Args<GetProjects>,
) -> Json<Prepared<Projects>> {
    let projects = match featured {
        Some(true) => &portfolio.answers.featured_projects,
        Some(false) | None => &portfolio.answers.all_projects,
    };
    Json(projects.clone())
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;
    use crate::tools::content_of;

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
