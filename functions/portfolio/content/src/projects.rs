//! The projects as they are listed: the featured ones first.

use std::borrow::Cow;

use schemars::JsonSchema;
use serde::Serialize;

use super::localized::Content;
use super::resume::Project;

const FEATURED: &str = "featured";

/// A project and whether the owner features it.
#[derive(Debug, Clone, Serialize, JsonSchema)]
pub struct ListedProject<'c> {
    /// Whether the person features this project.
    pub featured: bool,
    /// The project.
    #[serde(flatten)]
    pub project: Cow<'c, Project>,
}

impl<'c> ListedProject<'c> {
    fn new(featured: bool, project: &'c Project) -> Self {
        let mut project = Cow::Borrowed(project);
        // The member above has this name: a field of the résumé would repeat it.
        if project.extra.contains_key(FEATURED) {
            project.to_mut().extra.shift_remove(FEATURED);
        }
        Self { featured, project }
    }
}

impl Content {
    /// Returns all projects: the featured ones in the order of `profile.toml`, then the others in
    /// the order of the résumé.
    #[must_use]
    pub fn listed_projects(&self) -> Vec<ListedProject<'_>> {
        let all = self.resume.projects.as_deref().unwrap_or_default();
        let names = &self.profile.projects.featured;
        let rank = |project: &Project| {
            let name = project.name.as_deref()?;
            names.iter().position(|featured| featured == name)
        };
        let mut ranked: Vec<(Option<usize>, &Project)> =
            all.iter().map(|project| (rank(project), project)).collect();
        ranked.sort_by_key(|(rank, _)| rank.unwrap_or(usize::MAX));
        ranked
            .into_iter()
            .map(|(rank, project)| ListedProject::new(rank.is_some(), project))
            .collect()
    }
}
