//! `get_projects`: the person's projects, the featured ones first.

use lambda_mcp::server::Tool;
use lambda_mcp::{Args, Json};
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use super::prepared::Prepared;
use super::read_only::read_only;
use crate::about::About;
use crate::content::{Content, ListedProject};

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
}

/// The answer of `get_projects`.
#[derive(Debug, Serialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
struct Projects {
    /// The person's name.
    person: String,
    /// The projects, featured projects first.
    projects: Vec<ListedProject>,
    /// Number of all projects.
    total: usize,
    /// Number of featured projects.
    featured: usize,
}

/// Lists the projects.
fn projects(content: &Content, featured_only: bool) -> Projects {
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

/// Builds the tool.
///
/// # Errors
///
/// An answer cannot be serialized.
pub(super) fn tool(content: &Content) -> Result<Tool<()>, serde_json::Error> {
    let all = Prepared::new(&projects(content, false))?;
    let only_featured = Prepared::new(&projects(content, true))?;
    let handler = move |Args(GetProjects { featured }): Args<GetProjects>| {
        let answer = match featured {
            Some(true) => only_featured.clone(),
            Some(false) | None => all.clone(),
        };
        async move { Json(answer) }
    };
    Ok(read_only(ABOUT, handler))
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
