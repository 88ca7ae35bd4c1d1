//! `get_projects`: the person's projects, the featured ones first.

use std::sync::Arc;

use lambda_mcp::{Args, Json, State};
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use super::prepared::Prepared;
use crate::about::About;
use crate::content::{Content, ListedProject};
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

/// Lists the projects.
pub(crate) fn projects(content: &Content, featured_only: bool) -> Projects {
    let mut projects = content.listed_projects();
    let total = projects.len();
    let is_featured = |listed: &ListedProject| listed.featured;
    let featured = projects.iter().filter(|listed| is_featured(listed)).count();
    if featured_only {
        projects.retain(is_featured);
    }
    Projects {
        person: content.person(),
        projects,
        total,
        featured,
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
