//! The résumé as resources, to attach to a conversation or to fetch by a program.
//!
//! [`documents`] lists the URIs. Every resource is public: its contents are the same for all callers.

mod documents;

use std::sync::Arc;

use lambda_mcp::content::{Annotations, Role};
use lambda_mcp::handler::RequestError;
use lambda_mcp::server::Resource;
use lambda_mcp::{Args, resource, resource_template};
use schemars::JsonSchema;
use serde::Deserialize;

use crate::markdown::Part;

use documents::NamedDocuments;
pub(crate) use documents::{Documents, Form};

/// A resource or template that exists whatever sections the résumé has.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Offer {
    pub(crate) form: Form,
    /// The URI or URI template.
    pub(crate) uri: &'static str,
    name: &'static str,
    pub(crate) title: &'static str,
    pub(crate) description: &'static str,
    part: OfferedPart,
}

/// Which part of the résumé an [`Offer`] serves.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum OfferedPart {
    Whole,
    AnySection,
    AnyProject,
}

/// The resources and templates that exist in every case, in the order in which clients see them.
pub(crate) const OFFERS: [Offer; 6] = [
    Offer {
        form: Form::Markdown,
        uri: "resume://markdown",
        name: "resume",
        title: "Résumé (Markdown)",
        description: "The whole résumé as Markdown, with the work that the person accepts, \
            availability and contact details.",
        part: OfferedPart::Whole,
    },
    Offer {
        form: Form::Json,
        uri: "resume://json",
        name: "resume-json",
        title: "Résumé (JSON)",
        description: "The whole résumé in the JSON Resume format (schema 1.0.0).",
        part: OfferedPart::Whole,
    },
    Offer {
        form: Form::Markdown,
        uri: "resume://markdown/sections/{section}",
        name: "section",
        title: "Section (Markdown)",
        description: "One section of the résumé as Markdown, such as `work` or `availability`.",
        part: OfferedPart::AnySection,
    },
    Offer {
        form: Form::Json,
        uri: "resume://json/sections/{section}",
        name: "section-json",
        title: "Section (JSON)",
        description: "The résumé reduced to one section, such as `work`, in the JSON Resume \
            format (schema 1.0.0).",
        part: OfferedPart::AnySection,
    },
    Offer {
        form: Form::Markdown,
        uri: "resume://markdown/projects/{project}",
        name: "project",
        title: "Project (Markdown)",
        description: "One project as Markdown. `project` is the project's name, percent-encoded.",
        part: OfferedPart::AnyProject,
    },
    Offer {
        form: Form::Json,
        uri: "resume://json/projects/{project}",
        name: "project-json",
        title: "Project (JSON)",
        description: "One project as an object of the JSON Resume format, with an additional \
            member `featured`. `project` is the project's name, percent-encoded.",
        part: OfferedPart::AnyProject,
    },
];

/// The variable of a section's URI.
#[derive(Debug, Deserialize, JsonSchema)]
struct SectionName {
    /// The section's name.
    section: String,
}

/// The variable of a project's URI.
#[derive(Debug, Deserialize, JsonSchema)]
struct ProjectName {
    /// The project's name.
    project: String,
}

/// Builds the resources and templates: the whole résumé, its sections, then the templates.
pub(crate) fn resources(documents: &Documents) -> Vec<Resource<()>> {
    let is_whole = |offer: &Offer| offer.part == OfferedPart::Whole;
    let (whole, templates): (Vec<_>, Vec<_>) = OFFERS.into_iter().partition(is_whole);
    let offered = |offer: Offer| offered(offer, documents);
    whole
        .into_iter()
        .map(offered)
        .chain(sections(documents))
        .chain(templates.into_iter().map(offered))
        .collect()
}

fn offered(offer: Offer, documents: &Documents) -> Resource<()> {
    let set = documents.of(offer.form);
    let (resource, priority) = match (offer.part, offer.form) {
        (OfferedPart::Whole, form) => {
            let priority = if form == Form::Markdown { 1.0 } else { 0.6 };
            (fixed(offer.uri, offer.name, &set.whole), priority)
        }
        (OfferedPart::AnySection, _) => (any_section(offer, &set.sections), 0.5),
        (OfferedPart::AnyProject, _) => (any_project(offer, &set.projects), 0.5),
    };
    let resource = resource.title(offer.title).description(offer.description);
    with_hints(resource, offer.form, priority)
}

/// The sections that have entries, so that clients see them in `resources/list`.
fn sections(documents: &Documents) -> impl Iterator<Item = Resource<()>> {
    let sections = &documents.of(Form::Markdown).sections;
    Part::ALL.into_iter().filter_map(move |part| {
        let name = part.name();
        let uri = format!("{}/sections/{name}", Form::Markdown.uri());
        let section = fixed(&uri, name, sections.get(name)?)
            .title(part.title())
            .description(format!("The section `{name}` of the résumé as Markdown."));
        Some(with_hints(section, Form::Markdown, 0.5))
    })
}

fn any_section(offer: Offer, sections: &Arc<NamedDocuments>) -> Resource<()> {
    let (documents, completed) = (Arc::clone(sections), Arc::clone(sections));
    let read = move |Args(SectionName { section }): Args<SectionName>| {
        let text = text(&documents, &section);
        async move { text }
    };
    let names = move || {
        let names = names(&completed);
        async move { names }
    };
    resource_template(offer.uri, offer.name, read).complete("section", names)
}

fn any_project(offer: Offer, projects: &Arc<NamedDocuments>) -> Resource<()> {
    let (documents, completed) = (Arc::clone(projects), Arc::clone(projects));
    let read = move |Args(ProjectName { project }): Args<ProjectName>| {
        let text = text(&documents, &project);
        async move { text }
    };
    let names = move || {
        let names = names(&completed);
        async move { names }
    };
    resource_template(offer.uri, offer.name, read).complete("project", names)
}

/// A resource that always has the same text.
fn fixed(uri: &str, name: &str, text: &Arc<str>) -> Resource<()> {
    let bytes = u64::try_from(text.len()).unwrap_or(u64::MAX);
    let text = Arc::clone(text);
    let read = move || {
        let text = text.to_string();
        async move { text }
    };
    resource(uri, name, read).size(bytes)
}

/// Adds what all resources have: the media type, annotations, and that they are public.
fn with_hints(resource: Resource<()>, form: Form, priority: f64) -> Resource<()> {
    let hints = match form {
        Form::Markdown => Annotations::new()
            .audience(Role::User)
            .audience(Role::Assistant),
        Form::Json => Annotations::new().audience(Role::Assistant),
    };
    resource
        .mime_type(form.mime_type())
        .annotations(hints.priority(priority))
        .public_cache()
}

fn text(documents: &NamedDocuments, name: &str) -> Result<String, RequestError> {
    let text = documents.get(name).ok_or_else(RequestError::not_found)?;
    Ok(text.to_string())
}

fn names(documents: &NamedDocuments) -> Vec<String> {
    documents.names().map(str::to_owned).collect()
}
